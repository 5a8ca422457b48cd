#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/memory_account.hpp>
#include <attn/io/bytes/mapped_files.hpp>
#include <attn/io/formats/stored_elements.hpp>
#include <attn/io/hdf5/dataset.hpp>
#include <attn/io/hdf5/elements.hpp>
#include <attn/io/hdf5/fields.hpp>

#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace attn::io::hdf5 {

Dataset::Dataset(Handle id, const std::string& path, const std::string& label, const Image& image,
                 const std::string& field)
    : id_(std::move(id)), stored_type_(H5Dget_type(id_), H5Tclose), name_(label + ":/" + path) {
  info_.name = path;
  // First of all: the library gives a fill value with how the dataset was made, and follows what is in a record unseen.
  if (stored_type_) find_field(image, field);
  creation_ = Handle(H5Dget_create_plist(id_), H5Pclose);
  if (!creation_) refuse("is a damaged dataset: " + last_error());
  // Before its shape is asked for: the library would look for that in the other files.
  if (H5Pget_layout(creation_) == H5D_VIRTUAL || H5Pget_external_count(creation_) > 0)
    refuse("has its elements in other files, which are not read", "gather them first, with h5repack -l CONTI");
  const Handle space(H5Dget_space(id_), H5Sclose);
  const std::optional<Shape> shape = shape_of(space);
  if (!stored_type_ || !shape) refuse("is a damaged dataset: " + last_error());
  extents_ = *shape;
  info_.dtype = element_.dtype;
  info_.shape = extents_;
  info_.shape.insert(info_.shape.end(), inner_.begin(), inner_.end());
  stored_bytes(extents_, width_, name_);
}

/// Sets the part of each element to read, and its offset.
void Dataset::find_field(const Image& image, const std::string& field) {
  const std::size_t reference_bytes = image.heaps.reference_bytes();
  std::optional<Field> found = field_of(stored_type_, field, reference_bytes);
  if (!found && is_record(stored_type_)) {
    std::string names;
    for (const std::string& each : field_names(stored_type_)) names += (names.empty() ? "" : ", ") + each;
    throw Error(ErrorKind::input, name_, "has no field '" + field + "'", "it has " + names);
  }
  if (!found) refuse("is a damaged dataset: " + last_error());
  field_ = field;
  if (!field.empty()) {
    info_.name += "/" + field;
    name_ += "/" + field;
  }
  std::string what;
  if (!element_type(found->type, element_, what))
    refuse("has elements of another kind (" + what + "), expected numbers or strings", way_to_read(found->type, name_));
  // PyTables, recognised by these attributes, stores booleans as bit fields.
  if (H5Tget_class(found->type) == H5T_BITFIELD && element_.width == 1 && H5Aexists(id_, "CLASS") > 0 &&
      H5Aexists(id_, "VERSION") > 0)
    element_.dtype = DType::boolean;
  type_ = std::move(found->type);
  inner_ = found->inner;
  offset_ = found->offset;
  has_parts_ = !field.empty() || !inner_.empty();
  width_ = has_parts_ ? stored_size(stored_type_, reference_bytes) : element_.width;
  if (has_parts_) require_checked(image);
}

/// References that the audit could not follow must not be met by the library.
void Dataset::require_checked(const Image& image) const {
  H5O_info_t object;
  if (H5Oget_info2(id_, &object, H5O_INFO_BASIC) < 0 || image.audit->unchecked_strings().count(object.addr) != 0)
    has_parts_ ? refuse("has a fill value with texts or references in it, which are not followed",
                        "write the fields that are wanted as datasets, with h5py")
               : refuse("has its strings in compressed chunks or in chunks of HDF5 1.10 and later",
                        "rewrite it with h5repack -f NONE -l CONTI");
}

std::string Dataset::lost_in_copies() const {
  if (is_field()) return "fields of records become datasets of their own in the copy";
  const Handle space(H5Dget_space(id_), H5Sclose);
  std::vector<hsize_t> most(extents_.size());
  if (most.empty() || H5Sget_simple_extent_dims(space, nullptr, most.data()) < 0) return "";
  const bool can_grow = !std::equal(extents_.begin(), extents_.end(), most.begin());
  return can_grow ? "unlimited dimensions become fixed in the copy" : "";
}

