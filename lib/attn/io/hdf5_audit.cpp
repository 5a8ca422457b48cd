#include <attn/core/error.hpp>
#include <attn/io/formats.hpp>
#include <attn/io/hdf5_audit.hpp>
#include <attn/io/hdf5_audit_parts.hpp>

namespace attn::io::hdf5 {
namespace {

// Types of header messages.
constexpr unsigned dataspace = 0x01, link_info = 0x02, datatype = 0x03, old_fill = 0x04, fill = 0x05, hard_link = 0x06,
                   layout_message = 0x08, filters = 0x0b, attribute = 0x0c, continuation = 0x10, symbol_table = 0x11,
                   attribute_info = 0x15;
constexpr unsigned shared_flag = 0x02;

}  // namespace

Audit::Audit(const Bytes& image, std::string label) : image_(image), label_(std::move(label)) {
  try {
    std::uint64_t start = 0;
    const std::string_view text = image.text();
    while (text.substr(std::min<std::size_t>(start, text.size()), 8) != hdf5_signature) {
      start = start == 0 ? 512 : start * 2;
      require(start < image.size, "it has no superblock");
    }
    Cursor block(image.data + start, image.size - start);
    block.skip(8);
    const unsigned version = block.small(1);
    require_version(version <= 3, "its superblock has an unknown version");
    if (version < 2) block.skip(4);
    offset_width_ = block.small(1);
    length_width_ = block.small(1);
    const auto is_width = [](std::size_t width) { return width == 2 || width == 4 || width == 8; };
    require(is_width(offset_width_) && is_width(length_width_), "its superblock has addresses of an odd size");
    const unsigned marks = block.small(1);
    if (version == 3 && marks != 0)
      throw Error(ErrorKind::data, label_, "is open for writing, or was not closed by its writer",
                  "let the writer close it; if none is left, h5clear -s FILE takes the mark away");
    block.skip(version == 0 ? 8 : version == 1 ? 12 : 0);
    // The library takes the superblock's own place for the base address, so that a block put in front does no harm.
    base_ = start;
    block.skip(offset_width_);
    const std::uint64_t second = block.number(offset_width_);
    block.skip(offset_width_);
    const std::uint64_t third = block.number(offset_width_);
    if (version >= 2) {
      extension_ = second;
      root_ = third;
      return;
    }
    require(!is_defined(third), "it is one part of a file in several parts");
    extension_ = ~std::uint64_t{0};
    root_entry_ = image.size - block.left();
    block.skip(offset_width_);
    root_ = block.number(offset_width_);
  } catch (const Damage& damage) {
    throw Error(ErrorKind::data, label_, std::string("is damaged HDF5: ") + damage.what());
  }
}

void Audit::check_root() {
  if (is_defined(extension_)) check_object(extension_, "");
  check_object(root_, "");
  if (root_entry_ == 0) return;
  try {
    check_symbol_entry(Cursor(image_.data + root_entry_, image_.size - root_entry_), ~std::uint64_t{0});
  } catch (const Damage& damage) {
    throw Error(ErrorKind::data, label_, std::string("is damaged HDF5: ") + damage.what());
  }
}

void Audit::check_object(std::uint64_t address, const std::string& path) {
  if (!objects_.insert(address).second) return;
  try {
    check_header(address);
  } catch (const Damage& damage) {
    throw Error(ErrorKind::data, path.empty() ? label_ : label_ + ":/" + path,
                std::string("is damaged HDF5: ") + damage.what());
  }
}

Cursor Audit::bytes_at(std::uint64_t address, std::uint64_t count) const {
  const std::uint64_t there = image_.size - base_;
  require(address <= there && count <= there - address, "an address leads outside the file");
  return {image_.data + base_ + address, count};
}

bool Audit::is_defined(std::uint64_t address) const noexcept {
  const std::uint64_t undefined = offset_width_ == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * offset_width_) - 1;
  return address != undefined && address != ~std::uint64_t{0};
}

