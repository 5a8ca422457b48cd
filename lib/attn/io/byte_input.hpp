#pragma once
// Bytes from files and streams: regular files are mapped, everything else is read once into large buffers.

#include <attn/core/error.hpp>
#include <attn/core/execution.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace ATTN_API attn {
namespace io {

/// What it comes to that a file cannot be opened: input, or memory where the system has room for no more open files.
ErrorKind kind_of_failed_open(int why) noexcept;

/// Consecutive bytes in memory, and what keeps them there.
struct Bytes {
  const unsigned char* data = nullptr;
  std::size_t size = 0;
  std::shared_ptr<const void> owner;
  bool is_mapped = false;  ///< pages of a file, which the system takes back when it needs them

  Bytes part(std::size_t offset, std::size_t count) const { return {data + offset, count, owner, is_mapped}; }
  std::string_view text() const noexcept { return {reinterpret_cast<const char*>(data), size}; }
};

/// A file, or standard input for "-", read from front to back. What gzip has compressed is expanded on the way.
class ByteInput {
 public:
  /// What a stream is read into counts in memory_account(). Throws Error(input) when it cannot be opened.
  /// `progress` is told how much of what take() wants has come.
  explicit ByteInput(const std::string& path, ProgressHook progress = {});
  ~ByteInput();

  const std::string& label() const noexcept;

  /// Up to `count` of the next bytes, fewer at the end; they stay to be taken. count <= 4096.
  std::string_view peek(std::size_t count);

  /// Exactly the next `count` bytes. Throws Error(input) when the end comes before.
  Bytes take(std::uint64_t count);

  /// All that is left. Throws Error(memory) as soon as more of a stream has come than memory allows.
  Bytes take_rest();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace io
}  // namespace attn