void Dataset::refuse(const std::string& detail, const std::string& fix) const {
  throw Error(ErrorKind::data, name_, detail, fix);
}

/// Returns the layout of a dataset in chunks.
std::optional<ChunkLayout> Dataset::check_storage(const Image& image) const {
  require_checked(image);
  const H5D_layout_t layout = H5Pget_layout(creation_);
  if (layout == H5D_LAYOUT_ERROR) refuse("is a damaged dataset: " + last_error());
  if (layout != H5D_CHUNKED) return {};
  const bool is_reference = !has_parts_ && element_.storage == ElementType::Storage::variable_string;
  ChunkLayout chunks = chunk_layout(creation_, is_reference ? image.heaps.reference_bytes() : width_, name_);
  chunks.fill = fill_value(image);
  if (chunks.extents.size() != extents_.size()) refuse("is a damaged dataset: its chunks have another rank");
  if (element_count(chunks.extents) == 0) refuse("is a damaged dataset: its chunks have no extent");
  stored_bytes(chunks.extents, chunks.width, name_);
  return chunks;
}

/// As the file stores it; nothing where none is defined.
std::string Dataset::fill_value(const Image& image) const {
  if (has_parts_ && has_references(stored_type_)) return {};  // the audit has checked that there is none
  if (!has_parts_ && element_.storage == ElementType::Storage::variable_string)
    return std::string(places_of_strings(image).fill_reference);
  H5D_fill_value_t defined = H5D_FILL_VALUE_UNDEFINED;
  std::string value(width_, '\0');
  const bool is_defined = H5Pfill_value_defined(creation_, &defined) >= 0 && defined != H5D_FILL_VALUE_UNDEFINED;
  return is_defined && H5Pget_fill_value(creation_, stored_type_, value.data()) >= 0 ? value : std::string();
}

/// The library searches every chunk that a part touches, present or not: with a damaged extent this would take hours.
/// It trusts these numbers, so sizes that a file of this length cannot contain are refused first.
void Dataset::require_plausible_chunks(const Image& image, const Slab& part, const Shape& chunk) const {
  if (H5Dget_storage_size(id_) > image.bytes.size)
    refuse("claims more bytes than the file has: it is damaged or truncated");
  memory_account().require(stored_bytes(chunk, width_, name_), name_);
  const ResolvedSlab slab = resolve(part, extents_, name_);
  constexpr std::size_t index_bytes = 8;  // of the address of one chunk
  constexpr std::size_t soon_looked_for = std::size_t{1} << 18;
  if (stored_bytes(touched_chunks(slab, chunk), 1, name_) > std::max(image.bytes.size / index_bytes, soon_looked_for))
    refuse("claims more chunks than the file can hold, shape " + to_string(extents_) + " in chunks of " +
               to_string(chunk) + ": it is damaged or almost empty",
           "read a part of it as [start:stop]");
}

/// Decides how the part is read. Filtered chunks and references to strings are always read here. The library keeps some
/// kilobytes for each chunk that a call touches, and takes a hundred times as long if rows of the result are wider than
/// those of chunks, but reads only the wanted part of a large chunk.
Dataset::Request Dataset::request(const std::optional<ChunkLayout>& chunks, const Slab& part) const {
  Request request{chunks.value_or(ChunkLayout{}), resolve(part, extents_, name_)};
  if (!chunks) return request;
  constexpr std::size_t small = std::size_t{64} << 10, large = std::size_t{4} << 20;
  constexpr double sparse = 1.0 / 16;
  double share = 1;  // share of the slab in its chunks
  const Shape touched = touched_chunks(request.slab, chunks->extents);
  for (std::size_t axis = 0; axis < touched.size(); ++axis)
    share *= static_cast<double>(request.slab.count[axis]) / static_cast<double>(touched[axis]) /
             static_cast<double>(chunks->extents[axis]);
  const std::size_t bytes = chunks->chunk_bytes();
  const bool is_cheap = bytes <= small || (bytes <= large && share > sparse);
  request.chunk_by_chunk =
      has_parts_ || !chunks->filters.empty() || element_.storage == ElementType::Storage::variable_string || is_cheap;
  return request;
}

