#include <attn/core/ascii.hpp>
#include <attn/core/error.hpp>
#include <attn/io/formats/stored_elements.hpp>
#include <attn/io/hdf5/attributes.hpp>
#include <attn/io/hdf5/audit/audit.hpp>
#include <attn/io/hdf5/cursor.hpp>
#include <attn/io/hdf5/dataset.hpp>
#include <attn/io/hdf5/elements.hpp>

#include <hdf5.h>

#include <algorithm>

namespace attn::io::hdf5 {
namespace {

/// The type of the elements of an attribute. Throws Error(data) for types that no tensor has.
ElementType require_elements(Id type, const std::string& name) {
  ElementType element;
  std::string what;
  if (!element_type(type, element, what)) throw Error(ErrorKind::data, name, "is " + what);
  return element;
}

TensorView converted(Id type, const ElementType& element, void* stored, Tensor& out, const std::string& name) {
  TextMemory texts(name);
  if (!take_elements(type, element, stored, out, texts))
    throw Error(ErrorKind::data, name, "cannot be converted: " + last_error());
  return std::move(texts).held_by(out.view(name));
}

/// Reads the attributes of one object.
class Reader {
 public:
  Reader(const Bytes& image, const std::string& label) : image_(image), label_(label) {}

  void read(Id attribute, const std::string& name) {
    keep(name, [&] { return opened(attribute, name); });
  }
  void salvage(Id file, const std::string& path);

  ObjectAttributes found;

 private:
  /// The result of `value`, or the reason for its failure.
  template <class Value>
  void keep(const std::string& name, Value&& value) {
    try {
      found.tensors[name] = value();
    } catch (const Error& error) {
      found.others.push_back({name, error.detail(), ""});
    }
  }

  TensorView opened(Id attribute, const std::string& name) const;
  static TensorView decoded(const StoredAttribute& stored, Audit& audit);

