#pragma once
// Chunks of HDF5 datasets: their filters, and undoing these.
//
// HDF5 1.10 assumes that a chunk has its full size after its filters are undone, and reads beyond the end of a smaller
// one. So filters are undone here, each into exactly the expected number of bytes.

#include <attn/core/slab.hpp>
#include <attn/io/hdf5/handle.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::io::hdf5 {

/// Layout of a dataset in chunks.
struct ChunkLayout {
  enum class Filter { deflate, shuffle, fletcher32 };

  Shape extents;                      ///< elements of a chunk along each axis
  std::size_t width = 0;              ///< bytes of an element
  std::vector<Filter> filters;        ///< in the order of writing
  std::string fill;                   ///< an element that was never written; empty: all its bytes are 0
  bool has_unfiltered_edges = false;  ///< chunks beyond the end of the dataset have no filters

  std::size_t chunk_bytes() const noexcept { return element_count(extents) * width; }
  /// Memory of read_chunks() in addition to the result.
  std::size_t memory() const noexcept { return (filters.empty() ? 1 : 2) * chunk_bytes(); }
};

/// The layout of a dataset in chunks from its creation list, with elements of `width` bytes. Throws Error(data) that
/// names `subject` for filters other than gzip, shuffle and fletcher32, and for a repeated filter.
ChunkLayout chunk_layout(Id creation, std::size_t width, const std::string& subject);

/// Number of chunks along each axis with elements of a slab, for chunks of these extents.
Shape touched_chunks(const ResolvedSlab& slab, const Shape& extents);

/// Receives stored elements of a slab: `count` of them, for the positions from `place` on.
using TakeStored = std::function<void(const unsigned char* stored, std::size_t place, std::size_t count)>;

/// Passes on the elements of a slab of a dataset of this shape, chunk by chunk; those of unwritten chunks have the fill
/// value. `image`: the file in memory; pages that were read from a mapped file are released. Throws Error(data) that
/// names `subject` if the filters of a chunk give more or fewer bytes than its size.
void read_chunks(Id dataset, const ChunkLayout& layout, const Shape& shape, const ResolvedSlab& slab,
                 const TakeStored& take, const void* image, const std::string& subject);

/// The same for a contiguous dataset, from `stored` on.
void read_piece(const unsigned char* stored, std::size_t width, const Shape& shape, const ResolvedSlab& slab,
                const TakeStored& take);

}  // namespace attn::io::hdf5
