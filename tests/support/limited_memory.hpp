#pragma once
// A limit on memory for as long as a test wants it.

#include <attn/core/memory.hpp>

#include <cstdint>

namespace support {

class LimitedMemory {
 public:
  /// So many bytes beside those that are held.
  explicit LimitedMemory(std::uint64_t bytes) {
    constexpr std::uint64_t ample = std::uint64_t{1} << 60;
    attn::memory_account().limit(ample);
    attn::memory_account().limit(ample - attn::memory_account().left() + bytes);
  }
  ~LimitedMemory() { attn::memory_account().limit(0); }
  LimitedMemory(const LimitedMemory&) = delete;
  LimitedMemory& operator=(const LimitedMemory&) = delete;
};

}  // namespace support
