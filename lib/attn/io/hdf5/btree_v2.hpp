#pragma once
// B-trees of version 2, which have the records of links, attributes, large objects of a heap, and chunks. Nodes have
// records, and between them children. Source: HDF5 File Format Specification, version 3.0, III.A.2.

#include <attn/io/hdf5/file_bytes.hpp>

#include <functional>
#include <optional>
#include <vector>

namespace attn::io::hdf5 {

class BtreeV2 {
 public:
  /// The `used` bytes of a structure of `whole` bytes, without the checksum at the end of the used ones, which has been
  /// verified.
  using Block = std::function<Cursor(std::uint64_t address, std::uint64_t used, std::uint64_t whole)>;

  /// Throws Damage if there is no tree of this kind.
  BtreeV2(const FileBytes& file, std::uint64_t address, unsigned kind, Block block);

  std::uint64_t record_bytes() const noexcept { return record_bytes_; }
  void visit(const std::function<void(Cursor record)>& each) const;
  /// The record for which `order` returns 0: less than 0 for those before, more for those behind it.
  std::optional<Cursor> find(const std::function<int(Cursor record)>& order) const;

 private:
  struct Node {
    std::uint64_t address, records;
    unsigned level;  ///< distance from the leaves
  };

  Cursor body(const Node& node) const;
  std::uint64_t pointer_bytes(unsigned level) const;
  Node child(const Node& node, Cursor body, std::uint64_t which) const;
  void visit(const Node& node, const std::function<void(Cursor record)>& each) const;

  const FileBytes& file_;
  const unsigned kind_;
  const Block block_;
  std::uint64_t node_bytes_ = 0, record_bytes_ = 0;
  std::size_t count_bytes_ = 0;           // of how many records a child has
  std::vector<std::size_t> below_bytes_;  // of how many there are in and below a child at each level
  Node root_{};
};

/// Bytes that hold every number up to `most`.
constexpr std::size_t bytes_for(std::uint64_t most) noexcept {
  std::size_t bytes = 1;
  while ((most >>= 8) != 0) ++bytes;
  return bytes;
}

}  // namespace attn::io::hdf5
