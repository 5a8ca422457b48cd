#include <attn/core/error.hpp>
#include <attn/io/hdf5/datatype.hpp>
#include <attn/io/hdf5/file_bytes.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>
#include <type_traits>

namespace attn::io::hdf5 {
namespace {

using Kind = Datatype::Kind;

constexpr std::uint64_t largest_element = std::uint64_t{1} << 30;
constexpr int deepest_type = 16;

/// R's logicals are FALSE (0), TRUE (1) and NA, as hdf5r stores them in an enumeration.
constexpr std::uint64_t r_missing_logical = 2;

void require_within(const Datatype& type) {
  require(type.precision > 0 && type.offset + std::uint64_t{type.precision} <= type.size * 8,
          "a type has bits outside its bytes");
}

/// Positions count from the first bit of the element.
void read_float(Cursor& message, unsigned flags, Datatype& type) {
  type.offset = message.small(2);
  type.precision = message.small(2);
  require_within(type);
  Datatype::Float& bits = type.bits;
  bits.exponent_at = message.small(1);
  bits.exponent_bits = message.small(1);
  bits.mantissa_at = message.small(1);
  bits.mantissa_bits = message.small(1);
  bits.bias = message.small(4);
  bits.sign_at = flags >> 8 & 0xff;
  constexpr unsigned implied = 2;
  bits.has_implied_bit = (flags >> 4 & 3) == implied;
  type.is_vax = (flags & 0x41) == 0x41;
  const unsigned end = type.offset + type.precision, exponent_end = bits.exponent_at + bits.exponent_bits,
                 mantissa_end = bits.mantissa_at + bits.mantissa_bits;
  require(bits.exponent_bits > 0 && bits.exponent_bits <= 32 && exponent_end <= end, "a float has no exponent");
  require(bits.mantissa_bits > 0 && mantissa_end <= end, "a float has no mantissa");
  require(bits.sign_at < end, "a float has no sign");
  require(mantissa_end <= bits.exponent_at || exponent_end <= bits.mantissa_at,
          "a float has an exponent in its mantissa");
  require((bits.sign_at < bits.exponent_at || bits.sign_at >= exponent_end) &&
              (bits.sign_at < bits.mantissa_at || bits.sign_at >= mantissa_end),
          "a float has its sign in its exponent or mantissa");
  require(!type.is_vax || type.size % 2 == 0, "a VAX float has an odd size");
}

Datatype array_of(Datatype base, Shape extents, std::uint64_t size) {
  Datatype array;
  array.kind = Kind::array;
  array.size = size;
  array.extents = std::move(extents);
  array.base = std::make_shared<const Datatype>(std::move(base));
  return array;
}

std::string take_name(Cursor& message, unsigned version) {
  const std::string name(message.terminated());
  if (version < 3) message.skip(padded(name.size() + 1) - (name.size() + 1));
  return name;
}

void read_record(Cursor& message, unsigned version, unsigned members, std::uint64_t reference_bytes, int depth,
                 Datatype& type) {
  std::size_t offset_bytes = 4;
  if (version >= 3)
    for (offset_bytes = 1; offset_bytes < 4 && type.size >> (8 * offset_bytes) != 0;) ++offset_bytes;
  for (unsigned i = 0; i < members; ++i) {
    Datatype::Member member;
    member.name = take_name(message, version);
    member.offset = message.number(offset_bytes);
    Shape extents;  // members of version 1 are arrays themselves
    if (version == 1) {
      const unsigned rank = message.small(1);
      message.skip(11);
      require(rank <= 4, "an array in an element has too many axes");
      for (unsigned axis = 0; axis < 4; ++axis)
        if (const std::uint64_t extent = message.number(4); axis < rank) extents.push_back(extent);
    }
    member.type = read_datatype(message, reference_bytes, depth + 1);
    if (!extents.empty()) {
      std::uint64_t size = member.type.size;
      for (const std::size_t extent : extents) {
        require(extent == 0 || size < largest_element / extent, "an array in an element is too large");
        size *= extent;
      }
      member.type = array_of(std::move(member.type), std::move(extents), size);
    }
    require(member.offset + member.type.size <= type.size, "a record is smaller than its parts");
    type.members.push_back(std::move(member));
  }
}

}  // namespace

bool Datatype::Float::operator==(const Float& other) const noexcept {
  const auto all = [](const Float& x) {
    return std::tie(x.sign_at, x.exponent_at, x.exponent_bits, x.mantissa_at, x.mantissa_bits, x.bias,
                    x.has_implied_bit);
  };
  return all(*this) == all(other);
}

Datatype read_datatype(Cursor& message, std::uint64_t reference_bytes, int depth) {
  require(depth < deepest_type, "a type is nested too deep");
  const unsigned head = message.small(1), version = head >> 4, kind = head & 15;
  const unsigned flags = message.small(3);
  Datatype type;
  type.size = message.number(4);
  require_version(version >= 1 && version <= 5, "a type has an unknown version");
  require(type.size > 0 && type.size < largest_element, "a type has an impossible size");
  require_version(kind <= static_cast<unsigned>(Kind::complex), "a type is of an unknown class");
  type.kind = static_cast<Kind>(kind);
  type.is_big_endian = (flags & 1) != 0;
  const auto take_base = [&] {
    type.base = std::make_shared<const Datatype>(read_datatype(message, reference_bytes, depth + 1));
  };
  switch (type.kind) {
    case Kind::integer:
    case Kind::bits:
      type.is_signed = type.kind == Kind::integer && (flags & 8) != 0;
      type.offset = message.small(2);
      type.precision = message.small(2);
      require_within(type);
      break;
    case Kind::floating: read_float(message, flags, type); break;
    case Kind::time: message.skip(2); break;
    case Kind::text:
      type.padding = (flags & 15) == 0   ? Datatype::Padding::ends_with_nul
                     : (flags & 15) == 2 ? Datatype::Padding::space
                                         : Datatype::Padding::nul;
      break;
    case Kind::opaque: message.skip(padded(flags & 0xff)); break;
    case Kind::record: read_record(message, version, flags & 0xffff, reference_bytes, depth, type); break;
    case Kind::reference: type.reference_kind = flags & 15; break;
    case Kind::enumeration: {
      take_base();
      require(type.base->size == type.size, "an enumeration has another size than its values");
      const unsigned members = flags & 0xffff;
      for (unsigned member = 0; member < members; ++member) type.names.push_back(take_name(message, version));
      type.values = message.take(members * type.size).text();
      break;
    }
    case Kind::list:
      take_base();
      type.is_variable_text = (flags & 15) == 1;
      require(type.size == reference_bytes && (type.base->size == 1 || !type.is_variable_text),
              "a list of varying length has a wrong size");
      if (type.is_variable_text) type.kind = Kind::text;
      break;
    case Kind::array: {
      const unsigned rank = message.small(1);
      if (version < 3) message.skip(3);
      std::uint64_t count = 1;
      for (unsigned axis = 0; axis < rank; ++axis) {
        type.extents.push_back(message.small(4));
        count *= type.extents.back();
        require(count < largest_element, "an array in an element is too large");
      }
      if (version < 3) message.skip(rank * std::uint64_t{4});
      take_base();
      require(type.base->size * count == type.size, "an array has another size than its elements");
      break;
    }
    case Kind::complex: {
      Datatype part = read_datatype(message, reference_bytes, depth + 1);
      require(part.size * 2 == type.size, "a complex number has another size than its parts");
      return array_of(std::move(part), {2}, type.size);
    }
  }
  return type;
}

std::uint64_t Datatype::memory() const {
  std::uint64_t bytes = members.size() * sizeof(Member) + names.size() * sizeof(std::string) + values.size();
  for (const Member& member : members) bytes += member.type.memory();
  return base ? bytes + sizeof(Datatype) + base->memory() : bytes;
}

// Elements with parts: records with fields, and arrays.

bool Datatype::is_complex() const {
  if (!is_record() || members.size() != 2) return false;
  const Member &first = members[0], &second = members[1];
  const auto are_named = [&](const char* real, const char* imaginary) {
    return first.name == real && second.name == imaginary;
  };
  const Datatype &x = first.type, &y = second.type;
  return (are_named("r", "i") || are_named("re", "im") || are_named("real", "imag")) && x.kind == Kind::floating &&
         y.kind == Kind::floating && x.bits == y.bits && x.size == y.size && x.offset == y.offset &&
         x.precision == y.precision && x.is_big_endian == y.is_big_endian && x.is_vax == y.is_vax &&
         first.offset == 0 && second.offset == x.size && size == 2 * x.size;
}

std::vector<std::string> Datatype::field_names() const {
  std::vector<std::string> all;
  for (const Member& member : members) {
    if (!member.type.is_record() || member.type.is_complex()) {
      all.push_back(member.name);
      continue;
    }
    for (const std::string& inner : member.type.field_names()) all.push_back(member.name + "/" + inner);
  }
  return all;
}

std::optional<Field> field_of(const Datatype& type, const std::string& name) {
  if (name.empty()) {
    Field whole{type, {}, 0};
    while (whole.type.kind == Kind::array) {
      if (whole.type.extents.empty()) return std::nullopt;
      whole.inner.insert(whole.inner.end(), whole.type.extents.begin(), whole.type.extents.end());
      whole.type = Datatype(*whole.type.base);
    }
    if (whole.type.is_complex()) {
      whole.inner.push_back(2);
      whole.type = Datatype(whole.type.members.front().type);
    }
    return whole;
  }
  for (const Datatype::Member& member : type.members) {
    const std::size_t length = member.name.size();
    const bool is_group = member.type.is_record() && name.compare(0, length + 1, member.name + "/") == 0;
    if (!is_group && name != member.name) continue;
    std::optional<Field> field = field_of(member.type, is_group ? name.substr(length + 1) : "");
    if (field) field->offset += member.offset;
    return field;
  }
  return std::nullopt;
}

std::string way_to_read(const Datatype& type, const std::string& name) {
  switch (type.kind) {
    case Kind::record: {
      const std::vector<std::string> names = type.field_names();
      return names.empty() ? "" : "name one of its fields, as in " + name + "/" + names.front();
    }
    case Kind::opaque:
      return type.size == 2
                 ? "if these are bfloat16, write them as float32 with h5py: d[()].view(ml_dtypes.bfloat16).astype('f4')"
                 : "write them as bytes with h5py: d[()].view('u1')";
    case Kind::reference: return "name the dataset that is referred to; h5dump -d shows which";
    case Kind::list: return "write the lists in a row with h5py: numpy.concatenate(d[()])";
    default: return "";
  }
}

// From types to dtypes.

namespace {

/// The bits of a float or an integer, of any byte order.
class Bits {
 public:
  Bits(const Datatype& type, const unsigned char* at) : type_(type), at_(at) {}

