// Dense storage: many links or attributes of one object are messages in a fractal heap, listed by a B-tree of
// version 2. Blocks and nodes have checksums; large messages outside the blocks have none.

#include <attn/io/hdf5/objects/objects.hpp>

#include <algorithm>

namespace attn::io::hdf5 {

static constexpr bool is_power_of_two(std::uint64_t number) noexcept {
  return number != 0 && (number & (number - 1)) == 0;
}

NewerTree Objects::tree_at(std::uint64_t address, unsigned kind) {
  const auto seen = std::make_shared<std::set<std::uint64_t>>();
  return {file_, address, kind, [this, seen](std::uint64_t block, std::uint64_t used, std::uint64_t whole) {
            require(seen->insert(block).second, "a tree runs in a circle");
            return checked(block, used, whole);
          }};
}

/// The heap of the messages of this type that all headers share. The superblock's extension leads to the table of such
/// heaps, each for some types.
const Objects::DenseHeap& Objects::shared_heap(unsigned type) {
  if (shared_heaps_.empty() && file_.is_defined(extension_)) {
    const Header extension = read_own_messages(extension_);
    const Message* info = extension.find(message::shared_table);
    require(info != nullptr, "a shared message has no heap");
    Cursor where = info->data;
    require_version(where.small(1) == 0, "a table of shared messages has an unknown version");
    const std::uint64_t address = where.number(file_.offset_width), indexes = where.small(1);
    const std::uint64_t index_bytes = 14 + 2 * file_.offset_width;
    const std::uint64_t bytes = 4 + indexes * index_bytes + checksum_bytes;
    Cursor table = checked(address, bytes, bytes);
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

Objects::DenseHeap Objects::read_dense_heap(std::uint64_t address) {
  DenseHeap heap;
  constexpr std::uint64_t filters_at = 7;
  require_version(file_.at(address, filters_at + 2).behind(filters_at).small(2) == 0, "a heap is filtered");
  const std::uint64_t bytes = 26 + 12 * file_.length_width + 3 * file_.offset_width;
  Cursor head = checked(address, bytes, bytes);
  require(head.take(4).text() == "FRHP", "an address leads to something else");
  require_version(head.small(1) == 0, "a heap has an unknown version");
  heap.id_bytes = head.small(2);
  head.skip(2);
  heap.has_checksums = (head.small(1) & 2) != 0;
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
  tree_at(huge_tree, huge_by_number).visit([&](Cursor record) {
    const std::uint64_t at = record.number(file_.offset_width), length = record.number(file_.length_width);
    heap.huge.emplace(record.number(file_.length_width), structure_at(at, length));
  });
  return heap;
}

constexpr unsigned managed = 0, huge = 1, tiny = 2;  // kinds of objects of a heap

/// Is the object outside of the blocks, which have checksums?
bool Objects::is_huge(Cursor id) { return (id.small(1) >> 4 & 3) == huge; }

Cursor Objects::dense_object(const DenseHeap& heap, Cursor id) {
  const unsigned head = id.small(1), kind = head >> 4 & 3;
  require_version(head >> 6 == 0, "a heap has an object of an unknown version");
  if (kind == managed) {
    const std::uint64_t offset = id.number(heap.offset_bytes);
    return managed_object(heap, offset, id.number(heap.length_bytes));
  }
  if (kind == tiny) return id.take((head & 15) + 1);
  require(kind == huge, "a heap has an object of an unknown kind");
  if (heap.has_direct_huge_ids) {
    const std::uint64_t at = id.number(file_.offset_width);
    return structure_at(at, id.number(file_.length_width));
  }
  const auto object = heap.huge.find(id.number(std::min<std::uint64_t>(id.left(), file_.length_width)));
  require(object != heap.huge.end(), "a heap does not have all its objects");
  return object->second;
}

/// From the root down: a row of a table holds blocks of one size, with objects up to largest_direct, with tables
/// beyond.
Cursor Objects::managed_object(const DenseHeap& heap, std::uint64_t offset, std::uint64_t length) {
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
    const std::uint64_t table_bytes = prefix + rows * heap.columns * file_.offset_width + checksum_bytes;
    Cursor table = checked(block, table_bytes, table_bytes);
    require(table.text().substr(0, 4) == "FHIB", "an address leads to something else");
    block = table.behind(prefix + (row * heap.columns + column) * file_.offset_width).number(file_.offset_width);
    offset = (offset - row_begin) % bytes;
    is_table = bytes > heap.largest_direct;
    rows = 0;
    for (std::uint64_t held = heap.columns * heap.first_block; held <= bytes; held *= 2) ++rows;
  }
  Cursor inside = direct_block(heap, block, bytes);
  inside.skip(offset);
  return inside.take(length);
}

/// Its checksum is in its head, and counts as 0 in itself.
Cursor Objects::direct_block(const DenseHeap& heap, std::uint64_t address, std::uint64_t bytes) {
  const auto place = checked_.lower_bound(address);
  if (place != checked_.end() && *place == address) return file_.at(address, bytes);
  const Cursor block = structure_at(address, bytes);
  require(block.text().substr(0, 4) == "FHDB", "an address leads to something else");
  if (heap.has_checksums) {
    Cursor stored = block.behind(5 + file_.offset_width + heap.offset_bytes);
    const std::uint64_t at = bytes - stored.left();
    std::string contents(block.text());
    contents.replace(at, checksum_bytes, checksum_bytes, '\0');
    require(stored.small(checksum_bytes) == lookup3(contents), "a structure has a wrong checksum");
  }
  memory_.grow(in_tree<std::uint64_t>);
  checked_.insert(place, address);
  return block;
}

}  // namespace attn::io::hdf5
