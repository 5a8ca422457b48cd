#include "cli/results/row_part.hpp"

#include <attn/core/error.hpp>
#include <attn/core/values.hpp>

namespace cli {

namespace {

constexpr const char* rows = "rows";
constexpr const char* rows_format = "rows 1";

}  // namespace

RowPart part_of_rows(const Shard& shard, std::size_t all) {
  return {{{}, shard.count}, {}, {}, shard.first_of(all), shard.end_of(all), all};
}

void set_row_axis(Result& result, std::size_t axis) { result.attributes[rows] = number_of(axis); }

std::optional<std::size_t> row_axis(const attn::Attributes& attributes) {
  const auto found = attributes.find(rows);
  if (found == attributes.end() || !attn::is_integer(found->second.dtype) || found->second.size() != 1)
    return std::nullopt;
  return static_cast<std::size_t>(attn::to_integers(found->second).front());
}

std::string row_checksum(const attn::TensorView& x, const attn::Attributes& attributes) {
  const std::optional<std::size_t> axis = row_axis(attributes);
  return hash_of(x) + (axis ? " rows along axis " + std::to_string(*axis) : "");
}

void expect_rows_as_written(attn::Source& source, const RowPart& part) {
  for (const std::string& name : part.datasets) source.describe(name);
  for (const std::string& name : part.checked) {
    const attn::Attributes attributes = source.attributes(name);
    const std::vector<std::string> written = attn::texts_of(attributes, "checksum");
    const attn::TensorView x = source.read(name);
    if (written.empty() || written.front() != row_checksum(x, attributes))
      throw attn::Error(attn::ErrorKind::data, x.name,
                        "is damaged: it is not what was written; delete the file and run its shard again");
    source.release(x);
  }
}

GroupAttributes row_attributes(const RowPart& part, const Output& output, std::vector<Result>& results) {
  std::vector<std::string> datasets, checked;
  for (Result& result : results) {
    datasets.push_back(result.name.empty() ? output.main_name() : result.name);
    result.wants_checksum = !result.producer;
    if (result.wants_checksum) checked.push_back(datasets.back());
  }
  return {{rows, part_attributes(rows_format, part.header,
                                 {{"first", number_of(part.first)},
                                  {"end", number_of(part.end)},
                                  {"all", number_of(part.all)},
                                  {"datasets", attn::vector_of(datasets)},
                                  {"checked", attn::vector_of(checked)}})}};
}

bool has_rows(const attn::Source& source) { return source.has_group(rows); }

RowPart read_row_part(const attn::Source& source) {
  const PartAttributes attributes(source, rows, rows_format, "part with rows: --shard I/N writes one");
  const RowPart part{attributes.header(),
                     attn::texts_of(attributes.all(), "datasets"),
                     attn::texts_of(attributes.all(), "checked"),
                     attributes.number("first"),
                     attributes.number("end"),
                     attributes.number("all")};
  if (part.first > part.end || part.end > part.all) attributes.refuse("is damaged: its rows do not follow each other");
  return part;
}

}  // namespace cli
