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

/// The kind of error if a file cannot be opened: input, or memory if the system allows no more open files.
ErrorKind kind_of_failed_open(int why) noexcept;

class Arrival;
struct ByteSpan;

/// Consecutive bytes in memory, and their owner.
struct Bytes {
  const unsigned char* data = nullptr;
  std::size_t size = 0;
  std::shared_ptr<const void> owner;
  bool is_mapped = false;                 ///< pages of a file, which the system takes back when it needs them
  std::shared_ptr<Arrival> arrival = {};  ///< of a stream whose bytes are here when they are awaited; null: all are

  Bytes part(std::size_t offset, std::size_t count) const { return {data + offset, count, owner, is_mapped, arrival}; }
  std::string_view text() const noexcept { return {reinterpret_cast<const char*>(data), size}; }

  /// Waits until these bytes have come. Throws Error(input) if the stream ends before, Error(memory).
  void await(const unsigned char* begin, std::size_t count) const;
  void await() const { await(data, size); }
  /// Of the rest of a stream: waits for some more bytes; false at its end.
  bool grow();
  /// An owner of these bytes, which keeps them.
  std::shared_ptr<const void> hold(const unsigned char* begin, std::size_t count) const;
  /// Source::release() and Source::discard() for those that lie in these bytes.
  void release(const ByteSpan& span) const noexcept;
  void discard(const ByteSpan& span) const noexcept;
};

/// A file, or standard input for "-", read from start to end; gzip is expanded.
class ByteInput {
 public:
  /// Buffers of streams count in memory_account(). Throws Error(input) if the file cannot be opened. `progress`
  /// receives how much of a take() has arrived.
  explicit ByteInput(const std::string& path, ProgressHook progress = {});
  /// Bytes that are in memory, called `label` in messages; gzip is not expanded.
  ByteInput(Bytes bytes, std::string label);
  ByteInput(ByteInput&& other) noexcept;
  ~ByteInput();

  const std::string& label() const noexcept;

  /// Up to `count` of the next bytes, fewer at the end, without taking them. count <= 4096.
  std::string_view peek(std::size_t count);

  /// Exactly the next `count` bytes. Throws Error(input) if the input ends before.
  Bytes take(std::uint64_t count);

  /// The same; of a stream, many bytes come when they are awaited. The ones behind them wait for all of them.
  Bytes take_arriving(std::uint64_t count);

  /// All remaining bytes. Throws Error(memory) as soon as a stream exceeds the memory.
  Bytes take_rest();

  /// The same; of a stream none, until Bytes::grow() waits for them. Nothing else can be taken then.
  Bytes take_growing_rest();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace io
}  // namespace attn
