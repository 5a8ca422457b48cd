#pragma once
// What changes need memory for: tensors that are no views of others.

#include <attn/core/tensor.hpp>

#include <cstddef>
#include <functional>

namespace tconv {

/// Makes copies, or only plans them: then tensors have no elements behind their shapes, and nothing is allocated.
class Copies {
 public:
  static Copies made() { return Copies(true); }
  static Copies planned() { return Copies(false); }

  /// Bytes of all so far.
  std::size_t bytes() const noexcept { return bytes_; }

  /// x contiguous and of that dtype, as attn::cast() has it.
  attn::TensorView converted(const attn::TensorView& x, attn::DType dtype);

  /// A new tensor that `fill` writes, taking `beside` bytes while it does.
  attn::TensorView filled(attn::DType dtype, const attn::Shape& shape, const std::string& name, std::size_t beside,
                          const std::function<void(attn::Tensor& out)>& fill);

 private:
  explicit Copies(bool are_made) : are_made_(are_made) {}
  bool are_made_;
  std::size_t bytes_ = 0;
};

}  // namespace tconv
