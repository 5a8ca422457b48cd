#pragma once
// Memory that a thread keeps between calls, so that small products and single decoding steps allocate nothing.

#include <attn/core/memory.hpp>

#include <cstddef>
#include <memory>

namespace ATTN_API attn {
namespace simd {

/// At least `bytes` of the calling thread, 64-byte aligned; contents are undefined. Valid until the thread asks again
/// with the same tag: one tag for each user.
template <class Tag>
unsigned char* scratch(std::size_t bytes) {
  thread_local std::size_t capacity = 0;
  thread_local std::shared_ptr<void> memory;
  if (bytes > capacity || !memory) {
    // Memory has huge pages from 4 MiB on: without them, what should fit the L2 cache collides in its sets.
    constexpr std::size_t with_huge_pages = std::size_t{4} << 20;
    const std::size_t wanted = bytes < with_huge_pages / 64 ? with_huge_pages / 64
                               : bytes < with_huge_pages    ? with_huge_pages
                                                            : bytes;
    memory = allocate_scratch(wanted);
    capacity = wanted;
  }
  return static_cast<unsigned char*>(memory.get());
}

/// Cuts memory into arrays that begin at multiples of 64 bytes. Without memory it only counts.
class Carver {
 public:
  explicit Carver(unsigned char* memory = nullptr) : memory_(memory) {}
  template <class T>
  T* take(std::size_t count) {
    T* const array = reinterpret_cast<T*>(memory_ + used_);
    used_ += (count * sizeof(T) + 63) / 64 * 64;
    return array;
  }
  std::size_t used() const noexcept { return used_; }

 private:
  unsigned char* memory_;
  std::size_t used_ = 0;
};

}  // namespace simd
}  // namespace attn
