// The links of groups: messages in the header or in a heap, and of the older kind, a tree of nodes with symbols, whose
// names are in a heap of their own.

#include <attn/io/hdf5/objects/objects.hpp>

#include <algorithm>

namespace attn::io::hdf5 {
namespace {

constexpr unsigned soft_class = 1, external_class = 64, first_class_of_users = 64;

}  // namespace

ExternalTarget external_target(const Link& link) {
  try {
    Cursor value(link.target);
    value.skip(1);
    const std::string_view file = value.terminated();
    return {std::string(file), std::string(value.terminated())};
  } catch (const Damage&) {
    return {};
  }
}

void Objects::read_links(const Header& header, Object& group) {
  std::vector<Link>& links = group.links;
  if (const Message* found = header.find(message::link_info)) {
    Cursor info = found->data;
    require_version(info.small(1) == 0, "a list of links has an unknown version");
    const unsigned flags = info.small(1);
    if ((flags & 1) != 0) info.skip(8);
    const std::uint64_t heap_address = info.number(file_.offset_width), by_name = info.number(file_.offset_width);
    if ((flags & 2) != 0) require_signature(info.number(file_.offset_width), "BTHD");
    if (file_.is_defined(heap_address)) {
      const DenseHeap heap = read_dense_heap(heap_address);
      constexpr unsigned links_by_name = 5, hash_bytes = 4;
      tree_at(by_name, links_by_name).visit([&](Cursor record) {
        record.skip(hash_bytes);
        links.push_back(read_link(dense_object(heap, record.take(heap.id_bytes))));
      });
    } else {
      for (const Message& message : header.messages)
        if (message.type == message::link) links.push_back(read_link(message.data));
    }
  } else {
    Cursor table = header.find(message::symbol_table)->data;
    const std::uint64_t tree = table.number(file_.offset_width), heap = table.number(file_.offset_width);
    // Names of the group may repeat both.
    const auto named = tables_.find(group.address);
    require(named == tables_.end() || named->second == SymbolTable{tree, heap},
            "a group has another table than its name");
    read_symbol_node(tree, -1, heap_text(heap), links);
  }
  memory_.grow(links.size() * sizeof(Link));
  const auto are_ordered = [](const Link& a, const Link& b) { return a.name < b.name; };
  if (!std::is_sorted(links.begin(), links.end(), are_ordered)) std::sort(links.begin(), links.end(), are_ordered);
  links.shrink_to_fit();
}

Link Objects::read_link(Cursor message) const {
  require_version(message.small(1) == 1, "a link has an unknown version");
  const unsigned flags = message.small(1);
  require(flags < 0x20, "a link has unknown flags");
  Link link;
  link.number = (flags & 8) != 0 ? message.small(1) : 0;
  require(link.number <= soft_class || link.number >= first_class_of_users, "a link is of an unknown class");
  if ((flags & 4) != 0) message.skip(8);
  if ((flags & 16) != 0) message.skip(1);
  link.name = message.take(message.number(std::size_t{1} << (flags & 3))).text();
  require(!link.name.empty(), "a link has no name");
  if (link.number == 0) {
    link.address = message.number(file_.offset_width);
    return link;
  }
  link.kind = link.number == soft_class       ? Link::Kind::soft
              : link.number == external_class ? Link::Kind::external
                                              : Link::Kind::users_own;
  link.target = message.take(message.small(2)).text();
  if (link.kind == Link::Kind::soft) link.target = link.target.substr(0, link.target.find('\0'));
  return link;
}

/// The heap's data, after its list of free space has been followed to the end.
std::string_view Objects::heap_text(std::uint64_t heap) {
  Cursor head = structure_at(heap, 8 + 2 * file_.length_width + file_.offset_width);
  require(head.take(4).text() == "HEAP" && head.small(1) == 0, "an address leads to no heap of names");
  head.skip(3);
  const std::uint64_t size = head.number(file_.length_width);
  std::uint64_t free = head.number(file_.length_width);
  const Cursor data = structure_at(head.number(file_.offset_width), size);
  constexpr std::uint64_t end_of_list = 1;
  std::uint64_t blocks = 0;
  while (free != end_of_list && !file_.is_unlimited(free)) {
    require(++blocks <= size / (2 * file_.length_width), "a heap's free space runs in a circle");
    Cursor block = data;
    block.skip(free);
    const std::uint64_t next = block.number(file_.length_width), bytes = block.number(file_.length_width);
    require(bytes >= 2 * file_.length_width && bytes <= size - free, "a heap has more free space than space");
    free = next;
  }
  return data.text();
}

static std::string_view name_at(std::string_view names, std::uint64_t offset) {
  return Cursor(names).behind(offset).terminated();
}

void Objects::read_symbol_node(std::uint64_t node, int level, std::string_view names, std::vector<Link>& links) {
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
    name_at(names, body.number(file_.length_width));
    const std::uint64_t child = body.number(file_.offset_width);
    if (own_level > 0) {
      read_symbol_node(child, own_level, names, links);
      continue;
    }
    require(add_tree_node(child), "a tree of names has a leaf twice");
    Cursor leaf = structure_at(child, 8);
    require(leaf.take(4).text() == "SNOD" && leaf.small(1) == 1, "an address leads to no names");
    leaf.skip(1);
    const std::uint64_t symbols = leaf.small(2), symbol_bytes = file_.length_width + file_.offset_width + 24;
    add_node(child, leaf_half_, symbol_bytes, 8);
    Cursor table = structure_at(child + 8, symbols * symbol_bytes);
    for (std::uint64_t i = 0; i < symbols; ++i) links.push_back(read_symbol(table.take(symbol_bytes), names));
  }
  if (entries > 0) name_at(names, body.number(file_.length_width));
}

Link Objects::read_symbol(Cursor entry, std::string_view names) {
  Link link;
  // The specification counts the name's place as an address, the library as a size.
  link.name = name_at(names, entry.number(file_.length_width));
  link.address = entry.number(file_.offset_width);
  const unsigned cached = entry.small(4);
  entry.skip(4);
  constexpr unsigned symbol_table = 1, soft_link = 2;
  require(cached <= soft_link, "a name leads to something unknown");
  if (cached == symbol_table) {
    const std::uint64_t tree = entry.number(file_.offset_width);
    memory_.grow(in_tree<std::pair<std::uint64_t, SymbolTable>>);
    tables_[link.address] = {tree, entry.number(file_.offset_width)};
  } else if (cached == soft_link) {
    link.kind = Link::Kind::soft;
    link.number = soft_class;
    link.target = name_at(names, entry.number(4));
  }
  return link;
}

}  // namespace attn::io::hdf5
