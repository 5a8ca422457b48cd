// The headers of objects: messages, some of them shared or in dense storage, what shapes and attributes say, and of
// datasets where their elements are, what fills and filters them, and their chunks.

#include <attn/io/bytes/mapped_files.hpp>
#include <attn/io/hdf5/objects.hpp>

#include <algorithm>

namespace attn::io::hdf5 {
namespace {

constexpr unsigned shared_flag = 0x02, must_be_known_flag = 0x80;

/// Index of a chunk along each axis, and 0: the order of trees of chunks.
using ChunkPlace = std::vector<std::uint64_t>;

/// Was the dataset allocated when it was made, by the message of its fill value?
bool is_allocated_early(Cursor fill) {
  fill.skip(1);  // the version: all that are known have the time in the lowest bits of the second byte
  constexpr unsigned times = 3, early = 1;
  return (fill.small(1) & times) == early;
}

}  // namespace

void Objects::read_object(Object& object) {
  Header header = read_header(object.address);
  const auto read = [](bool has_checksum, const auto& part) {
    try {
      part();
    } catch (const UnknownVersion&) {
      if (!has_checksum) throw;
    }
  };
  read(header.has_checksum, [&] { add_dense_attributes(header); });
  for (const Message& message : header.messages) {
    if (message.type == message::attribute) read(message.has_checksum, [&] { read_attribute(message.data); });
    if (message.type == message::filters) read(message.has_checksum, [&] { read_filters(message.data); });
    require((message.flags & must_be_known_flag) == 0 || message.type <= message::last_known,
            "an object has a message of an unknown kind that must be known");
  }
  const bool has_type = header.find(message::datatype) != nullptr;
  if (header.find(message::symbol_table) != nullptr || header.find(message::link_info) != nullptr)
    object.kind = Object::Kind::group;
  else if (has_type)
    object.kind = header.find(message::dataspace) != nullptr ? Object::Kind::dataset : Object::Kind::type;
  if (object.kind == Object::Kind::group) read_links(header, object);
  if (header.find(message::layout) == nullptr) return;
  try {
    object.dataset = read_dataset(header, object.address);
  } catch (const UnknownVersion& unknown) {
    if (!header.has_checksum) throw;
    object.dataset = std::make_unique<StoredDataset>();
    object.dataset->unknown = unknown.what();
  }
}

/// Shared messages are read where they are stored.
Objects::Header Objects::read_header(std::uint64_t address) {
  Header header = read_own_messages(address);
  for (Message& message : header.messages) {
    if ((message.flags & shared_flag) == 0) continue;
    message.data = shared_message(message.data, message.type);
    message.flags &= ~shared_flag;
  }
  return header;
}

Objects::Header Objects::read_own_messages(std::uint64_t address) {
  Header header;
  require(file_.is_defined(address), "an object has no address");
  if (file_.at(address, 4).text() != "OHDR") {
    constexpr std::uint64_t prefix_bytes = 16;
    Cursor prefix = structure_at(address, prefix_bytes);
    require_version(prefix.small(1) == 1, "an object header has an unknown version");
    prefix.skip(7);
    read_messages_v1(structure_at(address + prefix_bytes, prefix.small(4)), header);
  } else {
    header.has_checksum = true;
    constexpr std::uint64_t longest_prefix = 64;
    Cursor prefix = file_.at(address, std::min(file_.image.size - file_.base - address, longest_prefix));
    const std::uint64_t whole = prefix.left();
    prefix.skip(4);
    require_version(prefix.small(1) == 2, "an object header has an unknown version");
    const unsigned flags = prefix.small(1);
    if ((flags & 0x20) != 0) prefix.skip(16);
    if ((flags & 0x10) != 0) prefix.skip(4);
    const std::uint64_t size = prefix.number(std::size_t{1} << (flags & 3));
    const std::uint64_t prefix_bytes = whole - prefix.left();
    require(size < file_.image.size, "an address leads outside the file");
    const std::uint64_t bytes = prefix_bytes + size + checksum_bytes;
    read_messages_v2(checked(address, bytes, bytes).behind(prefix_bytes), (flags & 4) != 0, header);
  }
  return header;
}

void Objects::continue_messages(Cursor data, Header& header) {
  const std::uint64_t address = data.number(file_.offset_width), size = data.number(file_.length_width);
  require(header.blocks.insert(address).second && header.blocks.size() < 10000, "an object header runs in a circle");
  if (!header.has_checksum) return read_messages_v1(structure_at(address, size), header);
  Cursor block = checked(address, size, size);
  require(block.take(4).text() == "OCHK", "an object header continues in something else");
  read_messages_v2(block, header.has_order, header);
}

void Objects::read_messages_v1(Cursor block, Header& header) {
  constexpr std::uint64_t prefix_bytes = 8;
  while (block.left() >= prefix_bytes) {
    const unsigned type = block.small(2), size = block.small(2), flags = block.small(1);
    block.skip(3);
    const Cursor data = block.take(size);
    header.messages.push_back({type, flags, data, false});
    if (type == message::continuation) continue_messages(data, header);
  }
}

void Objects::read_messages_v2(Cursor block, bool has_order, Header& header) {
  header.has_order = has_order;
  const std::uint64_t prefix_bytes = has_order ? 6 : 4;
  while (block.left() > prefix_bytes) {
    const unsigned type = block.small(1), size = block.small(2), flags = block.small(1);
    if (has_order) block.skip(2);
    const Cursor data = block.take(size);
    header.messages.push_back({type, flags, data, true});
    if (type == message::continuation) continue_messages(data, header);
  }
}

/// A message that is stored elsewhere: in a heap shared by all headers, or in the header of a named type.
Cursor Objects::shared_message(Cursor reference, unsigned type) {
  const unsigned version = reference.small(1), kind = reference.small(1);
  require(version >= 1 && version <= 3, "a shared message has an unknown version");
  constexpr unsigned in_shared_heap = 1;
  if (version > 1 && kind == in_shared_heap) return dense_object(shared_heap(type), reference);
  if (version == 1) reference.skip(6);
  const Header other = read_own_messages(reference.number(file_.offset_width));
  const Message* message = other.find(type);
  require(message != nullptr && (message->flags & shared_flag) == 0, "a shared message is none");
  return message->data;
}

/// An empty dataspace is (0,), as it is where it is read.
Objects::Space Objects::read_space(Cursor message) const {
  constexpr std::uint64_t most_elements = std::uint64_t{1} << 62;
  const unsigned version = message.small(1), rank = message.small(1), flags = message.small(1);
  require_version(version == 1 || version == 2, "a shape has an unknown version");
  require(rank <= 32, "a shape has too many axes");
  const unsigned kind = message.small(1);
  if (version == 1) message.skip(4);
  Space space;
  std::uint64_t count = 1;  // without the axes of no extent
  for (unsigned axis = 0; axis < rank; ++axis) {
    const std::uint64_t extent = message.number(file_.length_width);
    require(extent == 0 || count <= most_elements / extent, "a shape has more elements than a file can hold");
    count *= std::max<std::uint64_t>(extent, 1);
    space.shape.push_back(extent);
  }
  space.most = space.shape;
  if ((flags & 1) != 0) {
    for (std::size_t& most : space.most) {
      const std::uint64_t limit = message.number(file_.length_width);
      require(most <= limit, "a shape exceeds its limits");
      most = file_.is_unlimited(limit) ? unlimited : limit;
    }
  }
  constexpr unsigned null_space = 2;
  space.is_null = version == 2 && kind == null_space;
  if (space.is_null) space.shape = space.most = Shape{0};
  return space;
}

Datatype Objects::read_type(Cursor message) const { return read_datatype(message, heaps_.reference_bytes()); }

// Attributes: in the header itself, or many of them in a heap.

void Objects::add_dense_attributes(Header& header) {
  const Message* found = header.find(message::attribute_info);
  if (found == nullptr) return;
  Cursor info = found->data;
  require_version(info.small(1) == 0, "a list of attributes has an unknown version");
  if ((info.small(1) & 1) != 0) info.skip(2);
  const std::uint64_t heap_address = info.number(file_.offset_width), by_name = info.number(file_.offset_width);
  if (!file_.is_defined(heap_address)) return;
  const DenseHeap heap = read_dense_heap(heap_address);
  constexpr unsigned attributes_by_name = 8;
  tree_at(by_name, attributes_by_name).visit([&](Cursor record) {
    const Cursor id = record.take(heap.id_bytes);
    const bool is_shared = (record.small(1) & shared_flag) != 0;
    header.messages.push_back(
        {message::attribute, 0, dense_object(is_shared ? shared_heap(message::attribute) : heap, id), !is_huge(id)});
  });
}

StoredAttribute Objects::read_attribute(Cursor message) {
  const unsigned version = message.small(1), flags = message.small(1);
  require_version(version >= 1 && version <= 3, "an attribute has an unknown version");
  const std::uint64_t name_bytes = message.small(2), type_bytes = message.small(2), space_bytes = message.small(2);
  if (version == 3) message.skip(1);
  const auto part = [&](std::uint64_t bytes) {
    Cursor whole = message.take(version == 1 ? padded(bytes) : bytes);
    return whole.take(bytes);
  };
  StoredAttribute stored;
  stored.name = std::string(part(name_bytes).terminated());
  Cursor type = part(type_bytes), shape = part(space_bytes);
  if (version > 1 && (flags & 1) != 0) type = shared_message(type, message::datatype);
  if (version > 1 && (flags & 2) != 0) shape = shared_message(shape, message::dataspace);
  stored.type = read_type(type);
  Space space = read_space(shape);
  stored.shape = std::move(space.shape);
  stored.is_null = space.is_null;
  const std::uint64_t count = element_count(stored.shape);
  require(count == 0 || stored.type.size <= message.left() / count, "an attribute is smaller than its shape");
  if (stored.type.is_variable_text) check_strings(message, count);
  stored.elements = message.text();
  return stored;
}

std::vector<StoredAttribute> Objects::attributes_of(const Object& object) {
  std::vector<StoredAttribute> attributes;
  Header header = read_header(object.address);
  try {
    add_dense_attributes(header);
  } catch (const UnknownVersion&) {
    if (!header.has_checksum) throw;
  }
  for (const Message& message : header.messages) {
    if (message.type != message::attribute) continue;
    try {
      attributes.push_back(read_attribute(message.data));
    } catch (const UnknownVersion&) {
      continue;
    }
  }
  return attributes;
}

bool Objects::has_attributes(const Object& object, std::initializer_list<std::string_view> names) {
  const std::vector<StoredAttribute> attributes = attributes_of(object);
  return std::all_of(names.begin(), names.end(), [&](std::string_view name) {
    return std::any_of(attributes.begin(), attributes.end(), [name](const auto& each) { return each.name == name; });
  });
}

std::vector<std::uint64_t> Objects::scales_of(const Object& object) {
  std::vector<std::uint64_t> scales;
  for (const StoredAttribute& attribute : attributes_of(object)) {
    if (attribute.name != "DIMENSION_LIST") continue;
    const Datatype& type = attribute.type;
    require(type.kind == Datatype::Kind::list && type.base->kind == Datatype::Kind::reference,
            "dimension scales are not lists of references");
    Cursor lists(attribute.elements);
    for (std::size_t axis = 0; axis < element_count(attribute.shape); ++axis) {
      const std::uint64_t length = lists.number(4), heap = lists.number(file_.offset_width);
      const unsigned number = lists.small(4);
      scales.push_back(length == 0 ? 0 : Cursor(heaps_.object(heap, number)).number(file_.offset_width));
    }
  }
  return scales;
}

// Strings of varying length, and the heaps that hold them.

/// The pages are not needed until the strings are read, if ever.
void Objects::check_strings(Cursor references, std::uint64_t count) {
  constexpr std::uint64_t at_once = 1024;
  for (std::uint64_t first = 0; first < count; first += at_once) {
    const std::uint64_t some = std::min(at_once, count - first), before = references.left();
    for (std::uint64_t i = 0; i < some; ++i) read_string(references);
    copied_from_mapped(file_.image.data, before - references.left());
  }
}

std::string_view Objects::read_string(Cursor& references) {
  Cursor ahead = references;
  ahead.skip(4);
  if (const std::uint64_t heap = ahead.number(file_.offset_width); heap != 0) add_heap(heap);
  return heaps_.referred(references);
}

void Objects::add_heap(std::uint64_t heap) {
  if (add_tree_node(heap)) add_structure(heap, heap + heaps_.size_of(heap));
}

std::string_view Objects::string_of(const StoredAttribute& attribute, std::uint64_t index) {
  Cursor reference = Cursor(attribute.elements).behind(index * heaps_.reference_bytes());
  return heaps_.text(reference);
}

/// A tree of chunks, its constraints, and the number of chunks found.
struct Objects::ChunkTree {
  const StoredDataset& dataset;
  std::uint64_t header;
  std::uint64_t chunks = 0;
};

/// The range in which a chunk below an entry of a tree is searched: from `first` on, before `end`; empty: no limit.
struct Objects::ChunkRange {
  ChunkPlace first, end;

