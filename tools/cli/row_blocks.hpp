#pragma once
// A tensor as blocks of rows, one after the other.

#include <attn/core/shape.hpp>
#include <attn/core/source_sink.hpp>

#include <algorithm>
#include <optional>
#include <string>

namespace cli {

/// For attn::Source::await_rows().
constexpr std::size_t every_row = static_cast<std::size_t>(-1);

/// The part of a slab that has rows [first, last) along an axis of its result.
attn::Slab rows_within(attn::Slab slab, const attn::Shape& shape, std::size_t axis, std::size_t first, std::size_t last,
                       const std::string& tensor);

/// A tensor in blocks of consecutive elements: rows along an axis, for each index of the axes before it.
struct RowBlocks {
  attn::Shape shape;
  std::size_t axis = 0, before = 1, rows = 0, elements_of_row = 1;
  std::size_t rows_at_once = 0;  ///< may change between blocks
  std::size_t together = 1;      ///< of which that is a multiple
  std::size_t most_at_once = every_row;
  /// Text of which more rows come: there are as many as are here.
  std::optional<attn::StoredTensor> coming = {};

  /// Of a block, as far as the memory allows.
  static std::size_t usual_bytes();

  /// Blocks of about `elements`, of which each contains the last axes whole.
  RowBlocks(attn::Shape tensor, std::size_t elements, std::size_t whole_axes = 0);

  /// Takes as many rows at once as a source reads together; false if it cannot read that part of a tensor in blocks.
  bool align(const attn::Source& source, const std::string& tensor, const attn::Slab& part);
  /// Has a tensor these rows, whatever they consist of?
  bool has_rows_of(const attn::Shape& other) const;

  struct Block {
    std::size_t before = 0, first = 0, last = 0;
  };
  Block first() const noexcept { return {0, 0, std::min(rows_at_once, rows)}; }
  /// As many rows at once as fill the usual bytes, but enough to be worth a run of the stage, and within the memory.
  void fit(std::size_t bytes_of_row);
  /// The slab of a block of `part`, which has the shape of these blocks.
  attn::Slab slab_of(const Block& block, attn::Slab part, const attn::Shape& stored, const std::string& tensor) const;
  /// "[0,100:200]", for messages.
  std::string text_of(const Block& block) const;
  /// Makes it half as long, and the ones behind it no longer; false where it cannot be shorter.
  bool halve(Block& block);
  /// Moves to the next block; false behind the last one.
  bool next(Block& block);
  /// Calls body(block) for one after the other.
  template <class Body>
  void each(const Body& body) {
    Block block = first();
    do {
      body(block);
    } while (next(block));
  }
  /// Waits for so many rows, if they are still coming; by default for all.
  void await(std::size_t count = every_row);
};

}  // namespace cli
