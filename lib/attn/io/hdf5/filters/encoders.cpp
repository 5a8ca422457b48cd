#include <attn/io/hdf5/filters/encoders.hpp>
#include <attn/io/hdf5/filters/filters.hpp>
#include <attn/io/hdf5/library.hpp>

#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace attn::io::hdf5 {
namespace {

/// Packs bytes into at most as many; 0 if they need more.
using Packer = std::size_t (*)(unsigned level, const unsigned char* from, std::size_t bytes, unsigned char* to);

std::size_t pack_zstd(unsigned level, const unsigned char* from, std::size_t bytes, unsigned char* to) {
  const std::size_t size = ZSTD_compress(to, bytes, from, bytes, static_cast<int>(level));
  return ZSTD_isError(size) != 0 ? 0 : size;
}

/// Repeats the last occurrence of three bytes with the same hash, as long as both agree. The format: lzf.cpp.
std::size_t pack_lzf(unsigned, const unsigned char* from, std::size_t bytes, unsigned char* to) {
  constexpr std::size_t longest_run = 32, longest_repeat = 264, farthest = 8192, never = ~std::size_t{0};
  constexpr unsigned hash_bits = 14;
  std::vector<std::size_t> last(std::size_t{1} << hash_bits, never);
  std::size_t done = 0, next = 0;  // bytes written; the first byte that is not
  const auto put_runs = [&](std::size_t end) {
    while (next < end) {
      const std::size_t run = std::min(longest_run, end - next);
      if (bytes - done <= run) return false;
      to[done++] = static_cast<unsigned char>(run - 1);
      std::copy_n(from + next, run, to + done);
      done += run;
      next += run;
    }
    return true;
  };
  for (std::size_t at = 0; at + 2 < bytes;) {
    const std::uint32_t three = std::uint32_t{from[at]} << 16 | std::uint32_t{from[at + 1]} << 8 | from[at + 2];
    std::size_t& entry = last[three * 2654435761U >> (32 - hash_bits)];
    const std::size_t before = entry;
    entry = at;
    if (before == never || at - before > farthest || !std::equal(from + at, from + at + 3, from + before)) {
      ++at;
      continue;
    }
    std::size_t length = 3;
    while (length < longest_repeat && at + length < bytes && from[before + length] == from[at + length]) ++length;
    if (!put_runs(at) || bytes - done < 3) return 0;
    const std::size_t back = at - before - 1, code = length - 2;
    to[done++] = static_cast<unsigned char>(std::min<std::size_t>(code, 7) << 5 | back >> 8);
    if (code >= 7) to[done++] = static_cast<unsigned char>(code - 7);
    to[done++] = static_cast<unsigned char>(back);
    at = next = at + length;
  }
  return put_runs(bytes) ? done : 0;
}

/// A filter of HDF5, for writing only. If it returns 0, HDF5 stores the chunk unchanged.
template <Packer pack>
std::size_t encode(unsigned flags, std::size_t, const unsigned values[], std::size_t bytes, std::size_t* room,
                   void** buffer) {
  if ((flags & H5Z_FLAG_REVERSE) != 0) return 0;
  void* const packed = H5allocate_memory(bytes, false);
  const auto* const from = static_cast<const unsigned char*>(*buffer);
  const std::size_t size = packed == nullptr ? 0 : pack(values[0], from, bytes, static_cast<unsigned char*>(packed));
  if (size == 0) {
    H5free_memory(packed);
    return 0;
  }
  H5free_memory(*buffer);
  *buffer = packed;
  *room = bytes;
  return size;
}

template <Packer pack>
void add_filter(Id creation, unsigned id, const char* name, const std::vector<unsigned>& values) {
  const H5Z_class2_t filter{H5Z_CLASS_T_VERS, static_cast<H5Z_filter_t>(id), 1, 0, name, nullptr, nullptr,
                            encode<pack>};
  H5Zregister(&filter);
  H5Pset_filter(creation, filter.id, H5Z_FLAG_OPTIONAL, values.size(), values.data());
}

}  // namespace

void set_zstd(Id creation, unsigned level) { add_filter<pack_zstd>(creation, filter::zstd, "zstd", {level}); }

void set_lzf(Id creation, std::size_t chunk_bytes) {
  constexpr unsigned filter_version = 4, lzf_version = 0x0105;
  add_filter<pack_lzf>(creation, filter::lzf, "lzf", {filter_version, lzf_version, static_cast<unsigned>(chunk_bytes)});
}

}  // namespace attn::io::hdf5