/// The bytes of a contiguous dataset; false for other layouts.
bool Dataset::contiguous_bytes(const Image& image, Bytes& bytes) const {
  if (H5Pget_layout(creation_) != H5D_CONTIGUOUS) return false;
  // Never written: the fill value. H5Dget_offset is ambiguous with a user block.
  if (H5Dget_storage_size(id_) == 0) return false;
  const haddr_t offset = H5Dget_offset(id_);
  const std::size_t needed = stored_bytes(extents_, width_, name_);
  if (offset > image.bytes.size || needed > image.bytes.size - offset)
    throw Error(ErrorKind::input, name_,
                "is truncated: its " + std::to_string(needed) + " bytes at " + std::to_string(offset) +
                    " end after the file's " + std::to_string(image.bytes.size));
  bytes = image.bytes.part(offset, needed);
  return true;
}

TensorView Dataset::read(const Image& image, const Slab& part) const {
  if (is_null(Handle(H5Dget_space(id_), H5Sclose)) && part.empty()) return null_tensor(info_.dtype, name_);
  if (has_parts_) return read_fields(image, part);
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
  read_chunks(id_, request.chunks, extents_, request.slab, copy, image.bytes.data, name_);
}

ResolvedSlab Dataset::part_of(ResolvedSlab slab, const Band& band) {
  for (std::size_t axis = 0; axis < slab.start.size(); ++axis) slab.start[axis] += band.first[axis] * slab.step[axis];
  slab.count = band.count;
  return slab;
}

/// Reads a slab in bands along this axis and the next ones, which end where chunks do, so that neither the pages of a
/// mapped file nor the memory of the library for chunks of one call is held for the whole result.
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

StringPlaces Dataset::places_of_strings(const Image& image) const {
  H5O_info_t object;
  if (H5Oget_info2(id_, &object, H5O_INFO_BASIC) < 0) refuse("is a damaged dataset: " + last_error());
  const auto found = image.audit->strings().find(object.addr);
  return found == image.audit->strings().end() ? StringPlaces{} : found->second;
}

/// Bytes of the stored elements, if they are not converted in place.
std::size_t Dataset::beside_result(const Request& request) const {
  const bool is_beside =
      element_.storage == ElementType::Storage::fixed_string || element_.storage == ElementType::Storage::converted;
  return is_beside ? stored_bytes(request.slab.count, room_for_element(element_), name_) : 0;
}

/// Takes a text of the file, up to a NUL byte as in C. Releases the copied pages of a long text on the way.
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

/// Strings of variable length, with texts read in place.
void Dataset::read_strings(const Image& image, const Request& request, Tensor& out, TextMemory& texts) const {
  const StringPlaces places = places_of_strings(image);
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
      read_chunks(id_, request.chunks, extents_, request.slab, take, image.bytes.data, name_);
    else if (!places.references.empty())
      read_piece(reinterpret_cast<const unsigned char*>(places.references.data()), width, extents_, request.slab, take);
    else if (!places.fill_reference.empty())
      for (std::size_t i = 0; i < out.size(); ++i)
        take(reinterpret_cast<const unsigned char*>(places.fill_reference.data()), i, 1);
  } catch (const Damage& damage) {
    refuse(std::string("is a damaged dataset: ") + damage.what());
  }
}

