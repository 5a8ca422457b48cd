// The audit's reading of dense storage: many links or attributes of one object are messages in a fractal heap, listed
// by a B-tree of version 2. Blocks and nodes have checksums, which the library verifies; large messages outside the
// blocks have none, and neither have the strings of attributes.

#include <attn/io/hdf5/audit/parts.hpp>

namespace attn::io::hdf5 {
namespace {

/// Bytes that hold every number up to `most`.
constexpr std::size_t bytes_for(std::uint64_t most) noexcept {
  std::size_t bytes = 1;
  while ((most >>= 8) != 0) ++bytes;
  return bytes;
}

constexpr bool is_power_of_two(std::uint64_t number) noexcept { return number != 0 && (number & (number - 1)) == 0; }

}  // namespace

/// Blocks double in size from the third row of a table on: the first two have blocks of `first_block` bytes.
struct Audit::DenseHeap {
  std::size_t offset_bytes = 0, length_bytes = 0, id_bytes = 0;
  std::uint64_t columns = 0, first_block = 0, largest_direct = 0;
  std::uint64_t root = 0;
  unsigned root_rows = 0;  ///< 0: the root is a block with objects itself
  bool has_direct_huge_ids = false;
  std::map<std::uint64_t, Cursor> huge;  ///< objects outside of the blocks, by their numbers
};

/// The nodes of a tree by their distance from the leaves.
struct Audit::DenseTree {
  unsigned type = 0;
  std::uint64_t node_bytes = 0, record_bytes = 0;
  std::size_t count_bytes = 0;           ///< of how many records a child has
  std::vector<std::size_t> total_bytes;  ///< of how many there are in and below a child at this level
};

void Audit::add_dense_messages(AuditedHeader& header) {
  const std::vector<AuditedMessage> messages = header.messages;
  for (const AuditedMessage& info : messages) {
    const bool has_links = info.type == message::link_info;
    if (!has_links && info.type != message::attribute_info) continue;
    try {
      add_dense_messages(info.data, has_links, header);
    } catch (const UnknownVersion&) {
      if (!info.has_checksum) throw;
    }
  }
}

void Audit::add_dense_messages(Cursor info, bool has_links, AuditedHeader& header) {
  constexpr unsigned links_by_name = 5, attributes_by_name = 8;
  require_version(info.small(1) == 0, "links or attributes have an unknown version");
  const unsigned flags = info.small(1);
  if ((flags & 1) != 0) info.skip(has_links ? 8 : 2);
  const std::uint64_t heap_address = info.number(file_.offset_width), by_name = info.number(file_.offset_width);
  if ((flags & 2) != 0) require_signature(info.number(file_.offset_width), "BTHD");
  if (!file_.is_defined(heap_address)) return;
  const DenseHeap heap = read_dense_heap(heap_address);
  visit_records(by_name, has_links ? links_by_name : attributes_by_name, [&](Cursor record) {
    if (has_links) record.skip(4);  // the hash of the name
    const Cursor id = record.take(heap.id_bytes);
    const unsigned message_flags = has_links ? 0 : record.small(1);
    const bool is_shared = (message_flags & shared_flag) != 0;
    AuditedMessage message = dense_object(is_shared ? shared_heap(message::attribute) : heap, id);
    message.type = has_links ? message::hard_link : message::attribute;
    message.is_dense = true;
    header.messages.push_back(message);
  });
}

/// The heap of the messages of this type that all headers share. The superblock's extension leads to the table of such
/// heaps, each for some types.
const Audit::DenseHeap& Audit::shared_heap(unsigned type) {
  if (shared_heaps_.empty() && file_.is_defined(extension_)) {
    const AuditedHeader extension = read_own_messages(extension_);
    const AuditedMessage* info = extension.find(message::shared_table);
    require(info != nullptr, "a shared message has no heap");
    Cursor where = info->data;
    require_version(where.small(1) == 0, "a table of shared messages has an unknown version");
    const std::uint64_t address = where.number(file_.offset_width), indexes = where.small(1);
    const std::uint64_t index_bytes = 14 + 2 * file_.offset_width;
    Cursor table = structure_at(address, 4 + indexes * index_bytes + 4);
    require(table.take(4).text() == "SMTB", "an address leads to something else");
    for (std::uint64_t i = 0; i < indexes; ++i) {
      Cursor index = table.take(index_bytes);
      index.skip(2);
      const unsigned types = index.small(2);
      index.skip(10 + file_.offset_width);
      const std::uint64_t heap_address = index.number(file_.offset_width);
      if (!file_.is_defined(heap_address)) continue;
      const auto heap = std::make_shared<const DenseHeap>(read_dense_heap(heap_address));
      for (unsigned held = 0; held < 16; ++held)
        if ((types >> held & 1) != 0) shared_heaps_.emplace(held, heap);
    }
  }
  const auto found = shared_heaps_.find(type);
  require(found != shared_heaps_.end(), "a shared message has no heap");
  return *found->second;
}

Audit::DenseHeap Audit::read_dense_heap(std::uint64_t address) {
  DenseHeap heap;
  Cursor head = structure_at(address, 22 + 12 * file_.length_width + 3 * file_.offset_width);
  require(head.take(4).text() == "FRHP", "an address leads to something else");
  require_version(head.small(1) == 0, "a heap has an unknown version");
  heap.id_bytes = head.small(2);
  require_version(head.small(2) == 0, "a heap is filtered");
  head.skip(1);
  const std::uint64_t largest_managed = head.number(4);
  head.skip(file_.length_width);
  const std::uint64_t huge_tree = head.number(file_.offset_width);
  head.skip(file_.length_width + file_.offset_width + 8 * file_.length_width);
  heap.columns = head.small(2);
  heap.first_block = head.number(file_.length_width);
  heap.largest_direct = head.number(file_.length_width);
  const unsigned address_bits = head.small(2);
  head.skip(2);
  heap.root = head.number(file_.offset_width);
  heap.root_rows = head.small(2);
  constexpr std::uint64_t largest_block = std::uint64_t{1} << 32;
  require(is_power_of_two(heap.columns) && is_power_of_two(heap.first_block) && is_power_of_two(heap.largest_direct) &&
              heap.first_block <= heap.largest_direct && heap.largest_direct <= largest_block && address_bits <= 56,
          "a heap has blocks of impossible sizes");
  heap.offset_bytes = (address_bits + 7) / 8;
  heap.length_bytes = std::min(bytes_for(heap.largest_direct - 1), bytes_for(largest_managed));
  heap.has_direct_huge_ids = file_.offset_width + file_.length_width < heap.id_bytes;
  if (!file_.is_defined(huge_tree) || heap.has_direct_huge_ids) return heap;
  constexpr unsigned huge_by_number = 1;
  visit_records(huge_tree, huge_by_number, [&](Cursor record) {
    const std::uint64_t at = record.number(file_.offset_width), bytes = record.number(file_.length_width);
    heap.huge.emplace(record.number(file_.length_width), structure_at(at, bytes));
  });
  return heap;
}

/// An object of a heap, without its kind.
AuditedMessage Audit::dense_object(const DenseHeap& heap, Cursor id) {
  const unsigned head = id.small(1), kind = head >> 4 & 3;
  require_version(head >> 6 == 0, "a heap has an object of an unknown version");
  constexpr unsigned managed = 0, huge = 1, tiny = 2;
  if (kind == managed) {
    const std::uint64_t offset = id.number(heap.offset_bytes);
    return {0, 0, managed_object(heap, offset, id.number(heap.length_bytes)), true};
  }
  if (kind == tiny) return {0, 0, id.take((head & 15) + 1), true};
  require(kind == huge, "a heap has an object of an unknown kind");
  if (heap.has_direct_huge_ids) {
    const std::uint64_t at = id.number(file_.offset_width);
    return {0, 0, structure_at(at, id.number(file_.length_width)), false};
  }
  const auto object = heap.huge.find(id.number(std::min<std::uint64_t>(id.left(), file_.length_width)));
  require(object != heap.huge.end(), "a heap does not have all its objects");
  return {0, 0, object->second, false};
}

/// From the root down: a row of a table holds blocks of one size, with objects up to largest_direct, with tables
/// beyond.
Cursor Audit::managed_object(const DenseHeap& heap, std::uint64_t offset, std::uint64_t length) {
  std::uint64_t block = heap.root, bytes = heap.first_block, rows = heap.root_rows;
  bool is_table = rows > 0;
  while (is_table) {
    std::uint64_t row = 0, row_begin = 0;
    bytes = heap.first_block;
    for (; offset >= row_begin + heap.columns * bytes; ++row) {
      row_begin += heap.columns * bytes;
      if (row > 0) bytes *= 2;
    }
    require(row < rows, "a heap is smaller than its objects' places");
    const std::uint64_t column = (offset - row_begin) / bytes, prefix = 5 + file_.offset_width + heap.offset_bytes;
    require_signature(block, "FHIB");
    block = file_.at(block + prefix + (row * heap.columns + column) * file_.offset_width, file_.offset_width)
                .number(file_.offset_width);
    offset = (offset - row_begin) % bytes;
    is_table = bytes > heap.largest_direct;
    rows = 0;
    for (std::uint64_t held = heap.columns * heap.first_block; held <= bytes; held *= 2) ++rows;
  }
  require_signature(block, "FHDB");
  Cursor inside = structure_at(block, bytes);
  inside.skip(offset);
  return inside.take(length);
}

void Audit::visit_records(std::uint64_t address, unsigned type, const std::function<void(Cursor)>& visit) {
  DenseTree tree;
  Cursor head = structure_at(address, 22 + file_.length_width + file_.offset_width);
  require(head.take(4).text() == "BTHD", "an address leads to something else");
  require_version(head.small(1) == 0, "a tree has an unknown version");
  tree.type = head.small(1);
  require(tree.type == type, "a tree has records of another kind");
  tree.node_bytes = head.number(4);
  tree.record_bytes = head.small(2);
  const unsigned depth = head.small(2);
  head.skip(2);
  const std::uint64_t root = head.number(file_.offset_width);
  const unsigned records = head.small(2);
  constexpr std::uint64_t around_records = 10;  // signature, version, type, checksum
  constexpr std::uint64_t most_records = std::uint64_t{1} << 62;
  require(tree.record_bytes > 0 && tree.node_bytes > around_records && depth < 32, "a tree has impossible nodes");
  std::uint64_t held = (tree.node_bytes - around_records) / tree.record_bytes, total = held;
  tree.count_bytes = bytes_for(held);
  tree.total_bytes = {0};
  for (unsigned level = 1; level < depth; ++level) {
    const std::uint64_t pointer = file_.offset_width + tree.count_bytes + tree.total_bytes.back();
    require(tree.node_bytes > around_records + pointer, "a tree has impossible nodes");
    held = (tree.node_bytes - around_records - pointer) / (tree.record_bytes + pointer);
    require(total <= most_records / (held + 2), "a tree has impossible nodes");
    total = (held + 1) * total + held;
    tree.total_bytes.push_back(bytes_for(total));
  }
  if (records > 0) visit_node(tree, root, depth, records, visit);
}

void Audit::visit_node(const DenseTree& tree, std::uint64_t address, unsigned level, std::uint64_t records,
                       const std::function<void(Cursor)>& visit) {
  require(add_tree_node(address), "a tree runs in a circle");
  Cursor node = structure_at(address, tree.node_bytes);
  require(node.take(4).text() == (level == 0 ? "BTLF" : "BTIN") && node.small(1) == 0 && node.small(1) == tree.type,
          "an address leads to no node of its tree");
  for (std::uint64_t i = 0; i < records; ++i) visit(node.take(tree.record_bytes));
  if (level == 0) return;
  for (std::uint64_t i = 0; i <= records; ++i) {
    const std::uint64_t child = node.number(file_.offset_width), held = node.number(tree.count_bytes);
    node.skip(tree.total_bytes[level - 1]);
    visit_node(tree, child, level - 1, held, visit);
  }
}

}  // namespace attn::io::hdf5
