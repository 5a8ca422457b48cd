// The superblock, the places of all that was read, and paths; the links of groups, the heaps of dense storage and those
// of strings.

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/io/bytes/mapped_files.hpp>
#include <attn/io/formats/formats.hpp>
#include <attn/io/hdf5/objects.hpp>

#include <algorithm>
#include <iterator>

namespace attn::io::hdf5 {
namespace {

constexpr unsigned soft_class = 1, external_class = 64, first_class_of_users = 64;

constexpr unsigned place_bits = 48;  // no file that is mapped is larger
constexpr std::uint64_t place_mask = (std::uint64_t{1} << place_bits) - 1;

constexpr bool is_power_of_two(std::uint64_t number) noexcept { return number != 0 && (number & (number - 1)) == 0; }

}  // namespace

Objects::Objects(const Bytes& image, std::string label) : label_(label), memory_(std::move(label)) {
  file_.image = image;
  try {
    read_superblock();
  } catch (const Damage& damage) {
    throw Error(ErrorKind::data, label_, std::string("is damaged HDF5: ") + damage.what());
  }
  if (file_.is_defined(extension_)) at(extension_, "");
  root_ = &at(root_address_, "");
  if (root_->kind != Object::Kind::group)
    throw Error(ErrorKind::data, label_, "is damaged HDF5: its superblock leads to no group");
}

void Objects::read_superblock() {
  const Bytes& image = file_.image;
  std::uint64_t start = 0;
  const std::string_view text = image.text();
  constexpr std::size_t largest = 128;
  const auto is_here = [&] {
    image.await(image.data + start, std::min<std::size_t>(largest, image.size - start));
    return text.substr(start, hdf5_signature.size()) == hdf5_signature;
  };
  while (!is_here()) {
    start = start == 0 ? 512 : start * 2;
    require(start < image.size, "it has no superblock");
  }
  Cursor block(image.data + start, image.size - start);
  block.skip(8);
  const unsigned version = block.small(1);
  require_version(version <= 3, "its superblock has an unknown version");
  if (version < 2) block.skip(4);
  file_.offset_width = block.small(1);
  file_.length_width = block.small(1);
  const auto is_width = [](std::size_t width) { return width == 2 || width == 4 || width == 8; };
  require(is_width(file_.offset_width) && is_width(file_.length_width), "its superblock has addresses of an odd size");
  const unsigned marks = block.small(1);
  if (version == 3 && marks != 0)
    throw Error(ErrorKind::data, label_, "is open for writing, or was not closed by its writer",
                "let the writer close it; if it has died, h5clear -s FILE clears the mark");
  if (version < 2) {
    constexpr std::uint64_t usual_chunk_half = 32;
    leaf_half_ = block.small(2);
    group_half_ = block.small(2);
    block.skip(4);
    chunk_half_ = version == 1 ? block.small(2) : usual_chunk_half;
    block.skip(version == 1 ? 2 : 0);
  }
  // The location of the superblock is the base address, so that a block before it does no harm.
  file_.base = start;
  heaps_ = StringHeaps(file_);
  block.skip(file_.offset_width);
  const std::uint64_t second = block.number(file_.offset_width);
  block.skip(file_.offset_width);
  const std::uint64_t third = block.number(file_.offset_width);
  is_recording_ = true;
  if (version >= 2) {
    extension_ = second;
    root_address_ = third;
    const std::uint64_t used = image.size - start - block.left() + checksum_bytes;
    checked(0, used, used);
  } else {
    require(!file_.is_defined(third), "it is one part of a file in several parts");
    extension_ = ~std::uint64_t{0};
    block.skip(file_.length_width);
    root_address_ = block.number(file_.offset_width);
    constexpr unsigned symbol_table = 1, soft_link = 2;
    const unsigned cached = block.small(4);
    block.skip(4);
    require(cached <= soft_link, "a name leads to something unknown");
    if (cached == symbol_table) {
      const std::uint64_t tree = block.number(file_.offset_width);
      tables_[root_address_] = {tree, block.number(file_.offset_width)};
    }
    add_structure(0, image.size - start - block.left());
  }
  is_recording_ = false;
}

const Object& Objects::at(std::uint64_t address, const std::string& path) {
  auto place = objects_.lower_bound(address);
  if (place == objects_.end() || place->first != address) {
    memory_.grow(in_tree<std::pair<std::uint64_t, Object>> + path.size());
    place = objects_.emplace_hint(place, address, Object());
    Object& object = place->second;
    object.address = address;
    object.path = path;
    is_recording_ = true;
    try {
      read_object(object);
    } catch (const Damage& damage) {
      object.damage = damage.what();
    } catch (...) {
      is_recording_ = false;
      objects_.erase(place);
      throw;
    }
    is_recording_ = false;
  }
  const Object& object = place->second;
  if (!object.damage.empty())
    throw Error(ErrorKind::data, object.path.empty() ? label_ : label_ + ":/" + object.path,
                "is damaged HDF5: " + object.damage);
  return object;
}

namespace {

/// The link of that name, or else the only one whose name is the same in NFC: file systems and programs differ in how
/// they write accents. Links are sorted.
std::vector<Link>::const_iterator link_called(std::string_view name, const std::vector<Link>& links) {
  const auto link = std::lower_bound(links.begin(), links.end(), name,
                                     [](const Link& each, std::string_view wanted) { return each.name < wanted; });
  if (link != links.end() && link->name == name) return link;
  const auto is_same = [name](const Link& each) { return is_same_name(each.name, name); };
  const auto same = std::find_if(links.begin(), links.end(), is_same);
  return same != links.end() && std::none_of(same + 1, links.end(), is_same) ? same : links.end();
}

}  // namespace

Objects::Found Objects::find(const std::string& path) {
  int links_left = 16;  // as many as HDF5 follows
  return find_from(root(), path, links_left);
}

/// A soft link begins at the root, or at the group that has it.
Objects::Found Objects::find_from(const Object& group, std::string_view path, int& links_left) {
  Found found{&group, 0, nullptr, 0};
  for (std::size_t begin = 0, end = 0; end != path.npos; begin = end + 1) {
    end = path.find('/', begin);
    const std::string_view name = path.substr(begin, end - begin);
    if (!name.empty() && name != ".") {
      const Object& here = *found.object;
      const auto link = link_called(name, here.links);
      if (link == here.links.end()) return found;
      const Object* next = nullptr;
      if (link->kind == Link::Kind::hard) {
        next = &at(link->address, here.path.empty() ? std::string(name) : here.path + "/" + std::string(name));
      } else if (link->kind == Link::Kind::soft && links_left-- > 0) {
        const bool is_absolute = !link->target.empty() && link->target.front() == '/';
        const Found there = find_from(is_absolute ? root() : here, link->target, links_left);
        if (there.is_whole()) next = there.object;
      }
      if (next == nullptr || next->kind == Object::Kind::unknown) {
        found.obstacle = &*link;
        found.obstacle_end = end;
        return found;
      }
      found.object = next;
    }
    found.end = end;
  }
  return found;
}

bool Objects::add_tree_node(std::uint64_t address) {
  const auto place = nodes_.lower_bound(address);
  if (place != nodes_.end() && *place == address) return false;  // such as a heap of many strings
  memory_.grow(in_tree<std::uint64_t>);
  nodes_.insert(place, address);
  return true;
}

void Objects::add_structure(std::uint64_t begin, std::uint64_t end) {
  if (!is_recording_) return;
  memory_.grow(in_list<Place>);
  structures_.push_back({begin, end});
  has_new_places_ = true;
}

Cursor Objects::structure_at(std::uint64_t address, std::uint64_t count) {
  const Cursor bytes = file_.at(address, count);
  if (count > 0) add_structure(address, address + count);
  return bytes;
}

Cursor Objects::checked(std::uint64_t address, std::uint64_t used, std::uint64_t whole) {
  const auto place = checked_.lower_bound(address);
  if (place != checked_.end() && *place == address && used >= checksum_bytes)
    return file_.at(address, used).take(used - checksum_bytes);
  structure_at(address, whole);
  const Cursor contents = file_.checked_at(address, used);
  memory_.grow(in_tree<std::uint64_t>);
  checked_.insert(place, address);
  return contents;
}

void Objects::add_node(std::uint64_t address, std::uint64_t half, std::uint64_t entry_bytes, std::uint64_t around) {
  if (half > 0) add_structure(address, address + around + 2 * half * entry_bytes);
}

Cursor Objects::elements_at(std::uint64_t address, std::uint64_t count, std::uint64_t dataset) {
  const Cursor bytes = file_.place(address, count);
  if (count > 0 && is_recording_) {
    memory_.grow(in_list<ElementsPlace>);
    elements_.push_back({{address, address + count}, dataset});
    has_new_places_ = true;
  }
  return bytes;
}

void Objects::check_places() {
  if (!has_new_places_) return;
  const auto refuse = [this](const ElementsPlace& elements, const char* what) {
    throw Error(ErrorKind::data, label_ + ":/" + objects_[elements.dataset].path,
                std::string("is damaged HDF5: ") + what);
  };
  std::sort(structures_.begin(), structures_.end());
  std::sort(elements_.begin(), elements_.end());
  auto structure = structures_.begin();
  for (auto here = elements_.begin(); here != elements_.end(); ++here) {
    if (here != elements_.begin() && here->begin < std::prev(here)->end)
      refuse(*here, "its elements overlap those of another dataset");
    while (structure != structures_.end() && structure->end <= here->begin) ++structure;
    if (structure != structures_.end() && structure->begin < here->end)
      refuse(*here, "its elements overlap the file's structure");
  }
  has_new_places_ = false;
}

void Objects::finish() {
  nodes_.clear();
  checked_.clear();
  tables_.clear();
  structures_ = {};
  elements_ = {};
  memory_ = MemoryShare(label_);
}

void Objects::require_signature(std::uint64_t address, const char* signature) const {
  if (file_.is_defined(address))
    require(file_.at(address, 4).text() == signature, "an address leads to something else");
}

// The links of groups: messages in the header or in a heap, and of the older kind, a tree of nodes with symbols, whose
// names are in a heap of their own.

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

// Dense storage: many links or attributes of one object are messages in a fractal heap, listed by a B-tree of
// version 2. Blocks and nodes have checksums; large messages outside the blocks have none.

BtreeV2 Objects::tree_at(std::uint64_t address, unsigned kind) {
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

std::string_view StringHeaps::referred(Cursor& references) {
  const std::uint64_t length = references.number(4), heap = references.number(file_.offset_width);
  const unsigned number = references.small(4);
  if (heap == 0) {
    require(length == 0, "a string has a length and no place");
    return {};
  }
  const std::string_view whole = object(heap, number);
  require(length == whole.size(), "a string has another length in its heap");
  return whole;
}

std::string_view StringHeaps::text(Cursor& references) {
  const std::string_view whole = referred(references);
  return whole.substr(0, whole.find('\0'));
}

std::string_view StringHeaps::object(std::uint64_t heap, unsigned number) {
  const Objects& objects = objects_of(heap);
  const auto found = std::lower_bound(objects.begin(), objects.end(), std::uint64_t{number} << place_bits);
  require(found != objects.end() && *found >> place_bits == number, "a string is not in its heap");
  const std::uint64_t place = *found & place_mask;
  Cursor prefix = file_.at(place, prefix_bytes());
  prefix.skip(8);
  return file_.at(place + prefix_bytes(), prefix.number(file_.length_width)).text();
}

std::uint64_t StringHeaps::size_of(std::uint64_t heap) const {
  Cursor head = file_.at(heap, prefix_bytes());
  require(head.take(4).text() == "GCOL" && head.small(1) == 1, "an address leads to no heap of strings");
  head.skip(3);
  const std::uint64_t size = head.number(file_.length_width);
  require(size >= prefix_bytes(), "a heap of strings is too small");
  file_.at(heap, size);
  return size;
}

const StringHeaps::Objects& StringHeaps::objects_of(std::uint64_t heap) {
  if (const auto known = known_.find(heap); known != known_.end()) return known->second;
  // Strings are mostly in the order of their references, so that few heaps are needed at a time.
  constexpr std::size_t most_known = std::size_t{1} << 20, around = sizeof(std::pair<std::uint64_t, Objects>) + 64;
  if (known_bytes_ > most_known) {
    known_.clear();
    known_bytes_ = 0;
  }
  const std::uint64_t size = size_of(heap), end = heap + size, prefix = prefix_bytes();
  constexpr std::size_t most_numbers = 1 << 16;
  Cursor body = file_.at(heap, size).behind(prefix);
  Objects objects;
  while (body.left() >= prefix) {
    const std::uint64_t place = end - body.left();
    const unsigned number = body.small(2);
    body.skip(6);
    const std::uint64_t bytes = body.number(file_.length_width);
    body.skip(std::min<std::uint64_t>(body.left(), prefix - 8 - file_.length_width));
    if (number == 0) {
      // Free space counts its own prefix and ends the heap.
      require(bytes == body.left() + prefix, "a heap of strings has a wrong end");
      break;
    }
    require(bytes <= body.left(), "a string is longer than its heap");
    require(place <= place_mask, "a heap of strings lies too far behind");
    require(objects.size() < most_numbers, "a heap of strings has two with one number");
    objects.push_back(std::uint64_t{number} << place_bits | place);
    body.skip(std::min<std::uint64_t>(body.left(), (bytes + 7) / 8 * 8));
  }
  std::sort(objects.begin(), objects.end());
  const auto have_one_number = [](std::uint64_t a, std::uint64_t b) { return a >> place_bits == b >> place_bits; };
  require(std::adjacent_find(objects.begin(), objects.end(), have_one_number) == objects.end(),
          "a heap of strings has two with one number");
  objects.shrink_to_fit();
  known_bytes_ += around + objects.size() * sizeof objects.front();
  copied_from_mapped(file_.image.data, size);
  return known_.emplace(heap, std::move(objects)).first->second;
}

}  // namespace attn::io::hdf5
