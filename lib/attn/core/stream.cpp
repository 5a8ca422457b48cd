#include <attn/core/stream.hpp>

namespace attn {

const TensorInfo* Source::find(const std::string& name) const noexcept {
  for (const TensorInfo& info : tensors())
    if (info.name == name) return &info;
  return nullptr;
}

}  // namespace attn
