#pragma once
// What deflate has compressed: gzip, expanded as it is read, and blocks of a known size.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace attn::io {

class Inflater {
 public:
  /// `source` fills a buffer with the next compressed bytes and returns how many, 0 at the end.
  using ByteSource = std::function<std::size_t(void* to, std::size_t count)>;
  Inflater(ByteSource source, std::string label);
  ~Inflater();

  /// The next expanded bytes, fewer than `count` only at the end. Members that follow each other are one text.
  /// Throws Error(input) when it is truncated and Error(data) when it is damaged.
  std::size_t read(void* to, std::size_t count);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Expands a block in zlib's format into exactly `size` bytes; false when it is damaged or gives more or fewer.
bool inflate_exactly(const void* compressed, std::size_t count, void* to, std::size_t size) noexcept;

}  // namespace attn::io
