// Filters that are decoded by libraries.

#include <attn/io/hdf5/filters/filters.hpp>

#include <blosc.h>
#include <bzlib.h>
#include <lz4.h>
#include <zlib.h>
#include <zstd.h>
extern "C" {  // which its header lacks
#include <szlib.h>
}

#include <algorithm>
#include <limits>

namespace attn::io::hdf5 {
namespace {

/// Converts to a count of a library.
template <class Count>
Count as_count(std::size_t bytes) {
  require(bytes <= static_cast<std::size_t>(std::numeric_limits<Count>::max()), "a chunk is too large for its filter");
  return static_cast<Count>(bytes);
}

/// The libraries take pointers to input that are not const, but do not write to it.
char* characters(Cursor bytes) { return const_cast<char*>(bytes.text().data()); }

}  // namespace

std::size_t undo_deflate(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most) {
  uLongf expanded = most;
  require(uncompress(to, &expanded, stored.data(), stored.left()) == Z_OK, "a chunk does not expand to its size");
  return expanded;
}

/// The first four bytes are the size of the elements.
std::size_t undo_szip(const FilterStep& step, Cursor stored, unsigned char* to, std::size_t most) {
  constexpr std::size_t mask = 0, block = 1, bits = 2, line = 3;
  require(step.values.size() > line, "szip has too few values");
  const unsigned width = step.values[bits], pixels = step.values[block], scan = step.values[line];
  require((width >= 1 && width <= 32) || width == 64, "szip has numbers of a wrong width");
  require(pixels >= 2 && pixels <= SZ_MAX_PIXELS_PER_BLOCK && pixels % 2 == 0, "szip has blocks of a wrong size");
  require(scan > 0 && scan <= SZ_MAX_PIXELS_PER_SCANLINE, "szip has lines of a wrong length");
  SZ_com_t parameters{static_cast<int>(step.values[mask]), static_cast<int>(width), static_cast<int>(pixels),
                      static_cast<int>(scan)};
  std::size_t size = stored.number(4);
  require(size <= most, "a chunk has a wrong size");
  const std::size_t claimed = size;
  require(SZ_BufftoBuffDecompress(to, &size, stored.data(), stored.left(), &parameters) == SZ_OK && size == claimed,
          "a chunk does not expand to its size");
  return size;
}

std::size_t undo_bzip2(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most) {
  unsigned expanded = as_count<unsigned>(most);
  require(BZ2_bzBuffToBuffDecompress(reinterpret_cast<char*>(to), &expanded, characters(stored),
                                     as_count<unsigned>(stored.left()), 0, 0) == BZ_OK,
          "a chunk does not expand to its size");
  return expanded;
}

std::size_t expand_lz4(Cursor block, unsigned char* to, std::size_t most) {
  const int gave = LZ4_decompress_safe(block.text().data(), reinterpret_cast<char*>(to), as_count<int>(block.left()),
                                       as_count<int>(most));
  require(gave >= 0, "a block does not expand to its size");
  return static_cast<std::size_t>(gave);
}

std::size_t expand_zstd(Cursor block, unsigned char* to, std::size_t most) {
  const std::size_t gave = ZSTD_decompress(to, most, block.data(), block.left());
  require(ZSTD_isError(gave) == 0, "a block does not expand to its size");
  return gave;
}

/// The size of all elements, the size of a block, and blocks, each after its stored size; incompressible blocks are
/// unchanged.
std::size_t undo_lz4(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most) {
  const std::uint64_t size = stored.big_endian(8), block = stored.big_endian(4);
  require(size <= most && block > 0, "a chunk has a wrong size");
  for (std::uint64_t done = 0; done < size;) {
    const std::uint64_t some = std::min(block, size - done);
    const Cursor packed = stored.take(stored.big_endian(4));
    if (packed.left() == some)
      std::copy_n(packed.data(), some, to + done);
    else
      require(expand_lz4(packed, to + done, some) == some, "a block does not expand to its size");
    done += some;
  }
  return size;
}

std::size_t undo_zstd(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most) {
  return expand_zstd(stored, to, most);
}

/// The header of the chunk has all parameters.
std::size_t undo_blosc(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most) {
  std::size_t size = 0;
  require(stored.left() >= BLOSC_MIN_HEADER_LENGTH &&
              blosc_cbuffer_validate(stored.data(), stored.left(), &size) == 0 && size <= most,
          "a chunk has a wrong size");
  const int gave = blosc_decompress_ctx(stored.data(), to, most, 1);
  require(gave >= 0 && static_cast<std::size_t>(gave) == size, "a chunk does not expand to its size");
  return size;
}

}  // namespace attn::io::hdf5
