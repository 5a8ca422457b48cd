#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/formats/meaning.hpp>
#include <attn/io/hdf5/codecs.hpp>
#include <attn/io/hdf5/elements.hpp>
#include <attn/io/hdf5/filters.hpp>
#include <attn/io/hdf5/handle.hpp>
#include <attn/io/hdf5/library.hpp>
#include <attn/io/hdf5/metadata.hpp>
#include <attn/io/input.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace attn::io::hdf5 {
namespace {

// Filters for writing that HDF5 does not have itself.

/// Packs bytes into at most as many; 0 if they need more.
using Packer = std::size_t (*)(unsigned level, const unsigned char* from, std::size_t bytes, unsigned char* to);

std::size_t pack_zstd(unsigned level, const unsigned char* from, std::size_t bytes, unsigned char* to) {
  const std::size_t size = codecs().pack_zstd(level, from, bytes, to, bytes);
  return size == Codecs::damaged ? 0 : size;
}

/// Repeats the last occurrence of three bytes with the same hash, as long as both agree. The format: undo_lzf() in
/// filters.cpp.
std::size_t pack_lzf(unsigned, const unsigned char* from, std::size_t bytes, unsigned char* to) {
  constexpr std::size_t longest_run = 32, longest_repeat = 264, farthest = 8192, never = ~std::size_t{0};
  constexpr unsigned hash_bits = 14;
  std::vector<std::size_t> last(std::size_t{1} << hash_bits, never);
  std::size_t done = 0, next = 0;  // bytes written; the first byte that is not
  const auto put_runs = [&](std::size_t end) {
    while (next < end) {
      const std::size_t run = std::min(longest_run, end - next);
      if (bytes - done <= run) return false;
      to[done++] = static_cast<unsigned char>(run - 1);
      std::copy_n(from + next, run, to + done);
      done += run;
      next += run;
    }
    return true;
  };
  for (std::size_t at = 0; at + 2 < bytes;) {
    const std::uint32_t three = std::uint32_t{from[at]} << 16 | std::uint32_t{from[at + 1]} << 8 | from[at + 2];
    std::size_t& entry = last[three * 2654435761U >> (32 - hash_bits)];
    const std::size_t before = entry;
    entry = at;
    if (before == never || at - before > farthest || !std::equal(from + at, from + at + 3, from + before)) {
      ++at;
      continue;
    }
    std::size_t length = 3;
    while (length < longest_repeat && at + length < bytes && from[before + length] == from[at + length]) ++length;
    if (!put_runs(at) || bytes - done < 3) return 0;
    const std::size_t back = at - before - 1, code = length - 2;
    to[done++] = static_cast<unsigned char>(std::min<std::size_t>(code, 7) << 5 | back >> 8);
    if (code >= 7) to[done++] = static_cast<unsigned char>(code - 7);
    to[done++] = static_cast<unsigned char>(back);
    at = next = at + length;
  }
  return put_runs(bytes) ? done : 0;
}

/// A filter of HDF5, for writing only. If it returns 0, HDF5 stores the chunk unchanged.
template <Packer pack>
std::size_t encode(unsigned flags, std::size_t, const unsigned values[], std::size_t bytes, std::size_t* room,
                   void** buffer) {
  if ((flags & H5Z_FLAG_REVERSE) != 0) return 0;
  void* const packed = H5allocate_memory(bytes, false);
  const auto* const from = static_cast<const unsigned char*>(*buffer);
  const std::size_t size = packed == nullptr ? 0 : pack(values[0], from, bytes, static_cast<unsigned char*>(packed));
  if (size == 0) {
    H5free_memory(packed);
    return 0;
  }
  H5free_memory(*buffer);
  *buffer = packed;
  *room = bytes;
  return size;
}

template <Packer pack>
void add_filter(Id creation, unsigned id, const char* name, const std::vector<unsigned>& values) {
  const H5Z_class2_t filter{H5Z_CLASS_T_VERS, static_cast<H5Z_filter_t>(id), 1, 0, name, nullptr, nullptr,
                            encode<pack>};
  H5Zregister(&filter);
  H5Pset_filter(creation, filter.id, H5Z_FLAG_OPTIONAL, values.size(), values.data());
}

/// Add a filter to a list for the creation of a dataset. Chunks that would grow are stored unchanged.
void set_zstd(Id creation, unsigned level) {
  codecs();  // loaded now: nothing may be thrown through libhdf5, which calls the filter
  add_filter<pack_zstd>(creation, filter::zstd, "zstd", {level});
}

void set_lzf(Id creation, std::size_t chunk_bytes) {
  constexpr unsigned filter_version = 4, lzf_version = 0x0105;
  add_filter<pack_lzf>(creation, filter::lzf, "lzf", {filter_version, lzf_version, static_cast<unsigned>(chunk_bytes)});
}

[[noreturn]] void refuse_below(const std::string& subject, const std::string& path, const std::string& what) {
  throw Error(ErrorKind::create, subject, "cannot be made: '" + path + "' is a " + what + ", not a group",
              "give one of the two another name");
}

[[noreturn]] void refuse_over_group(const std::string& subject) {
  throw Error(ErrorKind::create, subject, "cannot be made: a group of this name exists and is not empty",
              "give one of them another name");
}

[[noreturn]] void refuse_behind_link(Id file, const std::string& path, const std::string& subject) {
  H5L_info_t link;
  std::string target;
  const bool is_link = H5Lget_info(file, path.c_str(), &link, H5P_DEFAULT) >= 0;
  if (is_link && link.type == H5L_TYPE_EXTERNAL)
    throw Error(ErrorKind::create, subject,
                "cannot be made: '" + path + "' is a link to another file, which is not changed",
                "name that file, or give a name that does not go through the link");
  if (is_link && link.type == H5L_TYPE_SOFT) {
    target.resize(link.u.val_size + 1);
    H5Lget_val(file, path.c_str(), target.data(), link.u.val_size, H5P_DEFAULT);
  }
  throw Error(ErrorKind::create, subject,
              "cannot be made: '" + path + "' is a link" +
                  (target.empty() ? " that leads to nothing"
                                  : " to " + std::string(target.c_str()) + ", which this file does not contain"),
              "give a name that does not go through it, or first write a dataset below its target");
}

std::vector<hsize_t> extents_of(const Shape& shape) { return {shape.begin(), shape.end()}; }

/// The largest extents of a dataset. An axis that may grow needs chunks, which need an extent along the other axes.
std::vector<hsize_t> limits_of(const OutgoingTensor& tensor) {
  const std::vector<hsize_t> shape = extents_of(tensor.shape());
  const auto found = tensor.attributes.find("DIMENSION_LIMITS");
  if (found == tensor.attributes.end() || found->second.dtype != DType::i64 || found->second.size() != shape.size())
    return shape;
  const std::vector<std::int64_t> limits = elements_of<std::int64_t>(found->second);
  std::vector<hsize_t> most = shape;
  for (std::size_t axis = 0; axis < most.size(); ++axis)
    most[axis] = limits[axis] < 0 ? H5S_UNLIMITED : std::max<hsize_t>(most[axis], static_cast<hsize_t>(limits[axis]));
  return std::count(most.begin(), most.end(), 0) == 0 ? most : shape;
}

Shape chunk_of(const Shape& shape, const std::vector<hsize_t>& most, std::size_t width, const Hdf5Storage& storage) {
  Shape chunk = shape;
  if (storage.chunks.size() == shape.size()) {
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
      chunk[axis] = std::min<std::size_t>(storage.chunks[axis], most[axis]);
    return chunk;
  }
  std::size_t growing = shape.size();  // the first axis that may grow
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    if (most[axis] == shape[axis]) continue;
    chunk[axis] = std::max<std::size_t>(chunk[axis], 1);
    growing = axis;
  }
  chunk = usual_chunk(chunk, width);
  constexpr std::size_t smallest_bytes = 8192;
  if (const std::size_t bytes = element_count(chunk) * width; growing < shape.size() && bytes < smallest_bytes)
    chunk[growing] = std::min<std::size_t>(chunk[growing] * (smallest_bytes / bytes), most[growing]);
  return chunk;
}

