#pragma once
// What reading may hold in memory at once.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace attn::io {

/// A number of bytes that everything read together must stay below. Copies share one account: what one source holds,
/// the others have no more.
class MemoryLimit {
 public:
  MemoryLimit() : MemoryLimit(0) {}
  /// 0: what this process may use.
  explicit MemoryLimit(std::size_t most);

  bool is_given() const noexcept { return most_ != 0; }
  std::uint64_t allowed() const noexcept;
  std::uint64_t held() const noexcept { return held_->load(); }
  /// What may still be taken.
  std::uint64_t left() const noexcept;

  /// Throws Error(memory) when `bytes` beside those that are held are more than the limit allows.
  void require(std::uint64_t bytes, const std::string& subject) const;

  /// Counts bytes as held for as long as what this returns lives; it keeps `owner` alive too.
  std::shared_ptr<const void> hold(std::uint64_t bytes, std::shared_ptr<const void> owner) const;

 private:
  std::size_t most_;
  std::shared_ptr<std::atomic<std::uint64_t>> held_;
};

}  // namespace attn::io
