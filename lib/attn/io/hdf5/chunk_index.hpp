#pragma once
// The locations of the chunks of a dataset in the file.

#include <attn/io/hdf5/file_bytes.hpp>
#include <attn/io/hdf5/stored_dataset.hpp>

#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

namespace attn::io::hdf5 {

struct StoredChunk {
  Cursor bytes;
  std::uint32_t skipped;  ///< bit i: the i-th filter was skipped
};

/// Source: HDF5 File Format Specification, version 3.0, VII. Structures with checksums are checked at their first use;
/// trees of the older kind were checked with their dataset.
class ChunkIndex {
 public:
  using Place = std::vector<std::uint64_t>;  ///< the number of a chunk along each axis

  /// Both must outlive it.
  ChunkIndex(const FileBytes& file, const StoredDataset& dataset);

  /// Nothing if the chunk was never written. Throws Damage.
  std::optional<StoredChunk> find(const Place& place);

 private:
  /// A structure whose last bytes are its checksum.
  struct Block {
    std::uint64_t address, bytes;
  };

  Cursor block(Block where);
  Cursor block(Block where, const char* signature, unsigned kind);
  std::uint64_t number_of(const Place& place) const;
  std::optional<StoredChunk> chunk_at(std::uint64_t address, std::uint64_t bytes, std::uint32_t skipped) const;
  std::optional<StoredChunk> entry(Cursor entry) const;
  std::optional<StoredChunk> entry_of_page(std::uint64_t pages, std::uint64_t number, std::uint64_t page,
                                           std::uint64_t count);
  std::optional<StoredChunk> in_tree(const Place& place) const;
  std::optional<StoredChunk> in_newer_tree(const Place& place);
  std::optional<StoredChunk> in_fixed_array(std::uint64_t number);
  std::optional<StoredChunk> in_extensible_array(std::uint64_t number);

  const FileBytes& file_;
  const StoredDataset& dataset_;
  const StoredLayout& layout_;
  bool is_filtered_;
  std::uint64_t chunk_bytes_ = 1;
  std::uint64_t entry_bytes_;
  std::unordered_set<std::uint64_t> checked_;  // addresses of blocks
};

}  // namespace attn::io::hdf5