void Audit::require_signature(std::uint64_t address, const char* signature) const {
  if (is_defined(address)) require(bytes_at(address, 4).text() == signature, "an address leads to something else");
}

AuditedHeader Audit::read_header(std::uint64_t address) const {
  AuditedHeader header;
  require(is_defined(address), "an object has no address");
  if (bytes_at(address, 4).text() != "OHDR") {
    constexpr std::uint64_t prefix_bytes = 16;
    Cursor prefix = bytes_at(address, prefix_bytes);
    require_version(prefix.small(1) == 1, "an object header has an unknown version");
    prefix.skip(7);
    read_messages_v1(bytes_at(address + prefix_bytes, prefix.small(4)), header);
  } else {
    header.has_checksum = true;
    Cursor prefix = bytes_at(address, std::min<std::uint64_t>(image_.size - base_ - address, 64));
    const std::uint64_t whole = prefix.left();
    prefix.skip(5);
    const unsigned flags = prefix.small(1);
    if ((flags & 0x20) != 0) prefix.skip(16);
    if ((flags & 0x10) != 0) prefix.skip(4);
    const std::uint64_t size = prefix.number(std::size_t{1} << (flags & 3));
    read_messages_v2(bytes_at(address + (whole - prefix.left()), size), (flags & 4) != 0, header);
  }
  return header;
}

void Audit::continue_messages(Cursor data, AuditedHeader& header) const {
  const std::uint64_t address = data.number(offset_width_), size = data.number(length_width_);
  require(header.blocks.insert(address).second && header.blocks.size() < 10000, "an object header runs in a circle");
  Cursor block = bytes_at(address, size);
  if (block.text().substr(0, 4) != "OCHK") return read_messages_v1(block, header);
  block.skip(4);
  require(block.left() >= 4, "an object header ends before its checksum");
  read_messages_v2(block.take(block.left() - 4), header.has_order, header);
}

void Audit::read_messages_v1(Cursor block, AuditedHeader& header) const {
  constexpr std::uint64_t prefix_bytes = 8;
  while (block.left() >= prefix_bytes) {
    const unsigned type = block.small(2), size = block.small(2), flags = block.small(1);
    block.skip(3);
    const Cursor data = block.take(size);
    header.messages.push_back({type, flags, data});
    if (type == continuation) continue_messages(data, header);
  }
}

void Audit::read_messages_v2(Cursor block, bool has_order, AuditedHeader& header) const {
  header.has_order = has_order;
  const std::uint64_t prefix_bytes = has_order ? 6 : 4;
  while (block.left() > prefix_bytes) {
    const unsigned type = block.small(1), size = block.small(2), flags = block.small(1);
    if (has_order) block.skip(2);
    const Cursor data = block.take(size);
    header.messages.push_back({type, flags, data});
    if (type == continuation) continue_messages(data, header);
  }
}

void Audit::check_header(std::uint64_t address) {
  const AuditedHeader header = read_header(address);
  try {
    check_messages(header, address);
  } catch (const UnknownVersion&) {
    if (!header.has_checksum) throw;
  }
}

void Audit::check_messages(const AuditedHeader& header, std::uint64_t address) {
  for (const AuditedMessage& message : header.messages) {
    if ((message.flags & shared_flag) != 0) {
      check_shared(message.data);
      continue;
    }
    switch (message.type) {
      case link_info: check_link_info(message.data); break;
      case attribute_info: check_attribute_info(message.data); break;
      case hard_link: check_link(message.data); break;
      case filters: read_filters(message.data); break;
      case attribute: check_attribute(message.data); break;
      case symbol_table: {
        Cursor data = message.data;
        const std::uint64_t tree = data.number(offset_width_);
        check_symbol_table(tree, data.number(offset_width_));
        break;
      }
      default: break;
    }
  }
  if (header.find(layout_message) != nullptr) check_dataset(header, address);
}