  bool holds(const ChunkPlace& place) const { return first <= place && (end.empty() || place < end); }
  ChunkRange within(const ChunkPlace& other_first, const ChunkPlace& other_end) const {
    return {std::max(first, other_first), end.empty() ? other_end : std::min(end, other_end)};
  }
};

std::unique_ptr<StoredDataset> Objects::read_dataset(const Header& header, std::uint64_t address) {
  const auto data_of = [&header](unsigned kind) {
    const Message* found = header.find(kind);
    return found == nullptr ? std::nullopt : std::optional<Cursor>(found->data);
  };
  const std::optional<Cursor> space = data_of(message::dataspace), type = data_of(message::datatype);
  require(space && type, "a dataset has no shape or no type");
  auto dataset = std::make_unique<StoredDataset>();
  Space extents = read_space(*space);
  dataset->shape = std::move(extents.shape);
  dataset->most = std::move(extents.most);
  dataset->is_null = extents.is_null;
  dataset->type = read_type(*type);
  for (const unsigned kind : {message::old_fill, message::fill})  // the newer one holds where both are there
    if (const auto found = data_of(kind)) dataset->fill = read_fill(kind, *found, dataset->type);
  if (dataset->type.is_variable_text && !dataset->fill.empty()) check_strings(Cursor(dataset->fill), 1);
  const Cursor layout = *data_of(message::layout);
  dataset->parts = read_sources(layout);
  dataset->layout = read_layout(layout);
  if (const auto files = data_of(message::external_files)) {
    dataset->layout.kind = StoredLayout::Kind::elsewhere;
    dataset->pieces = read_external_files(*files);
  }
  if (const auto filters = data_of(message::filters)) dataset->filters = read_filters(*filters);
  const auto fill = data_of(message::fill);
  check_elements(*dataset, fill && is_allocated_early(*fill), address);
  memory_.grow(sizeof(StoredDataset) + dataset->type.memory());
  return dataset;
}

void Objects::check_elements(StoredDataset& dataset, bool has_all, std::uint64_t address) {
  const std::uint64_t count = element_count(dataset.shape);
  const Datatype& type = dataset.type;
  StoredLayout& layout = dataset.layout;
  switch (layout.kind) {
    case StoredLayout::Kind::compact:
      require(count == 0 || type.size <= layout.inside.left() / count, "a dataset is smaller than its shape");
      require(layout.inside.left() == count * type.size, "a dataset is larger than its shape");
      if (type.is_variable_text) check_strings(layout.inside, count);
      break;
    case StoredLayout::Kind::contiguous:
      if (!layout.address) break;
      require(count == 0 || type.size <= (file_.image.size - file_.base) / count, "a dataset is larger than the file");
      require(!layout.stored || *layout.stored == count * type.size, "a dataset has another size than its shape");
      layout.inside = elements_at(*layout.address, count * type.size, address);
      if (type.is_variable_text) check_strings(file_.at(*layout.address, count * type.size), count);
      break;
    case StoredLayout::Kind::chunked: {
      require(layout.chunk.size() == dataset.shape.size() + 1 && layout.chunk.back() == type.size,
              "chunks do not fit their dataset");
      ChunkTree tree{dataset, address};
      if (layout.index == StoredLayout::Index::tree) check_chunks(tree, has_all);
      break;
    }
    case StoredLayout::Kind::elsewhere: break;
  }
}

/// The chunks of a dataset, each where it will be searched for: a missing chunk reads as the fill value. A
/// dataset that was allocated early has all chunks. A dataset that shrinks loses those outside, so they are damage.
void Objects::check_chunks(ChunkTree& tree, bool has_all) {
  const StoredLayout& layout = tree.dataset.layout;
  const Shape& shape = tree.dataset.shape;
  if (layout.address) check_chunk_node(*layout.address, -1, tree, {});
  std::uint64_t room = 1;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const std::uint64_t extent = layout.chunk[axis];
    room *= shape[axis] / extent + (shape[axis] % extent != 0 ? 1 : 0);
  }
  require(!has_all || tree.chunks == room, "chunks are missing from a dataset that is stored whole");
}

