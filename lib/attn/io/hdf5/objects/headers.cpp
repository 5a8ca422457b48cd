// The headers of objects: messages, some of them shared or in dense storage, and what shapes and attributes say.

#include <attn/io/bytes/mapped_files.hpp>
#include <attn/io/hdf5/objects/objects.hpp>

#include <algorithm>

namespace attn::io::hdf5 {
namespace {

constexpr unsigned shared_flag = 0x02, must_be_known_flag = 0x80;

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

}  // namespace attn::io::hdf5
