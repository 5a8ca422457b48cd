#include <attn/core/error.hpp>
#include <attn/core/shape.hpp>
#include <attn/io/hdf5/chunks.hpp>
#include <attn/io/hdf5/copy.hpp>
#include <attn/io/hdf5/library.hpp>

#include <algorithm>
#include <cstring>
#include <set>

namespace attn::io::hdf5 {
namespace {

std::string slashed(const std::string& path) { return "/" + path; }
std::string inside(const std::string& group, const std::string& name) {
  return group.empty() ? name : group + "/" + name;
}

H5O_info_t info_of(Id file, const std::string& path) {
  H5O_info_t info{};
  const Handle access = inner_access(H5P_LINK_ACCESS);
  if (H5Oget_info_by_name2(file, slashed(path).c_str(), &info, H5O_INFO_BASIC | H5O_INFO_HDR, access) < 0) {
    info.addr = HADDR_UNDEF;
    info.type = H5O_TYPE_UNKNOWN;
  }
  return info;
}

/// New objects have headers of this version. Those of version 2 hold attributes of any size.
void set_version(Id file, unsigned version) {
  H5Fset_libver_bounds(file, version > 1 ? H5F_LIBVER_V18 : H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
}

/// Names of links or attributes with their places: in the order in which they were made, if the file keeps it, else
/// sorted.
using Names = std::set<std::pair<std::int64_t, std::string>>;

Names links_of(Id group) {
  Names names;
  const auto add = [](hid_t, const char* name, const H5L_info_t* info, void* all) -> herr_t {
    static_cast<Names*>(all)->emplace(info->corder_valid ? info->corder : 0, name);
    return 0;
  };
  H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, add, &names);
  return names;
}

Handle creation_of(Id object) {
  const H5I_type_t kind = H5Iget_type(object);
  return {kind == H5I_GROUP     ? H5Gget_create_plist(object)
          : kind == H5I_DATASET ? H5Dget_create_plist(object)
                                : H5Tget_create_plist(object),
          H5Pclose};
}

std::optional<Names> attributes_of(Id object, bool is_sorted = false) {
  Names names;
  unsigned order = 0;
  const auto add = [](hid_t, const char* name, const H5A_info_t* info, void* all) -> herr_t {
    static_cast<Names*>(all)->emplace(info->corder, name);
    return 0;
  };
  // Iterating crashes where one cannot be decoded.
  if (H5Aexists(object, "\x01") < 0 || H5Pget_attr_creation_order(creation_of(object), &order) < 0 ||
      H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, add, &names) < 0)
    return {};
  if (order != 0 && !is_sorted) return names;
  Names sorted;
  for (const auto& attribute : names) sorted.emplace(0, attribute.second);
  return sorted;
}

/// All other properties of a group in a file are about where its links are there.
void keep_order(Id group, Id creation) {
  const Handle own = creation_of(group);
  unsigned links = 0, attributes = 0, compact = 0, dense = 0;
  if (H5Pget_link_creation_order(own, &links) >= 0) H5Pset_link_creation_order(creation, links);
  if (H5Pget_link_phase_change(own, &compact, &dense) >= 0) H5Pset_link_phase_change(creation, compact, dense);
  if (H5Pget_attr_creation_order(own, &attributes) >= 0) H5Pset_attr_creation_order(creation, attributes);
  if (H5Pget_attr_phase_change(own, &compact, &dense) >= 0) H5Pset_attr_phase_change(creation, compact, dense);
  H5Pset_obj_track_times(creation, false);
}

/// Calls act(place) for each reference in an element.
template <class Act>
void each_reference(Id type, char* at, const Act& act) {
  const H5T_class_t kind = H5Tget_class(type);
  if (kind == H5T_REFERENCE) return act(at);
  if (H5Tdetect_class(type, H5T_REFERENCE) <= 0) return;
  for (int i = 0; kind == H5T_COMPOUND && i < H5Tget_nmembers(type); ++i) {
    const auto member = static_cast<unsigned>(i);
    each_reference(Handle(H5Tget_member_type(type, member), H5Tclose), at + H5Tget_member_offset(type, member), act);
  }
  if (kind != H5T_VLEN && kind != H5T_ARRAY) return;
  const Handle base(H5Tget_super(type), H5Tclose);
  const std::size_t width = H5Tget_size(base);
  hvl_t list{H5Tget_size(type) / width, at};
  if (kind == H5T_VLEN) std::memcpy(&list, at, sizeof list);
  for (std::size_t i = 0; i < list.len; ++i) each_reference(base, static_cast<char*>(list.p) + i * width, act);
}

bool refers(Id type) { return H5Tdetect_class(type, H5T_REFERENCE) > 0; }

/// Does `is` hold for a type or a part of it?
bool any_part(const Datatype& type, bool (*is)(const Datatype&)) {
  const auto holds = [is](const Datatype::Member& member) { return any_part(member.type, is); };
  return is(type) || (type.base && any_part(*type.base, is)) ||
         std::any_of(type.members.begin(), type.members.end(), holds);
}

/// Do elements lead to texts or lists elsewhere in the file?
bool leads_to_heap(const Datatype& type) {
  return any_part(type,
                  [](const Datatype& part) { return part.is_variable_text || part.kind == Datatype::Kind::list; });
}

bool refers_to_regions(const Datatype& type) {
  return any_part(type, [](const Datatype& part) {
    return part.kind == Datatype::Kind::reference && (part.reference_kind != 0 || part.size != sizeof(hobj_ref_t));
  });
}

}  // namespace

