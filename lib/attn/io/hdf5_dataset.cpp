#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/memory_account.hpp>
#include <attn/io/elements.hpp>
#include <attn/io/hdf5_dataset.hpp>
#include <attn/io/hdf5_elements.hpp>
#include <attn/io/mapped_files.hpp>

#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace attn::io::hdf5 {
Dataset::Dataset(Handle id, const std::string& path, const std::string& label)
    : id_(std::move(id)), type_(H5Dget_type(id_), H5Tclose), name_(label + ":/" + path) {
  info_.name = path;
  std::string what;
  // First of all: the library gives a fill value with how the dataset was made, and follows what is in a record unseen.
  if (type_ && !element_type(type_, element_, what))
    refuse("has elements of another kind (" + what + "), expected numbers or strings");
  // PyTables, which says so in these attributes, stores booleans as bit fields.
  if (type_ && H5Tget_class(type_) == H5T_BITFIELD && element_.width == 1 && H5Aexists(id_, "CLASS") > 0 &&
      H5Aexists(id_, "VERSION") > 0)
    element_.dtype = DType::boolean;
  creation_ = Handle(H5Dget_create_plist(id_), H5Pclose);
  if (!creation_) refuse("is a damaged dataset: " + last_error());
  // Before its shape is asked for: the library would look for that in the other files.
  if (H5Pget_layout(creation_) == H5D_VIRTUAL || H5Pget_external_count(creation_) > 0)
    refuse("has its elements in other files, which are not read", "gather them first, with h5repack -l CONTI");
  const Handle space(H5Dget_space(id_), H5Sclose);
  const std::optional<Shape> shape = shape_of(space);
  if (!type_ || !shape) refuse("is a damaged dataset: " + last_error());
  info_.dtype = element_.dtype;
  info_.shape = *shape;
  stored_bytes(info_.shape, element_.width, name_);
}

void Dataset::refuse(const std::string& detail, const std::string& fix) const {
  throw Error(ErrorKind::data, name_, detail, fix);
}

/// For a dataset in chunks, says how they are stored.
std::optional<ChunkLayout> Dataset::check_storage(const Image& image) const {
  H5O_info_t object;
  if (H5Oget_info2(id_, &object, H5O_INFO_BASIC) < 0 || image.unchecked_strings.count(object.addr) != 0)
    refuse("has its strings in compressed chunks or in chunks of HDF5 1.10 and later",
           "rewrite it with h5repack -f NONE -l CONTI");
  const H5D_layout_t layout = H5Pget_layout(creation_);
  if (layout == H5D_LAYOUT_ERROR) refuse("is a damaged dataset: " + last_error());
  if (layout != H5D_CHUNKED) return {};
  const bool has_references = element_.storage == ElementType::Storage::variable_string;
  ChunkLayout chunks = chunk_layout(creation_, has_references ? image.heaps.reference_bytes() : element_.width, name_);
  chunks.fill = fill_value(image);
  if (chunks.extents.size() != info_.shape.size()) refuse("is a damaged dataset: its chunks have another rank");
  if (element_count(chunks.extents) == 0) refuse("is a damaged dataset: its chunks have no extent");
  stored_bytes(chunks.extents, chunks.width, name_);
  return chunks;
}

/// As the file stores it; nothing where none is defined.
std::string Dataset::fill_value(const Image& image) const {
  if (element_.storage == ElementType::Storage::variable_string)
    return std::string(sizes_of_strings(image).fill_reference);
  H5D_fill_value_t defined = H5D_FILL_VALUE_UNDEFINED;
  std::string value(element_.width, '\0');
  const bool is_defined = H5Pfill_value_defined(creation_, &defined) >= 0 && defined != H5D_FILL_VALUE_UNDEFINED;
  return is_defined && H5Pget_fill_value(creation_, type_, value.data()) >= 0 ? value : std::string();
}