void Audit::check_dataset(const AuditedHeader& header, std::uint64_t address) {
  const AuditedMessage* space = header.find(dataspace);
  const AuditedMessage* element = header.find(datatype);
  require(space != nullptr && element != nullptr, "a dataset has no shape or no type");
  const Shape shape = read_shape(space->data);
  const std::uint64_t count = element_count(shape);
  Cursor type_bytes = element->data;
  const Type type = (element->flags & shared_flag) != 0 ? read_shared_type(element->data, 0) : read_type(type_bytes);
  for (const AuditedMessage& message : header.messages)
    if (message.type == fill || message.type == old_fill) check_fill(message.type, message.data, type);
  Layout layout = read_layout(header.find(layout_message)->data);
  if (const AuditedMessage* pipeline = header.find(filters)) layout.filters = read_filters(pipeline->data);
  const bool filtered = !layout.filters.empty();
  switch (layout.kind) {
    case Layout::Kind::compact:
      require(count == 0 || type.size <= layout.inside.left() / count, "a dataset is smaller than its shape");
      require(layout.inside.left() == count * type.size, "a dataset is larger than its shape");
      if (type.is_variable_string) check_strings(layout.inside, count);
      break;
    case Layout::Kind::contiguous:
      if (!is_defined(layout.address)) break;
      require(count == 0 || type.size <= (image_.size - base_) / count, "a dataset is larger than the file");
      require(!layout.stored || *layout.stored == count * type.size, "a dataset has another size than its shape");
      layout.inside = bytes_at(layout.address, count * type.size);
      if (type.is_variable_string) check_strings(layout.inside, count);
      break;
    case Layout::Kind::chunked:
      require(layout.chunk.size() == shape.size() + 1 && layout.chunk.back() == type.size,
              "chunks do not fit their dataset");
      if (type.is_variable_string && filtered) unchecked_strings_.insert(address);
      if (is_defined(layout.address)) check_chunk_node(layout.address, -1, layout, type);
      break;
    case Layout::Kind::other:
      if (type.is_variable_string) unchecked_strings_.insert(address);
      break;
  }
}

void Audit::check_chunk_node(std::uint64_t node, int level, const Layout& layout, const Type& type) {
  require(nodes_.insert(node).second, "a tree of chunks runs in a circle");
  const std::uint64_t rank = layout.chunk.size(), prefix_bytes = 8 + 2 * offset_width_;
  Cursor head = bytes_at(node, prefix_bytes);
  require(head.take(4).text() == "TREE" && head.small(1) == 1, "an address leads to no tree of chunks");
  const int own_level = static_cast<int>(head.small(1));
  require(level < 0 || own_level == level - 1, "a tree of chunks has a wrong level");
  const std::uint64_t entries = head.small(2), key_bytes = 8 + 8 * rank;
  Cursor body = bytes_at(node + prefix_bytes, entries * (key_bytes + offset_width_) + key_bytes);
  std::vector<std::uint64_t> before;
  for (std::uint64_t entry = 0; entry < entries; ++entry) {
    const std::uint64_t stored = body.small(4);
    const unsigned skipped_filters = body.small(4);
    std::vector<std::uint64_t> offset;
    for (std::uint64_t axis = 0; axis < rank; ++axis) {
      offset.push_back(body.number(8));
      require(offset.back() % layout.chunk[axis] == 0, "a chunk begins inside another");
    }
    require(before.empty() || before < offset, "chunks are not in their order");
    before = offset;
    const std::uint64_t child = body.number(offset_width_);
    if (own_level > 0) {
      check_chunk_node(child, own_level, layout, type);
      continue;
    }
    check_chunk_size(stored, skipped_filters, layout);
    const Cursor elements = bytes_at(child, stored);
    if (type.is_variable_string && layout.filters.empty()) check_strings(elements, stored / type.size);
  }
}

