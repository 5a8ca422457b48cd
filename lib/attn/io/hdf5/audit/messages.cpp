// The audit's reading of single header messages: shapes, types, layouts.

#include <attn/io/hdf5/audit/parts.hpp>

namespace attn::io::hdf5 {
namespace {

constexpr std::uint64_t most_elements = std::uint64_t{1} << 62;
constexpr std::uint64_t largest_element = std::uint64_t{1} << 30;
constexpr int deepest_type = 16;

}  // namespace

/// An empty dataspace is (0,), as it is where it is read.
Audit::Space Audit::read_space(Cursor message) const {
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

/// A message that is stored elsewhere: in a heap shared by all headers, or in the header of a named type.
Cursor Audit::shared_message(Cursor reference, unsigned type) {
  const unsigned version = reference.small(1), kind = reference.small(1);
  require(version >= 1 && version <= 3, "a shared message has an unknown version");
  constexpr unsigned in_shared_heap = 1;
  if (version > 1 && kind == in_shared_heap) return dense_object(shared_heap(type), reference).data;
  if (version == 1) reference.skip(6);
  const AuditedHeader other = read_own_messages(reference.number(file_.offset_width));
  const AuditedMessage* message = other.find(type);
  require(message != nullptr && (message->flags & shared_flag) == 0, "a shared message is none");
  return message->data;
}

Audit::Type Audit::read_type(Cursor& message, int depth) const {
  require(depth < deepest_type, "a type is nested too deep");
  Cursor rest = message;  // not yet copied
  const unsigned head = message.small(1), version = head >> 4, kind = head & 15;
  const unsigned bits = message.small(3);
  Type type;
  type.size = message.number(4);
  require_version(version >= 1 && version <= 5, "a type has an unknown version");
  // The bytes of versions 4 and 5 are those of version 3.
  constexpr unsigned newest_of_old = 3;
  const auto copy = [&] { type.older += rest.take(rest.left() - message.left()).text(); };
  const auto inner = [&] {
    copy();
    Type base = read_type(message, depth + 1);
    type.older += base.older;
    rest = message;
    return base;
  };
  require(type.size > 0 && type.size < largest_element, "a type has an impossible size");
  const auto within = [&](std::uint64_t from, std::uint64_t count) {
    require(count > 0 && from + count <= type.size * 8, "a type has bits outside its bytes");
  };
  switch (kind) {
    case 0:    // integer
    case 4: {  // bit field
      const unsigned offset = message.small(2);
      within(offset, message.small(2));
      break;
    }
    case 1: {  // float
      const unsigned offset = message.small(2), precision = message.small(2);
      within(offset, precision);
      const unsigned exponent_at = message.small(1), exponent_bits = message.small(1);
      const unsigned mantissa_at = message.small(1), mantissa_bits = message.small(1), sign_at = bits >> 8 & 0xff;
      // Positions count from the first bit of the element.
      const unsigned end = offset + precision;
      require(exponent_bits > 0 && exponent_bits <= 32 && exponent_at + exponent_bits <= end,
              "a float has no exponent");
      require(mantissa_bits > 0 && mantissa_at + mantissa_bits <= end, "a float has no mantissa");
      require(sign_at < end, "a float has no sign");
      require(mantissa_at + mantissa_bits <= exponent_at || exponent_at + exponent_bits <= mantissa_at,
              "a float has an exponent in its mantissa");
      require((sign_at < exponent_at || sign_at >= exponent_at + exponent_bits) &&
                  (sign_at < mantissa_at || sign_at >= mantissa_at + mantissa_bits),
              "a float has its sign in its exponent or mantissa");
      message.skip(4);
      break;
    }
    case 2: message.skip(2); break;  // time
    case 3: break;                   // string
    case 5: message.skip(padded(bits & 0xff)); break;
    case 6: {  // record
      const unsigned members = bits & 0xffff;
      std::size_t offset_bytes = 4;
      if (version >= 3)
        for (offset_bytes = 1; offset_bytes < 4 && type.size >> (8 * offset_bytes) != 0;) ++offset_bytes;
      for (unsigned member = 0; member < members; ++member) {
        const std::uint64_t name = message.terminated().size() + 1;
        if (version < 3) message.skip(padded(name) - name);
        const std::uint64_t offset = message.number(offset_bytes);
        if (version == 1) message.skip(28);
        require(offset + inner().size <= type.size, "a record is smaller than its parts");
      }
      break;
    }
    case 7: break;  // reference
    case 8: {       // enumeration
      const Type base = inner();
      require(base.size == type.size, "an enumeration has another size than its values");
      const unsigned members = bits & 0xffff;
      for (unsigned member = 0; member < members; ++member) {
        const std::uint64_t name = message.terminated().size() + 1;
        if (version < 3) message.skip(padded(name) - name);
      }
      message.skip(members * base.size);
      break;
    }
    case 9: {  // of varying length
      const Type base = inner();
      type.is_variable_string = (bits & 15) == 1;
      require(type.size == 8 + file_.offset_width && (base.size == 1 || !type.is_variable_string),
              "a list of varying length has a wrong size");
      break;
    }
    case 10: {  // array
      const unsigned rank = message.small(1);
      if (version < 3) message.skip(3);
      std::uint64_t count = 1;
      for (unsigned axis = 0; axis < rank; ++axis) {
        count *= message.small(4);
        require(count < largest_element, "an array in an element is too large");
      }
      if (version < 3) message.skip(rank * std::uint64_t{4});
      const Type base = inner();
      require(base.size * count == type.size, "an array has another size than its elements");
      break;
    }
    case 11: {  // complex, as an array of its two parts
      const Type base = inner();
      require(base.size * 2 == type.size, "a complex number has another size than its parts");
      const auto byte = [](std::uint64_t number, unsigned place) { return static_cast<char>(number >> 8 * place); };
      std::string array(1, static_cast<char>(newest_of_old << 4 | 10));
      array.append(3, '\0');
      for (unsigned place = 0; place < 4; ++place) array += byte(type.size, place);
      array += '\1';  // axis
      array += std::string("\2\0\0\0", 4);
      type.older = array + base.older;
      return type;
    }
    default: require_version(false, "a type is of an unknown class");
  }
  copy();
  type.older.front() = static_cast<char>(std::min(version, newest_of_old) << 4 | kind);
  return type;
}

StoredLayout Audit::read_layout(Cursor message) const {
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

void Audit::read_chunk_extents(Cursor& message, unsigned rank, std::size_t width, StoredLayout& layout) {
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
void Audit::read_newer_layout(Cursor message, unsigned version, StoredLayout& layout) const {
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
  constexpr unsigned single = 1, implicit = 2, fixed_array = 3, extensible_array = 4, newer_tree = 5;
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
    case newer_tree:
      layout.index = Index::newer_tree;
      message.skip(6);
      break;
    default: require_version(false, "chunks have an index of an unknown kind");
  }
  const std::uint64_t address = message.number(file_.offset_width);
  if (file_.is_defined(address)) layout.address = address;
}

}  // namespace attn::io::hdf5