void set_chunks(Id creation, const Shape& chunk, std::size_t width, const Hdf5Storage& storage) {
  using Compression = Hdf5Storage::Compression;
  H5Pset_chunk(creation, static_cast<int>(chunk.size()), extents_of(chunk).data());
  H5Pset_alloc_time(creation, H5D_ALLOC_TIME_INCR);
  if (storage.shuffle) H5Pset_shuffle(creation);
  const auto level = static_cast<unsigned>(storage.level);
  switch (storage.compression) {
    case Compression::none: break;
    case Compression::gzip: H5Pset_deflate(creation, level); break;
    case Compression::zstd: set_zstd(creation, level); break;
    case Compression::lzf: set_lzf(creation, element_count(chunk) * width); break;
  }
}

/// Writes elements in bands along the first axis that end where chunks do.
void write_chunks(Id dataset, Id type, const OutgoingTensor& tensor, std::size_t rows, const std::string& subject) {
  const std::vector<hsize_t> shape = extents_of(tensor.shape());
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const std::size_t row_bytes = tensor.bytes() / shape[0], band_bytes = rows * row_bytes;
  std::vector<hsize_t> first(shape.size()), count = shape;
  const auto write = [&](const char* elements, std::size_t bytes) {
    count[0] = bytes / row_bytes;
    const Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
    if (H5Sselect_hyperslab(space, H5S_SELECT_SET, first.data(), nullptr, count.data(), nullptr) < 0 ||
        H5Dwrite(dataset, type, memory, space, H5P_DEFAULT, elements) < 0)
      throw Error(ErrorKind::io, subject, "cannot be written as HDF5: " + last_error());
    first[0] += count[0];
  };
  std::vector<char> band;
  tensor.produce([&](const void* data, std::size_t bytes) {
    const char* from = static_cast<const char*>(data);
    while (bytes > 0) {
      if (band.empty() && bytes >= band_bytes) {
        write(from, band_bytes);
        from += band_bytes;
        bytes -= band_bytes;
        continue;
      }
      const std::size_t taken = std::min(bytes, band_bytes - band.size());
      band.insert(band.end(), from, from + taken);
      from += taken;
      bytes -= taken;
      if (band.size() == band_bytes) {
        write(band.data(), band_bytes);
        band.clear();
      }
    }
  });
  if (!band.empty()) write(band.data(), band.size());
}

