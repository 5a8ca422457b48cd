#include <attn/core/error.hpp>
#include <attn/io/formats/stored_elements.hpp>
#include <attn/io/hdf5/elements.hpp>

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

}  // namespace attn::io::hdf5