CompactCopy::CompactCopy(Id from, const std::string& path, const std::vector<std::string>& replaced,
                         const GroupAttributes& written)
    : from_(from),
      written_(written),
      label_(path),
      objects_(ByteInput(path).take_rest(), path),
      heaps_(objects_.file()) {
  for (const std::string& path : replaced) {
    const std::size_t slash = path.rfind('/');
    const std::string group = slash == std::string::npos ? "" : path.substr(0, slash);
    left_out_.emplace(info_of(from, group).addr, path.substr(slash + 1));
    replaced_.emplace(info_of(from, path).addr, path);
  }
  const auto add = [](hid_t, const char* name, const H5O_info_t* info, void* types) -> herr_t {
    if (info->type == H5O_TYPE_NAMED_DATATYPE)
      static_cast<std::map<std::uint64_t, std::string>*>(types)->emplace(info->addr, name);
    return 0;
  };
  H5Ovisit2(from, H5_INDEX_NAME, H5_ITER_INC, add, &types_, H5O_INFO_BASIC);
}

bool CompactCopy::is_written(const std::string& group, const std::string& attribute) const {
  const auto found = written_.find(group);
  return found != written_.end() && found->second.count(attribute) > 0;
}

/// Is there more in a group than what is replaced?
bool CompactCopy::holds_more(const std::string& path) const {
  const Handle group(H5Gopen2(from_, slashed(path).c_str(), H5P_DEFAULT), H5Gclose);
  const std::optional<Names> attributes = attributes_of(group);
  const Names links = links_of(group);
  const auto depth = static_cast<std::size_t>(std::count(path.begin(), path.end(), '/'));  // of a cycle, too many
  if (!attributes || depth > most_groups_deep || (links.empty() && written_.count(path) == 0)) return true;
  for (const auto& attribute : *attributes)
    if (!is_written(path, attribute.second)) return true;
  const std::uint64_t address = info_of(from_, path).addr;
  return std::any_of(links.begin(), links.end(), [&](const auto& link) {
    const std::string full = inside(path, link.second);
    H5L_info_t info;
    if (left_out_.count({address, link.second}) > 0) return false;
    if (H5Lget_info(from_, full.c_str(), &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_HARD) return true;
    const H5O_info_t object = info_of(from_, full);
    return object.type != H5O_TYPE_GROUP || object.rc > 1 || holds_more(full);
  });
}

std::uint64_t CompactCopy::write(const std::string& to) {
  const Handle creation(H5Fget_create_plist(from_), H5Pclose), root(H5Gopen2(from_, "/", H5P_DEFAULT), H5Gclose);
  const Handle access = file_access();
  hsize_t block_bytes = 0;
  H5Pget_userblock(creation, &block_bytes);
  unsigned tables = 0;
  if (H5Pget_shared_mesg_nindexes(creation, &tables) < 0 || tables > 0)
    refuse("", "its objects share parts of their headers");
  keep_order(root, creation);
  if (info_of(from_, "").hdr.version > 1) H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
  Handle file(H5Fcreate(to.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose);
  if (!file) throw Error(ErrorKind::io, label_, "cannot be laid out as HDF5: " + last_error());
  copied_.emplace(info_of(from_, "").addr, "");
  order_.emplace_back();
  copy_links(file, "");
  if (!file.reset()) throw Error(ErrorKind::io, label_, "cannot be written: " + last_error());
  return block_bytes;
}

void CompactCopy::copy_links(Id to, const std::string& path) {
  const Handle group(H5Gopen2(from_, slashed(path).c_str(), H5P_DEFAULT), H5Gclose);
  const std::uint64_t address = info_of(from_, path).addr;
  for (const auto& link : links_of(group))
    if (left_out_.count({address, link.second}) == 0) copy_link(to, inside(path, link.second));
}

void CompactCopy::copy_link(Id to, const std::string& path) {
  const Handle links = link_creation(path);
  H5L_info_t link;
  if (H5Lexists(to, path.c_str(), H5P_DEFAULT) > 0) return;  // a type that was needed before
  if (H5Lget_info(from_, path.c_str(), &link, H5P_DEFAULT) < 0) refuse(path, last_error());
  const H5O_info_t info = info_of(from_, path);
  const auto before = copied_.find(info.addr);
  if (link.type != H5L_TYPE_HARD) {
    if (H5Lcopy(from_, path.c_str(), to, path.c_str(), links, H5P_DEFAULT) < 0) refuse(path, last_error());
  } else if (before != copied_.end()) {
    if (H5Lcreate_hard(to, slashed(before->second).c_str(), to, path.c_str(), links, H5P_DEFAULT) < 0)
      refuse(path, last_error());
  } else if (info.type != H5O_TYPE_GROUP || holds_more(path)) {
    copied_.emplace(info.addr, path);
    order_.push_back(path);
    try {
      copy_object(to, path, links);
    } catch (const Damage& damage) {
      refuse(path, damage.what());
    }
  }
}

void CompactCopy::copy_object(Id to, const std::string& path, Id links) {
  const Handle object(H5Oopen(from_, path.c_str(), H5P_DEFAULT), H5Oclose);
  const H5I_type_t kind = H5Iget_type(object);
  if (!object) refuse(path, "the HDF5 library, which makes the copy, is too old for it");
  if (kind == H5I_DATASET) return copy_dataset(to, path, object, links);
  const bool is_group = kind == H5I_GROUP;
  const Handle creation(H5Pcreate(is_group ? H5P_GROUP_CREATE : H5P_DATATYPE_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation, false);
  if (is_group) keep_order(object, creation);
  set_version(to, info_of(from_, path).hdr.version);
  if (is_group ? !Handle(H5Gcreate2(to, path.c_str(), links, creation, H5P_DEFAULT), H5Gclose)
               : H5Tcommit2(to, path.c_str(), Handle(H5Tcopy(object), H5Tclose), links, creation, H5P_DEFAULT) < 0)
    refuse(path, last_error());
  if (is_group) copy_links(to, path);
}

/// A type that has a name has it in the copy too.
Handle CompactCopy::type_in(Id to, Id type) {
  H5O_info_t info{};
  const bool is_named = H5Tcommitted(type) > 0 && H5Oget_info2(type, &info, H5O_INFO_BASIC) >= 0;
  const auto found = types_.find(info.addr);
  if (!is_named || found == types_.end()) return {H5Tcopy(type), H5Tclose};
  if (copied_.count(info.addr) == 0) copy_link(to, found->second);
  return {H5Topen2(to, slashed(copied_[info.addr]).c_str(), H5P_DEFAULT), H5Tclose};
}

/// The library trusts what leads to a heap. Throws Damage.
void CompactCopy::check(const Datatype& type, Cursor element) {
  if (type.is_variable_text) {
    heaps_.referred(element);
  } else if (type.kind == Datatype::Kind::list) {
    const std::uint64_t length = element.number(4), heap = element.number(heaps_.reference_bytes() - 8);
    const unsigned number = element.small(4);
    require(heap != 0 || length == 0, "a list has a length and no place");
    if (heap != 0) check_each(*type.base, length, Cursor(heaps_.object(heap, number)));
  } else if (type.base && type.base->size > 0) {
    check_each(*type.base, type.size / type.base->size, element);
  }
  for (const Datatype::Member& member : type.members) check(member.type, element.behind(member.offset));
}

void CompactCopy::check_each(const Datatype& type, std::uint64_t count, Cursor elements) {
  require(!refers_to_regions(type), "references to regions are not copied");
  require(type.size == 0 || count <= elements.left() / type.size, "a list is longer than its heap");
  for (std::uint64_t i = 0; leads_to_heap(type) && i < count; ++i) check(type, elements.take(type.size));
}

void CompactCopy::copy_dataset(Id to, const std::string& path, Id dataset, Id links) {
  const StoredDataset* const stored = objects_.find(path).object->dataset.get();
  if (stored == nullptr || !stored->unknown.empty())
    refuse(path, stored == nullptr ? "it does not say where its elements are" : stored->unknown);
  check_each(stored->type, stored->fill.empty() ? 0 : 1, Cursor(stored->fill));
  const Handle type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose),
      creation(H5Dget_create_plist(dataset), H5Pclose), in_copy = type_in(to, type);
  if (!type || !creation) refuse(path, last_error());
  H5Pset_obj_track_times(creation, false);
  // The library may not have the filter; chunks are written as they are stored.
  for (const FilterStep& step : stored->filters) {
    const auto filter = static_cast<H5Z_filter_t>(step.id);
    if (filter < H5Z_FILTER_RESERVED) continue;
    if (leads_to_heap(stored->type)) refuse(path, "its texts or lists have a filter that is not HDF5's own");
    H5Pmodify_filter(creation, filter, H5Z_FLAG_OPTIONAL, step.values.size(), step.values.data());
  }
  set_version(to, info_of(from_, path).hdr.version);
  const Handle copy(H5Dcreate2(to, path.c_str(), in_copy, space, links, creation, H5P_DEFAULT), H5Dclose);
  if (!copy) refuse(path, last_error());
  const bool is_elsewhere = stored->layout.kind == StoredLayout::Kind::elsewhere || !stored->pieces.empty();
  if (is_elsewhere || refers(type) || element_count(stored->shape) == 0 || H5Dget_storage_size(dataset) == 0) return;
  if (leads_to_heap(stored->type)) check_elements(*stored, path);
  copy_boxes(*stored, dataset, copy, path);
}

void CompactCopy::check_elements(const StoredDataset& stored, const std::string& path) {
  const std::size_t width = stored.type.size;
  const std::string name = label_ + ":/" + path;
  require_decoders(stored, name);
  const auto take = [&](const unsigned char* from, std::size_t, std::size_t count) {
    check_each(stored.type, count, Cursor(from, count * width));
  };
  read_stored_elements(objects_.file(), stored, width, resolve({}, stored.shape, name), take, name);
}

/// Chunk by chunk, as they are stored unless they lead to a heap, or in pieces of about 1 MB.
void CompactCopy::copy_boxes(const StoredDataset& stored, Id dataset, Id copy, const std::string& path) const {
  const Shape& shape = stored.shape;
  const bool has_chunks = stored.layout.kind == StoredLayout::Kind::chunked, is_raw = !leads_to_heap(stored.type);
  const Handle type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  const Shape usual = usual_chunk(shape, H5Tget_size(type));
  std::vector<hsize_t> place(shape.size()), box(usual.begin(), usual.end());
  if (has_chunks) std::copy_n(stored.layout.chunk.begin(), box.size(), box.begin());
  hsize_t left = 0;
  if (has_chunks && H5Dget_num_chunks(dataset, space, &left) < 0) refuse(path, last_error());
  const std::size_t most_places = (std::size_t{1} << 20) + 64 * left;
  for (std::size_t looked_at = 0; !has_chunks || left > 0; ++looked_at) {
    if (has_chunks && looked_at == most_places) refuse(path, "it has room for more chunks than can be looked for");
    hsize_t bytes = 0;
    const bool is_there = !has_chunks || (H5Dget_chunk_storage_size(dataset, place.data(), &bytes) >= 0 && bytes > 0);
    if (bytes > objects_.file().image.size) refuse(path, "a chunk is larger than the file");
    if (is_there && has_chunks && is_raw) {
      std::vector<char> chunk(bytes);
      std::uint32_t skipped = 0;
      if (H5Dread_chunk(dataset, H5P_DEFAULT, place.data(), &skipped, chunk.data()) < 0 ||
          H5Dwrite_chunk(copy, H5P_DEFAULT, skipped, place.data(), bytes, chunk.data()) < 0)
        refuse(path, last_error());
    } else if (is_there) {
      std::vector<hsize_t> count;
      for (std::size_t axis = 0; axis < box.size(); ++axis)
        count.push_back(std::min(box[axis], shape[axis] - place[axis]));
      if (!box.empty()) H5Sselect_hyperslab(space, H5S_SELECT_SET, place.data(), nullptr, count.data(), nullptr);
      const Handle memory = space_of(Shape(count.begin(), count.end()));
      copy_elements(
          path, -1, type, memory, !is_raw,
          [&](void* at) { return H5Dread(dataset, type, memory, space, H5P_DEFAULT, at); },
          [&](const void* at) { return H5Dwrite(copy, type, memory, space, H5P_DEFAULT, at); });
    }
    left -= has_chunks && is_there ? 1 : 0;
    std::size_t axis = place.size();
    while (axis-- > 0 && (place[axis] += box[axis]) >= shape[axis]) place[axis] = 0;
    if (axis > place.size()) return;  // after the last one
  }
}

/// From one place to the other, with references to the objects in the copy; 0, which leads to nothing, to one that is
/// gone.
template <class Read, class Write>
void CompactCopy::copy_elements(const std::string& path, Id to, Id type, Id space, bool uses_heap, const Read& read,
                                const Write& write) const {
  const auto count = static_cast<std::size_t>(std::max<hssize_t>(H5Sget_simple_extent_npoints(space), 0));
  const std::size_t width = H5Tget_size(type);
  if (count == 0) return;
  std::vector<char> elements(count * width);
  if (read(elements.data()) < 0) refuse(path, last_error());
  for (std::size_t i = 0; refers(type) && i < count; ++i)
    each_reference(type, elements.data() + i * width, [&](char* at) {
      hobj_ref_t reference = 0;
      std::memcpy(&reference, at, sizeof reference);
      const std::optional<std::string> target = path_of(reference);
      reference = target ? info_of(to, *target).addr : 0;
      std::memcpy(at, &reference, sizeof reference);
    });
  const bool is_written = write(elements.data()) >= 0;
  if (uses_heap) H5Dvlen_reclaim(type, space, H5P_DEFAULT, elements.data());
  if (!is_written) refuse(path, last_error());
}

/// In the copy; none if it is not there.
std::optional<std::string> CompactCopy::path_of(std::uint64_t address) const {
  for (const auto* const paths : {&copied_, &replaced_})
    if (const auto found = paths->find(address); found != paths->end()) return found->second;
  return {};
}

void CompactCopy::complete(Id to) {
  const auto each = [&](const auto& paths, const auto& act) {
    for (const std::string& path : paths) {
      try {
        act(path);
      } catch (const Damage& damage) {
        refuse(path, damage.what());
      }
    }
  };
  std::vector<std::string> scales;
  for (const auto& replaced : replaced_)
    if (H5Aexists_by_name(from_, replaced.second.c_str(), "REFERENCE_LIST", H5P_DEFAULT) > 0)
      scales.push_back(replaced.second);
  each(order_, [&](const std::string& path) { complete_object(to, path, false); });
  each(scales, [&](const std::string& path) { complete_object(to, path, true); });
  each(order_, [&](const std::string& path) { attach_scales(to, path); });
  set_version(to, 1);
}

/// `is_new`: a dimension scale, which gets what it is as such, if the new dataset does not say it.
void CompactCopy::complete_object(Id to, const std::string& path, bool is_new) {
  const Handle object(H5Oopen(from_, slashed(path).c_str(), H5P_DEFAULT), H5Oclose),
      copy(H5Oopen(to, slashed(path).c_str(), H5P_DEFAULT), H5Oclose);
  const Object& stored = *objects_.find(path).object;
  std::map<std::string, bool> heaps;
  for (const StoredAttribute& attribute : objects_.attributes_of(stored)) {
    check_each(attribute.type, element_count(attribute.shape), Cursor(attribute.elements));
    heaps[attribute.name] = leads_to_heap(attribute.type);
  }
  const std::optional<Names> names = attributes_of(object, is_new);
  if (!names || names->size() != heaps.size()) refuse(path, "it has attributes of an unknown kind");
  set_version(to, info_of(to, path).hdr.version);
  for (const auto& [place, name] : *names) {
    // Dimension scales are attached.
    if (is_written(path, name) || name == "DIMENSION_LIST" || name == "REFERENCE_LIST") continue;
    const bool is_of_scale = name == "CLASS" || name == "NAME" || name.rfind("_Netcdf4", 0) == 0;
    if (is_new && (!is_of_scale || H5Aexists(copy, name.c_str()) > 0)) continue;
    const Handle from(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose), type(H5Aget_type(from), H5Tclose),
        space(H5Aget_space(from), H5Sclose), creation(H5Aget_create_plist(from), H5Pclose),
        in_copy = type_in(to, type),
        made(H5Acreate2(copy, name.c_str(), in_copy, space, creation, H5P_DEFAULT), H5Aclose);
    if (!made) refuse(path, "its attribute " + name + ": " + last_error());
    copy_elements(
        path, to, type, space, heaps[name], [&](void* at) { return H5Aread(from, type, at); },
        [&](const void* at) { return H5Awrite(made, type, at); });
  }
  const Handle type(stored.dataset && !is_new ? H5Dget_type(object) : -1, H5Tclose);
  if (!type || !refers(type) || H5Dget_storage_size(object) == 0) return;
  const bool uses_heap = leads_to_heap(stored.dataset->type);
  if (uses_heap) check_elements(*stored.dataset, path);
  copy_elements(
      path, to, type, Handle(H5Dget_space(object), H5Sclose), uses_heap,
      [&](void* at) { return H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, at); },
      [&](const void* at) { return H5Dwrite(copy, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, at); });
}

/// Throws Error(create) for a dimension scale that was replaced by one of another length.
void CompactCopy::attach_scales(Id to, const std::string& path) {
  const Object& stored = *objects_.find(path).object;
  const std::vector<std::uint64_t> scales = stored.dataset ? objects_.scales_of(stored) : std::vector<std::uint64_t>();
  const Handle dataset(scales.empty() ? -1 : H5Dopen2(to, path.c_str(), H5P_DEFAULT), H5Dclose);
  for (std::size_t axis = 0; axis < scales.size(); ++axis) {
    const std::optional<std::string> name = path_of(scales[axis]);
    if (!name || axis >= stored.dataset->shape.size()) continue;
    const Handle scale(H5Dopen2(to, name->c_str(), H5P_DEFAULT), H5Dclose);
    const std::optional<Shape> length = scale ? shape_of(Handle(H5Dget_space(scale), H5Sclose)) : std::nullopt;
    const bool is_replaced = copied_.count(scales[axis]) == 0;
    if (is_replaced && length != Shape{stored.dataset->shape[axis]})
      throw Error(ErrorKind::create, label_ + ":/" + *name,
                  "is the dimension scale of axis " + std::to_string(axis) + " of " + path + " " +
                      to_string(stored.dataset->shape) + ", and the new one has shape " +
                      (length ? to_string(*length) : "none"),
                  "write both in one run, or give another name");
    if (H5DSattach_scale(dataset, scale, static_cast<unsigned>(axis)) < 0) refuse(path, last_error());
  }
}

void CompactCopy::refuse(const std::string& path, const std::string& why) const {
  throw Error(ErrorKind::data, label_ + (path.empty() ? "" : ":/" + path), "cannot be copied: " + why,
              "--replace-file replaces the whole file; -A without -f adds datasets");
}

}  // namespace attn::io::hdf5
