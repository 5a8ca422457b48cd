#pragma once
// Decoders of the filters of HDF5 datasets.
//
// HDF5 trusts the output size of a filter, and some of its decoders trust sizes inside a chunk. Here each decoder knows
// the size of its output buffer, and its caller checks the number of bytes that it returns.

#include <attn/io/hdf5/file_bytes.hpp>

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

/// What the user can do about a filter without a decoder.
std::string way_to_decode();

/// The element size among the parameters of a filter; 0 if it has none.
std::size_t element_width(const FilterStep& step) noexcept;

}  // namespace attn::io::hdf5