/// Without those that are written as dimension scales and as a dataspace.
Attributes stored_attributes(const OutgoingTensor& tensor) {
  Attributes attributes = tensor.attributes;
  // netCDF's numbers of dimensions hold in the file that they come from; another has other dimensions.
  for (const char* name :
       {"DIMENSION_LIST", "DIMENSION_LIMITS", characters_attribute, "_Netcdf4Coordinates", "_Netcdf4Dimid"})
    attributes.erase(name);
  if (is_scale(tensor.attributes))
    for (const char* name : {"CLASS", "NAME"}) attributes.erase(name);
  return attributes;
}

/// The name of a dimension scale without coordinates, as in netCDF.
std::string bare_name(std::uint64_t extent) {
  char text[96];
  std::snprintf(text, sizeof text, "%s %10llu", name_of_bare_scale, static_cast<unsigned long long>(extent));
  return text;
}

/// A dimension scale without values, as in netCDF.
Handle create_scale(Id file, const std::string& name, hsize_t extent, const std::string& subject) {
  const Handle links = link_creation(name), space(H5Screate_simple(1, &extent, nullptr), H5Sclose),
               creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation, false);
  Handle scale(H5Dcreate2(file, name.c_str(), H5T_IEEE_F32BE, space, links, creation, H5P_DEFAULT), H5Dclose);
  if (!scale) explain_refusal(file, name, subject, last_error());
  H5DSset_scale(scale, bare_name(extent).c_str());
  return scale;
}

/// May a dimension scale of netCDF belong to an axis of this extent? It may have more axes of its own, and one that
/// grows keeps the extent 0 if it has no coordinates.
bool may_be_along(Id space, const Shape& shape, std::size_t extent) {
  std::vector<hsize_t> most(shape.size());
  H5Sget_simple_extent_dims(space, nullptr, most.data());
  return (shape.size() > 1 && shape.front() == extent) || (shape == Shape{0} && most.front() == H5S_UNLIMITED);
}