/// The chunks below the node, which must all be in the range.
void Objects::check_chunk_node(std::uint64_t node, int level, ChunkTree& tree, const ChunkRange& range) {
  require(add_tree_node(node), "a tree of chunks runs in a circle");
  const StoredLayout& layout = tree.dataset.layout;
  const Shape& shape = tree.dataset.shape;
  const std::uint64_t rank = layout.chunk.size(), prefix_bytes = 8 + 2 * file_.offset_width;
  Cursor head = structure_at(node, prefix_bytes);
  require(head.take(4).text() == "TREE" && head.small(1) == 1, "an address leads to no tree of chunks");
  const int own_level = static_cast<int>(head.small(1));
  require(level < 0 || own_level == level - 1, "a tree of chunks has a wrong level");
  const std::uint64_t entries = head.small(2), key_bytes = 8 + 8 * rank;
  add_node(node, chunk_half_, key_bytes + file_.offset_width, prefix_bytes + key_bytes);
  Cursor body = structure_at(node + prefix_bytes, entries * (key_bytes + file_.offset_width) + key_bytes);
  const auto take_place = [&](bool begins_chunk) {
    ChunkPlace place;
    for (const std::uint64_t extent : layout.chunk) {
      const std::uint64_t offset = body.number(8);
      require(!begins_chunk || offset % extent == 0, "a chunk begins inside another");
      place.push_back(offset / extent);
    }
    return place;
  };
  ChunkPlace before;
  for (std::uint64_t entry = 0; entry < entries; ++entry) {
    const std::uint64_t stored = body.small(4);
    const unsigned skipped_filters = body.small(4);
    const ChunkPlace place = take_place(true);
    require(before.empty() || before < place, "chunks are not in their order");
    before = place;
    const std::uint64_t child = body.number(file_.offset_width);
    Cursor ahead = body;
    body.skip(8);
    const ChunkPlace next = take_place(false);
    body = ahead;
    if (own_level > 0) {
      check_chunk_node(child, own_level, tree, range.within(place, next));
      continue;
    }
    require(range.within(place, next).holds(place), "a chunk is not where its tree looks for it");
    for (std::size_t axis = 0; axis < rank; ++axis)
      require(place[axis] * layout.chunk[axis] < (axis < shape.size() ? shape[axis] : 1),
              "a chunk lies outside its dataset");
    check_chunk_size(stored, skipped_filters, tree.dataset);
    elements_at(child, stored, tree.header);
    ++tree.chunks;
    const Datatype& type = tree.dataset.type;
    if (type.is_variable_text && tree.dataset.filters.empty())
      check_strings(file_.at(child, stored), stored / type.size);
  }
}

