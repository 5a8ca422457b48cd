// The audit's reading of attributes.

#include <attn/io/hdf5/audit/parts.hpp>

namespace attn::io::hdf5 {

StoredAttribute Audit::check_attribute(Cursor message) {
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
  Cursor type_message = part(type_bytes);
  Cursor space = part(space_bytes);
  if (version > 1 && (flags & 1) != 0) type_message = shared_message(type_message, message::datatype);
  if (version > 1 && (flags & 2) != 0) space = shared_message(space, message::dataspace);
  const Cursor whole_type = type_message;
  const Type type = read_type(type_message);
  stored.type = type.older;
  stored.is_later = whole_type.text().substr(0, type.older.size()) != type.older;
  stored.shape = read_space(space).shape;
  const std::uint64_t count = element_count(stored.shape);
  require(count == 0 || type.size <= message.left() / count, "an attribute is smaller than its shape");
  if (type.is_variable_string) check_strings(message, count);
  stored.elements = message.text();
  return stored;
}

std::vector<StoredAttribute> Audit::attributes_of(std::uint64_t address) {
  std::vector<StoredAttribute> attributes;
  AuditedHeader header = read_header(address);
  add_dense_messages(header);
  for (const AuditedMessage& message : header.messages) {
    if (message.type != message::attribute) continue;
    try {
      attributes.push_back(check_attribute(message.data));
      attributes.back().is_dense = message.is_dense;
    } catch (const UnknownVersion&) {
      continue;
    }
  }
  return attributes;
}

std::vector<std::uint64_t> Audit::scales_of(std::uint64_t address) {
  std::vector<std::uint64_t> scales;
  for (const StoredAttribute& attribute : attributes_of(address)) {
    if (attribute.name != "DIMENSION_LIST") continue;
    constexpr int list = 9, reference = 7;
    constexpr std::size_t base = 8;  // offset of the type of list elements
    require(
        attribute.type.size() > base && (attribute.type[0] & 15) == list && (attribute.type[base] & 15) == reference,
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

std::string_view Audit::string_of(const StoredAttribute& attribute, std::uint64_t index) {
  Cursor reference = Cursor(attribute.elements).behind(index * heaps_.reference_bytes());
  return heaps_.text(reference);
}

}  // namespace attn::io::hdf5
