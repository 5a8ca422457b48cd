// LZF, the filter of h5py. Source: Marc Lehmann's LibLZF. Each run starts with a byte. Below 32, it is the number of
// bytes that follow, less 1; else its upper 3 bits are the length of a repetition, and its lower 5 bits and another
// byte are the distance back.

#include <attn/io/hdf5/filters/filters.hpp>

#include <algorithm>

namespace attn::io::hdf5 {

std::size_t undo_lzf(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most) {
  std::size_t done = 0;
  const auto require_room = [&](std::size_t count) { require(count <= most - done, "a chunk expands to too much"); };
  while (stored.left() > 0) {
    const unsigned head = stored.small(1);
    constexpr unsigned first_repeat = 32, long_repeat = 7;
    if (head < first_repeat) {
      const Cursor run = stored.take(head + 1);
      require_room(run.left());
      std::copy_n(run.data(), run.left(), to + done);
      done += run.left();
      continue;
    }
    std::size_t count = (head >> 5) + 2;
    if (head >> 5 == long_repeat) count += stored.small(1);
    const std::size_t back = ((head & 31) << 8 | stored.small(1)) + 1;
    require(back <= done, "a chunk repeats bytes before its start");
    require_room(count);
    for (std::size_t i = 0; i < count; ++i, ++done) to[done] = to[done - back];  // they may overlap
  }
  return done;
}

}  // namespace attn::io::hdf5
