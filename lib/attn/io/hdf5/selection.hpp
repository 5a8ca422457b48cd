#pragma once
// Selections of HDF5, for the elements of a virtual dataset and of its sources: products of indices along each axis.

#include <attn/core/shape.hpp>
#include <attn/io/hdf5/cursor.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace attn::io::hdf5 {

class Selection {
 public:
  static constexpr std::size_t all_blocks = ~std::size_t{0};

  /// Reads a selection from the front of the description. Throws Damage, and UnknownVersion for other kinds: points, or
  /// blocks that are not a product of axes.
  explicit Selection(Cursor& description);

  /// Does it grow with the dataset?
  bool is_unlimited() const noexcept;
  /// Consecutive indices.
  struct Run {
    std::size_t begin, count;
  };
  /// The indices along each axis of a dataset of this shape. For an unlimited axis, only those of block `which`, unless
  /// it is all_blocks.
  std::vector<std::vector<Run>> runs(const Shape& shape, std::size_t which = all_blocks) const;

 private:
  /// `count` blocks of `block` indices, each `stride` after the one before.
  struct Axis {
    std::uint64_t start, stride, count, block;
  };

  void take_regular(Cursor& description, std::size_t width, std::size_t rank);
  void take_blocks(Cursor& description, std::size_t width, std::size_t rank);

  bool is_all_ = false, is_none_ = false;
  std::vector<std::vector<Axis>> axes_;  // for each axis; one if it is regular
};

/// A source of a virtual dataset.
struct VirtualPart {
  std::string file, dataset;  ///< file "." is the own file; %b stands for the number of a block
  Selection source, own;
};

/// Throws Damage.
std::vector<VirtualPart> virtual_parts(std::string_view description, std::size_t length_width);

}  // namespace attn::io::hdf5
