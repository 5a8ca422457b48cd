// The audit's reading of single header messages: shapes, types, layouts.

#include <attn/io/hdf5/audit/parts.hpp>

namespace attn::io::hdf5 {
namespace {

constexpr std::uint64_t most_elements = std::uint64_t{1} << 62;
constexpr std::uint64_t largest_element = std::uint64_t{1} << 30;
constexpr int deepest_type = 16;

}  // namespace

/// An empty dataspace is (0,), as it is where it is read.
Shape Audit::read_shape(Cursor message) const {
  const unsigned version = message.small(1), rank = message.small(1), flags = message.small(1);
  require_version(version == 1 || version == 2, "a shape has an unknown version");
  require(rank <= 32, "a shape has too many axes");
  const unsigned kind = message.small(1);
  if (version == 1) message.skip(4);
  Shape shape;
  std::uint64_t count = 1;  // without the axes of no extent
  for (unsigned axis = 0; axis < rank; ++axis) {
    const std::uint64_t extent = message.number(length_width_);
    require(extent == 0 || count <= most_elements / extent, "a shape has more elements than a file can hold");
    count *= std::max<std::uint64_t>(extent, 1);
    shape.push_back(extent);
  }
  if ((flags & 1) != 0)
    for (const std::uint64_t extent : shape)
      require(extent <= message.number(length_width_), "a shape exceeds its limits");  // all ones: no limit
  constexpr unsigned null_space = 2;
  return version == 2 && kind == null_space ? Shape{0} : shape;
}

/// A message that is stored elsewhere: in a heap shared by all headers, or in the header of a named type.
Cursor Audit::shared_message(Cursor reference, unsigned type) {
  const unsigned version = reference.small(1), kind = reference.small(1);
  require(version >= 1 && version <= 3, "a shared message has an unknown version");
  constexpr unsigned in_shared_heap = 1;
  if (version > 1 && kind == in_shared_heap) return dense_object(shared_heap(type), reference).data;
  if (version == 1) reference.skip(6);
  const AuditedHeader other = read_own_messages(reference.number(offset_width_));
  const AuditedMessage* message = other.find(type);
  require(message != nullptr && (message->flags & shared_flag) == 0, "a shared message is none");
  return message->data;
}

Audit::Type Audit::read_type(Cursor& message, int depth) const {
  require(depth < deepest_type, "a type is nested too deep");
  const unsigned head = message.small(1), version = head >> 4, kind = head & 15;
  const unsigned bits = message.small(3);
  Type type;
  type.size = message.number(4);
  require_version(version >= 1 && version <= 3, "a type has an unknown version");
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
      require(exponent_bits > 0 && exponent_bits <= 32 && exponent_at + exponent_bits <= precision,
              "a float has no exponent");
      require(mantissa_bits > 0 && mantissa_at + mantissa_bits <= precision, "a float has no mantissa");
      require(sign_at < precision, "a float has no sign");
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
      if (version == 3)
        for (offset_bytes = 1; offset_bytes < 4 && type.size >> (8 * offset_bytes) != 0;) ++offset_bytes;
      for (unsigned member = 0; member < members; ++member) {
        const std::uint64_t name = message.terminated().size() + 1;
        if (version < 3) message.skip(padded(name) - name);
        const std::uint64_t offset = message.number(offset_bytes);
        if (version == 1) message.skip(28);
        const Type inner = read_type(message, depth + 1);
        require(offset + inner.size <= type.size, "a record is smaller than its parts");
        type.has_references = type.has_references || inner.has_references;
      }
      break;
    }
    case 7: type.has_references = true; break;  // reference
    case 8: {                                   // enumeration
      const Type base = read_type(message, depth + 1);
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
      const Type base = read_type(message, depth + 1);
      type.is_variable_string = (bits & 15) == 1;
      type.has_references = true;
      require(type.size == 8 + offset_width_ && (base.size == 1 || !type.is_variable_string),
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
      const Type base = read_type(message, depth + 1);
      require(base.size * count == type.size, "an array has another size than its elements");
      type.has_references = base.has_references;
      break;
    }
    default: require_version(false, "a type is of an unknown class");
  }
  return type;
}

Audit::Layout Audit::read_layout(Cursor message) const {
  Layout layout;
  const unsigned version = message.small(1);
  require_version(version >= 1 && version <= 4, "a layout has an unknown version");
  if (version == 4) return layout;  // in headers with checksums only
  unsigned rank = version < 3 ? message.small(1) : 0;
  const unsigned kind = message.small(1);
  require_version(kind <= 2, "a layout is of an unknown class");
  if (version < 3) message.skip(5);
  if (kind == 0) {
    layout.kind = Layout::Kind::compact;
    if (version < 3) message.skip(rank * std::uint64_t{4});
    layout.inside = message.take(message.number(version < 3 ? 4 : 2));
    return layout;
  }
  if (version == 3 && kind == 2) rank = message.small(1);
  layout.address = message.number(offset_width_);
  if (kind == 1) {
    layout.kind = Layout::Kind::contiguous;
    if (version == 3) layout.stored = message.number(length_width_);  // before, extents of 32 bits, cut off
    return layout;
  }
  layout.kind = Layout::Kind::chunked;
  require(rank >= 1 && rank <= 33, "a layout has too many axes");
  std::uint64_t bytes = 1;
  // Versions 1 and 2 have the bytes of an element after the extents, version 3 as the last extent.
  for (unsigned axis = 0; axis < rank; ++axis) {
    layout.chunk.push_back(message.number(4));
    require(layout.chunk.back() > 0, "chunks have no extent");
    bytes *= layout.chunk.back();
    require(bytes < std::uint64_t{1} << 32, "chunks are larger than 4 GiB");
  }
  return layout;
}

}  // namespace attn::io::hdf5
