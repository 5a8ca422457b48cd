#pragma once
// A hash that tells contents apart: the 128 bits of XXH3. It does not resist forgery.

#include <attn/core/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct XXH3_state_s;

namespace ATTN_API attn {

struct Digest {
  std::uint64_t high = 0, low = 0;

  std::string hex() const;  ///< 32 digits
  Digest& operator^=(const Digest& other) noexcept {
    high ^= other.high;
    low ^= other.low;
    return *this;
  }
  bool operator==(const Digest& other) const noexcept { return high == other.high && low == other.low; }
  bool operator!=(const Digest& other) const noexcept { return !(*this == other); }
};

/// (n, 2) u64, and back. Throws Error(data) for another shape.
TensorView tensor_of(const std::vector<Digest>& digests);
std::vector<Digest> digests_of(const TensorView& x);

/// The value depends on the bytes alone, wherever calls of add() cut them.
class Hash {
 public:
  Hash();

  void add(const void* data, std::size_t bytes) noexcept;
  void add(std::uint64_t number) noexcept { add(&number, sizeof number); }
  /// The text, and where it ends.
  void add(std::string_view text) noexcept {
    add(text.size());
    add(text.data(), text.size());
  }
  /// The elements in row-major order.
  void add(const TensorView& x);

  Digest value() const noexcept;

 private:
  struct Free {
    void operator()(XXH3_state_s* state) const noexcept;
  };
  std::unique_ptr<XXH3_state_s, Free> state_;
};

}  // namespace attn
