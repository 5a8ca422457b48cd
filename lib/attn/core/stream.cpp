#include <attn/core/stream.hpp>

#include <cstring>

namespace attn {

const TensorInfo* Source::find(const std::string& name) const noexcept {
  for (const TensorInfo& info : tensors())
    if (info.name == name) return &info;
  return nullptr;
}

TensorView collect(const TensorProducer& producer) {
  Tensor out(producer.dtype, producer.shape);
  auto* to = static_cast<char*>(out.data());
  producer.produce([&to](const void* data, std::size_t bytes) {
    std::memcpy(to, data, bytes);
    to += bytes;
  });
  return out.view();
}

}  // namespace attn
