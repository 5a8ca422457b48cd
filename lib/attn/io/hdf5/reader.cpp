// HDF5 from a mapped file or from an image in a pipe, in the same way. The library reads the metadata from memory;
// contiguous elements are used in place.

#include <attn/io/formats/formats.hpp>
#include <attn/io/hdf5/fields.hpp>
#include <attn/io/hdf5/images.hpp>
#include <attn/io/hdf5/reader.hpp>
#include <attn/io/hdf5/skeleton.hpp>

#include <hdf5_hl.h>

#include <algorithm>

namespace attn::io {

using hdf5::Dataset;
using hdf5::Handle;
using hdf5::Id;
using hdf5::Section;

/// Memory of one more link of a group: in the list of links, in that of tensors or groups, and in the library for the
/// opened object. Measured.
static constexpr std::uint64_t bytes_of_link = 4096;

void Hdf5Source::open_image() {
  const Section section;
  file_.reset();
  image_ = {};  // released before the next one is read
  listing_.reset();
  named_.clear();
  image_.bytes = hdf5::take_image(*input_);
  image_.others = others_;
  image_.own = this;
  image_.audit = std::make_shared<hdf5::Audit>(image_.bytes, label());
  image_.heaps = hdf5::StringHeaps(image_.audit->file());
  image_.audit->check_root();
  // The library promises not to write to an image that is opened for reading.
  file_ = Handle(H5LTopen_file_image(const_cast<unsigned char*>(image_.bytes.data), image_.bytes.size,
                                     H5LT_FILE_IMAGE_DONT_COPY | H5LT_FILE_IMAGE_DONT_RELEASE),
                 H5Fclose);
  if (!file_) throw Error(ErrorKind::data, label(), "is damaged HDF5: " + hdf5::last_error());
}

const Hdf5Source::Listing& Hdf5Source::listing() const {
  if (listing_) return *listing_;
  const Section section;
  auto all = std::make_unique<Listing>(label());
  list_all(*all);
  listing_ = std::move(all);
  return *listing_;
}

void Hdf5Source::list_all(Listing& all) const {
  const Handle root(H5Gopen2(file_, "/", H5P_DEFAULT), H5Gclose);
  if (!root) throw Error(ErrorKind::data, label(), "is damaged HDF5: " + hdf5::last_error());
  list_group(root, "", all, 0);
  image_.audit->check_places();
  image_.audit->finish();
  // Datasets in the order of names; fields of records stay as they are.
  std::map<std::string, bool> places;  // is it a link to follow?
  for (const std::string& path : all.datasets) places[path] = false;
  for (const std::string& path : all.links) places[path] = true;
  for (const auto& [path, is_link] : places) is_link ? list_link(path, all) : list_dataset(path, all);
  const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
  std::sort(all.unreadable.begin(), all.unreadable.end(), by_name);
  std::sort(all.groups.begin(), all.groups.end());
}

void Hdf5Source::list_group(Id group, const std::string& path, Listing& all, std::size_t depth) const {
  H5O_info_t object;
  if (depth > hdf5::most_groups_deep || H5Oget_info2(group, &object, H5O_INFO_BASIC) < 0)
    throw Error(ErrorKind::data, full_name(path), "is a damaged or too deep HDF5 group");
  if (!all.paths.emplace(object.addr, path).second) return;  // a cycle of hard links
  if (!path.empty()) all.groups.push_back(path);
  std::vector<Link> links;
  const auto collect = [](hid_t, const char* name, const H5L_info_t* link, void* out) -> herr_t {
    static_cast<std::vector<Link>*>(out)->emplace_back(name, *link);
    return 0;
  };
  // Iterating crashes in HDF5 1.10 when one link cannot be decoded; looking for a name that is not there fails cleanly.
  // It does not see all links in a heap of the group, but in the order of storage HDF5 makes no table of them, which
  // would be incomplete if one is damaged.
  if (H5Lexists(group, "\x01", H5P_DEFAULT) < 0 ||
      H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, collect, &links) < 0)
    throw Error(ErrorKind::data, full_name(path), "is a damaged HDF5 group: " + hdf5::last_error());
  std::sort(links.begin(), links.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  require_names(links, path);
  for (const auto& [name, link] : links) {
    const std::string full = path.empty() ? name : path + "/" + name;
    all.memory.grow(bytes_of_link + 3 * full.size());
    if (link.type == H5L_TYPE_SOFT || (link.type == H5L_TYPE_EXTERNAL && others_)) {
      all.links.push_back(full);
    } else if (link.type == H5L_TYPE_HARD) {
      image_.audit->check_object(link.u.address, full);
      list_hard_link(group, name, full, all, depth);
    } else {
      all.unreadable.push_back(explain_link(full, link));
    }
  }
}

/// Each link of a group has a name that no other has.
void Hdf5Source::require_names(const std::vector<Link>& sorted, const std::string& path) const {
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const std::string& name = sorted[i].first;
    if (name.empty() || name.find('/') != std::string::npos || (i > 0 && name == sorted[i - 1].first))
      throw Error(ErrorKind::data, full_name(path),
                  "is a damaged HDF5 group: it has the name '" + name + "', which is invalid or occurs twice");
  }
}