/// Every chunk that a part touches is looked for, there or not: a damaged extent would take hours. The library takes
/// these numbers on trust, so sizes that no file of this length can hold are refused before it does.
void Dataset::require_plausible_chunks(const Image& image, const Slab& part, const Shape& chunk) const {
  if (H5Dget_storage_size(id_) > image.bytes.size)
    refuse("claims more bytes than the file has: it is damaged or truncated");
  memory_account().require(stored_bytes(chunk, element_.width, name_), name_);
  const ResolvedSlab slab = resolve(part, info_.shape, name_);
  constexpr std::size_t index_bytes = 8;  // of the address of one chunk
  constexpr std::size_t soon_looked_for = std::size_t{1} << 18;
  if (stored_bytes(touched_chunks(slab, chunk), 1, name_) > std::max(image.bytes.size / index_bytes, soon_looked_for))
    refuse("claims more chunks than the file can hold, shape " + to_string(info_.shape) + " in chunks of " +
               to_string(chunk) + ": it is damaged or almost empty",
           "read a part of it as [start:stop]");
}

/// Who reads the part. Chunks that went through filters, and references to strings, are read here alone. The library
/// keeps some kilobytes for each chunk that one call touches, and takes a hundred times as long where rows of the
/// result are wider than those of chunks, but takes no more of a large chunk than what is wanted.
Dataset::Request Dataset::request(const std::optional<ChunkLayout>& chunks, const Slab& part) const {
  Request request{chunks.value_or(ChunkLayout{}), resolve(part, info_.shape, name_)};
  if (!chunks) return request;
  constexpr std::size_t small = std::size_t{64} << 10, large = std::size_t{4} << 20;
  constexpr double sparse = 1.0 / 16;
  double share = 1;  // of the chunks that have something of the slab
  const Shape touched = touched_chunks(request.slab, chunks->extents);
  for (std::size_t axis = 0; axis < touched.size(); ++axis)
    share *= static_cast<double>(request.slab.count[axis]) / static_cast<double>(touched[axis]) /
             static_cast<double>(chunks->extents[axis]);
  const std::size_t bytes = chunks->chunk_bytes();
  const bool is_cheap = bytes <= small || (bytes <= large && share > sparse);
  request.chunk_by_chunk =
      !chunks->filters.empty() || element_.storage == ElementType::Storage::variable_string || is_cheap;
  return request;
}

/// The bytes of a dataset that lies in one piece; false for every other layout.
bool Dataset::contiguous_bytes(const Image& image, Bytes& bytes) const {
  if (H5Pget_layout(creation_) != H5D_CONTIGUOUS) return false;
  // Never written: the fill value. H5Dget_offset does not tell, where a block of the user's stands in front.
  if (H5Dget_storage_size(id_) == 0) return false;
  const haddr_t offset = H5Dget_offset(id_);
  const std::size_t needed = stored_bytes(info_.shape, element_.width, name_);
  if (offset > image.bytes.size || needed > image.bytes.size - offset)
    throw Error(ErrorKind::input, name_,
                "is truncated: its " + std::to_string(needed) + " bytes at " + std::to_string(offset) +
                    " end behind the file's " + std::to_string(image.bytes.size));
  bytes = image.bytes.part(offset, needed);
  return true;
}

std::uint64_t Dataset::memory_to_read(const Image& image, const Slab& part) const {
  const Request wanted = request(check_storage(image), part);
  return stored_bytes(wanted.slab.count, element_size(info_.dtype), name_) + texts_of_result(image, wanted) +
         beside_result(wanted) + wanted.memory_of_chunks();
}

TensorView Dataset::read(const Image& image, const Slab& part) const {
  if (is_null(Handle(H5Dget_space(id_), H5Sclose)) && part.empty()) return null_tensor(info_.dtype, name_);
  const std::optional<ChunkLayout> chunks = check_storage(image);
  if (chunks) require_plausible_chunks(image, part, chunks->extents);
  Bytes bytes;
  if (element_.storage == ElementType::Storage::raw && contiguous_bytes(image, bytes))
    return view_stored(bytes, {info_.dtype, info_.shape, {}, element_.swap_bytes}, part, name_);
  const Request wanted = request(chunks, part);
  return turned(read_elements(image, wanted), wanted.slab);
}

/// Elements as the file stores them, into `to`, of which there is enough.
void Dataset::read_stored(const Image& image, const Request& request, void* to) const {
  const Shape& count = request.slab.count;
  if (!request.chunk_by_chunk) return read_bands(image, request, {Shape(count.size()), count}, 0, to);
  const std::size_t width = element_.width;
  const auto copy = [to, width](const unsigned char* stored, std::size_t place, std::size_t elements) {
    std::memcpy(static_cast<unsigned char*>(to) + place * width, stored, elements * width);
  };
  read_chunks(id_, request.chunks, info_.shape, request.slab, copy, image.bytes.data, name_);
}

