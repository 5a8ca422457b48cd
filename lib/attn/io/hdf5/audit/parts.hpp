#pragma once
// Values passed between the parts of the audit of HDF5.

#include <attn/io/hdf5/audit/audit.hpp>
#include <attn/io/hdf5/cursor.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

namespace attn::io::hdf5 {

/// Kinds of header messages.
namespace message {
constexpr unsigned dataspace = 0x01, link_info = 0x02, datatype = 0x03, old_fill = 0x04, fill = 0x05, hard_link = 0x06,
                   external_files = 0x07, layout = 0x08, filters = 0x0b, attribute = 0x0c, continuation = 0x10,
                   symbol_table = 0x11, attribute_info = 0x15, shared_table = 0x0f;
}  // namespace message
constexpr unsigned shared_flag = 0x02;

/// Memory of one more entry, in a list that grows by doubling, and in a tree.
template <class Entry>
constexpr std::uint64_t in_list = 3 * sizeof(Entry);
template <class Entry>
constexpr std::uint64_t in_tree = sizeof(Entry) + 48;

/// Size rounded up to a multiple of 8 bytes.
constexpr std::uint64_t padded(std::uint64_t bytes) noexcept { return (bytes + 7) / 8 * 8; }

struct AuditedMessage {
  unsigned type;
  unsigned flags;
  Cursor data;
  bool has_checksum;
  bool is_dense = false;
};

/// An object header with all its continuations, and its links and attributes in dense storage.
struct AuditedHeader {
  std::vector<AuditedMessage> messages;
  std::set<std::uint64_t> blocks;
  bool has_order = false;
  bool has_checksum = false;

  const AuditedMessage* find(unsigned type) const noexcept {
    for (const AuditedMessage& message : messages)
      if (message.type == type) return &message;
    return nullptr;
  }
};

struct Audit::Space {
  Shape shape, most;
  bool is_null = false;
};

struct Audit::Type {
  std::uint64_t size = 0;
  bool is_variable_string = false;
  std::string older;  ///< the message in the form of HDF5 up to 1.10
};

/// A tree of chunks, its constraints, and the number of chunks found.
struct Audit::ChunkTree {
  const StoredDataset& dataset;
  const Type& type;
  std::uint64_t header;
  std::uint64_t chunks = 0;
};

/// Index of a chunk along each axis, and 0: the order of trees of chunks.
using ChunkPlace = std::vector<std::uint64_t>;

/// The range in which the library searches the chunks below an entry of a tree: from `first` on, before `end`; empty:
/// no limit.
struct Audit::ChunkRange {
  ChunkPlace first, end;

  bool holds(const ChunkPlace& place) const { return first <= place && (end.empty() || place < end); }
  ChunkRange within(const ChunkPlace& other_first, const ChunkPlace& other_end) const {
    return {std::max(first, other_first), end.empty() ? other_end : std::min(end, other_end)};
  }
};

}  // namespace attn::io::hdf5
