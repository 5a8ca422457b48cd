#pragma once
// Memory: blocks for tensors, the account of all that the process holds, and what threads keep between calls.

#include <attn/core/export.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ATTN_API attn {

struct TensorView;

/// Uninitialised memory, 64-byte aligned, large blocks in huge pages. Throws Error(memory).
///
/// Freed large blocks are kept for reuse: the layers of a model request the same few sizes repeatedly, and in a fresh
/// block the kernel clears each page at its first touch. The process takes at most 128 MiB more than it has used.
///
/// They are counted in memory_account() before they are allocated.
std::shared_ptr<void> allocate_bytes(std::size_t bytes);

/// The same for blocks of about the same lifetime, such as the weights of a model: small blocks share huge pages, which
/// are freed with the last block in them.
std::shared_ptr<void> allocate_beside(std::size_t bytes);

/// The same for a thread's working memory, a few megabytes at most, which is not counted.
std::shared_ptr<void> allocate_scratch(std::size_t bytes);

/// The memory that this process may use: the machine's, or the limit of its control group.
std::size_t usable_memory();

// The memory that this process holds, and its limit.

/// The account of all large memory: the blocks of allocate_bytes(), which contain all tensors, the buffers of streams,
/// and the parts of mapped files that tensors were read from, until they are released. The program itself and small
/// blocks are not counted.
class MemoryAccount {
 public:
  /// Sets the limit; 0: the memory that this process may use. Without a limit, pages of files do not count, because the
  /// system can take them back.
  void limit(std::uint64_t most) noexcept { most_ = most; }
  bool is_limited() const noexcept { return most_ != 0; }

  std::uint64_t allowed() const;
  std::uint64_t held() const noexcept { return large_ + mapped_; }
  /// The most memory that was held or requested at any time: the least limit that allows the work done so far.
  std::uint64_t most_needed() const noexcept { return most_needed_; }
  /// The number of bytes that may still be allocated.
  std::uint64_t left() const;

  /// Throws Error(memory) naming `subject` if the held bytes and `bytes` exceed the limit.
  void require(std::uint64_t bytes, const std::string& subject) const;

  /// Throws Error(memory) if a large block would exceed the limit: a small block never ends a run whose large blocks
  /// fit.
  void expect(std::uint64_t bytes, const std::string& subject = {}) const;

  /// Counts the bytes as held, if they are many, while the returned object lives, which also keeps `owner` alive.
  std::shared_ptr<const void> hold(std::uint64_t bytes, std::shared_ptr<const void> owner);

  /// Counts memory that is no tensor, such as text, while the returned object lives. Throws like expect().
  std::shared_ptr<const void> take(std::uint64_t bytes, const std::string& subject);

  /// Counts memory that comes and goes in parts; require() checks the limit.
  void add(std::uint64_t bytes) noexcept {
    large_ += bytes;
    remember(0);
  }
  void remove(std::uint64_t bytes) noexcept { large_ -= bytes; }

  /// Counts pages of files when they are used; require() checks the limit.
  void add_mapped(std::uint64_t bytes) noexcept {
    mapped_ += bytes;
    remember(0);
  }
  void remove_mapped(std::uint64_t bytes) noexcept { mapped_ -= bytes; }

 private:
  /// The held bytes that count against the limit.
  std::uint64_t charged() const noexcept { return large_ + (is_limited() ? mapped_.load() : 0); }
  /// Records a request of so many bytes in addition to the held ones.
  void remember(std::uint64_t asked) const noexcept;

  std::atomic<std::uint64_t> most_{0}, large_{0}, mapped_{0};
  mutable std::atomic<std::uint64_t> most_needed_{0};
};

/// The account of this process.
MemoryAccount& memory_account() noexcept;

/// The share of an object that grows by small pieces, such as a list or tree of names. After the first megabyte, which
/// counts as the program itself, the pieces are counted like large blocks and released together.
class MemoryShare {
 public:
  /// `subject` is named in messages; `spare` bytes are not counted.
  explicit MemoryShare(std::string subject, std::uint64_t spare = std::uint64_t{1} << 20)
      : subject_(std::move(subject)), spare_(spare) {}

  /// Must be called before so many bytes are allocated. Throws Error(memory) if they exceed the limit.
  void grow(std::uint64_t bytes);

  /// Takes over the bytes that `other` has counted.
  void absorb(MemoryShare&& other);

 private:
  std::string subject_;
  std::uint64_t spare_, uncounted_ = 0;
  std::vector<std::shared_ptr<const void>> counted_;
};

// Memory that a thread keeps between calls, so that small products and single decoding steps allocate nothing.

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

// The memory of the texts in tensors of strings, without the std::string objects, which a Tensor counts itself.

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