/// Attaches the datasets that DIMENSION_LIST names, if they have the extents of the axes.
void attach_scales(Id file, const OutgoingTensor& tensor, bool names_axes, const std::string& subject) {
  const std::vector<std::string> names = texts_of(tensor.attributes, "DIMENSION_LIST");
  if (names.size() != tensor.shape().size() || is_scale(tensor.attributes)) return;
  const Handle dataset(H5Dopen2(file, tensor.name.c_str(), H5P_DEFAULT), H5Dclose),
      access = inner_access(H5P_DATASET_ACCESS);
  for (std::size_t axis = 0; axis < names.size(); ++axis) {
    const std::string& name = names[axis];
    if (name.empty() || name == tensor.name) continue;
    const std::size_t extent = tensor.shape()[axis];
    Handle scale(H5Dopen2(file, name.c_str(), access), H5Dclose);
    if (!scale && names_axes) scale = create_scale(file, name, extent, subject);
    const Handle space(scale ? H5Dget_space(scale) : -1, H5Sclose);
    const std::optional<Shape> shape = space ? shape_of(space) : std::nullopt;
    if (shape == Shape{extent} || (H5DSis_scale(scale) > 0 && may_be_along(space, *shape, extent))) {
      if (H5DSis_scale(scale) <= 0) H5DSset_scale(scale, name.substr(name.rfind('/') + 1).c_str());
      if (H5DSattach_scale(dataset, scale, static_cast<unsigned>(axis)) >= 0) continue;
    }
    if (names_axes)
      throw Error(ErrorKind::create, subject,
                  "has shape " + to_string(tensor.shape()) + ", and " + name + ", the dimension of axis " +
                      std::to_string(axis) + ", " + (shape ? "has shape " + to_string(*shape) : "is no dataset"),
                  "give --dims another name");
  }
}

Handle space_of_view(const TensorView& x) {
  return is_null(x) ? Handle(H5Screate(H5S_NULL), H5Sclose) : space_of(x.shape);
}

/// Writes or replaces them. Throws Error(data) naming the subject when one is larger than the object's header holds.
void write_attributes(Id object, const OutgoingAttributes& attributes, const std::string& subject) {
  for (const auto& [name, value, elements] : attributes.entries()) {
    const Handle space = space_of_view(value), type = decode_type(elements.type());
    if (H5Aexists(object, name.c_str()) > 0) H5Adelete(object, name.c_str());
    const Handle creation(H5Pcreate(H5P_ATTRIBUTE_CREATE), H5Pclose);
    if (!is_ascii(name)) H5Pset_char_encoding(creation, H5T_CSET_UTF8);
    const Handle attribute(H5Acreate2(object, name.c_str(), type, space, creation, H5P_DEFAULT), H5Aclose);
    if (!attribute || (elements.count() > 0 && H5Awrite(attribute, type, elements.data()) < 0))
      throw Error(ErrorKind::data, subject,
                  "cannot hold attribute '" + name + "' of " + std::to_string(elements.stored_bytes()) +
                      " bytes: " + last_error(),
                  "attributes of groups and files are limited to 64 KB: name one tensor, as in FILE:/x, to drop them");
  }
}

/// How a dataset is stored.
struct Storing {
  Handle space, creation;
  Shape chunk;  ///< extents of chunks; empty: contiguous
};

Storing storing_of(const OutgoingTensor& tensor, std::size_t width, bool has_elements, const Hdf5Storage& storage) {
  const auto* const view = std::get_if<TensorView>(&tensor.content);
  const Shape& shape = tensor.shape();
  const bool holds_text = tensor.dtype() == DType::string;
  const std::vector<hsize_t> most = limits_of(tensor);
  const bool may_grow = most != extents_of(shape);
  Storing storing{
      view != nullptr ? space_of_view(*view) : space_of(shape), {H5Pcreate(H5P_DATASET_CREATE), H5Pclose}, {}};
  const Id creation = storing.creation;
  H5Pset_obj_track_times(creation, false);
  H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(creation, holds_text || may_grow ? H5D_FILL_TIME_ALLOC : H5D_FILL_TIME_NEVER);
  if (may_grow)
    H5Sset_extent_simple(storing.space, static_cast<int>(most.size()), extents_of(shape).data(), most.data());
  if (may_grow || (storage.has_chunks() && !holds_text && !shape.empty() && has_elements)) {
    const Hdf5Storage way = holds_text ? Hdf5Storage{} : storage;
    storing.chunk = chunk_of(shape, most, width, way);
    set_chunks(creation, storing.chunk, width, way);
  }
  return storing;
}

