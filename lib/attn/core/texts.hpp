#pragma once
// What the texts of tensors of strings take in memory, beside the std::string of each, which a Tensor counts itself.

#include <attn/core/memory_account.hpp>
#include <attn/core/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace ATTN_API attn {

/// Of a text of so many bytes: nothing where its std::string has room for it.
std::uint64_t memory_of_text(std::size_t bytes) noexcept;
/// Of all texts of a tensor, which may hold numbers and then has none.
std::uint64_t memory_of_texts(const TensorView& x);

/// Counts the texts of a tensor in memory_account(), each before it is made.
class TextMemory {
 public:
  /// `subject` is what messages name.
  explicit TextMemory(std::string subject) : share_(std::move(subject), 0) {}

  /// Throw Error(memory) when a text of so many bytes, or texts that take so much memory, are more than is allowed.
  void add_text(std::size_t bytes) { add(memory_of_text(bytes)); }
  void add(std::uint64_t memory) {
    if (memory > 0) share_.grow(memory);
  }
  /// Those that another one has counted too.
  void absorb(TextMemory&& other) { share_.absorb(std::move(other.share_)); }

  /// The tensor of these texts, which count for as long as any view of it lives.
  TensorView held_by(TensorView x) &&;

 private:
  MemoryShare share_;
};

}  // namespace attn
