#include "tconv/copies.hpp"

namespace tconv {

using attn::TensorView;

TensorView Copies::converted(const TensorView& x, attn::DType dtype) {
  if (x.dtype == dtype && x.is_contiguous()) return x;
  const bool are_numbers = x.dtype != attn::DType::string && dtype != attn::DType::string;
  if (are_made_ || (x.dtype != dtype && !are_numbers)) return attn::cast(x, dtype);  // which refuses words
  return filled(dtype, x.shape, x.name, 0, {});
}

TensorView Copies::filled(attn::DType dtype, const attn::Shape& shape, const std::string& name, std::size_t beside,
                          const std::function<void(attn::Tensor& out)>& fill) {
  const std::size_t own = attn::element_count(shape) * attn::element_size(dtype);
  bytes_ += own + beside;
  if (!are_made_) return {nullptr, dtype, shape, attn::row_major_strides(shape), nullptr, name};
  attn::Tensor out(dtype, shape);
  fill(out);
  return out.view(name);
}

}  // namespace tconv