/// A chunk has its full size once its filters are undone. Without compression that size is known.
void Objects::check_chunk_size(std::uint64_t stored, unsigned skipped_filters, const StoredDataset& dataset) const {
  std::uint64_t expected = 1;
  for (const std::uint64_t extent : dataset.layout.chunk) expected *= extent;
  for (std::size_t i = 0; i < dataset.filters.size(); ++i) {
    const bool is_used = i >= 32 || (skipped_filters >> i & 1) == 0;
    const unsigned id = dataset.filters[i].id;
    if (is_used && id != filter::shuffle && id != filter::fletcher32) return;
    if (is_used && id == filter::fletcher32) expected += checksum_bytes;
  }
  require(stored == expected, "a chunk has a wrong size");
}

std::string_view Objects::read_fill(unsigned kind, Cursor message, const Datatype& type) {
  constexpr unsigned defined_flag = 0x20;
  if (kind != message::old_fill) {
    const unsigned version = message.small(1);
    require_version(version >= 1 && version <= 3, "a fill value has an unknown version");
    if (version == 3) {
      if ((message.small(1) & defined_flag) == 0) return {};
    } else {
      message.skip(2);
      if (message.small(1) == 0 && version == 2) return {};
    }
  }
  const std::uint64_t size = message.number(4);
  constexpr std::uint64_t undefined = 0xffffffff;
  if (size == 0 || size == undefined) return {};
  require(size == type.size, "a fill value has another size than the elements");
  return message.take(size).text();
}

