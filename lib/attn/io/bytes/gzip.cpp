#include <attn/core/error.hpp>
#include <attn/io/bytes/gzip.hpp>

#include <zlib.h>

#include <algorithm>
#include <vector>

namespace attn::io {

struct Inflater::State {
  ByteSource source;
  std::string label;
  z_stream stream{};
  std::vector<unsigned char> compressed = std::vector<unsigned char>(std::size_t{256} << 10);
  bool between_members = true;

  bool refill() {
    if (stream.avail_in > 0) return true;
    stream.next_in = compressed.data();
    stream.avail_in = static_cast<uInt>(source(compressed.data(), compressed.size()));
    return stream.avail_in > 0;
  }

  /// Behind a member: takes the zeros that tapes and blocks are filled up with, as gzip does.
  void skip_padding() {
    while (refill() && *stream.next_in == 0) {
      ++stream.next_in;
      --stream.avail_in;
    }
  }
};

Inflater::Inflater(ByteSource source, std::string label) : state_(std::make_unique<State>()) {
  state_->source = std::move(source);
  state_->label = std::move(label);
  constexpr int gzip_only = 16 + MAX_WBITS;
  if (inflateInit2(&state_->stream, gzip_only) != Z_OK)
    throw Error(ErrorKind::memory, state_->label, "cannot allocate a decompressor");
}

Inflater::~Inflater() { inflateEnd(&state_->stream); }

std::size_t Inflater::read(void* to, std::size_t count) {
  State& s = *state_;
  std::size_t done = 0;
  while (done < count) {
    if (s.between_members && s.stream.total_in > 0) s.skip_padding();
    if (!s.refill()) {
      if (s.between_members) break;
      throw Error(ErrorKind::input, s.label, "is truncated in the middle of gzip data");
    }
    if (s.between_members) {
      inflateReset(&s.stream);
      s.between_members = false;
    }
    const std::size_t room = std::min(count - done, std::size_t{1} << 30);
    s.stream.next_out = static_cast<unsigned char*>(to) + done;
    s.stream.avail_out = static_cast<uInt>(room);
    const int status = inflate(&s.stream, Z_NO_FLUSH);
    done += room - s.stream.avail_out;
    if (status == Z_STREAM_END)
      s.between_members = true;
    else if (status != Z_OK && status != Z_BUF_ERROR)
      throw Error(ErrorKind::data, s.label,
                  std::string("has damaged gzip data: ") + (s.stream.msg != nullptr ? s.stream.msg : "not gzip"));
  }
  return done;
}

}  // namespace attn::io
