#pragma once
// Bytes from files and streams: regular files are mapped, everything else is read once into large buffers.

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
  /// What they take of the memory that a program may be allowed.
  std::size_t memory() const noexcept { return is_mapped ? 0 : size; }
  std::string_view text() const noexcept { return {reinterpret_cast<const char*>(data), size}; }
};

/// What a source may take: `most` bytes at once, 0 for what the machine has, of which a buffer already holds `held`.
struct MemoryLimit {
  std::size_t most = 0;
  std::size_t held = 0;

  std::uint64_t allowed() const noexcept;
};

/// Throws Error(memory) when `bytes` beside those that are held are more than the limit allows.
void require_memory(std::uint64_t bytes, const MemoryLimit& limit, const std::string& subject);

/// A file, or standard input for "-", read from front to back. What gzip has compressed is expanded on the way.
class ByteInput {
 public:
  /// max_memory: bytes that buffers may hold at once, 0 for no limit. Throws Error(input) when it cannot be opened.
  explicit ByteInput(const std::string& path, std::size_t max_memory = 0);
  ~ByteInput();

  const std::string& label() const noexcept;
  std::size_t max_memory() const noexcept;

  /// Up to `count` of the next bytes, fewer at the end; they stay to be taken. count <= 4096.
  std::string_view peek(std::size_t count);

  /// Exactly the next `count` bytes. Throws Error(input) when the end comes before.
  Bytes take(std::uint64_t count);

  /// All that is left. Throws Error(memory) as soon as more of a stream has come than max_memory allows.
  Bytes take_rest();

  /// Gives back the pages of a mapped file that hold these bytes, which are part of what was taken; they return when
  /// they are looked at. Does nothing for a stream.
  void release(const void* data, std::size_t bytes) const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace attn::io