/// Creates the dataset. Strings, which are in a heap of the file, and chunks are written at once, other elements later.
void create_dataset(Id file, const OutgoingTensor& tensor, const Hdf5Storage& storage, const std::string& subject,
                    std::vector<Placement>& placed) {
  constexpr std::size_t most_axes = H5S_MAX_RANK;
  if (tensor.shape().size() > most_axes)
    throw Error(
        ErrorKind::create, subject,
        "has " + std::to_string(tensor.shape().size()) + " axes, HDF5 holds " + std::to_string(most_axes) + " at most");
  const bool holds_text = tensor.dtype() == DType::string;
  std::optional<OutgoingElements> strings;
  if (holds_text) strings.emplace(texts_of(tensor, subject));
  const Handle type = decode_type(holds_text ? strings->type() : message_of_numbers(tensor.dtype()));
  const bool has_elements = holds_text ? strings->count() > 0 : tensor.bytes() > 0;
  const Storing storing = storing_of(tensor, H5Tget_size(type), has_elements, storage);
  const Handle links = link_creation(tensor.name);
  // Attributes of any size need a header of version 2, which a file of superblock version 0 may hold; only this dataset
  // gets one, and no group above it, which would record its creation time.
  const OutgoingAttributes attributes(stored_attributes(tensor), subject);
  const bool has_large_attributes = !attributes.fit_old_header();
  if (has_large_attributes) H5Fset_libver_bounds(file, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
  const Handle dataset(has_large_attributes ? H5Dcreate_anon(file, type, storing.space, storing.creation, H5P_DEFAULT)
                                            : H5Dcreate2(file, tensor.name.c_str(), type, storing.space, links,
                                                         storing.creation, H5P_DEFAULT),
                       H5Dclose);
  if (!dataset) explain_refusal(file, tensor.name, subject, last_error());
  write_attributes(dataset, attributes, subject);
  if (is_scale(tensor.attributes)) {
    std::vector<std::string> names = texts_of(tensor.attributes, "NAME");
    const bool is_bare = !names.empty() && names.front().rfind(name_of_bare_scale, 0) == 0;
    if (is_bare && tensor.shape().size() == 1)
      names.front() = bare_name(tensor.shape()[0]);  // a part has another extent
    H5DSset_scale(dataset, names.empty() ? nullptr : names.front().c_str());
  }
  if (has_large_attributes) {
    H5Fset_libver_bounds(file, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
    if (H5Olink(dataset, file, tensor.name.c_str(), links, H5P_DEFAULT) < 0)
      explain_refusal(file, tensor.name, subject, last_error());
  }
  if (!has_elements) return;
  if (!holds_text && !storing.chunk.empty()) return write_chunks(dataset, type, tensor, storing.chunk[0], subject);
  if (!holds_text) placed.push_back({H5Dget_offset(dataset), &tensor});
  if (holds_text && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, strings->data()) < 0)
    throw Error(ErrorKind::io, subject, "cannot be written as HDF5: " + last_error());
}

/// A coordinate with several axes has no DIMENSION_LIST: netCDF finds its dimensions by their numbers, which then all
/// dimensions of the file need.
/// source  NetCDF-4 file format, Dimensions and Coordinate Variables (_Netcdf4Coordinates, _Netcdf4Dimid)
void number_dimensions(Id file, const std::vector<OutgoingTensor>& tensors, const std::string& label) {
  const auto axes_of = [](const OutgoingTensor& tensor) {
    const std::vector<std::string> axes = texts_of(tensor.attributes, "DIMENSION_LIST");
    const bool has_several = is_scale(tensor.attributes) && axes.size() > 1 && axes.size() == tensor.shape().size();
    return has_several ? axes : std::vector<std::string>{};
  };
  if (std::all_of(tensors.begin(), tensors.end(), [&](const OutgoingTensor& t) { return axes_of(t).empty(); })) return;
  constexpr const char* number_of_dimension = "_Netcdf4Dimid";
  std::vector<std::string> scales;
  const auto add = [](hid_t, const char* name, const H5O_info_t* info, void* names) -> herr_t {
    if (info->type == H5O_TYPE_DATASET) static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
  };
  H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, add, &scales, H5O_INFO_BASIC);
  std::map<std::string, std::int32_t> numbers;
  const auto write = [&](const std::string& name, const char* attribute, const TensorView& value) {
    const std::string subject = label + ":/" + name;
    const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    write_attributes(dataset, OutgoingAttributes({{attribute, value}}, subject), subject);
  };
  // Those that have one keep it: others may refer to it.
  std::int32_t next = 0;
  std::vector<std::string> without;
  for (const std::string& name : scales) {
    const Handle scale(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (H5DSis_scale(scale) <= 0) continue;
    const Handle known(
        H5Aexists(scale, number_of_dimension) > 0 ? H5Aopen(scale, number_of_dimension, H5P_DEFAULT) : -1, H5Aclose);
    if (!known || H5Aread(known, decode_type(message_of_numbers(DType::i32)), &numbers[name]) < 0)
      without.push_back(name);
    else
      next = std::max(next, numbers[name] + 1);
  }
  for (const std::string& name : without) write(name, number_of_dimension, scalar_of(numbers[name] = next++));
  for (const OutgoingTensor& tensor : tensors) {
    std::vector<std::int32_t> of_axes;
    for (const std::string& axis : axes_of(tensor))
      if (const auto found = numbers.find(axis); found != numbers.end()) of_axes.push_back(found->second);
    if (of_axes.size() == tensor.shape().size()) write(tensor.name, "_Netcdf4Coordinates", vector_of(of_axes));
  }
}

void write_group_attributes(Id file, const std::string& path, const Attributes& attributes, const std::string& label) {
  const std::string place = "/" + path, subject = subject_of_group(path, label);
  const Handle access = inner_access(H5P_GROUP_ACCESS);
  Handle group(H5Gopen2(file, place.c_str(), access), H5Gclose);
  if (!group) {
    const Handle links = link_creation(path);
    group = Handle(H5Gcreate2(file, place.c_str(), links, H5P_DEFAULT, access), H5Gclose);
  }
  if (!group) explain_refusal(file, path, subject, last_error());
  write_attributes(group, OutgoingAttributes(attributes, subject), subject);
}

}  // namespace

