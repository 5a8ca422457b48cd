#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/sparse_matrix.hpp>

#include <algorithm>
#include <cstring>
#include <iterator>

namespace attn::io {
namespace {

AxisSlab range(std::size_t begin, std::size_t end) {
  AxisSlab axis;
  axis.start = static_cast<std::int64_t>(begin);
  axis.stop = static_cast<std::int64_t>(end);
  return axis;
}

/// The two extents, or nothing where these are no such numbers.
std::optional<Shape> shape_in(const TensorView& x) {
  if (x.size() != 2 || !is_integer(x.dtype)) return std::nullopt;
  const std::vector<std::int64_t> extents = to_integers(x);
  if (extents[0] < 0 || extents[1] < 0) return std::nullopt;
  return Shape(extents.begin(), extents.end());
}

}  // namespace

std::optional<SparseMatrix> sparse_matrix(const Source& source, const std::string& group) {
  const auto read = [&source](const TensorInfo* stored) { return const_cast<Source&>(source).read(stored->name); };
  struct Names {
    const char *elements, *places, *begins;
  };
  // AnnData, 10x and h5sparse; R; MATLAB; Octave.
  constexpr Names conventions[] = {{"/data", "/indices", "/indptr"},
                                   {"/x", "/i", "/p"},
                                   {"/data", "/ir", "/jc"},
                                   {"/value/data", "/value/ridx", "/value/cidx"}};
  const auto names = std::find_if(std::begin(conventions), std::end(conventions),
                                  [&](const Names& each) { return source.find(group + each.begins) != nullptr; });
  if (names == std::end(conventions)) return std::nullopt;
  const TensorInfo* const begins = source.find(group + names->begins);
  if (begins->shape.size() != 1 || begins->shape[0] == 0) return std::nullopt;
  const TensorInfo *const elements = source.find(group + names->elements), *const places =
                                                                               source.find(group + names->places);
  const Attributes attributes = source.attributes(group);
  SparseMatrix matrix{"", "", begins->name, true, {group, DType::f64, {}}};
  if (elements != nullptr && places != nullptr) {
    if (elements->dtype == DType::string) return std::nullopt;
    if (elements->shape.size() != 1)
      throw Error(ErrorKind::data, source.label() + ":/" + group, "is a sparse matrix of complex numbers",
                  "name its parts, as in " + source.label() + ":/" + elements->name);
    matrix.elements = elements->name;
    matrix.places = places->name;
    matrix.info.dtype = elements->dtype;
  }
  const bool is_of_octave = names->begins[1] == 'v', is_of_matlab = attributes.count("MATLAB_sparse") > 0;
  if (is_of_octave || is_of_matlab) {
    const TensorInfo* const rows = source.find(group + "/value/nr");
    if (is_of_octave && (rows == nullptr || matrix.elements.empty())) return std::nullopt;
    const TensorView extent = is_of_octave ? read(rows) : attributes.at("MATLAB_sparse");
    if (!is_integer(extent.dtype) || extent.size() != 1 || to_integers(extent)[0] < 0) return std::nullopt;
    matrix.info.shape = {begins->shape[0] - 1, static_cast<std::size_t>(to_integers(extent)[0])};
    if (const auto kind = attributes.find("MATLAB_class"); kind != attributes.end()) matrix.attributes.insert(*kind);
    return matrix;
  }
  if (matrix.elements.empty()) return std::nullopt;
  std::vector<std::string> kind = texts_of(attributes, "encoding-type");
  if (kind.empty()) kind = texts_of(attributes, "h5sparse_format");
  std::optional<Shape> shape;
  for (const char* name : {"shape", "h5sparse_shape"})
    if (const auto found = attributes.find(name); !shape && found != attributes.end()) shape = shape_in(found->second);
  for (const char* name : {"/shape", "/Dim"})
    if (const TensorInfo* stored = source.find(group + name);
        !shape && stored != nullptr && element_count(stored->shape) == 2)
      shape = shape_in(read(stored));
  if (!shape) return std::nullopt;
  // Without a word, as in files of 10x and R, it is by columns where their number fits.
  matrix.is_by_rows = kind.empty() ? (*shape)[1] + 1 != begins->shape[0] : kind.front().substr(0, 3) == "csr";
  if ((*shape)[matrix.is_by_rows ? 0 : 1] + 1 != begins->shape[0]) return std::nullopt;
  matrix.info.shape = *shape;
  return matrix;
}

DensePart::DensePart(const TensorInfo& matrix, const Slab& part, std::string name)
    : name_(std::move(name)), slab_(resolve(part, matrix.shape, name_)) {
  memory_account().require(element_count(slab_.count) * element_size(matrix.dtype), name_);
  elements_ = Tensor::zeros(matrix.dtype, slab_.count);
}

std::optional<std::size_t> DensePart::find(std::size_t row, std::size_t column) const noexcept {
  const std::size_t place[] = {row, column};
  std::size_t index = 0;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const std::size_t start = slab_.start[axis], step = slab_.step[axis];
    if (place[axis] < start || (place[axis] - start) % step != 0) return std::nullopt;
    const std::size_t across = (place[axis] - start) / step;
    if (across >= slab_.count[axis]) return std::nullopt;
    index = index * slab_.count[axis] + across;
  }
  return index;
}

TensorView read_dense(Source& source, const SparseMatrix& matrix, const Slab& part) {
  const std::string name = source.label() + ":/" + matrix.info.name;
  DensePart dense(matrix.info, part, name);
  const ResolvedSlab& slab = dense.slab();
  auto* const out = static_cast<char*>(dense.elements().data());
  const std::size_t major = matrix.is_by_rows ? 0 : 1, minor = 1 - major;
  const auto refuse = [&name] {
    throw Error(ErrorKind::data, name, "is a damaged sparse matrix: its numbers do not fit each other");
  };
  if (dense.elements().size() > 0 && !matrix.elements.empty()) {
    const std::size_t first = slab.start[major], last = first + (slab.count[major] - 1) * slab.step[major];
    const std::vector<std::int64_t> begins = to_integers(source.read(matrix.begins, {range(first, last + 2)}));
    const auto stored = static_cast<std::int64_t>(element_count(source.describe(matrix.elements).shape));
    if (begins.front() < 0 || begins.back() > stored || !std::is_sorted(begins.begin(), begins.end())) refuse();
    const Slab of_part = {range(static_cast<std::size_t>(begins.front()), static_cast<std::size_t>(begins.back()))};
    const std::vector<std::int64_t> places = to_integers(source.read(matrix.places, of_part));
    const TensorView elements = contiguous(source.read(matrix.elements, of_part));
    if (places.size() != elements.size()) refuse();
    const std::size_t width = element_size(matrix.info.dtype);
    for (std::size_t line = 0; line < slab.count[major]; ++line) {
      const std::size_t at = line * slab.step[major];
      for (std::int64_t k = begins[at] - begins.front(); k < begins[at + 1] - begins.front(); ++k) {
        const auto place = static_cast<std::size_t>(places[static_cast<std::size_t>(k)]);
        if (place >= matrix.info.shape[minor]) refuse();
        const auto to = matrix.is_by_rows ? dense.find(first + at, place) : dense.find(place, first + at);
        if (to)
          std::memcpy(out + *to * width, static_cast<const char*>(elements.data) + static_cast<std::size_t>(k) * width,
                      width);
      }
    }
  }
  return dense.view();
}

}  // namespace attn::io
