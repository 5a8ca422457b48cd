#include <attn/core/error.hpp>
#include <attn/io/formats/stored_elements.hpp>
#include <attn/io/hdf5/elements.hpp>
#include <attn/io/output.hpp>

#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace attn::io::hdf5 {
namespace {

/// Gives them back to the library.
struct AllocatedStrings {
  char** pointers;
  std::size_t count;

  ~AllocatedStrings() {
    for (std::size_t i = 0; i < count; ++i) H5free_memory(pointers[i]);
  }
};

/// Strings that the library has allocated, and gets back.
void take_strings(char** pointers, std::size_t count, std::string* to, TextMemory& texts) {
  const AllocatedStrings allocated{pointers, count};
  const auto text = [pointers](std::size_t i) { return std::string_view(pointers[i] == nullptr ? "" : pointers[i]); };
  for (std::size_t i = 0; i < count; ++i) texts.add_text(text(i).size());
  for (std::size_t i = 0; i < count; ++i) to[i] = text(i);
}

/// A NUL byte ends a string or pads it, depending on its type.
void take_padded(Id type, std::size_t width, const char* stored, Tensor& out, TextMemory& texts) {
  auto* strings = out.data_as<std::string>();
  const H5T_str_t padding = H5Tget_strpad(type);
  const char filler = padding == H5T_STR_SPACEPAD ? ' ' : '\0';
  for (std::size_t i = 0; i < out.size(); ++i, stored += width) {
    const std::string_view padded(stored, padding == H5T_STR_NULLTERM ? strnlen(stored, width) : width);
    const std::string_view text = padded.substr(0, padded.find_last_not_of(filler) + 1);
    texts.add_text(text.size());
    strings[i] = text;
  }
}

}  // namespace

std::optional<Shape> shape_of(Id space) {
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 0) return {};
  if (is_null(space)) return Shape{0};
  std::vector<hsize_t> extents(static_cast<std::size_t>(rank));
  if (rank > 0) H5Sget_simple_extent_dims(space, extents.data(), nullptr);
  return Shape(extents.begin(), extents.end());
}

Handle space_of(const Shape& shape) {
  const std::vector<hsize_t> extents(shape.begin(), shape.end());
  return {extents.empty() ? H5Screate(H5S_SCALAR)
                          : H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr),
          H5Sclose};
}

bool is_null(Id space) { return H5Sget_simple_extent_type(space) == H5S_NULL; }

bool is_null(const TensorView& x) {
  const bool is_owned = x.owner.use_count() > 0;  // of no bytes too
  return x.shape == Shape{0} && x.data == nullptr && !is_owned;
}

TensorView null_tensor(DType dtype, const std::string& name) { return {nullptr, dtype, {0}, {1}, nullptr, name}; }

Handle space_of(const TensorView& x) { return is_null(x) ? Handle(H5Screate(H5S_NULL), H5Sclose) : space_of(x.shape); }

std::size_t room_for_element(const ElementType& element) noexcept {
  return element.dtype == DType::string ? element.width : std::max(element.width, element_size(element.dtype));
}

bool take_elements(Id type, const ElementType& element, void* stored, Tensor& out, TextMemory& texts) {
  const std::size_t count = out.size();
  if (count == 0) return true;
  switch (element.storage) {
    case ElementType::Storage::variable_string:
      take_strings(static_cast<char**>(stored), count, out.data_as<std::string>(), texts);
      break;
    case ElementType::Storage::fixed_string:
      take_padded(type, element.width, static_cast<const char*>(stored), out, texts);
      break;
    case ElementType::Storage::raw:
      if (stored != out.data()) std::memcpy(out.data(), stored, count * element.width);
      if (element.swap_bytes) swap_elements(out.data(), count, element.width);
      if (element.dtype == DType::boolean) normalise_booleans(static_cast<std::uint8_t*>(out.data()), count);
      break;
    case ElementType::Storage::converted: {
      const Handle ours = stored_type(element.dtype);
      const bool is_logical = H5Tget_class(type) == H5T_ENUM && element.dtype == DType::f64;
      const Handle numbers(is_logical ? H5Tget_super(type) : H5Tcopy(type), H5Tclose);
      if (H5Tconvert(numbers, ours, count, stored, nullptr, H5P_DEFAULT) < 0) return false;
      if (is_logical) {
        auto* const values = static_cast<double*>(stored);
        std::replace(values, values + count, r_missing_logical, std::numeric_limits<double>::quiet_NaN());
      }
      std::memcpy(out.data(), stored, count * element_size(element.dtype));
      break;
    }
  }
  return true;
}

OutgoingElements::OutgoingElements(const TensorView& x, const std::string& subject, std::size_t most_references)
    : x_(contiguous(x)), type_(stored_type(x.dtype)), data_(x_.data), memory_(subject) {
  if (x.dtype == DType::string) point_at_strings(subject, most_references);
}

std::size_t OutgoingElements::stored_bytes() const {
  constexpr std::size_t reference_bytes = 16;  // length, address and number of a text
  return count() * (H5Tis_variable_str(type_) > 0 ? reference_bytes : H5Tget_size(type_));
}

namespace {

/// Memory of HDF5 while it writes this number of texts: copies with the length of the longest one.
std::uint64_t memory_beside_texts(std::uint64_t count, std::uint64_t longest) noexcept {
  // Measured: one that is converted, and heaps that are on their way into the file, which malloc keeps some of.
  constexpr std::uint64_t most = 6, smallest_large = std::uint64_t{64} << 10;
  return longest < smallest_large || count == 0 ? 0 : (std::min(count, most) + 1) * longest;
}

}  // namespace

void OutgoingElements::point_at_strings(const std::string& subject, std::size_t most_references) {
  // PyTables reads a text from a null attribute of varying length, and crashes.
  if (is_null(x_)) {
    type_ = Handle(H5Tcopy(H5T_C_S1), H5Tclose);
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
  const bool may_refer = !has_nul && most_references != one_width;
  if (may_refer && (stored_bytes() <= most_references || stored_bytes() <= count() * width))
    return memory_.grow(memory_beside_texts(count(), width));
  type_ = Handle(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type_, width);
  H5Tset_strpad(type_, H5T_STR_NULLPAD);
  H5Tset_cset(type_, H5T_CSET_UTF8);
  memory_.grow(stored_bytes());
  padded_.assign(count() * width, '\0');
  auto to = padded_.begin();
  for (const auto* text = first; text != last; ++text, to += static_cast<std::ptrdiff_t>(width))
    std::copy(text->begin(), text->end(), to);
  data_ = padded_.data();
}

}  // namespace attn::io::hdf5