Handle file_access() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // Elements start on cache lines. Superblock version 0: images of later versions do not open again in HDF5 1.10.
  constexpr hsize_t alignment = 64;
  H5Pset_alignment(access, alignment, alignment);
  H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
  H5Pset_file_locking(access, false, true);
  // The library would keep heaps of strings, some megabytes of them in all.
  H5AC_cache_config_t cache;
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  if (H5Pget_mdc_config(access, &cache) >= 0) {
    constexpr std::size_t most = std::size_t{2} << 20;
    cache.set_initial_size = true;
    cache.initial_size = cache.max_size = most;
    cache.min_size = most / 2;
    cache.min_clean_fraction = 0;
    cache.incr_mode = H5C_incr__off;
    cache.flash_incr_mode = H5C_flash_incr__off;
    cache.decr_mode = H5C_decr__off;
    H5Pset_mdc_config(access, &cache);
  }
  return access;
}

std::string user_block(const std::vector<OutgoingTensor>& tensors) {
  const auto is_of_matlab = [](const OutgoingTensor& tensor) { return tensor.attributes.count("MATLAB_class") > 0; };
  if (std::none_of(tensors.begin(), tensors.end(), is_of_matlab)) return {};
  constexpr std::size_t smallest = 512, text_bytes = 116, version_at = 124;
  std::string block = "MATLAB 7.3 MAT-file, Platform: GLNXA64, HDF5 schema 1.00 .";
  block.resize(text_bytes, ' ');
  block.resize(version_at, '\0');
  block += std::string("\0\2IM", 4);
  block.resize(smallest, '\0');
  return block;
}

Handle file_creation(const OutgoingBatch& batch) {
  Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_userblock(creation, user_block(batch.tensors).size());
  // netCDF adds only to files that know the order of their variables.
  const auto whole = batch.attributes.find("");
  if (whole != batch.attributes.end() && whole->second.count("_NCProperties") > 0)
    H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  return creation;
}

OutgoingElements texts_of(const OutgoingTensor& tensor, const std::string& subject) {
  const bool is_of_pytables = tensor.attributes.count("CLASS") > 0 && tensor.attributes.count("FLAVOR") > 0;
  if (is_of_pytables || tensor.attributes.count(characters_attribute) > 0)
    return {tensor.view(), subject, OutgoingElements::one_width};
  return {tensor.view(), subject};
}

