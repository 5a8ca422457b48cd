#pragma once
// Bytes from files and streams: regular files are mapped, everything else is read once into large buffers.

#include <attn/core/execution.hpp>
#include <attn/io/memory_limit.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace attn::io {

/// Consecutive bytes in memory, and what keeps them there.
struct Bytes {
  const unsigned char* data = nullptr;
  std::size_t size = 0;
  std::shared_ptr<const void> owner;
  bool is_mapped = false;  ///< pages of a file, which the system takes back when it needs them

  Bytes part(std::size_t offset, std::size_t count) const { return {data + offset, count, owner, is_mapped}; }
  std::string_view text() const noexcept { return {reinterpret_cast<const char*>(data), size}; }
};

/// Do these bytes lie in a file that ByteInput has mapped and that is still in use? Such pages are never written by
/// this program, so a pipe can take them without a copy.
bool lies_in_mapped_file(const void* data, std::size_t bytes) noexcept;

/// A file, or standard input for "-", read from front to back. What gzip has compressed is expanded on the way.
class ByteInput {
 public:
  /// What a stream is read into counts as held by the limit's account. Throws Error(input) when it cannot be opened.
  /// `progress` is told how much of what take() wants has come.
  explicit ByteInput(const std::string& path, const MemoryLimit& limit = MemoryLimit(), ProgressHook progress = {});
  ~ByteInput();

  const std::string& label() const noexcept;
  const MemoryLimit& limit() const noexcept;

  /// Up to `count` of the next bytes, fewer at the end; they stay to be taken. count <= 4096.
  std::string_view peek(std::size_t count);

  /// Exactly the next `count` bytes. Throws Error(input) when the end comes before.
  Bytes take(std::uint64_t count);

  /// All that is left. Throws Error(memory) as soon as more of a stream has come than the limit allows.
  Bytes take_rest();

  /// Gives back the pages of a mapped file that hold these bytes, which are part of what was taken; they return when
  /// they are looked at. Does nothing for a stream.
  void release(const void* data, std::size_t bytes) const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace attn::io
