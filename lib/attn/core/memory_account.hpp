#pragma once
// The memory that this process holds, and its limit.

#include <attn/core/api.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ATTN_API attn {

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

}  // namespace attn
