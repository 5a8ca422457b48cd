#pragma once
// The objects of an HDF5 file: groups with their links, datasets, and the attributes of both, from the bytes of its
// image. Nothing is believed: older structures have no checksums, so that each address, size and order is checked
// before it is used; newer ones must have the checksums that they should.
// Source: HDF5 File Format Specification, version 3.0.

#include <attn/core/memory.hpp>
#include <attn/core/shape.hpp>
#include <attn/io/byte_input.hpp>
#include <attn/io/hdf5/btree_v2.hpp>
#include <attn/io/hdf5/file_bytes.hpp>
#include <attn/io/hdf5/stored_dataset.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace attn::io::hdf5 {

/// The heaps of variable-length strings in an HDF5 file, to which datasets and attributes refer. The library allocates
/// such a string twice and a heap three times to return one: texts are read in place instead.
class StringHeaps {
 public:
  StringHeaps() = default;
  explicit StringHeaps(FileBytes file) : file_(std::move(file)) {}

  /// Size of a reference: the length of the text, the address of its heap, its number there.
  std::size_t reference_bytes() const noexcept { return 8 + file_.offset_width; }

  /// The target of the next reference. Throws Damage.
  std::string_view referred(Cursor& references);
  /// The same as a text, up to a NUL byte as in C.
  std::string_view text(Cursor& references);

  /// An object by the address of its heap and its number. Throws Damage.
  std::string_view object(std::uint64_t heap, unsigned number);
  /// Bytes of the heap at an address. Throws Damage if there is none.
  std::uint64_t size_of(std::uint64_t heap) const;

 private:
  /// The objects of a heap in ascending order: the number in the upper 16 bits, the offset in the file in the others.
  using Objects = std::vector<std::uint64_t>;

  const Objects& objects_of(std::uint64_t heap);
  /// Bytes before the objects of a heap, and before each object.
  std::uint64_t prefix_bytes() const noexcept { return padded(8 + file_.length_width); }

  FileBytes file_;
  std::map<std::uint64_t, Objects> known_;  // most recently used heaps by address
  std::size_t known_bytes_ = 0;
};

/// An attribute of an object.
struct StoredAttribute {
  std::string name;
  Datatype type;
  Shape shape;
  bool is_null = false;
  std::string_view elements;  ///< at least the bytes of all elements
};

/// A link in a group. Its texts lie in the image.
struct Link {
  enum class Kind { hard, soft, external, users_own };

  std::string_view name;
  Kind kind = Kind::hard;
  unsigned number = 0;        ///< of a kind of the user's own
  std::uint64_t address = 0;  ///< of the object of a hard link
  std::string_view target;    ///< path of a soft link; of an external one, what external_target() reads
};

/// The file and the path in it to which an external link leads; empty if it is damaged.
struct ExternalTarget {
  std::string file, path;
};
ExternalTarget external_target(const Link& link);

struct Object {
  enum class Kind { group, dataset, type, unknown };

  Kind kind = Kind::unknown;
  std::uint64_t address = 0;
  std::string path;                        ///< the first that led to it
  std::string damage;                      ///< why it cannot be used; empty: it can
  std::vector<Link> links;                 ///< of a group, in the order of their names
  std::unique_ptr<StoredDataset> dataset;  ///< null for other objects, and for datasets that do not say where they are
};

class Objects {
 public:
  /// Finds the superblock and reads the root group. Throws Error(data) if there is none or it is invalid.
  Objects(const Bytes& image, std::string label);

  const Object& root() const noexcept { return *root_; }
  /// Reads the object with a header at this address. Throws Error(data) that names `path`, or the first path that it
  /// was read by.
  const Object& at(std::uint64_t address, const std::string& path);

  /// Where a path leads to.
  struct Found {
    const Object* object = nullptr;  ///< the last object on the path
    std::size_t end = 0;             ///< how much of the path leads to it; npos: all of it
    const Link* obstacle = nullptr;  ///< the next link, if there is one that does not lead to an object in this file
    std::size_t obstacle_end = 0;    ///< how much of the path leads through it; npos: all of it