TensorView Dataset::read_elements(const Image& image, const Request& request) const {
  const std::size_t width = element_size(info_.dtype), count = element_count(request.slab.count);
  const std::size_t result = stored_bytes(request.slab.count, width, name_), beside = beside_result(request);
  const bool are_pointers = element_.storage == ElementType::Storage::variable_string;
  require_stored(request, result);
  memory_account().require(result + beside + request.memory_of_chunks(), name_);
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

/// Hands over the stored elements of a part, each with all its fields.
void Dataset::visit_stored(const Image& image, const Request& request, const TakeStored& take) const {
  if (request.chunk_by_chunk)
    return read_chunks(id_, request.chunks, extents_, request.slab, take, image.bytes.data, name_);
  Bytes bytes;
  if (contiguous_bytes(image, bytes)) return read_piece(bytes.data, width_, extents_, request.slab, take);
  std::vector<unsigned char> whole;
  if (H5Pget_layout(creation_) == H5D_COMPACT) {
    if (has_references(stored_type_))
      refuse("has records with texts or references in its header", "rewrite it with h5repack -l CONTI");
    whole.resize(stored_bytes(extents_, width_, name_));
    if (H5Dread(id_, stored_type_, H5S_ALL, H5S_ALL, H5P_DEFAULT, whole.data()) < 0)
      refuse("is a damaged dataset: " + last_error());
    return read_piece(whole.data(), width_, extents_, request.slab, take);
  }
  const std::string fill = fill_value(image);  // never written
  whole.assign(width_, 0);
  std::copy(fill.begin(), fill.end(), whole.begin());
  for (std::size_t i = 0; i < element_count(request.slab.count); ++i) take(whole.data(), i, 1);
}

/// One field of each record, or each array: the axes of arrays follow those of the dataset.
TensorView Dataset::read_fields(const Image& image, const Slab& part) const {
  resolve(part, info_.shape, name_);
  const std::optional<ChunkLayout> chunks = check_storage(image);
  Slab outer(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(std::min(part.size(), extents_.size())));
  if (chunks) require_plausible_chunks(image, outer, chunks->extents);
  const Request wanted = request(chunks, outer);
  Shape shape = wanted.slab.count;
  shape.insert(shape.end(), inner_.begin(), inner_.end());
  const bool is_reference = element_.storage == ElementType::Storage::variable_string;
  const std::size_t inside = element_count(inner_);
  const std::size_t each = is_reference ? image.heaps.reference_bytes() : element_.width, taken = inside * each;
  const std::size_t result = stored_bytes(shape, element_size(info_.dtype), name_);
  const std::size_t beside = is_reference ? 0 : stored_bytes(shape, room_for_element(element_), name_);
  require_stored(wanted, result);
  memory_account().require(result + beside + wanted.memory_of_chunks(), name_);
  Tensor out(info_.dtype, shape);
  TextMemory texts(name_);
  std::vector<unsigned char> stored(beside);
  StringHeaps heaps = image.heaps;
  const auto take = [&](const unsigned char* elements, std::size_t place, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const unsigned char* const from = elements + i * width_ + offset_;
      if (!is_reference) {
        std::copy(from, from + taken, stored.begin() + static_cast<std::ptrdiff_t>((place + i) * taken));
        continue;
      }
      Cursor references(from, taken);
      for (std::size_t k = 0; k < inside; ++k) {
        const std::string_view whole = heaps.referred(references);
        texts.add_text(whole.size());
        take_text(whole, out.data_as<std::string>()[(place + i) * inside + k], image.bytes.data);
      }
    }
    copied_from_mapped(image.bytes.data, count * width_);
  };
  try {
    if (out.size() > 0) visit_stored(image, wanted, take);
  } catch (const Damage& damage) {
    refuse(std::string("is a damaged dataset: ") + damage.what());
  }
  if (!is_reference && !take_elements(type_, element_, stored.data(), out, texts))
    refuse("has elements that cannot be converted: " + last_error());
  // The remaining slab: axes that are dropped or reversed, and parts of arrays.
  Slab rest = part;
  for (std::size_t axis = 0; axis < outer.size(); ++axis) {
    rest[axis] = {};
    rest[axis].is_index = outer[axis].is_index;
    if (outer[axis].is_index) rest[axis].start = 0;
    if (outer[axis].step < 0) rest[axis].step = -1;
  }
  const TensorView all = out.view(name_);
  return slice(info_.dtype == DType::string ? std::move(texts).held_by(all) : all, rest);
}

}  // namespace attn::io::hdf5