/// The library believes that a chunk has its full size once its filters are undone. Without gzip that size is known.
void Audit::check_chunk_size(std::uint64_t stored, unsigned skipped_filters, const Layout& layout) const {
  constexpr unsigned shuffle = 2, fletcher32 = 3, checksum_bytes = 4;
  std::uint64_t expected = 1;
  for (const std::uint64_t extent : layout.chunk) expected *= extent;
  for (std::size_t i = 0; i < layout.filters.size(); ++i) {
    const bool is_used = i >= 32 || (skipped_filters >> i & 1) == 0;
    if (is_used && layout.filters[i] != shuffle && layout.filters[i] != fletcher32) return;
    if (is_used && layout.filters[i] == fletcher32) expected += checksum_bytes;
  }
  require(stored == expected, "a chunk has a wrong size");
}

void Audit::check_strings(Cursor references, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) check_string(references);
}

std::string_view Audit::check_string(Cursor& references) {
  const std::uint64_t length = references.number(4), collection = references.number(offset_width_);
  const unsigned index = references.small(4);
  if (length == 0 || collection == 0) return {};
  const auto& objects = heap_collection(collection);
  const auto object = objects.find(index);
  require(object != objects.end() && length <= object->second.size(), "a string is not in its heap");
  return object->second.substr(0, length);
}

std::string_view Audit::string_of(const StoredAttribute& attribute, std::uint64_t index) {
  const std::uint64_t reference_bytes = 8 + offset_width_;
  Cursor references(reinterpret_cast<const unsigned char*>(attribute.elements.data()), attribute.elements.size());
  references.skip(index * reference_bytes);
  const std::string_view text = check_string(references);
  return text.substr(0, text.find('\0'));
}

std::vector<StoredAttribute> Audit::attributes_of(std::uint64_t address) {
  std::vector<StoredAttribute> attributes;
  for (const AuditedMessage& message : read_header(address).messages) {
    if (message.type != attribute || (message.flags & shared_flag) != 0) continue;
    try {
      attributes.push_back(check_attribute(message.data));
    } catch (const UnknownVersion&) {
      continue;
    }
  }
  return attributes;
}

bool Audit::has_attributes_elsewhere(std::uint64_t address) const {
  const AuditedHeader header = read_header(address);
  const AuditedMessage* info = header.find(attribute_info);
  if (info == nullptr) return false;
  Cursor data = info->data;
  data.skip(1);
  if ((data.small(1) & 1) != 0) data.skip(2);
  return is_defined(data.number(offset_width_));
}

const std::map<unsigned, std::string_view>& Audit::heap_collection(std::uint64_t address) {
  const auto [known, is_new] = collections_.try_emplace(address);
  if (!is_new) return known->second;
  const std::uint64_t prefix_bytes = 8 + length_width_;
  Cursor head = bytes_at(address, prefix_bytes);
  require(head.take(4).text() == "GCOL" && head.small(1) == 1, "an address leads to no heap of strings");
  head.skip(3);
  const std::uint64_t size = head.number(length_width_);
  require(size >= prefix_bytes, "a heap of strings is too small");
  Cursor body = bytes_at(address + prefix_bytes, size - prefix_bytes);
  const std::uint64_t object_prefix = 8 + length_width_;
  while (body.left() >= object_prefix) {
    const unsigned index = body.small(2);
    body.skip(6);
    const std::uint64_t bytes = body.number(length_width_);
    if (index == 0) {
      // Free space counts its own prefix and ends the heap.
      require(bytes == body.left() + object_prefix, "a heap of strings has a wrong end");
      break;
    }
    require(bytes <= body.left(), "a string is longer than its heap");
    require(known->second.emplace(index, body.text().substr(0, bytes)).second,
            "a heap of strings has two with one number");
    body.skip(std::min<std::uint64_t>(body.left(), (bytes + 7) / 8 * 8));
  }
  return known->second;
}

}  // namespace attn::io::hdf5