  /// Up to 64 bits from the place `first` on.
  std::uint64_t take(unsigned first, unsigned count) const {
    std::uint64_t value = 0;
    for (unsigned done = 0; done < count;) {
      const unsigned place = first + done, some = std::min(8 - place % 8, count - done);
      value |= (std::uint64_t{byte(place / 8)} >> place % 8 & ((1u << some) - 1)) << done;
      done += some;
    }
    return value;
  }

 private:
  unsigned byte(std::uint64_t place) const {
    const std::uint64_t from_end = type_.size - 1 - place;
    if (type_.is_vax) return at_[from_end ^ 1];  // words of 16 bits, the highest first
    return at_[type_.is_big_endian ? from_end : place];
  }

  const Datatype& type_;
  const unsigned char* at_;
};

std::int64_t whole(const Datatype& type, const unsigned char* at) {
  const std::uint64_t value = Bits(type, at).take(type.offset, type.precision);
  const unsigned above = 64 - type.precision;
  return type.is_signed ? static_cast<std::int64_t>(value << above) >> above : static_cast<std::int64_t>(value);
}

/// As HDF5 converts floats: a tie is rounded away from zero, and all bits of the mantissa of a NaN are set, except for
/// the long double of a processor, which rounds to even, keeps what it can of a NaN, and has another NaN for what is no
/// number without its leading bit.
double real(const Datatype& type, const unsigned char* at) {
  constexpr unsigned kept = 52;
  const Datatype::Float& f = type.bits;
  const Bits bits(type, at);
  const bool is_negative = bits.take(f.sign_at, 1) != 0;
  const std::uint64_t exponent = bits.take(f.exponent_at, f.exponent_bits);
  const bool has_leading_bit = !f.has_implied_bit;
  const bool is_long_double = has_leading_bit && type.precision == 80 && type.size == 16 && !type.is_big_endian;
  unsigned top = f.mantissa_bits;  // the place of the highest bit that is set
  while (top > 0 && bits.take(f.mantissa_at + top - 1, 1) == 0) --top;
  const bool is_invalid = is_long_double && exponent != 0 && top < f.mantissa_bits;
  const bool is_special = is_invalid || exponent == (std::uint64_t{1} << f.exponent_bits) - 1;
  const auto bits_below = [&](unsigned place, unsigned most) {
    const unsigned count = std::min(place, most);
    return bits.take(f.mantissa_at + place - count, count) << (most - count);
  };
  if (is_special) {
    const unsigned below = has_leading_bit ? f.mantissa_bits - 1 : f.mantissa_bits;
    bool is_infinite = top == 0;
    if (has_leading_bit && top == f.mantissa_bits) {
      is_infinite = true;
      for (unsigned place = 0; place < below && is_infinite; ++place)
        is_infinite = bits.take(f.mantissa_at + place, 1) == 0;
    }
    std::uint64_t result = std::uint64_t{0x7ff} << kept | std::uint64_t{is_negative} << 63;
    if (is_invalid)
      result = std::uint64_t{0xfff8} << 48;
    else if (!is_infinite && is_long_double)
      result |= std::uint64_t{1} << (kept - 1) | bits_below(below, kept);
    else if (!is_infinite)
      result |= (std::uint64_t{1} << kept) - 1;
    double value;
    std::memcpy(&value, &result, sizeof value);
    return value;
  }
  if (top == 0 && (exponent == 0 || has_leading_bit)) return is_negative ? -0.0 : 0.0;
  const auto biased = static_cast<std::int64_t>(exponent) - static_cast<std::int64_t>(f.bias);
  const bool is_normal = exponent != 0 && f.has_implied_bit;
  const unsigned below = is_normal ? f.mantissa_bits : top - 1;
  const std::int64_t power = is_normal ? biased : biased + static_cast<std::int64_t>(top) - f.mantissa_bits;
  // 1 + 63 bits, of which 1 + 52 are kept, less below the normal numbers: they are rounded once.
  const std::uint64_t digits = std::uint64_t{1} << 63 | bits_below(below, 63);
  constexpr std::int64_t smallest_power = -1022, beyond = 1 << 16;
  const std::int64_t lost = std::max<std::int64_t>(smallest_power - power, 0);
  if (lost > kept + 1) return is_negative ? -0.0 : 0.0;
  const auto dropped = static_cast<unsigned>(63 - kept + lost);
  std::uint64_t rounded = (dropped < 64 ? digits >> dropped : 0) + (digits >> (dropped - 1) & 1);
  const bool is_tie = digits << (64 - dropped) == std::uint64_t{1} << 63;
  if (is_tie && is_long_double) rounded &= ~std::uint64_t{1};
  const double value = std::ldexp(static_cast<double>(rounded),
                                  static_cast<int>(std::min(power, beyond) + lost) - static_cast<int>(kept));
  return is_negative ? -value : value;
}

bool float_element(const Datatype& type, ElementType& element) {
  const auto is = [&](DType dtype, unsigned mantissa, unsigned exponent) {
    const Datatype::Float& f = type.bits;
    const bool fits = !type.is_vax && element.width == element_size(dtype) && type.offset == 0 && f.mantissa_at == 0 &&
                      f.mantissa_bits == mantissa && f.exponent_at == mantissa && f.exponent_bits == exponent &&
                      f.sign_at == mantissa + exponent && f.has_implied_bit &&
                      f.bias == (std::uint32_t{1} << (exponent - 1)) - 1;
    if (fits) element.dtype = dtype;
    return fits;
  };
  if (is(DType::f64, 52, 11) || is(DType::f32, 23, 8) || is(DType::f16, 10, 5) || is(DType::bf16, 7, 8)) return true;
  element.dtype = DType::f64;
  element.storage = ElementType::Storage::converted;
  // Floats that use all bits of these widths are IEEE floats or damaged types.
  const bool has_usual_width = element.width == 2 || element.width == 4 || element.width == 8;
  return type.is_vax || !has_usual_width || type.precision < element.width * 8;
}

bool integer_element(const Datatype& type, ElementType& element) {
  const bool is_plain = type.precision == element.width * 8 && type.offset == 0;
  element.swap_bytes = type.is_big_endian;
  element.dtype = type.is_signed ? DType::i64 : DType::u64;
  if (element.width == 4) element.dtype = type.is_signed ? DType::i32 : DType::u32;
  if (element.width == 2) element.dtype = type.is_signed ? DType::i16 : DType::u16;
  if (element.width == 1) element.dtype = type.is_signed ? DType::i8 : DType::u8;
  if (!is_plain || element_size(element.dtype) != element.width) element.storage = ElementType::Storage::converted;
  return element.width <= 8;
}

/// h5py stores booleans as an enumeration of one byte with the members FALSE and TRUE.
bool is_boolean(const Datatype& type) {
  if (type.size != 1 || type.names.size() != 2) return false;
  for (std::size_t i = 0; i < 2; ++i)
    if (const char value = type.values[i];
        (value != 0 && value != 1) || type.names[i] != (value == 1 ? "TRUE" : "FALSE"))
      return false;
  return true;
}

/// Has it a member for what is missing too?
bool is_r_logical(const Datatype& type) {
  const auto has = [&type](const char* name, std::uint64_t wanted) {
    const auto found = std::find(type.names.begin(), type.names.end(), name);
    if (found == type.names.end()) return false;
    const std::string value =
        type.values.substr(static_cast<std::size_t>(found - type.names.begin()) * type.size, type.size);
    return whole(*type.base, reinterpret_cast<const unsigned char*>(value.data())) == static_cast<std::int64_t>(wanted);
  };
  return type.names.size() == 3 && has("FALSE", 0) && has("TRUE", 1) && has("NA", r_missing_logical);
}

}  // namespace

bool element_type(const Datatype& type, ElementType& element, std::string& what) {
  element = {};
  element.width = type.size;
  element.swap_bytes = type.is_big_endian;
  switch (type.kind) {
    case Kind::floating:
      what = "a float of " + std::to_string(element.width) + " bytes whose fields are not those of IEEE 754";
      return float_element(type, element);
    case Kind::integer: what = "an integer of more than 64 bits"; return integer_element(type, element);
    case Kind::text:
      element.dtype = DType::string;
      element.storage =
          type.is_variable_text ? ElementType::Storage::variable_string : ElementType::Storage::fixed_string;
      return true;
    case Kind::enumeration:
      if (is_boolean(type)) return element.dtype = DType::boolean, true;
      what = "an enumeration of more than 64 bits";
      if (type.base->kind != Kind::integer || !integer_element(*type.base, element)) return false;
      if (is_r_logical(type)) {
        element.dtype = DType::f64;
        element.storage = ElementType::Storage::converted;
      }
      return true;
    case Kind::bits:
      what = "a bit field of other than 8, 16, 32 or 64 bits";
      return integer_element(type, element) && element.storage == ElementType::Storage::raw;
    case Kind::record: what = "a record"; return false;
    case Kind::reference: what = "a reference"; return false;
    case Kind::list: what = "a list of varying length"; return false;
    case Kind::array: what = "an array"; return false;
    default: what = "an opaque type"; return false;
  }
}

void convert_elements(const Datatype& type, const void* stored, std::size_t count, DType dtype, void* out) {
  const auto* from = static_cast<const unsigned char*>(stored);
  if (type.kind == Kind::floating) {
    auto* to = static_cast<double*>(out);
    for (std::size_t i = 0; i < count; ++i, from += type.size) to[i] = real(type, from);
    return;
  }
  const Datatype& numbers = type.kind == Kind::enumeration ? *type.base : type;
  const bool is_logical = type.kind == Kind::enumeration && dtype == DType::f64;
  visit_dtype(dtype, [&](auto sample) {
    using T = decltype(sample);
    auto* to = static_cast<T*>(out);
    if constexpr (std::is_arithmetic_v<T>)
      for (std::size_t i = 0; i < count; ++i, from += type.size) to[i] = static_cast<T>(whole(numbers, from));
    if constexpr (std::is_same_v<T, double>) {
      const auto missing = static_cast<double>(r_missing_logical);
      if (is_logical) std::replace(to, to + count, missing, std::numeric_limits<double>::quiet_NaN());
    }
  });
}

// Messages to write: those of version 1, which every version of HDF5 reads.

namespace {

std::string integer_message(std::size_t width, bool is_signed) {
  return Bytestring().each({0x10, is_signed ? 8u : 0u, 0, 0}).number(width, 4).number(0, 2).number(8 * width, 2).take();
}

std::string float_message(std::size_t width, unsigned mantissa, unsigned exponent) {
  const auto bits = static_cast<unsigned>(8 * width);
  return Bytestring()
      .each({0x11, 0x20, bits - 1, 0})
      .number(width, 4)
      .number(0, 2)
      .number(bits, 2)
      .each({mantissa, exponent, 0, mantissa})
      .number((std::uint64_t{1} << (exponent - 1)) - 1, 4)
      .take();
}

}  // namespace

std::string message_of_numbers(DType dtype) {
  switch (dtype) {
    case DType::f64: return float_message(8, 52, 11);
    case DType::f32: return float_message(4, 23, 8);
    case DType::f16: return float_message(2, 10, 5);
    case DType::bf16: return float_message(2, 7, 8);
    case DType::boolean: {  // TRUE and FALSE, as h5py stores them
      Bytestring type;
      type.each({0x18, 2, 0, 0}).number(1, 4).text(integer_message(1, true));
      for (const char* name : {"FALSE\0\0\0", "TRUE\0\0\0\0"}) type.text({name, 8});
      return type.each({0, 1}).take();
    }
    case DType::string: throw Error(ErrorKind::defect, "HDF5", "stores texts as no numbers");
    default: {
      const bool is_signed = dtype == DType::i8 || dtype == DType::i16 || dtype == DType::i32 || dtype == DType::i64;
      return integer_message(element_size(dtype), is_signed);
    }
  }
}

std::string message_of_texts(std::size_t width, bool is_utf8, Datatype::Padding padding) {
  const unsigned flags = static_cast<unsigned>(padding) | static_cast<unsigned>(is_utf8) << 4;
  return Bytestring().each({0x13, flags, 0, 0}).number(width, 4).take();
}

std::string message_of_variable_texts() {
  constexpr unsigned is_text = 1, is_utf8 = 1;
  return Bytestring()
      .each({0x19, is_text, is_utf8, 0})
      .number(written_reference_bytes, 4)
      .text(integer_message(1, false))
      .take();
}

}  // namespace attn::io::hdf5
