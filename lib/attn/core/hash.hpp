#pragma once
// A hash that tells contents apart; it does not resist forgery.

#include <attn/core/api.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ATTN_API attn {

/// Four chains of a multiplication and a shift for each eight bytes. The value depends on where calls of add() cut the
/// bytes.
class Hash {
 public:
  void add(const void* data, std::size_t bytes) noexcept {
    const auto* from = static_cast<const char*>(data);
    bytes_ += bytes;
    for (; bytes >= sizeof chains_; bytes -= sizeof chains_)
      for (std::uint64_t& chain : chains_) from = step(chain, from, sizeof chain);
    for (; bytes > 0; bytes -= bytes < 8 ? bytes : 8) from = step(chains_[0], from, bytes < 8 ? bytes : 8);
  }
  void add(std::uint64_t number) noexcept { add(&number, sizeof number); }

  std::uint64_t value() const noexcept {
    std::uint64_t all = bytes_;
    for (const std::uint64_t chain : chains_) step(all, reinterpret_cast<const char*>(&chain), sizeof chain);
    return all;
  }

 private:
  static const char* step(std::uint64_t& chain, const char* from, std::size_t bytes) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, from, bytes);
    chain = (chain ^ word) * 0x9e3779b97f4a7c15u;
    chain ^= chain >> 29;
    return from + bytes;
  }

  std::uint64_t chains_[4] = {0x243f6a8885a308d3u, 0x13198a2e03707344u, 0xa4093822299f31d0u, 0x082efa98ec4e6c89u};
  std::uint64_t bytes_ = 0;
};

}  // namespace attn
