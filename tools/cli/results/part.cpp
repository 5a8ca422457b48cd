#include "cli/results/part.hpp"

#include "cli/batches.hpp"
#include "cli/results.hpp"

#include <attn/core/error.hpp>
#include <attn/core/hash.hpp>
#include <attn/core/memory_account.hpp>
#include <attn/core/values.hpp>
#include <attn/core/version.hpp>

#include <algorithm>

namespace cli {

using attn::Error;
using attn::ErrorKind;

namespace {

constexpr const char* checksum = "checksum";

std::string text_of(const attn::Shape& shape, attn::DType dtype, const attn::Hash& hash) {
  return attn::to_string(shape) + ' ' + std::string(attn::name_of(dtype)) + ' ' + hash.value().hex();
}

/// The hash of all attributes but the checksum itself.
std::string checksum_of(const attn::Attributes& attributes) {
  attn::Hash hash;
  for (const auto& [name, value] : attributes) {
    if (name == checksum) continue;
    for (const std::string_view text : {std::string_view(name), attn::name_of(value.dtype)}) hash.add(text);
    hash.add(value);
  }
  return hash.value().hex();
}

}  // namespace

PartHeader part_header(attn::Isa isa, PartOptions options, std::size_t shards) {
  return {attn::version(), std::string(attn::name_of(isa)), std::move(options), shards};
}

attn::TensorView number_of(std::size_t value) { return attn::scalar_of(static_cast<std::uint64_t>(value)); }

std::string hash_of(const attn::TensorView& x) {
  attn::Hash hash;
  hash.add(x);
  return text_of(x.shape, x.dtype, hash);
}

std::string hash_of(const Input& input, std::size_t axis, Session& session,
                    const std::function<void(const attn::TensorView& block)>& look) {
  Inputs& inputs = session.inputs;
  const attn::io::Operand& operand = inputs.parse(input.text);
  const bool is_table = !operand.literal && inputs.source(operand).is_table();  // which each read parses as a whole
  const attn::Shape shape = inputs.shape(input);
  const std::size_t rows = shape[axis], row = attn::element_count(shape) / std::max<std::size_t>(rows, 1);
  constexpr std::size_t elements_at_once = std::size_t{1} << 17;
  const std::size_t at_once =
      is_table || row == 0 ? rows : std::min(rows, std::max(elements_at_once / row, std::size_t{1}));
  if (session.execution().dry_run != nullptr) {
    attn::memory_account().require(at_once * row * sizeof(double), input.text);
    return {};
  }
  attn::Hash hash;
  attn::DType dtype{};
  std::size_t first = 0;
  do {
    const std::size_t last = std::min(first + at_once, rows);
    const attn::TensorView x = inputs.read_rows(input, axis, first, last);
    dtype = x.dtype;
    hash.add(x);
    if (look) look(x);
    inputs.release(input, x);
    first = last;
  } while (first < rows);
  return text_of(shape, dtype, hash);
}

void expect_part_file(const Output& output, const char* option, Session& session) {
  if (!writes_hdf5(output))
    throw Error(ErrorKind::usage, option, "writes an HDF5 file, which keeps the options of the part",
                "as in -o part-1.h5");
  if (output.options.append)
    throw Error(ErrorKind::usage, "--append", "does not go with " + std::string(option) + ": a part is a file",
                "leave it out");
  if (session.batches.has_next())
    throw Error(ErrorKind::usage, option, "makes parts of one batch, and another one follows in the input",
                "give one file to each run");
}

void expect_state_file(const Output& output, const char* option, Session& session) {
  expect_part_file(output, option, session);
  if (session.dtype() && *session.dtype() != attn::DType::f64)
    throw Error(ErrorKind::usage, "--dtype", "does not apply to a state, which is f64", "give it to tmerge");
}

attn::Attributes part_attributes(const std::string& format, const PartHeader& header, attn::Attributes others) {
  std::string options;
  for (const auto& [name, value] : header.options) options += name + '=' + value + '\n';
  others["format"] = attn::scalar_of(format);
  others["version"] = attn::scalar_of(header.version);
  others["instruction_set"] = attn::scalar_of(header.instruction_set);
  others["options"] = attn::scalar_of(options);
  others["shards"] = number_of(header.shards);
  others[checksum] = attn::scalar_of(checksum_of(others));
  return others;
}

PartAttributes::PartAttributes(const attn::Source& source, const std::string& group, const std::string& format,
                               const std::string& what)
    : label_(source.label()), group_(group) {
  if (source.has_group(group)) attributes_ = source.attributes(group);
  if (attn::texts_of(attributes_, "format") != std::vector<std::string>{format}) refuse("is no " + what);
  if (text(checksum) != checksum_of(attributes_))
    refuse("is damaged: the attributes of its group " + group +
           " are not what was written; delete it and run its shard again");
}

PartHeader PartAttributes::header() const {
  PartHeader header;
  header.version = text("version");
  header.instruction_set = text("instruction_set");
  header.shards = number("shards");
  const std::string options = text("options");
  for (std::size_t from = 0, end; (end = options.find('\n', from)) != std::string::npos; from = end + 1) {
    const std::size_t equals = std::min(options.find('=', from), end), value = std::min(equals + 1, end);
    header.options.emplace_back(options.substr(from, equals - from), options.substr(value, end - value));
  }
  return header;
}

std::string PartAttributes::text(const char* name) const {
  const std::vector<std::string> texts = attn::texts_of(attributes_, name);
  if (texts.size() != 1) refuse(std::string("has no text ") + name + " among the attributes of its part");
  return texts.front();
}

attn::Shape PartAttributes::numbers(const char* name) const {
  const auto found = attributes_.find(name);
  if (found == attributes_.end() || !attn::is_integer(found->second.dtype))
    refuse(std::string("has no numbers ") + name + " among the attributes of its part");
  attn::Shape all;
  for (const std::int64_t number : attn::to_integers(found->second)) all.push_back(static_cast<std::size_t>(number));
  return all;
}

std::size_t PartAttributes::number(const char* name) const {
  const attn::Shape all = numbers(name);
  if (all.size() != 1) refuse(std::string("has several numbers ") + name + " among the attributes of its part");
  return all.front();
}

std::vector<attn::TreeNode> PartAttributes::places(attn::Source& source, std::size_t leaves) const {
  const std::vector<std::int64_t> levels = attn::to_integers(source.read(group_ + "/level")),
                                  indices = attn::to_integers(source.read(group_ + "/index"));
  std::vector<attn::TreeNode> places;
  for (std::size_t at = 0; at < levels.size(); ++at) {
    const bool is_place = indices.size() == levels.size() && levels[at] >= 0 && levels[at] < 48 && indices[at] >= 0 &&
                          indices[at] <= (std::int64_t{1} << 48);
    const attn::TreeNode place =
        is_place ? attn::TreeNode{static_cast<std::size_t>(levels[at]), static_cast<std::size_t>(indices[at])}
                 : attn::TreeNode{};
    if (!is_place || place.first_leaf() >= leaves || (at > 0 && place.first_leaf() != places.back().end_leaf()))
      refuse("is damaged: the nodes of its " + group_ + " do not follow each other");
    places.push_back(place);
  }
  return places;
}

void PartAttributes::refuse(const std::string& detail) const { throw Error(ErrorKind::data, label_, detail); }

}  // namespace cli
