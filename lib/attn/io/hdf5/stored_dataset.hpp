#pragma once
// The description of a dataset in the header of its object, checked.

#include <attn/core/shape.hpp>
#include <attn/io/hdf5/datatype.hpp>
#include <attn/io/hdf5/file_bytes.hpp>
#include <attn/io/hdf5/filters.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::io::hdf5 {

/// The largest extent of an axis without limit.
constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

/// The location of elements.
struct StoredLayout {
  enum class Kind { compact, contiguous, chunked, elsewhere };
  /// The index of the chunks of a dataset. `tree` is that of all versions, the others are of HDF5 1.10 and later.
  enum class Index { tree, single, implicit, fixed_array, extensible_array, btree_v2 };

  Kind kind = Kind::elsewhere;
  std::optional<std::uint64_t>
      address;                          ///< address of a contiguous dataset, or of the index; none: nothing was written
  std::optional<std::uint64_t> stored;  ///< bytes of a contiguous dataset, if given
  Cursor inside{nullptr, 0};            ///< the elements of a compact or contiguous dataset
  Index index = Index::tree;
  std::vector<std::uint64_t> chunk;   ///< extents in elements, then the bytes of one element
  bool has_unfiltered_edges = false;  ///< chunks beyond the end of the dataset have no filters
  std::size_t size_bytes = 0;         ///< width of the size of a filtered chunk in newer indices
  std::uint64_t single_bytes = 0;     ///< size of the single filtered chunk
  std::uint32_t single_skipped = 0;   ///< filters that the single chunk skipped
};

/// Bytes of another file that are elements.
struct ExternalPiece {
  std::string file;
  std::uint64_t offset, bytes;
};

struct StoredDataset {
  /// The reason why it was not understood, and all else here is unset; empty: understood.
  std::string unknown;
  Datatype type;
  Shape shape;
  Shape most;  ///< largest extents
  bool is_null = false;
  StoredLayout layout;
  std::vector<FilterStep> filters;
  std::vector<ExternalPiece> pieces;  ///< consecutive pieces of external storage
  std::string_view parts;             ///< the list of sources of a virtual dataset
  std::string_view fill;              ///< an unwritten element; empty: all its bytes are 0
};

}  // namespace attn::io::hdf5