ResolvedSlab Dataset::part_of(ResolvedSlab slab, const Band& band) {
  for (std::size_t axis = 0; axis < slab.start.size(); ++axis) slab.start[axis] += band.first[axis] * slab.step[axis];
  slab.count = band.count;
  return slab;
}

/// A slab in bands along this axis and those behind it, which end where chunks do: what was read of a mapped file is
/// not needed there any more, and should not all be in memory once more beside the result, nor should what the library
/// keeps of the chunks that one call touches.
void Dataset::read_bands(const Image& image, const Request& request, Band band, std::size_t axis, void* to) const {
  constexpr std::size_t most = std::size_t{4} << 20, bytes_per_chunk = std::size_t{8} << 10;
  const ResolvedSlab part = part_of(request.slab, band);
  const std::size_t bytes = element_count(band.count) * element_.width +
                            element_count(touched_chunks(part, request.chunks.extents)) * bytes_per_chunk;
  if (bytes <= most || axis == band.count.size()) {
    read_band(request.slab.count, band.first, part, to);
    return copied_from_mapped(image.bytes.data, bytes);
  }
  const std::size_t start = request.slab.start[axis], step = request.slab.step[axis], count = band.count[axis];
  const std::size_t extent = request.chunks.extents.empty() ? 1 : request.chunks.extents[axis];
  const std::size_t rows = std::max<std::size_t>(most / (bytes / count), 1);
  for (std::size_t next = 0; next < count;) {
    const std::size_t place = start + next * step;  // in the dataset
    const std::size_t end = std::max((place + rows * step) / extent, place / extent + 1) * extent;
    band.first[axis] = next;
    band.count[axis] = std::min(count - next, (end - place + step - 1) / step);
    next += band.count[axis];
    read_bands(image, request, band, axis + 1, to);
  }
}

/// A part of a slab, which has `whole` elements, to where it begins in it.
void Dataset::read_band(const Shape& whole, const Shape& first, const ResolvedSlab& part, void* to) const {
  const auto numbers = [](const Shape& shape) { return std::vector<hsize_t>(shape.begin(), shape.end()); };
  const std::vector<hsize_t> start = numbers(part.start), step = numbers(part.step), count = numbers(part.count);
  const Handle space(H5Dget_space(id_), H5Sclose), memory = space_of(whole);
  if (!count.empty() &&
      (H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), step.data(), count.data(), nullptr) < 0 ||
       H5Sselect_hyperslab(memory, H5S_SELECT_SET, numbers(first).data(), nullptr, count.data(), nullptr) < 0))
    refuse("cannot be read in part: " + last_error());
  if (H5Dread(id_, type_, memory, space, H5P_DEFAULT, to) < 0) refuse("is a damaged dataset: " + last_error());
}

/// A shape may claim what was never stored, which reads as the fill value. Where that is more than a machine holds, it
/// is a damaged shape rather than a wish for so many zeros.
void Dataset::require_stored(const Request& request, std::uint64_t bytes) const {
  if (bytes <= usable_memory()) return;
  constexpr std::uint64_t most_expansion = 1032;  // of deflate
  const std::uint64_t stored = H5Dget_storage_size(id_);
  const std::uint64_t most = request.chunks.filters.empty() ? stored : stored * most_expansion;
  if (bytes > most)
    refuse("claims shape " + to_string(info_.shape) + " with " + std::to_string(stored) +
               " bytes stored: it is damaged or almost empty",
           "read a part of it as [start:stop]");
}

StringSizes Dataset::sizes_of_strings(const Image& image) const {
  H5O_info_t object;
  if (H5Oget_info2(id_, &object, H5O_INFO_BASIC) < 0) refuse("is a damaged dataset: " + last_error());
  const auto found = image.strings.find(object.addr);
  return found == image.strings.end() ? StringSizes{} : found->second;
}