    bool is_whole() const noexcept { return end == std::string::npos; }
  };
  /// Follows hard and soft links. Parts of a path that are empty or a dot are passed over.
  Found find(const std::string& path);

  /// Checks that the elements of datasets overlap nothing that was read so far. Throws Error(data) that names the
  /// dataset.
  void check_places();
  /// Releases what only further objects would need: all have been read.
  void finish();

  const FileBytes& file() const noexcept { return file_; }
  /// The attributes of an object, without those of later versions of HDF5.
  std::vector<StoredAttribute> attributes_of(const Object& object);
  /// Has it attributes of all these names?
  bool has_attributes(const Object& object, std::initializer_list<std::string_view> names);
  /// The addresses of the first dimension scale of each axis, 0 for none, in the attribute DIMENSION_LIST; empty
  /// without it. Throws Damage.
  std::vector<std::uint64_t> scales_of(const Object& object);
  /// The text of element `index` of an attribute of variable-length strings.
  std::string_view string_of(const StoredAttribute& attribute, std::uint64_t index);

 private:
  struct Message;
  struct Header;
  struct Space;
  struct ChunkTree;
  struct ChunkRange;
  struct DenseHeap;
  /// Bytes from `begin` on, before `end`.
  struct Place {
    std::uint64_t begin, end;
    bool operator<(const Place& other) const noexcept { return begin < other.begin; }
  };
  struct ElementsPlace : Place {
    std::uint64_t dataset;  ///< the address of its header
  };
  /// The tree and the heap of a group of the older kind.
  struct SymbolTable {
    std::uint64_t tree, heap;
    bool operator==(const SymbolTable& other) const noexcept { return tree == other.tree && heap == other.heap; }
  };

  // objects.cpp: where things are
  void read_superblock();
  /// False for a node of a tree that was seen before.
  bool add_tree_node(std::uint64_t address);
  void add_structure(std::uint64_t begin, std::uint64_t end);
  /// Bytes of the file's own structure, where no elements may lie.
  Cursor structure_at(std::uint64_t address, std::uint64_t count);
  /// The same with a checksum behind the used bytes: without it. It is verified once.
  Cursor checked(std::uint64_t address, std::uint64_t used, std::uint64_t whole);
  /// The same, of elements.
  Cursor elements_at(std::uint64_t address, std::uint64_t count, std::uint64_t dataset);
  void require_signature(std::uint64_t address, const char* signature) const;
  /// A node of a tree, which has space for twice the entries that the superblock gives, used or not.
  void add_node(std::uint64_t address, std::uint64_t half, std::uint64_t entry_bytes, std::uint64_t around);

  // object_headers.cpp: the header of an object and its messages
  void read_object(Object& object);
  Header read_header(std::uint64_t address);
  Header read_own_messages(std::uint64_t address);
  void read_messages_v1(Cursor block, Header& header);
  void read_messages_v2(Cursor block, bool has_order, Header& header);
  void continue_messages(Cursor data, Header& header);
  Cursor shared_message(Cursor reference, unsigned type);
  Space read_space(Cursor message) const;
  Datatype read_type(Cursor message) const;
  void add_dense_attributes(Header& header);
  StoredAttribute read_attribute(Cursor message);
  std::string_view read_string(Cursor& references);
  void check_strings(Cursor references, std::uint64_t count);
  void add_heap(std::uint64_t heap);

  // objects.cpp: links
  void read_links(const Header& header, Object& group);
  Link read_link(Cursor message) const;
  void read_symbol_node(std::uint64_t node, int level, std::string_view names, std::vector<Link>& links);
  Link read_symbol(Cursor entry, std::string_view names);
  std::string_view heap_text(std::uint64_t heap);

