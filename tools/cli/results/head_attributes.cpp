#include "cli/results/head_attributes.hpp"

#include "cli/numbers.hpp"

#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>

namespace cli {
namespace {

constexpr const char* score_scale = "score_scale";
constexpr const char* heads_layout = "heads_layout";
constexpr const char* heads_first = "heads-first";  // as in attend --layout

std::optional<double> number_in(const attn::TensorView& attribute) {
  if (attribute.dtype == attn::DType::string || attribute.size() != 1) return std::nullopt;
  return *attn::cast(attribute, attn::DType::f64).contiguous_data<double>();
}

}  // namespace

HandedOn handed_on(const attn::AttendParameters& parameters, bool has_batch) {
  HandedOn handed;
  if (!has_batch) handed.keys_and_values[heads_layout] = attn::scalar_of(heads_first);
  handed.queries = handed.keys_and_values;
  if (parameters.scale) handed.queries[score_scale] = attn::scalar_of(*parameters.scale);
  return handed;
}

std::optional<double> handed_scale(const Input& queries, Inputs& inputs) {
  const attn::Attributes attributes = inputs.attributes(queries);
  const auto found = attributes.find(score_scale);
  if (found == attributes.end()) return std::nullopt;
  const auto scale = number_in(found->second);
  if (!scale)
    throw attn::Error(attn::ErrorKind::data, std::string("attribute ") + score_scale,
                      "of the queries is not one number", "give --scale");
  return scale;
}

bool are_handed_heads_first(const Input& heads, Inputs& inputs) {
  const attn::Attributes attributes = inputs.attributes(heads);
  if (attributes.count(heads_layout) == 0) return false;
  if (attn::texts_of(attributes, heads_layout) != std::vector<std::string>{heads_first})
    throw attn::Error(attn::ErrorKind::data, std::string("attribute ") + heads_layout,
                      std::string("is not ") + heads_first);
  return true;
}

attn::Attributes handed_along(const Input& heads, Inputs& inputs) {
  attn::Attributes attributes = inputs.attributes(heads), along;
  for (const char* name : {score_scale, heads_layout})
    if (const auto found = attributes.find(name); found != attributes.end()) along.insert(*found);
  return along;
}

std::vector<std::string> handed_on_in_vain(const std::vector<Result>& results) {
  std::vector<std::string> lines;
  std::string heads;
  for (const Result& result : results) {
    const auto scale = result.attributes.find(score_scale);
    if (scale != result.attributes.end())
      if (const auto number = number_in(scale->second))
        lines.push_back(result.name + ": its attribute " + score_scale +
                        " is lost, as only HDF5 keeps it; give --scale " + to_text(*number) + " to attend");
    if (attn::texts_of(result.attributes, heads_layout) == std::vector<std::string>{heads_first})
      heads += (heads.empty() ? "" : ", ") + result.name;
  }
  if (!heads.empty())
    lines.push_back(heads + ": the attribute " + heads_layout +
                    " is lost, as only HDF5 keeps it; give attend --layout " + heads_first);
  return lines;
}

}  // namespace cli