std::vector<FilterStep> Objects::read_filters(Cursor message) {
  std::vector<FilterStep> steps;
  const unsigned version = message.small(1), count = message.small(1);
  require_version(version == 1 || version == 2, "a list of filters has an unknown version");
  if (version == 1) message.skip(6);
  for (unsigned i = 0; i < count; ++i) {
    FilterStep step;
    step.id = message.small(2);
    const std::uint64_t name = version == 1 || step.id >= 256 ? message.small(2) : 0;
    message.skip(2);
    const unsigned values = message.small(2);
    Cursor text = message.take(version == 1 ? padded(name) : name);
    if (name > 0) {
      require(text.text().find('\0') != std::string_view::npos, "a filter's name has no end");
      step.name = text.terminated();
    }
    for (unsigned k = 0; k < values; ++k) step.values.push_back(message.small(4));
    if (version == 1 && values % 2 != 0) message.skip(4);
    steps.push_back(std::move(step));
  }
  return steps;
}

// Where elements are.

StoredLayout Objects::read_layout(Cursor message) const {
  using Kind = StoredLayout::Kind;
  StoredLayout layout;
  const unsigned version = message.small(1);
  require_version(version >= 1 && version <= 5, "a layout has an unknown version");
  unsigned rank = version < 3 ? message.small(1) : 0;
  const unsigned kind = message.small(1);
  constexpr unsigned compact = 0, contiguous = 1, chunked = 2, of_others = 3;
  require_version(kind <= chunked || (version >= 4 && kind == of_others), "a layout is of an unknown class");
  if (version < 3) message.skip(5);
  const auto set_address = [&] {
    const std::uint64_t address = message.number(file_.offset_width);
    if (file_.is_defined(address)) layout.address = address;
  };
  if (kind == of_others) return layout;
  if (kind == compact) {
    layout.kind = Kind::compact;
    if (version < 3) message.skip(rank * std::uint64_t{4});
    layout.inside = message.take(message.number(version < 3 ? 4 : 2));
    return layout;
  }
  if (kind == contiguous) {
    layout.kind = Kind::contiguous;
    set_address();
    if (version >= 3) layout.stored = message.number(file_.length_width);  // before, extents of 32 bits, cut off
    return layout;
  }
  layout.kind = Kind::chunked;
  if (version >= 4) {
    read_newer_layout(message, version, layout);
    return layout;
  }
  if (version == 3) rank = message.small(1);
  set_address();
  // Versions 1 and 2 have the bytes of an element after the extents, version 3 as the last extent.
  read_chunk_extents(message, rank, 4, layout);
  return layout;
}

