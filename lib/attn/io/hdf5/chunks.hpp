#pragma once
// Chunks of HDF5 datasets: what they went through when they were written, and undoing it.
//
// HDF5 1.10 believes that a chunk has its full size once its filters are undone, and reads on behind one that is
// smaller. So filters are undone here, each into exactly the bytes that must come out.

#include <attn/core/slab.hpp>
#include <attn/io/hdf5/handle.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::io::hdf5 {

/// How the elements of a dataset lie in chunks.
struct ChunkLayout {
  enum class Filter { deflate, shuffle, fletcher32 };

  Shape extents;                      ///< elements of a chunk along each axis
  std::size_t width = 0;              ///< bytes of an element
  std::vector<Filter> filters;        ///< in the order of writing
  std::string fill;                   ///< an element that was never written; empty: all its bytes are 0
  bool has_unfiltered_edges = false;  ///< chunks that reach over the end of the dataset went through none

  std::size_t chunk_bytes() const noexcept { return element_count(extents) * width; }
  /// What read_chunks() holds beside the result.
  std::size_t memory() const noexcept { return (filters.empty() ? 1 : 2) * chunk_bytes(); }
};

/// The layout of a dataset in chunks by its creation list, its elements having `width` bytes. Throws Error(data) naming
/// `subject` for filters other than gzip, shuffle and fletcher32, and for one of them twice.
ChunkLayout chunk_layout(Id creation, std::size_t width, const std::string& subject);

/// Chunks along each axis that have elements of a slab, of a dataset in chunks of these extents.
Shape touched_chunks(const ResolvedSlab& slab, const Shape& extents);

/// What is done with elements of a slab, as the file stores them: `count` of them belong there from `place` on.
using TakeStored = std::function<void(const unsigned char* stored, std::size_t place, std::size_t count)>;

/// Hands over the elements of a slab of a dataset of this shape, chunk after chunk; those of chunks that were never
/// written have the fill value. `image`: where the file lies in memory; pages that were read of a mapped one are given
/// back. Throws Error(data) naming `subject` when the filters of a chunk give more or fewer bytes than it has.
void read_chunks(Id dataset, const ChunkLayout& layout, const Shape& shape, const ResolvedSlab& slab,
                 const TakeStored& take, const void* image, const std::string& subject);

/// The same of a dataset that lies in one piece, from `stored` on.
void read_piece(const unsigned char* stored, std::size_t width, const Shape& shape, const ResolvedSlab& slab,
                const TakeStored& take);

}  // namespace attn::io::hdf5
