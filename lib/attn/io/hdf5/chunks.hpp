#pragma once
// Stored elements of HDF5 datasets, in chunks or contiguous.
//
// HDF5 1.10 assumes that a chunk has its full size after its filters are undone, and reads beyond the end of a smaller
// one. So chunks are decoded here, each into exactly the expected number of bytes.

#include <attn/core/shape.hpp>
#include <attn/io/hdf5/file_bytes.hpp>
#include <attn/io/hdf5/stored_dataset.hpp>

#include <functional>
#include <string>

namespace attn::io::hdf5 {

/// Throws Error(data) that names `subject` for unknown filters and for filters with another element size.
void require_decoders(const StoredDataset& dataset, const std::string& subject);

/// Memory of read_stored_elements() in addition to the result.
std::size_t memory_of_chunks(const StoredDataset& dataset);

/// Number of chunks along each axis with elements of a slab, for chunks of these extents.
Shape touched_chunks(const ResolvedSlab& slab, const Shape& extents);

/// Receives stored elements of a slab: `count` of them, for the positions from `place` on.
using TakeStored = std::function<void(const unsigned char* stored, std::size_t place, std::size_t count)>;

/// Passes on the elements of a slab of a dataset, each of `width` bytes, chunk by chunk; unwritten elements have the
/// fill value. Pages that were read from a mapped file are released. Throws Error(data) that names `subject` for
/// damage, such as a chunk whose filters give more or fewer bytes than its size.
void read_stored_elements(const FileBytes& file, const StoredDataset& dataset, std::size_t width,
                          const ResolvedSlab& slab, const TakeStored& take, const std::string& subject);

}  // namespace attn::io::hdf5
