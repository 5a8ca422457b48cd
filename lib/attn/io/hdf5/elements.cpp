#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/io/formats/stored_elements.hpp>
#include <attn/io/hdf5/elements.hpp>
#include <attn/io/output.hpp>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace attn::io::hdf5 {
namespace {

/// A NUL byte ends a string or pads it, depending on its type.
void take_padded(const Datatype& type, const char* stored, Tensor& out, TextMemory& texts) {
  auto* strings = out.data_as<std::string>();
  const std::size_t width = type.size;
  const bool ends_with_nul = type.padding == Datatype::Padding::ends_with_nul;
  const char filler = type.padding == Datatype::Padding::space ? ' ' : '\0';
  for (std::size_t i = 0; i < out.size(); ++i, stored += width) {
    const std::string_view padded(stored, ends_with_nul ? strnlen(stored, width) : width);
    const std::string_view text = padded.substr(0, padded.find_last_not_of(filler) + 1);
    texts.add_text(text.size());
    strings[i] = text;
  }
}

/// Memory of HDF5 while it writes this number of texts: copies with the length of the longest one.
std::uint64_t memory_beside_texts(std::uint64_t count, std::uint64_t longest) noexcept {
  // Measured: one that is converted, and heaps that are on their way into the file, which malloc keeps some of.
  constexpr std::uint64_t most = 6, smallest_large = std::uint64_t{64} << 10;
  return longest < smallest_large || count == 0 ? 0 : (std::min(count, most) + 1) * longest;
}

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

bool is_null(const TensorView& x) {
  const bool is_owned = x.owner.use_count() > 0;  // of no bytes too
  return x.shape == Shape{0} && x.data == nullptr && !is_owned;
}

TensorView null_tensor(DType dtype, const std::string& name) { return {nullptr, dtype, {0}, {1}, nullptr, name}; }

void take_elements(const Datatype& type, const ElementType& element, const void* stored, Tensor& out,
                   TextMemory& texts) {
  const std::size_t count = out.size();
  switch (element.storage) {
    case ElementType::Storage::variable_string: break;
    case ElementType::Storage::fixed_string: take_padded(type, static_cast<const char*>(stored), out, texts); break;
    case ElementType::Storage::raw:
      if (count > 0 && stored != out.data()) std::memcpy(out.data(), stored, count * element.width);
      if (element.swap_bytes) swap_elements(out.data(), count, element.width);
      if (element.dtype == DType::boolean) normalise_booleans(static_cast<std::uint8_t*>(out.data()), count);
      break;
    case ElementType::Storage::converted: convert_elements(type, stored, count, element.dtype, out.data()); break;
  }
}

OutgoingElements::OutgoingElements(const TensorView& x, const std::string& subject, std::size_t most_references,
                                   bool is_ascii)
    : x_(contiguous(x)), width_(written_reference_bytes), data_(x_.data), memory_(subject) {
  if (x.dtype == DType::string) {
    point_at_strings(subject, most_references, is_ascii);
  } else {
    type_ = message_of_numbers(x.dtype);
    width_ = element_size(x.dtype);
  }
}

void OutgoingElements::point_at_strings(const std::string& subject, std::size_t most_references, bool is_ascii) {
  // PyTables reads a text from a null attribute of varying length, and crashes.
  if (is_null(x_)) {
    width_ = 1;
    type_ = message_of_texts(width_, false, Datatype::Padding::ends_with_nul);
    return;
  }
  const auto* first = x_.contiguous_data<std::string>();
  const auto* last = first + count();
  std::size_t width = 1;
  bool has_nul = false;
  memory_.grow(count() * sizeof(pointers_.front()));
  pointers_.reserve(count());
  for (const auto* text = first; text != last; ++text) {
    if (!text->empty() && text->back() == '\0')
      throw Error(ErrorKind::data, subject, "has a text that ends with a NUL byte, which HDF5 drops");
    has_nul = has_nul || text->find('\0') != std::string::npos;
    width = std::max(width, text->size());
    pointers_.push_back(text->c_str());
  }
  data_ = pointers_.data();
  are_references_ = !has_nul && most_references != one_width &&
                    (stored_bytes() <= most_references || stored_bytes() <= count() * width);
  if (are_references_) {
    type_ = message_of_variable_texts();
    return memory_.grow(memory_beside_texts(count(), width));
  }
  width_ = width;
  type_ = message_of_texts(width, !is_ascii, Datatype::Padding::nul);
  memory_.grow(stored_bytes());
  padded_.assign(count() * width, '\0');
  auto to = padded_.begin();
  for (const auto* text = first; text != last; ++text, to += static_cast<std::ptrdiff_t>(width))
    std::copy(text->begin(), text->end(), to);
  data_ = padded_.data();
}

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
