#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/io/hdf5/attributes.hpp>
#include <attn/io/output.hpp>

#include <algorithm>

namespace attn::io::hdf5 {
namespace {

TensorView decoded(const StoredAttribute& stored, Objects& objects) {
  const std::string& name = stored.name;
  ElementType element;
  std::string what;
  if (!element_type(stored.type, element, what)) throw Error(ErrorKind::data, name, "is " + what);
  if (stored.is_null) return null_tensor(element.dtype, name);
  Tensor out(element.dtype, stored.shape);
  TextMemory texts(name);
  const bool are_references = element.storage == ElementType::Storage::variable_string;
  for (std::size_t i = 0; are_references && i < out.size(); ++i) {
    const std::string_view text = objects.string_of(stored, i);
    texts.add_text(text.size());
    out.data_as<std::string>()[i] = text;
  }
  take_elements(stored.type, element, stored.elements.data(), out, texts);
  return std::move(texts).held_by(out.view(name));
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

ObjectAttributes read_attributes(Objects& objects, const Object& object) {
  ObjectAttributes found;
  for (const StoredAttribute& stored : objects.attributes_of(object)) {
    try {
      found.tensors[stored.name] = decoded(stored, objects);
    } catch (const Error& error) {
      found.others.push_back({stored.name, error.detail(), ""});
    }
  }
  std::sort(found.others.begin(), found.others.end(),
            [](const Unreadable& a, const Unreadable& b) { return a.name < b.name; });
  return found;
}

std::string subject_of_group(const std::string& path, const std::string& label) {
  return path.empty() ? label : label + ":/" + path;
}

OutgoingAttributes::OutgoingAttributes(const Attributes& attributes, const std::string& subject) {
  for (const auto& [name, value] : attributes) {
    require_attribute_name(name, subject);
    const std::size_t most = largest_message - room_for_type_and_shape - name.size();
    const bool is_matlab = is_of_matlab(name);
    entries_.push_back({name, value, {value, subject, is_matlab ? OutgoingElements::one_width : most, is_matlab}});
  }
}

bool OutgoingAttributes::fit_old_header() const {
  return std::all_of(entries_.begin(), entries_.end(), [](const Entry& entry) {
    return entry.elements.stored_bytes() + entry.name.size() + room_for_type_and_shape <= largest_message;
  });
}

}  // namespace attn::io::hdf5

namespace attn::io {

std::size_t excess_for_hdf5_group(const std::string& name, const TensorView& value, const std::string& label) {
  const hdf5::OutgoingAttributes attribute({{name, value}}, label);
  return attribute.fit_old_header() ? 0 : attribute.entries().front().elements.stored_bytes();
}

}  // namespace attn::io
