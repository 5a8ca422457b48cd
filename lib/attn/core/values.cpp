#include <attn/core/values.hpp>

namespace attn {

std::vector<std::string> texts_of(const Attributes& attributes, const std::string& name) {
  const auto found = attributes.find(name);
  if (found == attributes.end() || found->second.dtype != DType::string) return {};
  return elements_of<std::string>(found->second);
}

}  // namespace attn
