#include <attn/core/error.hpp>
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

TensorInfo Source::describe(const std::string& name) const {
  if (const TensorInfo* info = find(name)) return *info;
  throw Error(ErrorKind::input, label(), "has no dataset '" + name + "'", "it has " + list_tensors(*this));
}

const std::vector<Unreadable>& Source::unreadable() const noexcept {
  static const std::vector<Unreadable> none;
  return none;
}

std::string list_tensors(const Source& source) {
  std::string text;
  const auto append = [&text](const std::string& entry) { text += (text.empty() ? "" : ", ") + entry; };
  for (const TensorInfo& info : source.tensors())
    append(info.name + " " + to_string(info.shape) + " " + std::string(name_of(info.dtype)));
  for (const Unreadable& other : source.unreadable()) append(other.name + " (not readable)");
  return text.empty() ? "no datasets" : text;
}

}  // namespace attn
