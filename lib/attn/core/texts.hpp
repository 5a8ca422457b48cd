#pragma once
// The memory of the texts in tensors of strings, without the std::string objects, which a Tensor counts itself.

#include <attn/core/memory_account.hpp>
#include <attn/core/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace ATTN_API attn {

/// The memory of a text of so many bytes; 0 if the std::string itself has room for it.
std::uint64_t memory_of_text(std::size_t bytes) noexcept;
/// The memory of all texts of a tensor; 0 for a tensor of numbers.
std::uint64_t memory_of_texts(const TensorView& x);

/// Counts the texts of a tensor in memory_account(), each before it is allocated.
class TextMemory {
 public:
  /// `subject` is named in messages.
  explicit TextMemory(std::string subject) : share_(std::move(subject), 0) {}

  /// Throw Error(memory) if a text of so many bytes, or texts of so much memory, exceed the limit.
  void add_text(std::size_t bytes) { add(memory_of_text(bytes)); }
  void add(std::uint64_t memory) {
    if (memory > 0) share_.grow(memory);
  }
  /// Takes over the texts that `other` has counted.
  void absorb(TextMemory&& other) { share_.absorb(std::move(other.share_)); }

  /// The tensor of these texts, which are counted as long as any view of it lives.
  TensorView held_by(TensorView x) &&;

 private:
  MemoryShare share_;
};

}  // namespace attn
