#pragma once
// What changes need memory for: tensors that are no views of others.

#include <attn/core/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>

namespace tconv {

/// Makes copies, or only plans them: then tensors have no elements behind their shapes, and nothing is allocated.
class Copies {
 public:
  static Copies made() { return Copies(true); }
  static Copies planned() { return Copies(false); }

  /// Bytes of all so far.
  std::size_t bytes() const noexcept { return bytes_; }

  /// Counts `count` tensors that are views of others: what is said of each takes memory too, and there may be very
  /// many. Throws Error(memory) naming `subject` where it is more than is allowed.
  void count_views(std::size_t count, const std::string& subject);

  /// x contiguous and of that dtype, as attn::cast() has it.
  attn::TensorView converted(const attn::TensorView& x, attn::DType dtype);

  /// A new tensor that `fill` writes, taking `beside` bytes while it does; `texts`: what those of its strings take.
  attn::TensorView filled(attn::DType dtype, const attn::Shape& shape, const std::string& name, std::size_t beside,
                          const std::function<void(attn::Tensor& out)>& fill, std::uint64_t texts);

  /// What the texts of x take in memory: where it is only planned, of all that it is a part of.
  std::uint64_t memory_of_texts(const attn::TensorView& x) const;

 private:
  explicit Copies(bool are_made) : are_made_(are_made) {}
  bool are_made_;
  std::size_t bytes_ = 0;
  std::map<const void*, std::uint64_t> planned_texts_;  ///< of tensors of strings, by their owners
  std::shared_ptr<const void> views_;                   ///< in the account of memory, for as long as this lives
};

}  // namespace tconv
