#include <attn/core/error.hpp>
#include <attn/io/hdf5_attributes.hpp>
#include <attn/io/hdf5_audit.hpp>
#include <attn/io/hdf5_cursor.hpp>

#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace attn::io::hdf5 {
namespace {

// An attribute larger than this is no attribute that anybody wrote; a damaged header may claim any size.
constexpr hssize_t largest_count = hssize_t{1} << 24;

std::vector<std::string> read_strings(Id attribute, Id type, Id space, std::size_t count) {
  std::vector<std::string> strings(count);
  if (H5Tis_variable_str(type) > 0) {
    std::vector<char*> pointers(count, nullptr);
    const Handle memory = string_type();
    if (H5Aread(attribute, H5Tget_cset(type) == H5T_CSET_ASCII ? static_cast<Id>(type) : static_cast<Id>(memory),
                pointers.data()) < 0)
      return {};
    for (std::size_t i = 0; i < count; ++i) strings[i] = pointers[i] != nullptr ? pointers[i] : "";
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
    return strings;
  }
  const std::size_t width = H5Tget_size(type);
  std::vector<char> bytes(count * width + 1);
  if (H5Aread(attribute, type, bytes.data()) < 0) return {};
  for (std::size_t i = 0; i < count; ++i) strings[i].assign(&bytes[i * width], strnlen(&bytes[i * width], width));
  return strings;
}

template <class T>
std::vector<T> read_numbers(Id attribute, Id memory_type, std::size_t count) {
  std::vector<T> numbers(count);
  if (count > 0 && H5Aread(attribute, memory_type, numbers.data()) < 0) numbers.clear();
  return numbers;
}

/// A single value is itself, several are a list.
template <class T>
void store(Attributes& attributes, const std::string& name, std::vector<T> values, bool is_scalar) {
  if (!is_scalar)
    attributes[name] = std::move(values);
  else if (!values.empty())
    attributes[name] = std::move(values.front());
}

void read_one(Id attribute, const std::string& name, Attributes& attributes) {
  const Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
  const hssize_t points = space ? H5Sget_simple_extent_npoints(space) : -1;
  if (!type || points < 0 || points > largest_count) return;
  const auto count = static_cast<std::size_t>(points);
  const bool is_scalar = H5Sget_simple_extent_type(space) == H5S_SCALAR;
  ElementType element;
  std::string what;
  if (!element_type(type, element, what) || element.width > std::size_t{1} << 24) return;
  if (element.dtype == DType::string)
    store(attributes, name, read_strings(attribute, type, space, count), is_scalar);
  else if (is_floating(element.dtype))
    store(attributes, name, read_numbers<double>(attribute, H5T_NATIVE_DOUBLE, count), is_scalar);
  else if (H5Tget_class(type) == H5T_INTEGER)
    store(attributes, name, read_numbers<std::int64_t>(attribute, H5T_NATIVE_INT64, count), is_scalar);
  else if (element.dtype == DType::boolean && H5Tget_class(type) == H5T_ENUM) {
    const auto bytes = read_numbers<std::int8_t>(attribute, type, count);
    store(attributes, name, std::vector<std::int64_t>(bytes.begin(), bytes.end()), is_scalar);
  }
}

herr_t read_each(hid_t object, const char* name, const H5A_info_t*, void* out) {
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  if (attribute) read_one(attribute, name, *static_cast<Attributes*>(out));
  return 0;
}

/// The elements of a stored attribute as numbers of type T; none when the library cannot convert them.
template <class T>
std::vector<T> converted(const StoredAttribute& stored, Id type, Id memory_type, std::size_t width) {
  if (stored.count == 0) return {};
  std::vector<char> bytes(stored.count * std::max(width, sizeof(T)));
  std::memcpy(bytes.data(), stored.elements.data(), stored.count * width);
  if (H5Tconvert(type, memory_type, stored.count, bytes.data(), nullptr, H5P_DEFAULT) < 0) return {};
  std::vector<T> numbers(stored.count);
  std::memcpy(numbers.data(), bytes.data(), stored.count * sizeof(T));
  return numbers;
}

void decode_one(const StoredAttribute& stored, Audit& audit, Attributes& attributes) {
  if (stored.count > static_cast<std::uint64_t>(largest_count)) return;
  // As H5Tencode gives it: the kind of message and a version in front. Behind it the library finds zeros.
  constexpr std::size_t largest_type = 1 << 16;
  std::string message("\x03\x00", 2);
  message += stored.type;
  message.resize(message.size() + largest_type, '\0');
  const Handle type(H5Tdecode(message.data()), H5Tclose);
  ElementType element;
  std::string what;
  if (!type || !element_type(type, element, what) || stored.elements.size() < stored.count * element.width) return;
  if (element.storage == ElementType::Storage::variable_string) {
    std::vector<std::string> strings;
    for (std::uint64_t i = 0; i < stored.count; ++i) strings.emplace_back(audit.string_of(stored, i));
    store(attributes, stored.name, std::move(strings), stored.is_scalar);
  } else if (element.dtype == DType::string) {
    std::vector<std::string> strings;
    for (std::uint64_t i = 0; i < stored.count; ++i) {
      const char* text = stored.elements.data() + i * element.width;
      strings.emplace_back(text, strnlen(text, element.width));
    }
    store(attributes, stored.name, std::move(strings), stored.is_scalar);
  } else if (is_floating(element.dtype)) {
    store(attributes, stored.name, converted<double>(stored, type, H5T_NATIVE_DOUBLE, element.width), stored.is_scalar);
  } else if (H5Tget_class(type) == H5T_INTEGER) {
    store(attributes, stored.name, converted<std::int64_t>(stored, type, H5T_NATIVE_INT64, element.width),
          stored.is_scalar);
  }
}

/// Where the library gives up all attributes for one: those in the object's header are decoded here, those elsewhere
/// are opened by their numbers.
Attributes salvaged(Id object, const Bytes& image, const std::string& label) {
  Attributes attributes;
  H5O_info_t info;
  if (H5Oget_info2(object, &info, H5O_INFO_BASIC | H5O_INFO_NUM_ATTRS) < 0) return attributes;
  try {
    Audit audit(image, label);
    for (const StoredAttribute& stored : audit.attributes_of(info.addr)) decode_one(stored, audit, attributes);
    if (audit.has_attributes_elsewhere(info.addr))
      for (hsize_t i = 0; i < info.num_attrs; ++i) {
        const Handle attribute(H5Aopen_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_NATIVE, i, H5P_DEFAULT, H5P_DEFAULT),
                               H5Aclose);
        const ssize_t length = attribute ? H5Aget_name(attribute, 0, nullptr) : -1;
        if (length <= 0) continue;
        std::string name(static_cast<std::size_t>(length) + 1, '\0');
        H5Aget_name(attribute, name.size(), name.data());
        name.pop_back();
        read_one(attribute, name, attributes);
      }
  } catch (const Damage&) {
  }
  return attributes;
}