void explain_refusal(Id file, const std::string& name, const std::string& subject, const std::string& reason) {
  const Handle access = inner_access(H5P_LINK_ACCESS);
  for (std::size_t end = name.find('/');; end = name.find('/', end + 1)) {
    const std::string path = name.substr(0, end);
    H5O_info_t info;
    if (path.empty() || H5Lexists(file, path.c_str(), access) <= 0) break;
    if (H5Oget_info_by_name2(file, path.c_str(), &info, H5O_INFO_BASIC, access) < 0)
      refuse_behind_link(file, path, subject);
    if (info.type != H5O_TYPE_GROUP) refuse_below(subject, path, info.type == H5O_TYPE_DATASET ? "dataset" : "type");
    if (end == std::string::npos) refuse_over_group(subject);
  }
  throw Error(ErrorKind::create, subject, "cannot be made: " + reason, "give it another name");
}

void require_places(const std::vector<TensorInfo>& tensors, const std::string& label) {
  std::set<std::string> datasets, groups;
  for (const TensorInfo& tensor : tensors) {
    const std::string name = path_of(tensor.name, label), subject = label + ":/" + name;
    if (groups.count(name) > 0) refuse_over_group(subject);
    for (std::size_t end = name.find('/'); end != std::string::npos; end = name.find('/', end + 1)) {
      const std::string path = name.substr(0, end);
      if (datasets.count(path) > 0) refuse_below(subject, path, "dataset");
      groups.insert(path);
    }
    datasets.insert(name);
  }
}

std::string path_of(const std::string& name, const std::string& label) {
  const std::string path = name.substr(std::min(name.find_first_not_of('/'), name.size()));
  const std::string closed = "/" + path + "/";
  if (!path.empty() && (closed.find("//") != std::string::npos || closed.find("/./") != std::string::npos))
    throw Error(ErrorKind::create, label, "cannot hold the name '" + name + "', which is not a path in HDF5",
                "give another, as tconv --rename does, or write safetensors, which holds any");
  const auto depth = static_cast<std::size_t>(std::count(path.begin(), path.end(), '/'));
  if (depth > most_groups_deep)
    throw Error(ErrorKind::create, label,
                "cannot hold a name " + std::to_string(depth) + " groups deep, the limit is " +
                    std::to_string(most_groups_deep),
                "give another, as tconv --rename does, or write safetensors, which holds any");
  return path;
}

Handle link_creation(const std::string& path) {
  Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  // Only where it is needed: a name marked as UTF-8 turns its group into one of the newer kind.
  if (!is_ascii(path)) H5Pset_char_encoding(links, H5T_CSET_UTF8);
  return links;
}

Shape usual_chunk(const Shape& shape, std::size_t width) {
  constexpr std::size_t wanted = std::size_t{1} << 20;
  Shape chunk = shape;
  std::size_t bytes = element_count(shape) * width;
  for (std::size_t axis = 0; axis < shape.size() && bytes > wanted; ++axis) {
    const std::size_t row = bytes / chunk[axis];
    chunk[axis] = std::max<std::size_t>(wanted / row, 1);
    bytes = chunk[axis] * row;
  }
  return chunk;
}

std::vector<Placement> lay_out(Handle file, const std::vector<OutgoingTensor>& tensors,
                               const GroupAttributes& attributes, const Hdf5Storage& storage, const std::string& label,
                               const std::function<void(Id)>& when_made) {
  std::vector<Placement> placed;
  for (const OutgoingTensor& tensor : tensors)
    create_dataset(file, tensor, storage, label + ":/" + tensor.name, placed);
  if (when_made) when_made(file);
  for (const OutgoingTensor& tensor : tensors)
    attach_scales(file, tensor, storage.names_axes, label + ":/" + tensor.name);
  number_dimensions(file, tensors, label);
  for (const auto& [group, of_group] : attributes) write_group_attributes(file, group, of_group, label);
  errno = 0;
  if (!file.reset())  // the system's reason, where it gave one, is in HDF5's account among much else
    throw Error(ErrorKind::io, label, "cannot be written: " + (errno != 0 ? std::strerror(errno) : last_error()));
  std::sort(placed.begin(), placed.end(), [](const Placement& a, const Placement& b) { return a.offset < b.offset; });
  return placed;
}

}  // namespace attn::io::hdf5