  // objects.cpp: heaps of links, of attributes, and of messages that several headers share
  BtreeV2 tree_at(std::uint64_t address, unsigned kind);
  const DenseHeap& shared_heap(unsigned type);
  DenseHeap read_dense_heap(std::uint64_t address);
  static bool is_huge(Cursor id);
  Cursor dense_object(const DenseHeap& heap, Cursor id);
  Cursor managed_object(const DenseHeap& heap, std::uint64_t offset, std::uint64_t length);
  Cursor direct_block(const DenseHeap& heap, std::uint64_t address, std::uint64_t bytes);

  // object_headers.cpp: datasets
  std::unique_ptr<StoredDataset> read_dataset(const Header& header, std::uint64_t address);
  StoredLayout read_layout(Cursor message) const;
  static void read_chunk_extents(Cursor& message, unsigned rank, std::size_t width, StoredLayout& layout);
  void read_newer_layout(Cursor message, unsigned version, StoredLayout& layout) const;
  /// Returns the element; nothing if none is defined.
  static std::string_view read_fill(unsigned kind, Cursor message, const Datatype& type);
  static std::vector<FilterStep> read_filters(Cursor message);
  void check_elements(StoredDataset& dataset, bool has_all, std::uint64_t address);
  void check_chunks(ChunkTree& tree, bool has_all);
  void check_chunk_node(std::uint64_t node, int level, ChunkTree& tree, const ChunkRange& range);
  void check_chunk_size(std::uint64_t stored, unsigned skipped_filters, const StoredDataset& dataset) const;
  std::string_view read_sources(Cursor layout);
  std::vector<ExternalPiece> read_external_files(Cursor message);

  Found find_from(const Object& group, std::string_view path, int& links_left);

  FileBytes file_;
  std::string label_;
  std::uint64_t extension_ = 0, root_address_ = 0;
  std::uint64_t leaf_half_ = 0, group_half_ = 0, chunk_half_ = 0;  // entries of half a node; 0: not known
  const Object* root_ = nullptr;
  std::map<std::uint64_t, Object> objects_;                            // by the addresses of their headers
  std::map<std::uint64_t, SymbolTable> tables_;                        // that names have of the groups they lead to
  std::map<unsigned, std::shared_ptr<const DenseHeap>> shared_heaps_;  // by the types of messages in them
  std::set<std::uint64_t> nodes_, checked_;
  std::vector<Place> structures_;
  std::vector<ElementsPlace> elements_;
  bool is_recording_ = false, has_new_places_ = false;
  StringHeaps heaps_;
  MemoryShare memory_;  // memory of the lists above
};

/// A message of a header, or of a heap for one.
struct Objects::Message {
  unsigned type;
  unsigned flags;
  Cursor data;
  bool has_checksum;
};

/// The header of an object with all its continuations.
struct Objects::Header {
  std::vector<Message> messages;
  std::set<std::uint64_t> blocks;
  bool has_order = false;
  bool has_checksum = false;

  const Message* find(unsigned type) const noexcept {
    for (const Message& message : messages)
      if (message.type == type) return &message;
    return nullptr;
  }
};

struct Objects::Space {
  Shape shape, most;
  bool is_null = false;
};

/// Blocks double in size from the third row of a table on: the first two have blocks of `first_block` bytes.
struct Objects::DenseHeap {
  std::size_t offset_bytes = 0, length_bytes = 0, id_bytes = 0;
  std::uint64_t columns = 0, first_block = 0, largest_direct = 0;
  std::uint64_t root = 0;
  unsigned root_rows = 0;  ///< 0: the root is a block with objects itself
  bool has_checksums = false, has_direct_huge_ids = false;
  std::map<std::uint64_t, Cursor> huge;  ///< objects outside of the blocks, by their numbers
};

/// Memory of one more entry, in a list that grows by doubling, and in a tree.
template <class Entry>
constexpr std::uint64_t in_list = 3 * sizeof(Entry);
template <class Entry>
constexpr std::uint64_t in_tree = sizeof(Entry) + 48;

}  // namespace attn::io::hdf5
