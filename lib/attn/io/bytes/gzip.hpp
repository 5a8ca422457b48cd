#pragma once
// Expanding deflate: gzip while it is read, and blocks of a known size.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace attn::io {

class Inflater {
 public:
  /// `source` fills a buffer with the next compressed bytes and returns their number, 0 at the end.
  using ByteSource = std::function<std::size_t(void* to, std::size_t count)>;
  Inflater(ByteSource source, std::string label);
  ~Inflater();

  /// The next expanded bytes, fewer than `count` only at the end. Consecutive members are one text. Throws Error(input)
  /// if it is truncated and Error(data) if it is damaged.
  std::size_t read(void* to, std::size_t count);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace attn::io