/// What texts of a part take at the most, of a whole dataset exactly.
std::uint64_t Dataset::texts_of_result(const Image& image, const Request& request) const {
  const std::size_t count = element_count(request.slab.count);
  if (element_.storage == ElementType::Storage::variable_string) {
    const StringSizes sizes = sizes_of_strings(image);
    memory_account().note_text(std::max(sizes.longest, sizes.fill));
    return sizes.memory_of(count);
  }
  return element_.storage == ElementType::Storage::fixed_string ? count * memory_of_text(element_.width) : 0;
}

/// Bytes of the elements as they are stored, where they are not converted in place.
std::size_t Dataset::beside_result(const Request& request) const {
  const bool is_beside =
      element_.storage == ElementType::Storage::fixed_string || element_.storage == ElementType::Storage::converted;
  return is_beside ? stored_bytes(request.slab.count, room_for_element(element_), name_) : 0;
}

/// A text that lies in the file, up to a NUL byte, which ends it as in C. Of a long one the pages that were copied are
/// given back on the way.
void take_text(std::string_view whole, std::string& text, const void* image) {
  constexpr std::size_t at_once = std::size_t{1} << 20;
  for (std::size_t begin = 0; begin < whole.size(); begin += at_once) {
    const std::string_view piece = whole.substr(begin, at_once), part = piece.substr(0, piece.find('\0'));
    if (begin == 0) text.reserve(piece.size() > part.size() ? part.size() : whole.size());
    text.append(part);
    copied_from_mapped(image, piece.size());
    if (part.size() < piece.size()) break;
  }
}

/// Strings of varying length, from where their texts lie in the file.
void Dataset::read_strings(const Image& image, const Request& request, Tensor& out, TextMemory& texts) const {
  const StringSizes sizes = sizes_of_strings(image);
  StringHeaps heaps = image.heaps;
  auto* const strings = out.data_as<std::string>();
  const std::size_t width = heaps.reference_bytes();
  const auto take = [&](const unsigned char* stored, std::size_t place, std::size_t count) {
    Cursor references(stored, count * width);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string_view whole = heaps.referred(references);
      texts.add_text(whole.size());
      take_text(whole, strings[place + i], image.bytes.data);
      copied_from_mapped(image.bytes.data, width);
    }
  };
  try {
    if (request.chunk_by_chunk)
      read_chunks(id_, request.chunks, info_.shape, request.slab, take, image.bytes.data, name_);
    else if (!sizes.references.empty())
      read_piece(reinterpret_cast<const unsigned char*>(sizes.references.data()), width, info_.shape, request.slab,
                 take);
    else if (!sizes.fill_reference.empty())
      for (std::size_t i = 0; i < out.size(); ++i)
        take(reinterpret_cast<const unsigned char*>(sizes.fill_reference.data()), i, 1);
  } catch (const Damage& damage) {
    refuse(std::string("is a damaged dataset: ") + damage.what());
  }
}

TensorView Dataset::read_elements(const Image& image, const Request& request) const {
  const std::size_t width = element_size(info_.dtype), count = element_count(request.slab.count);
  const std::size_t result = stored_bytes(request.slab.count, width, name_), beside = beside_result(request);
  const bool are_pointers = element_.storage == ElementType::Storage::variable_string;
  const bool is_whole = are_pointers && request.slab.count == info_.shape;
  // What the texts of a part are is known when they come.
  const std::uint64_t stored_texts = is_whole ? sizes_of_strings(image).memory : 0;
  require_stored(request, result);
  memory_account().require(result + stored_texts + beside + request.memory_of_chunks(), name_);
  Tensor out(info_.dtype, request.slab.shape);
  if (count == 0) return out.view(name_);
  // It is there while texts are counted.
  const std::shared_ptr<const void> counted = memory_account().hold(beside, std::make_shared<char>());
  TextMemory texts(name_);
  if (are_pointers) {
    read_strings(image, request, out, texts);
    return std::move(texts).held_by(out.view(name_));
  }
  std::vector<char> stored(beside);
  void* const from = beside == 0 ? out.data() : stored.data();
  read_stored(image, request, from);
  if (!take_elements(type_, element_, from, out, texts))
    refuse("has elements that cannot be converted: " + last_error());
  return info_.dtype == DType::string ? std::move(texts).held_by(out.view(name_)) : out.view(name_);
}

}  // namespace attn::io::hdf5
