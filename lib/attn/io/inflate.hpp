#pragma once
// gzip, expanded as it is read.

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

}  // namespace attn::io