  const Bytes& image_;
  const std::string& label_;
};

/// An attribute that the library has opened.
TensorView Reader::opened(Id attribute, const std::string& name) const {
  const Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
  const std::optional<Shape> shape = shape_of(space);
  if (!type || !shape) throw Error(ErrorKind::data, name, "is damaged: " + last_error());
  const ElementType element = require_elements(type, name);
  if (is_null(space)) return null_tensor(element.dtype, name);
  // A damaged header may claim any size, but all elements are in the file.
  if (stored_bytes(*shape, element.width, name) > image_.size)
    throw Error(ErrorKind::data, name, "is damaged: it is larger than its file");
  Tensor out(element.dtype, *shape);
  std::vector<char> stored(out.size() * room_for_element(element));
  if (out.size() > 0 && H5Aread(attribute, type, stored.data()) < 0)
    throw Error(ErrorKind::data, name, "is damaged: " + last_error());
  return converted(type, element, stored.data(), out, name);
}

/// An attribute from the bytes of its header.
TensorView Reader::decoded(const StoredAttribute& stored, Audit& audit) {
  const Handle type = decode_type(stored.type);
  if (!type) throw Error(ErrorKind::data, stored.name, "has an unknown type");
  const ElementType element = require_elements(type, stored.name);
  Tensor out(element.dtype, stored.shape);
  if (element.storage == ElementType::Storage::variable_string) {
    for (std::size_t i = 0; i < out.size(); ++i) out.data_as<std::string>()[i] = audit.string_of(stored, i);
    return out.view(stored.name);
  }
  std::vector<char> elements(out.size() * room_for_element(element));
  std::copy_n(stored.elements.data(), out.size() * element.width, elements.begin());
  return converted(type, element, elements.data(), out, stored.name);
}

/// Where the library gives up all attributes for one: those in the object's header, and those of types that it does not
/// know, are decoded here; others in dense storage are opened by their names, which verifies checksums.
void Reader::salvage(Id file, const std::string& path) {
  found = {};
  H5O_info_t info;
  if (H5Oget_info_by_name2(file, path.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0) return;
  try {
    Audit audit(image_, label_);
    for (const StoredAttribute& stored : audit.attributes_of(info.addr)) {
      if (!stored.is_dense || stored.is_later) {
        keep(stored.name, [&] { return decoded(stored, audit); });
        continue;
      }
      const Handle attribute(H5Aopen_by_name(file, path.c_str(), stored.name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                             H5Aclose);
      if (!attribute)
        throw Error(ErrorKind::data, label_, "has damaged attribute '" + stored.name + "': " + last_error());
      read(attribute, stored.name);
    }
  } catch (const Damage&) {
  }
}

herr_t read_each(hid_t object, const char* name, const H5A_info_t*, void* reader) {
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  if (attribute) static_cast<Reader*>(reader)->read(attribute, name);
  return 0;
}

constexpr std::size_t largest_message = (1 << 16) - 1, room_for_type_and_shape = 1024;

void require_attribute_name(const std::string& name, const std::string& subject) {
  const std::size_t nul = name.find('\0');
  if (!name.empty() && nul == std::string::npos) return;
  const std::string what = name.empty()
                               ? "an attribute without a name as HDF5"
                               : "an attribute whose name has a NUL byte after '" + name.substr(0, nul) + "' as HDF5";
  throw Error(ErrorKind::create, subject, "cannot hold " + what,
              "write safetensors, or drop it first, as tconv FILE:/x does");
}

/// MATLAB reads only ASCII of one width in its attributes.
bool is_of_matlab(const std::string& attribute) { return starts_with(attribute, "MATLAB_"); }

}  // namespace

ObjectAttributes read_attributes(Id file, const std::string& path, const Bytes& image, const std::string& label) {
  Reader reader(image, label);
  // Iterating crashes in HDF5 1.10 when one attribute cannot be decoded (a type of a later version, damage). Looking
  // for a name that is not there decodes those in the header and fails cleanly; of others HDF5 makes no table in the
  // order of storage.
  hsize_t position = 0;
  if (H5Aexists_by_name(file, path.c_str(), "\x01", H5P_DEFAULT) != 0 ||
      H5Aiterate_by_name(file, path.c_str(), H5_INDEX_NAME, H5_ITER_NATIVE, &position, read_each, &reader,
                         H5P_DEFAULT) < 0)
    reader.salvage(file, path);
  std::sort(reader.found.others.begin(), reader.found.others.end(),
            [](const Unreadable& a, const Unreadable& b) { return a.name < b.name; });
  return std::move(reader.found);
}

std::string subject_of_group(const std::string& path, const std::string& label) {
  return path.empty() ? label : label + ":/" + path;
}

OutgoingAttributes::OutgoingAttributes(const Attributes& attributes, const std::string& subject) : subject_(subject) {
  for (const auto& [name, value] : attributes) {
    require_attribute_name(name, subject);
    const std::size_t most = largest_message - room_for_type_and_shape - name.size();
    entries_.push_back({name, value, {value, subject, is_of_matlab(name) ? OutgoingElements::one_width : most}});
  }
}

bool OutgoingAttributes::fit_old_header() const {
  return std::all_of(entries_.begin(), entries_.end(), [](const Entry& entry) {
    return entry.elements.stored_bytes() + entry.name.size() + room_for_type_and_shape <= largest_message;
  });
}

void OutgoingAttributes::write(Id object) const {
  for (const auto& [name, value, elements] : entries_) {
    const Handle space = space_of(value);
    if (H5Aexists(object, name.c_str()) > 0) H5Adelete(object, name.c_str());
    const Handle creation(H5Pcreate(H5P_ATTRIBUTE_CREATE), H5Pclose);
    if (!is_ascii(name)) H5Pset_char_encoding(creation, H5T_CSET_UTF8);
    const Handle type(H5Tcopy(elements.type()), H5Tclose);
    if (is_of_matlab(name) && value.dtype == DType::string) H5Tset_cset(type, H5T_CSET_ASCII);
    const Handle attribute(H5Acreate2(object, name.c_str(), type, space, creation, H5P_DEFAULT), H5Aclose);
    if (!attribute || (elements.count() > 0 && H5Awrite(attribute, type, elements.data()) < 0))
      throw Error(ErrorKind::data, subject_,
                  "cannot hold attribute '" + name + "' of " + std::to_string(elements.stored_bytes()) +
                      " bytes: " + last_error(),
                  "attributes of groups and files are limited to 64 KB: name one tensor, as in FILE:/x, to drop them");
  }
}

}  // namespace attn::io::hdf5
