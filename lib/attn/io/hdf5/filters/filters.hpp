#pragma once
// Decoders of the filters of HDF5 datasets.
//
// HDF5 trusts the output size of a filter, and some of its decoders trust sizes inside a chunk. Here each decoder knows
// the size of its output buffer, and its caller checks the number of bytes that it returns.

#include <attn/io/hdf5/cursor.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace attn::io::hdf5 {

/// A filter in the list of a dataset.
struct FilterStep {
  unsigned id;
  std::string name;
  std::vector<unsigned> values;  ///< its parameters
};

/// Numbers that the HDF Group has registered.
namespace filter {
constexpr unsigned deflate = 1, shuffle = 2, fletcher32 = 3, szip = 4, n_bit = 5, scale_offset = 6, bzip2 = 307,
                   lzf = 32000, blosc = 32001, lz4 = 32004, bitshuffle = 32008, zstd = 32015;
}  // namespace filter

/// Undoes one filter, into at most `most` bytes at `to`. Returns the number of bytes; throws Damage.
using Decoder = std::size_t (*)(const FilterStep& step, Cursor stored, unsigned char* to, std::size_t most);

/// The decoder of this library, else that of a plugin; null for unknown filters.
Decoder decoder_of(const FilterStep& step);

/// By a plugin from the folders that the user has named; null if there is none.
Decoder decoder_of_plugin(const FilterStep& step);

/// What the user can do about a filter without a decoder.
std::string way_to_decode();

/// The element size among the parameters of a filter; 0 if it has none.
std::size_t element_width(const FilterStep& step) noexcept;

// Own decoders.
std::size_t undo_shuffle(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most);
std::size_t undo_fletcher32(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most);
std::size_t undo_n_bit(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most);
std::size_t undo_scale_offset(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most);
std::size_t undo_lzf(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most);
std::size_t undo_bitshuffle(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most);

// Decoders of libraries.
std::size_t undo_deflate(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most);
std::size_t undo_szip(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most);
std::size_t undo_bzip2(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most);
std::size_t undo_lz4(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most);
std::size_t undo_zstd(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most);
std::size_t undo_blosc(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most);

/// One block of LZ4 or Zstandard, without a header. Returns the number of bytes; throws Damage.
std::size_t expand_lz4(Cursor block, unsigned char* to, std::size_t most);
std::size_t expand_zstd(Cursor block, unsigned char* to, std::size_t most);

}  // namespace attn::io::hdf5
