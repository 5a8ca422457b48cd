// The audit's reading of groups: messages with links, and of the older kind, a tree of nodes with symbols, whose names
// are in a heap.

#include <attn/io/hdf5/audit/parts.hpp>

namespace attn::io::hdf5 {

void Audit::check_link(Cursor message) const {
  require_version(message.small(1) == 1, "a link has an unknown version");
  const unsigned flags = message.small(1);
  require(flags < 0x20, "a link has unknown flags");
  const unsigned kind = (flags & 8) != 0 ? message.small(1) : 0;
  constexpr unsigned soft = 1, first_of_users = 64;
  require(kind <= soft || (kind >= first_of_users && kind < 256), "a link is of an unknown class");
  if ((flags & 4) != 0) message.skip(8);
  if ((flags & 16) != 0) message.skip(1);
  const std::uint64_t name = message.number(std::size_t{1} << (flags & 3));
  require(name > 0, "a link has no name");
  message.skip(name);
  if (kind == 0)
    message.skip(file_.offset_width);
  else
    message.skip(message.small(2));
}

void Audit::check_symbol_table(std::uint64_t tree, std::uint64_t heap) {
  // Symbol entries repeat the addresses that the group's own header has.
  if (nodes_.count(tree) != 0) return;
  heap_text(heap);
  check_group_node(tree, -1, heap);
}

/// The heap's data, after its list of free space has been followed to the end.
std::string_view Audit::heap_text(std::uint64_t heap) {
  Cursor head = structure_at(heap, 8 + 2 * file_.length_width + file_.offset_width);
  require(head.take(4).text() == "HEAP" && head.small(1) == 0, "an address leads to no heap of names");
  head.skip(3);
  const std::uint64_t size = head.number(file_.length_width);
  std::uint64_t free = head.number(file_.length_width);
  const Cursor data = structure_at(head.number(file_.offset_width), size);
  constexpr std::uint64_t end_of_list = 1;
  const std::uint64_t undefined =
      file_.length_width == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * file_.length_width) - 1;
  std::uint64_t blocks = 0;
  while (free != end_of_list && free != undefined) {
    require(++blocks <= size / (2 * file_.length_width), "a heap's free space runs in a circle");
    Cursor block = data;
    block.skip(free);
    const std::uint64_t next = block.number(file_.length_width), bytes = block.number(file_.length_width);
    require(bytes >= 2 * file_.length_width && bytes <= size - free, "a heap has more free space than space");
    free = next;
  }
  return data.text();
}

void Audit::check_heap_name(std::uint64_t heap, std::uint64_t offset) const {
  Cursor head = file_.at(heap, 8 + 2 * file_.length_width + file_.offset_width);
  head.skip(8);
  const std::uint64_t size = head.number(file_.length_width);
  head.skip(file_.length_width);
  Cursor data = file_.at(head.number(file_.offset_width), size);
  data.skip(offset);
  data.terminated();
}

void Audit::check_group_node(std::uint64_t node, int level, std::uint64_t heap) {
  require(add_tree_node(node), "a tree of names runs in a circle");
  const std::uint64_t prefix_bytes = 8 + 2 * file_.offset_width;
  Cursor head = structure_at(node, prefix_bytes);
  require(head.take(4).text() == "TREE" && head.small(1) == 0, "an address leads to no tree of names");
  const int own_level = static_cast<int>(head.small(1));
  require(level < 0 || own_level == level - 1, "a tree of names has a wrong level");
  const std::uint64_t entries = head.small(2), entry_bytes = file_.length_width + file_.offset_width;
  add_node(node, group_half_, entry_bytes, prefix_bytes + file_.length_width);
  require_signature(head.number(file_.offset_width), "TREE");
  require_signature(head.number(file_.offset_width), "TREE");
  Cursor body = structure_at(node + prefix_bytes, entries * entry_bytes + file_.length_width);
  for (std::uint64_t entry = 0; entry < entries; ++entry) {
    check_heap_name(heap, body.number(file_.length_width));
    const std::uint64_t child = body.number(file_.offset_width);
    if (own_level > 0) {
      check_group_node(child, own_level, heap);
      continue;
    }
    require(add_tree_node(child), "a tree of names has a leaf twice");
    Cursor leaf = structure_at(child, 8);
    require(leaf.take(4).text() == "SNOD" && leaf.small(1) == 1, "an address leads to no names");
    leaf.skip(1);
    const std::uint64_t symbols = leaf.small(2), symbol_bytes = 2 * file_.offset_width + 24;
    add_node(child, leaf_half_, symbol_bytes, 8);
    Cursor table = structure_at(child + 8, symbols * symbol_bytes);
    for (std::uint64_t i = 0; i < symbols; ++i) check_symbol_entry(table.take(symbol_bytes), heap);
  }
  if (entries > 0) check_heap_name(heap, body.number(file_.length_width));
}

void Audit::check_symbol_entry(Cursor entry, std::uint64_t heap) {
  const std::uint64_t name = entry.number(file_.offset_width);
  entry.skip(file_.offset_width);
  const unsigned cached = entry.small(4);
  entry.skip(4);
  const bool is_root = !file_.is_defined(heap);
  if (!is_root) check_heap_name(heap, name);
  constexpr unsigned nothing = 0, symbol_table = 1, soft_link = 2;
  require(cached <= soft_link, "a name leads to something unknown");
  if (cached == symbol_table) {
    const std::uint64_t tree = entry.number(file_.offset_width);
    check_symbol_table(tree, entry.number(file_.offset_width));
  } else if (cached != nothing && !is_root) {
    check_heap_name(heap, entry.number(4));
  }
}

}  // namespace attn::io::hdf5
