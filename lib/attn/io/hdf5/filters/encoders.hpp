#pragma once
// Filters for writing that HDF5 does not have itself.

#include <attn/io/hdf5/handle.hpp>

#include <cstddef>

namespace attn::io::hdf5 {

/// Add a filter to a list for the creation of a dataset. Chunks that would grow are stored unchanged.
void set_zstd(Id creation, unsigned level);
void set_lzf(Id creation, std::size_t chunk_bytes);

}  // namespace attn::io::hdf5
