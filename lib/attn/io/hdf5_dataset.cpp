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

namespace attn::io::hdf5 {

Dataset::Dataset(Handle id, const std::string& path, const std::string& label)
    : id_(std::move(id)),
      type_(H5Dget_type(id_), H5Tclose),
      creation_(H5Dget_create_plist(id_), H5Pclose),
      name_(label + ":/" + path) {
  info_.name = path;
  if (!creation_) refuse("is a damaged dataset: " + last_error());
  // Before its shape is asked for: the library would look for that in the other files.
  if (H5Pget_layout(creation_) == H5D_VIRTUAL || H5Pget_external_count(creation_) > 0)
    refuse("has its elements in other files, which are not read", "gather them first, with h5repack -l CONTI");
  const Handle space(H5Dget_space(id_), H5Sclose);
  const std::optional<Shape> shape = shape_of(space);
  if (!type_ || !shape) refuse("is a damaged dataset: " + last_error());
  std::string what;
  if (!element_type(type_, element_, what))
    refuse("has elements of another kind (" + what + "), expected numbers or strings");
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
  return chunk_layout(creation_, element_.width, name_);
}

/// Every chunk that a part touches is looked for, there or not: a damaged extent would take hours. The library takes
/// these numbers on trust, so sizes that no file of this length can hold are refused before it does.
void Dataset::require_plausible_chunks(const Image& image, const Slab& part, const Shape& chunk) const {
  if (chunk.size() != info_.shape.size()) refuse("is a damaged dataset: its chunks have another rank");
  if (element_count(chunk) == 0) refuse("is a damaged dataset: its chunks have no extent");
  if (H5Dget_storage_size(id_) > image.bytes.size)
    refuse("claims more bytes than the file has: it is damaged or truncated");
  memory_account().require(stored_bytes(chunk, element_.width, name_), name_);
  const ResolvedSlab slab = resolve(part, info_.shape, name_);
  Shape touched;
  for (std::size_t axis = 0; axis < chunk.size(); ++axis) {
    const std::size_t span = slab.count[axis] == 0 ? 0 : (slab.count[axis] - 1) * slab.step[axis] + 1;
    const std::size_t first = slab.start[axis] / chunk[axis];
    touched.push_back(span == 0 ? 0 : (slab.start[axis] + span - 1) / chunk[axis] - first + 1);
  }
  constexpr std::size_t index_bytes = 8;  // of the address of one chunk
  constexpr std::size_t soon_looked_for = std::size_t{1} << 18;
  if (stored_bytes(touched, 1, name_) > std::max(image.bytes.size / index_bytes, soon_looked_for))
    refuse("claims more chunks than the file can hold, shape " + to_string(info_.shape) + " in chunks of " +
               to_string(chunk) + ": it is damaged or almost empty",
           "read a part of it as [start:stop]");
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
  const Request request{check_storage(image).value_or(ChunkLayout{}), resolve(part, info_.shape, name_)};
  return stored_bytes(request.slab.count, element_size(info_.dtype), name_) + beside_result(request) +
         request.chunks.memory();
}

TensorView Dataset::read(const Image& image, const Slab& part) const {
  const std::optional<ChunkLayout> chunks = check_storage(image);
  if (chunks) require_plausible_chunks(image, part, chunks->extents);
  Bytes bytes;
  if (element_.storage == ElementType::Storage::raw && contiguous_bytes(image, bytes))
    return view_stored(bytes, {info_.dtype, info_.shape, {}, element_.swap_bytes}, part, name_);
  const ResolvedSlab slab = resolve(part, info_.shape, name_);
  return turned(read_elements(image, {chunks.value_or(ChunkLayout{}), slab}), slab);
}

/// Elements as the file stores them, into `to`, of which there is enough.
void Dataset::read_stored(const Image& image, const Request& request, void* to) const {
  const Shape& count = request.slab.count;
  if (request.chunks.filters.empty()) return read_bands(image, request, {Shape(count.size()), count}, 0, to);
  read_filtered_chunks(id_, creation_, request.chunks, info_.shape, request.slab, to, image.bytes.data, name_);
}

/// A slab in bands along this axis and those behind it, which end where chunks do: what was read of a mapped file is
/// not needed there any more, and should not all be in memory once more beside the result.
void Dataset::read_bands(const Image& image, const Request& request, Band band, std::size_t axis, void* to) const {
  constexpr std::size_t most = std::size_t{4} << 20;
  const std::size_t bytes = element_count(band.count) * element_.width;
  if (bytes <= most || axis == band.count.size()) {
    read_band(request.slab, band, to);
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

void Dataset::read_band(const ResolvedSlab& slab, const Band& band, void* to) const {
  const auto rank = static_cast<int>(band.count.size());
  const std::vector<hsize_t> first(band.first.begin(), band.first.end()), count(band.count.begin(), band.count.end()),
      step(slab.step.begin(), slab.step.end());
  std::vector<hsize_t> start(slab.start.begin(), slab.start.end());
  for (std::size_t axis = 0; axis < start.size(); ++axis) start[axis] += first[axis] * step[axis];
  const Handle space(H5Dget_space(id_), H5Sclose), memory = space_of(slab.count);
  if (rank > 0 && (H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), step.data(), count.data(), nullptr) < 0 ||
                   H5Sselect_hyperslab(memory, H5S_SELECT_SET, first.data(), nullptr, count.data(), nullptr) < 0))
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

/// Bytes of the elements as they are stored, where they are not converted in place.
std::size_t Dataset::beside_result(const Request& request) const {
  const bool in_place = element_.storage == ElementType::Storage::raw;
  return in_place ? 0 : stored_bytes(request.slab.count, room_for_element(element_), name_);
}

TensorView Dataset::read_elements(const Image& image, const Request& request) const {
  const std::size_t width = element_size(info_.dtype), count = element_count(request.slab.count);
  const std::size_t result = stored_bytes(request.slab.count, width, name_), beside = beside_result(request);
  require_stored(request, result);
  memory_account().require(result + beside + request.chunks.memory(), name_);
  Tensor out(info_.dtype, request.slab.shape);
  if (count == 0) return out.view(name_);
  std::vector<char> stored(beside);
  void* const from = beside == 0 ? out.data() : stored.data();
  read_stored(image, request, from);
  if (!take_elements(type_, element_, from, out)) refuse("has elements that cannot be converted: " + last_error());
  return out.view(name_);
}

}  // namespace attn::io::hdf5
