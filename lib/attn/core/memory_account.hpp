#pragma once
// What this process holds in memory, and how much it may.

#include <attn/core/api.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ATTN_API attn {

/// One account of everything large: the blocks of allocate_bytes(), which all tensors lie in, what streams are read
/// into, and the parts of mapped files that tensors were read from, until they are given back. The program itself, and
/// what it keeps in small pieces, is not in it.
class MemoryAccount {
 public:
  /// From now on no more than so many bytes; 0: what this process may use, and pages of files do not count, which the
  /// system takes back when it needs them.
  void limit(std::uint64_t most) noexcept { most_ = most; }
  bool is_limited() const noexcept { return most_ != 0; }

  std::uint64_t allowed() const noexcept;
  std::uint64_t held() const noexcept { return large_ + mapped_; }
  /// The most that was held, or asked for beside it, at any time: what a limit must allow for all that was done so far.
  std::uint64_t most_needed() const noexcept { return most_needed_; }
  /// What may still be taken.
  std::uint64_t left() const noexcept;

  /// Throws Error(memory) naming `subject` when `bytes` beside those that are held are more than is allowed.
  void require(std::uint64_t bytes, const std::string& subject) const;

  /// Throws Error(memory) when a block that is to be allocated is large and more than is allowed: a small one never
  /// ends a run whose large ones fit.
  void expect(std::uint64_t bytes, const std::string& subject = {}) const;

  /// Counts bytes as held, where they are many, for as long as what this returns lives; it keeps `owner` alive too.
  std::shared_ptr<const void> hold(std::uint64_t bytes, std::shared_ptr<const void> owner);

  /// Counts what is no tensor, such as text, for as long as what this returns lives. Throws as expect() does.
  std::shared_ptr<const void> take(std::uint64_t bytes, const std::string& subject);

  /// Pages of files are counted as they are looked at; require() refuses what is too much.
  void add_mapped(std::uint64_t bytes) noexcept {
    mapped_ += bytes;
    remember(0);
  }
  void remove_mapped(std::uint64_t bytes) noexcept { mapped_ -= bytes; }

 private:
  /// Of what is held, what counts against what is allowed.
  std::uint64_t charged() const noexcept { return large_ + (is_limited() ? mapped_.load() : 0); }
  /// That so many bytes were asked for beside what is held.
  void remember(std::uint64_t asked) const noexcept;

  std::atomic<std::uint64_t> most_{0}, large_{0}, mapped_{0};
  mutable std::atomic<std::uint64_t> most_needed_{0};
};

/// The one of this process.
MemoryAccount& memory_account() noexcept;

/// The part of it of one thing that grows by small pieces, as lists and trees of names do, each too small to be counted
/// alone: behind the first megabyte, which is as the program itself, they are counted as large ones, and given back
/// together.
class MemoryShare {
 public:
  /// `subject` is what messages name, `spare` what is not counted.
  explicit MemoryShare(std::string subject, std::uint64_t spare = std::uint64_t{1} << 20)
      : subject_(std::move(subject)), spare_(spare) {}

  /// To be called before so many bytes are allocated. Throws Error(memory) when they are more than is allowed.
  void grow(std::uint64_t bytes);

  /// What the other one counted counts here from now on.
  void absorb(MemoryShare&& other);

 private:
  void count(std::uint64_t bytes);

  std::string subject_;
  std::uint64_t spare_, uncounted_ = 0;
  std::vector<std::shared_ptr<const void>> counted_;
};

}  // namespace attn