void Hdf5Source::list_hard_link(Id group, const std::string& name, const std::string& path, Listing& all,
                                std::size_t depth) const {
  H5O_info_t object;
  if (H5Oget_info_by_name2(group, name.c_str(), &object, H5O_INFO_BASIC, H5P_DEFAULT) < 0)
    refuse(path, "is a damaged HDF5 object: " + hdf5::last_error());
  if (object.type == H5O_TYPE_DATASET) {
    all.dataset_paths.emplace(object.addr, path);
    return all.datasets.push_back(path);
  }
  if (object.type != H5O_TYPE_GROUP) return;
  const Handle inner(H5Gopen2(group, name.c_str(), H5P_DEFAULT), H5Gclose);
  if (!inner) refuse(path, "is a damaged HDF5 group: " + hdf5::last_error());
  list_group(inner, path, all, depth + 1);
}

void Hdf5Source::list_link(const std::string& path, Listing& all) const {
  const Handle access = hdf5::inner_access(H5P_LINK_ACCESS);
  H5O_info_t object;
  H5L_info_t link;
  if (H5Lget_info(file_, path.c_str(), &link, H5P_DEFAULT) >= 0 && link.type == H5L_TYPE_EXTERNAL)
    return list_other_link(path, all);
  if (H5Oget_info_by_name2(file_, path.c_str(), &object, H5O_INFO_BASIC, access) >= 0) {
    if (object.type == H5O_TYPE_DATASET) list_dataset(path, all);
  } else if (H5Lget_info(file_, path.c_str(), &link, H5P_DEFAULT) >= 0) {
    all.unreadable.push_back(explain_link(path, link));
  }
}

/// A link to a dataset of another file is listed as a dataset; the contents of groups of other files are not listed.
void Hdf5Source::list_other_link(const std::string& path, Listing& all) const {
  try {
    if (const auto there = followed(path)) {
      const TensorInfo info = there->source->describe(there->name);
      all.tensors.push_back({path, info.dtype, info.shape});
    }
  } catch (const Error& error) {
    all.unreadable.push_back({path, error.detail(), error.fix()});
  }
}

/// The reason why a link is not followed.
Unreadable Hdf5Source::explain_link(const std::string& path, const H5L_info_t& link) const {
  if (link.type != H5L_TYPE_SOFT && link.type != H5L_TYPE_EXTERNAL)
    return {path, "is a link of the user's own kind " + std::to_string(link.type), ""};
  std::string target(link.u.val_size + 1, '\0');  // one more: a soft link of a damaged file may lack its end
  if (H5Lget_val(file_, path.c_str(), target.data(), link.u.val_size, H5P_DEFAULT) < 0)
    refuse(path, "is a damaged link: " + hdf5::last_error());
  if (link.type == H5L_TYPE_SOFT)
    return {path, std::string("is a link to ") + target.c_str() + ", which this file does not contain", ""};
  const char *file = "", *object = "";
  H5Lunpack_elink_val(target.data(), link.u.val_size, nullptr, &file, &object);
  const std::string place = std::string(file) + (*object == '/' ? ":" : ":/") + object;
  return {path, "is a link to " + place + ", and links to other files are not followed", "name that file"};
}

/// For records, each field.
void Hdf5Source::list_dataset(const std::string& path, Listing& all) const {
  const hdf5::StoredDataset* stored = stored_at(path);
  std::vector<std::string> fields;
  if (stored != nullptr) {
    const Handle type = hdf5::decode_type(stored->type);
    if (type && hdf5::is_record(type) && !hdf5::is_complex(type)) fields = hdf5::field_names(type);
  }
  if (fields.empty()) fields.emplace_back();
  for (const std::string& field : fields) {
    const std::string name = field.empty() ? path : path + "/" + field;
    all.memory.grow(field.size() + bytes_of_link);
    try {
      if (stored == nullptr) refuse(path, "is a damaged dataset: it does not say where its elements are");
      const Dataset dataset(file_, *stored, path, label(), image_, field);
      all.tensors.push_back(dataset.info());
      if (std::string loss = dataset.lost_in_copies(); !loss.empty()) all.losses.emplace(name, std::move(loss));
    } catch (const Error& error) {
      all.unreadable.push_back({name, error.detail(), error.fix()});
    }
  }
}

void Hdf5Source::release(const TensorView& part) const noexcept {
  const ByteSpan span = span_of(part);
  release_mapped(span.begin, span.bytes);
}

bool Hdf5Source::has_next_batch() {
  if (input_->peek(1).empty()) return false;
  if (!hdf5::image_begin(*input_))
    throw Error(ErrorKind::data, label(), "has bytes after its HDF5 image that are not another image");
  return true;
}

bool Hdf5Source::next_batch() {
  if (!has_next_batch()) return false;
  open_image();
  return true;
}

std::unique_ptr<Source> open_hdf5(std::unique_ptr<ByteInput> input, const std::string& folder, int depth) {
  std::shared_ptr<hdf5::OtherFiles> others;
  if (!folder.empty()) {
    const bool is_stream = input->label() == "standard input";
    others = std::make_shared<hdf5::OtherFiles>(folder, is_stream ? folder + "/" : input->label(), depth);
  }
  return std::make_unique<Hdf5Source>(std::move(input), std::move(others));
}

}  // namespace attn::io
