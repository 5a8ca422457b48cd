#include <attn/core/tensor_map.hpp>

namespace attn {

void TensorMap::add(const std::string& name, const TensorView& tensor) {
  if (!tensors_.emplace(name, renamed(tensor, label_ + ":/" + name)).second)
    throw Error(ErrorKind::usage, label_ + ":/" + name, "exists already");
  infos_.push_back({name, tensor.dtype, tensor.shape});
}

TensorView TensorMap::at(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) throw Error(ErrorKind::input, label_, "has no tensor " + name);
  return found->second;
}

TensorView TensorMap::read(const std::string& name, const Slab& part) { return slice(at(name), part); }

Attributes TensorMap::attributes(const std::string&) const { return {}; }

}  // namespace attn