struct Writer {
  Id object;
  const std::string& name;
  const std::string& subject;

  void write(Id type, Id memory_type, const void* data, std::size_t count, bool is_scalar) const {
    const hsize_t extent = count;
    const Handle space(is_scalar ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &extent, nullptr), H5Sclose);
    if (H5Aexists(object, name.c_str()) > 0) H5Adelete(object, name.c_str());
    const Handle creation(H5Pcreate(H5P_ATTRIBUTE_CREATE), H5Pclose);
    if (!is_ascii(name)) H5Pset_char_encoding(creation, H5T_CSET_UTF8);
    const Handle attribute(H5Acreate2(object, name.c_str(), type, space, creation, H5P_DEFAULT), H5Aclose);
    if (!attribute || (count > 0 && H5Awrite(attribute, memory_type, data) < 0))
      throw Error(ErrorKind::data, subject, "cannot hold attribute '" + name + "': " + last_error(),
                  "an HDF5 attribute has less than 64 KB");
  }

  void operator()(const std::vector<std::string>& values, bool is_scalar) const {
    std::vector<const char*> pointers;
    for (const std::string& value : values) pointers.push_back(whole_c_str(value, subject));
    const Handle type = string_type();
    write(type, type, pointers.data(), pointers.size(), is_scalar);
  }
  void operator()(const std::vector<double>& values, bool is_scalar) const {
    write(H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.data(), values.size(), is_scalar);
  }
  void operator()(const std::vector<std::int64_t>& values, bool is_scalar) const {
    write(H5T_STD_I64LE, H5T_NATIVE_INT64, values.data(), values.size(), is_scalar);
  }
  void operator()(const std::string& value) const { (*this)(std::vector<std::string>{value}, true); }
  void operator()(double value) const { (*this)(std::vector<double>{value}, true); }
  void operator()(std::int64_t value) const { (*this)(std::vector<std::int64_t>{value}, true); }
  template <class T>
  void operator()(const std::vector<T>& values) const {
    (*this)(values, false);
  }
};

}  // namespace

Attributes read_attributes(Id object, const Bytes& image, const std::string& label) {
  // Iterating crashes in HDF5 1.10 when one attribute cannot be decoded (a type of a later version, damage). Looking
  // for a name that is not there decodes all of them and fails cleanly.
  if (H5Aexists(object, "\x01") != 0) return salvaged(object, image, label);
  Attributes attributes;
  hsize_t position = 0;
  const herr_t status = H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &position, read_each, &attributes);
  return status < 0 ? salvaged(object, image, label) : attributes;
}

void write_attributes(Id object, const Attributes& attributes, const std::string& subject) {
  for (const auto& [name, value] : attributes) std::visit(Writer{object, name, subject}, value);
}

}  // namespace attn::io::hdf5