void Objects::read_chunk_extents(Cursor& message, unsigned rank, std::size_t width, StoredLayout& layout) {
  require(rank >= 1 && rank <= 33, "a layout has too many axes");
  std::uint64_t bytes = 1;
  for (unsigned axis = 0; axis < rank; ++axis) {
    layout.chunk.push_back(message.number(width));
    require(layout.chunk.back() > 0, "chunks have no extent");
    constexpr std::uint64_t most_bytes = std::uint64_t{1} << 32;
    require(bytes <= (most_bytes - 1) / layout.chunk.back(), "chunks are larger than 4 GiB");
    bytes *= layout.chunk.back();
  }
}

/// Version 5 differs from version 4 only in the width of the sizes of filtered chunks.
void Objects::read_newer_layout(Cursor message, unsigned version, StoredLayout& layout) const {
  using Index = StoredLayout::Index;
  const unsigned flags = message.small(1), rank = message.small(1), width = message.small(1);
  require(width >= 1 && width <= 8, "chunks have no extent");
  read_chunk_extents(message, rank, width, layout);
  layout.has_unfiltered_edges = (flags & 1) != 0;
  std::uint64_t bytes = 1;
  for (const std::uint64_t extent : layout.chunk) bytes *= extent;
  layout.size_bytes = file_.length_width;
  if (version == 4) {
    layout.size_bytes = 2;
    while (layout.size_bytes < 8 && bytes >> 8 * (layout.size_bytes - 1) != 0) ++layout.size_bytes;
  }
  constexpr unsigned single = 1, implicit = 2, fixed_array = 3, extensible_array = 4, btree_v2 = 5;
  switch (message.small(1)) {
    case single:
      layout.index = Index::single;
      if ((flags & 2) != 0) {
        layout.single_bytes = message.number(file_.length_width);
        layout.single_skipped = message.small(4);
      }
      break;
    case implicit: layout.index = Index::implicit; break;
    case fixed_array:
      layout.index = Index::fixed_array;
      message.skip(1);
      break;
    case extensible_array:
      layout.index = Index::extensible_array;
      message.skip(5);
      break;
    case btree_v2:
      layout.index = Index::btree_v2;
      message.skip(6);
      break;
    default: require_version(false, "chunks have an index of an unknown kind");
  }
  const std::uint64_t address = message.number(file_.offset_width);
  if (file_.is_defined(address)) layout.address = address;
}

