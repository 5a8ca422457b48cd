#include "cli/handed_on.hpp"

#include <attn/core/error.hpp>
#include <attn/core/values.hpp>

namespace cli {
namespace {

constexpr const char* score_scale = "score_scale";
constexpr const char* heads_layout = "heads_layout";
constexpr const char* heads_first = "heads-first";  // as --layout of attend has it

}  // namespace

HandedOn handed_on(const attn::AttendParameters& parameters, bool has_batch) {
  HandedOn handed;
  if (!has_batch) handed.keys_and_values[heads_layout] = attn::scalar_of(heads_first);
  handed.queries = handed.keys_and_values;
  if (parameters.scale) handed.queries[score_scale] = attn::scalar_of(*parameters.scale);
  return handed;
}

std::optional<double> handed_scale(const Input& queries, Session& session) {
  const attn::Attributes attributes = session.attributes(queries);
  const auto found = attributes.find(score_scale);
  if (found == attributes.end()) return std::nullopt;
  if (found->second.dtype == attn::DType::string || found->second.size() != 1)
    throw attn::Error(attn::ErrorKind::data, std::string("attribute ") + score_scale,
                      "of the queries is not one number", "give --scale");
  return *attn::cast(found->second, attn::DType::f64).contiguous_data<double>();
}

bool are_handed_heads_first(const Input& heads, Session& session) {
  const attn::Attributes attributes = session.attributes(heads);
  if (attributes.count(heads_layout) == 0) return false;
  if (attn::texts_of(attributes, heads_layout) != std::vector<std::string>{heads_first})
    throw attn::Error(attn::ErrorKind::data, std::string("attribute ") + heads_layout,
                      std::string("is not ") + heads_first);
  return true;
}

attn::Attributes handed_along(const Input& heads, Session& session) {
  attn::Attributes attributes = session.attributes(heads), along;
  for (const char* name : {score_scale, heads_layout})
    if (const auto found = attributes.find(name); found != attributes.end()) along.insert(*found);
  return along;
}

}  // namespace cli
