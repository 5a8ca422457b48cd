#pragma once
// Checks of the parts of HDF5 files that the library trusts.
//
// HDF5 1.10 follows addresses and sizes of the older structures, which have no checksums, without checks: one flipped
// bit in an object header, a tree, or a heap can make it crash or never end. So each object is checked here, in the
// bytes of the image, before the library opens it. The newer structures have checksums and are left to the library.
// Source: HDF5 File Format Specification, version 3.0.

#include <attn/core/memory_account.hpp>
#include <attn/core/shape.hpp>
#include <attn/io/byte_input.hpp>
#include <attn/io/hdf5/stored_dataset.hpp>
#include <attn/io/hdf5/string_heaps.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace attn::io::hdf5 {

struct AuditedHeader;
struct AuditedMessage;

/// An attribute of an object header, checked.
struct StoredAttribute {
  std::string name;
  std::string type;  ///< the message that describes its elements, in the form of HDF5 up to 1.10
  Shape shape;
  std::string_view elements;  ///< at least the bytes of all elements
  bool is_dense = false;      ///< not in the header itself
  bool is_later = false;      ///< its type has a form of HDF5 after 1.10
};

class Audit {
 public:
  /// Finds the superblock. Throws Error(data) if there is none or it is invalid.
  Audit(const Bytes& image, std::string label);

  /// Checks the root group and the references of the superblock.
  void check_root();

  /// Checks an object by the address of its header; false, without checks, the second time. Throws Error(data) that
  /// names `path`.
  bool check_object(std::uint64_t address, const std::string& path);

  /// Checks that the elements of datasets overlap nothing that was checked so far. Throws Error(data) that names the
  /// dataset.
  void check_places();

  /// Releases what only further checks would need.
  void finish();

  /// A dataset by the address of its checked header; null for other objects.
  const StoredDataset* dataset(std::uint64_t address) const noexcept;

  const FileBytes& file() const noexcept { return file_; }
  /// The attributes of an object, without those that are not understood.
  std::vector<StoredAttribute> attributes_of(std::uint64_t address);
  /// The addresses of the first dimension scale of each axis, 0 for none, in the attribute DIMENSION_LIST; empty without
  /// it. Throws Damage.
  std::vector<std::uint64_t> scales_of(std::uint64_t address);
  /// The text of element `index` of an attribute of variable-length strings.
  std::string_view string_of(const StoredAttribute& attribute, std::uint64_t index);

 private:
  struct Space;
  struct Type;
  struct ChunkTree;
  struct ChunkRange;
  struct DenseHeap;
  struct DenseTree;
  /// Bytes from `begin` on, before `end`.
  struct Place {
    std::uint64_t begin, end;
    bool operator<(const Place& other) const noexcept { return begin < other.begin; }
  };
  struct ElementsPlace : Place {
    std::uint64_t dataset;  ///< the address of its header
  };

  /// False for a node of a tree that was seen before.
  bool add_tree_node(std::uint64_t address);
  void add_structure(std::uint64_t begin, std::uint64_t end);
  /// Bytes of the file's own structure, where no elements may lie.
  Cursor structure_at(std::uint64_t address, std::uint64_t count);
  /// The same, of elements.
  Cursor elements_at(std::uint64_t address, std::uint64_t count, std::uint64_t dataset);
  void require_signature(std::uint64_t address, const char* signature) const;
  /// A node of a tree, which has space for twice the entries that the superblock gives, used or not.
  void add_node(std::uint64_t address, std::uint64_t half, std::uint64_t entry_bytes, std::uint64_t around);

  AuditedHeader read_header(std::uint64_t address);
  AuditedHeader read_own_messages(std::uint64_t address);
  void read_messages_v1(Cursor block, AuditedHeader& header);
  void read_messages_v2(Cursor block, bool has_order, AuditedHeader& header);
  void continue_messages(Cursor data, AuditedHeader& header);

  void check_header(std::uint64_t address);
  void check_message(const AuditedMessage& message);
  Cursor shared_message(Cursor reference, unsigned type);
  const DenseHeap& shared_heap(unsigned type);
  void check_symbol_entry(Cursor entry, std::uint64_t heap_address);
  void check_symbol_table(std::uint64_t tree, std::uint64_t heap);
  void check_group_node(std::uint64_t node, int level, std::uint64_t heap);
  std::string_view heap_text(std::uint64_t heap);
  void check_heap_name(std::uint64_t heap, std::uint64_t offset) const;
  void add_dense_messages(AuditedHeader& header);
  void add_dense_messages(Cursor info, bool has_links, AuditedHeader& header);
  DenseHeap read_dense_heap(std::uint64_t address);
  AuditedMessage dense_object(const DenseHeap& heap, Cursor id);
  Cursor managed_object(const DenseHeap& heap, std::uint64_t offset, std::uint64_t length);
  void visit_records(std::uint64_t tree, unsigned type, const std::function<void(Cursor)>& visit);
  void visit_node(const DenseTree& tree, std::uint64_t address, unsigned level, std::uint64_t records,
                  const std::function<void(Cursor)>& visit);
  void check_link(Cursor message) const;
  /// Returns the element; nothing if none is defined.
  std::string_view check_fill(unsigned kind, Cursor message, const Type& type);
  static std::vector<FilterStep> read_filters(Cursor message);
  StoredAttribute check_attribute(Cursor message);
  std::string_view check_string(Cursor& references);
  void add_heap(std::uint64_t heap);
  void check_dataset(const AuditedHeader& header, std::uint64_t address);
  void check_elements(StoredDataset& dataset, const Type& type, bool has_all, std::uint64_t address);
  void check_chunks(ChunkTree& tree, bool has_all);
  void check_chunk_node(std::uint64_t node, int level, ChunkTree& tree, const ChunkRange& range);
  void check_chunk_size(std::uint64_t stored, unsigned skipped_filters, const StoredDataset& dataset) const;
  std::string_view check_virtual(Cursor layout);
  std::vector<ExternalPiece> read_external_files(Cursor message);
  void check_strings(Cursor references, std::uint64_t count);

  Space read_space(Cursor message) const;
  Type read_type(Cursor& message, int depth = 0) const;
  StoredLayout read_layout(Cursor message) const;
  static void read_chunk_extents(Cursor& message, unsigned rank, std::size_t width, StoredLayout& layout);
  void read_newer_layout(Cursor message, unsigned version, StoredLayout& layout) const;

  FileBytes file_;
  std::string label_;
  std::uint64_t root_ = 0, extension_ = 0;
  std::uint64_t leaf_half_ = 0, group_half_ = 0, chunk_half_ = 0;  // entries of half a node; 0: not known
  std::size_t root_entry_ = 0;                                     // of superblocks 0 and 1; 0: none
  std::map<std::uint64_t, std::string> objects_;                   // paths by addresses
  std::set<std::uint64_t> nodes_;
  std::map<std::uint64_t, StoredDataset> datasets_;                    // by the addresses of their headers
  std::map<unsigned, std::shared_ptr<const DenseHeap>> shared_heaps_;  // by the types of messages in them
  std::vector<Place> structures_;
  std::vector<ElementsPlace> elements_;
  StringHeaps heaps_;
  MemoryShare memory_;  // memory of the lists above
};

}  // namespace attn::io::hdf5