// Elements in other files.

/// The list of source files of a virtual dataset is in a heap, with a checksum.
std::string_view Objects::read_sources(Cursor layout) {
  constexpr unsigned newer = 4, of_virtual = 3;
  if (layout.small(1) < newer || layout.small(1) != of_virtual) return {};
  const std::uint64_t collection = layout.number(file_.offset_width);
  const unsigned index = layout.small(4);
  if (!file_.is_defined(collection)) return {};
  add_heap(collection);
  const std::string_view object = heaps_.object(collection, index);
  require(object.size() >= checksum_bytes, "what a virtual dataset is made of has no checksum");
  const std::string_view parts = object.substr(0, object.size() - checksum_bytes);
  Cursor stored(reinterpret_cast<const unsigned char*>(parts.data()) + parts.size(), checksum_bytes);
  require(stored.small(checksum_bytes) == lookup3(parts), "what a virtual dataset is made of has a wrong checksum");
  return parts;
}

std::vector<ExternalPiece> Objects::read_external_files(Cursor message) {
  require_version(message.small(1) == 1, "a list of external files has an unknown version");
  message.skip(5);
  const unsigned count = message.small(2);
  const std::string_view names = heap_text(message.number(file_.offset_width));
  std::vector<ExternalPiece> pieces;
  for (unsigned i = 0; i < count; ++i) {
    ExternalPiece piece;
    piece.file = Cursor(names).behind(message.number(file_.length_width)).terminated();
    piece.offset = message.number(file_.length_width);
    piece.bytes = message.number(file_.length_width);
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

}  // namespace attn::io::hdf5
