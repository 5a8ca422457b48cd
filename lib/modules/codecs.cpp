// The module libattn-codecs.so: the libraries behind hdf5::Codecs.
#include <attn/core/export.hpp>
#include <attn/io/hdf5/codecs.hpp>

#include <blosc.h>
#include <bzlib.h>
#include <lz4.h>
#include <zstd.h>
extern "C" {  // which its header lacks
#include <szlib.h>
}

namespace {

using attn::io::hdf5::Codecs;

/// The libraries take pointers to input that are not const, but do not write to it.
char* characters(const unsigned char* bytes) { return const_cast<char*>(reinterpret_cast<const char*>(bytes)); }

std::size_t expand_bzip2(const unsigned char* from, std::size_t bytes, unsigned char* to, std::size_t most) {
  auto size = static_cast<unsigned>(most);
  const int said = BZ2_bzBuffToBuffDecompress(reinterpret_cast<char*>(to), &size, characters(from),
                                              static_cast<unsigned>(bytes), 0, 0);
  return said == BZ_OK ? size : Codecs::damaged;
}

std::size_t expand_lz4(const unsigned char* from, std::size_t bytes, unsigned char* to, std::size_t most) {
  const int size = LZ4_decompress_safe(characters(from), reinterpret_cast<char*>(to), static_cast<int>(bytes),
                                       static_cast<int>(most));
  return size < 0 ? Codecs::damaged : static_cast<std::size_t>(size);
}

std::size_t expand_zstd(const unsigned char* from, std::size_t bytes, unsigned char* to, std::size_t most) {
  const std::size_t size = ZSTD_decompress(to, most, from, bytes);
  return ZSTD_isError(size) != 0 ? Codecs::damaged : size;
}

std::size_t expand_blosc(const unsigned char* from, std::size_t bytes, unsigned char* to, std::size_t most) {
  std::size_t size = 0;
  if (bytes < BLOSC_MIN_HEADER_LENGTH || blosc_cbuffer_validate(from, bytes, &size) != 0 || size > most)
    return Codecs::damaged;
  const int gave = blosc_decompress_ctx(from, to, most, 1);
  return gave >= 0 && static_cast<std::size_t>(gave) == size ? size : Codecs::damaged;
}

std::size_t expand_szip(const unsigned (&parameters)[4], const unsigned char* from, std::size_t bytes,
                        unsigned char* to, std::size_t most) {
  const auto [mask, width, pixels, line] = parameters;
  if (pixels > SZ_MAX_PIXELS_PER_BLOCK || line > SZ_MAX_PIXELS_PER_SCANLINE) return Codecs::damaged;
  SZ_com_t as_given{static_cast<int>(mask), static_cast<int>(width), static_cast<int>(pixels), static_cast<int>(line)};
  return SZ_BufftoBuffDecompress(to, &most, from, bytes, &as_given) == SZ_OK ? most : Codecs::damaged;
}

std::size_t pack_zstd(unsigned level, const unsigned char* from, std::size_t bytes, unsigned char* to,
                      std::size_t most) {
  const std::size_t size = ZSTD_compress(to, most, from, bytes, static_cast<int>(level));
  return ZSTD_isError(size) != 0 ? Codecs::damaged : size;
}

}  // namespace

extern "C" ATTN_API const Codecs attn_codecs{expand_bzip2, expand_lz4,  expand_zstd,
                                             expand_blosc, expand_szip, pack_zstd};
