// HDF5, from a mapped file or from the image that a pipe carries: one way for both. The library reads the metadata from
// memory; contiguous elements are used where they lie.

#include <attn/core/error.hpp>
#include <attn/core/memory_account.hpp>
#include <attn/io/formats.hpp>
#include <attn/io/hdf5_attributes.hpp>
#include <attn/io/hdf5_audit.hpp>
#include <attn/io/hdf5_dataset.hpp>
#include <attn/io/hdf5_handle.hpp>
#include <attn/io/hdf5_images.hpp>
#include <attn/io/hdf5_layout.hpp>
#include <attn/io/mapped_files.hpp>

#include <hdf5.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <map>

namespace attn::io {
namespace {

using hdf5::Dataset;
using hdf5::Handle;
using hdf5::Id;
using hdf5::Section;

/// The path as the file lists it: HDF5 takes no heed of "." and of nothing between slashes. That of a group's own, "."
/// alone, stays.
std::string listed_path(const std::string& path) {
  std::string listed;
  for (std::size_t begin = 0, end = 0; end != path.npos; begin = end + 1) {
    end = path.find('/', begin);
    const std::string part = path.substr(begin, end - begin);
    if (!part.empty() && part != ".") listed += (listed.empty() ? "" : "/") + part;
  }
  return listed.empty() ? path : listed;
}

/// What one more link of a group takes: in the list of them, in that of tensors or groups, and what the library itself
/// keeps of what it has opened. Measured.
constexpr std::uint64_t bytes_of_link = 4096;

class Hdf5Source final : public Source {
 public:
  explicit Hdf5Source(std::unique_ptr<ByteInput> input) : input_(std::move(input)), listed_(input_->label()) {
    open_image();
  }
  ~Hdf5Source() override {
    const Section section;
    file_.reset();
  }

  const std::string& label() const noexcept override { return input_->label(); }
  Buffer buffer() const noexcept override { return {image_.bytes.data, image_.bytes.size, image_.bytes.is_mapped}; }
  const std::vector<TensorInfo>& tensors() const noexcept override { return tensors_; }
  const std::vector<Unreadable>& unreadable() const noexcept override { return unreadable_; }
  const std::vector<std::string>& groups() const noexcept override { return groups_; }
  std::string group_of(const std::string& name) const override;
  TensorInfo describe(const std::string& name) const override;
  std::uint64_t memory_to_read(const std::string& name, const Slab& part) const override;
  TensorView read(const std::string& name, const Slab& part) override;
  void release(const TensorView& part) const noexcept override;
  Attributes attributes(const std::string& name) const override { return all_attributes(name).tensors; }
  std::vector<Unreadable> unreadable_attributes(const std::string& name) const override {
    return all_attributes(name).others;
  }
  bool has_next_batch() override;
  bool next_batch() override;

 private:
  std::string full_name(const std::string& name) const { return label() + ":/" + name; }
  [[noreturn]] void refuse(const std::string& name, const std::string& detail, const std::string& fix = {}) const {
    throw Error(ErrorKind::data, full_name(name), detail, fix);
  }

  void open_image();
  struct Walk {
    hdf5::Audit audit;
    std::vector<std::string> datasets, soft_links;  // looked at last, when all that they may lead to has been checked
  };
  using Link = std::pair<std::string, H5L_info_t>;
  void list_group(Id group, const std::string& path, Walk& walk, std::size_t depth);
  void require_names(const std::vector<Link>& sorted, const std::string& path) const;
  void list_hard_link(Id group, const std::string& name, const std::string& path, Walk& walk, std::size_t depth);
  void list_soft_link(const std::string& path);
  Unreadable explain_link(const std::string& path, const H5L_info_t& link) const;
  void list_dataset(const std::string& path);
  hdf5::ObjectAttributes all_attributes(const std::string& name) const;
  Dataset open_dataset(const std::string& path) const;
  [[noreturn]] void explain_missing(const std::string& name, const std::string& reason) const;

  std::unique_ptr<ByteInput> input_;
  hdf5::Image image_;
  Handle file_;
  std::vector<TensorInfo> tensors_;
  std::vector<Unreadable> unreadable_;
  std::vector<std::string> groups_;
  std::map<haddr_t, std::string> paths_;  // of groups, the root too, by where they lie
  MemoryShare listed_;                    // what the lists above take
};

void Hdf5Source::open_image() {
  const Section section;
  file_.reset();
  image_ = {};  // let go before the next one comes
  tensors_.clear();
  unreadable_.clear();
  groups_.clear();
  paths_.clear();
  listed_ = MemoryShare(label());
  image_.bytes = hdf5::take_image(*input_);
  Walk walk{hdf5::Audit(image_.bytes, label()), {}, {}};
  walk.audit.check_root();
  // The library promises not to write to an image that is opened for reading.
  file_ = Handle(H5LTopen_file_image(const_cast<unsigned char*>(image_.bytes.data), image_.bytes.size,
                                     H5LT_FILE_IMAGE_DONT_COPY | H5LT_FILE_IMAGE_DONT_RELEASE),
                 H5Fclose);
  if (!file_) throw Error(ErrorKind::data, label(), "is damaged HDF5: " + hdf5::last_error());
  const Handle root(H5Gopen2(file_, "/", H5P_DEFAULT), H5Gclose);
  if (!root) throw Error(ErrorKind::data, label(), "is damaged HDF5: " + hdf5::last_error());
  list_group(root, "", walk, 0);
  walk.audit.check_places();
  image_.unchecked_strings = walk.audit.unchecked_strings();
  image_.strings = walk.audit.strings();
  image_.heaps = walk.audit.string_heaps();
  for (const std::string& path : walk.datasets) list_dataset(path);
  for (const std::string& path : walk.soft_links) list_soft_link(path);
  const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
  std::sort(tensors_.begin(), tensors_.end(), by_name);
  std::sort(unreadable_.begin(), unreadable_.end(), by_name);
  std::sort(groups_.begin(), groups_.end());
}

void Hdf5Source::list_group(Id group, const std::string& path, Walk& walk, std::size_t depth) {
  H5O_info_t object;
  if (depth > hdf5::most_groups_deep || H5Oget_info2(group, &object, H5O_INFO_BASIC) < 0)
    throw Error(ErrorKind::data, full_name(path), "is a damaged or too deep HDF5 group");
  if (!paths_.emplace(object.addr, path).second) return;  // a cycle of hard links
  if (!path.empty()) groups_.push_back(path);
  std::vector<Link> links;
  const auto collect = [](hid_t, const char* name, const H5L_info_t* link, void* out) -> herr_t {
    static_cast<std::vector<Link>*>(out)->emplace_back(name, *link);
    return 0;
  };
  // Iterating crashes in HDF5 1.10 when one link cannot be decoded; looking for a name that is not there fails cleanly.
  // Of links in a heap of the group's own it does not see all, but in the order of storage HDF5 makes no table of them,
  // which it would give back unfilled where one is damaged.
  if (H5Lexists(group, "\x01", H5P_DEFAULT) < 0 ||
      H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, collect, &links) < 0)
    throw Error(ErrorKind::data, full_name(path), "is a damaged HDF5 group: " + hdf5::last_error());
  std::sort(links.begin(), links.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  require_names(links, path);
  for (const auto& [name, link] : links) {
    const std::string full = path.empty() ? name : path + "/" + name;
    listed_.grow(bytes_of_link + 3 * full.size());
    if (link.type == H5L_TYPE_SOFT) {
      walk.soft_links.push_back(full);
    } else if (link.type == H5L_TYPE_HARD) {
      walk.audit.check_object(link.u.address, full);
      list_hard_link(group, name, full, walk, depth);
    } else {
      unreadable_.push_back(explain_link(full, link));
    }
  }
}

/// Each link of a group has a name that no other has.
void Hdf5Source::require_names(const std::vector<Link>& sorted, const std::string& path) const {
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const std::string& name = sorted[i].first;
    if (name.empty() || name.find('/') != std::string::npos || (i > 0 && name == sorted[i - 1].first))
      throw Error(ErrorKind::data, full_name(path),
                  "is a damaged HDF5 group: it has the name '" + name + "', which is none or there twice");
  }
}

void Hdf5Source::list_hard_link(Id group, const std::string& name, const std::string& path, Walk& walk,
                                std::size_t depth) {
  H5O_info_t object;
  if (H5Oget_info_by_name2(group, name.c_str(), &object, H5O_INFO_BASIC, H5P_DEFAULT) < 0)
    refuse(path, "is a damaged HDF5 object: " + hdf5::last_error());
  if (object.type == H5O_TYPE_DATASET) return walk.datasets.push_back(path);
  if (object.type != H5O_TYPE_GROUP) return;
  const Handle inner(H5Gopen2(group, name.c_str(), H5P_DEFAULT), H5Gclose);
  if (!inner) refuse(path, "is a damaged HDF5 group: " + hdf5::last_error());
  list_group(inner, path, walk, depth + 1);
}

void Hdf5Source::list_soft_link(const std::string& path) {
  const Handle access = hdf5::inner_access(H5P_LINK_ACCESS);
  H5O_info_t object;
  H5L_info_t link;
  if (H5Oget_info_by_name2(file_, path.c_str(), &object, H5O_INFO_BASIC, access) >= 0) {
    if (object.type == H5O_TYPE_DATASET) list_dataset(path);
  } else if (H5Lget_info(file_, path.c_str(), &link, H5P_DEFAULT) >= 0) {
    unreadable_.push_back(explain_link(path, link));
  }
}

/// What is said of a link that is not followed.
Unreadable Hdf5Source::explain_link(const std::string& path, const H5L_info_t& link) const {
  if (link.type != H5L_TYPE_SOFT && link.type != H5L_TYPE_EXTERNAL)
    return {path, "is a link of the user's own kind " + std::to_string(link.type), ""};
  std::string target(link.u.val_size + 1, '\0');  // one more: a soft link of a damaged file may lack its end
  if (H5Lget_val(file_, path.c_str(), target.data(), link.u.val_size, H5P_DEFAULT) < 0)
    refuse(path, "is a damaged link: " + hdf5::last_error());
  if (link.type == H5L_TYPE_SOFT)
    return {path, std::string("is a link to ") + target.c_str() + ", where this file has nothing", ""};
  const char *file = "", *object = "";
  H5Lunpack_elink_val(target.data(), link.u.val_size, nullptr, &file, &object);
  const std::string place = std::string(file) + (*object == '/' ? ":" : ":/") + object;
  return {path, "is a link to " + place + ", and links to other files are not followed", "name that file"};
}

void Hdf5Source::list_dataset(const std::string& path) {
  try {
    const Dataset dataset = open_dataset(path);
    dataset.require_readable(image_);
    tensors_.push_back(dataset.info());
  } catch (const Error& error) {
    unreadable_.push_back({path, error.detail(), error.fix()});
  }
}

Dataset Hdf5Source::open_dataset(const std::string& path) const {
  const std::string name = listed_path(path);
  const Handle access = hdf5::inner_access(H5P_DATASET_ACCESS);
  Handle id(H5Dopen2(file_, name.c_str(), access), H5Dclose);
  if (!id) explain_missing(name, hdf5::last_error());
  return {std::move(id), name, label()};
}

/// Says why a path leads to no dataset: a link to another file, a group, or nothing at all.
void Hdf5Source::explain_missing(const std::string& name, const std::string& reason) const {
  H5L_info_t link;
  for (std::size_t end = name.find('/'); !name.empty(); end = name.find('/', end + 1)) {
    const std::string path = name.substr(0, end);
    if (H5Lget_info(file_, path.c_str(), &link, H5P_DEFAULT) < 0) break;
    if (link.type != H5L_TYPE_HARD && link.type != H5L_TYPE_SOFT) {
      const Unreadable other = explain_link(path, link);
      refuse(path, other.reason, other.fix);
    }
    if (end == std::string::npos) break;
  }
  H5O_info_t object;
  const Handle access = hdf5::inner_access(H5P_LINK_ACCESS);
  if (H5Oget_info_by_name2(file_, name.c_str(), &object, H5O_INFO_BASIC, access) >= 0) {
    const bool is_later = reason.find("version") != std::string::npos;
    if (object.type == H5O_TYPE_DATASET && is_later)
      refuse(name, "is stored as later versions of HDF5 do it, expected 1.10 or earlier (" + reason + ")",
             "rewrite it with the h5repack of that version, or write it with libver=('v108', 'v110')");
    if (object.type == H5O_TYPE_DATASET) refuse(name, "cannot be opened: " + reason);
    if (object.type == H5O_TYPE_GROUP)
      throw Error(ErrorKind::input, full_name(name), "is a group, expected a dataset",
                  "the file has " + list_tensors(*this));
  }
  Source::describe(name);
  refuse(name, "cannot be opened: " + reason);
}

std::string Hdf5Source::group_of(const std::string& name) const {
  const Section section;
  const Handle access = hdf5::inner_access(H5P_LINK_ACCESS);
  H5O_info_t object;
  if (name.empty() || H5Oget_info_by_name2(file_, name.c_str(), &object, H5O_INFO_BASIC, access) < 0) return name;
  const auto found = paths_.find(object.addr);
  return found == paths_.end() ? name : found->second;
}

TensorInfo Hdf5Source::describe(const std::string& name) const {
  if (const TensorInfo* info = find(name)) return *info;
  const Section section;
  return open_dataset(name).info();
}

hdf5::ObjectAttributes Hdf5Source::all_attributes(const std::string& name) const {
  const Section section;
  if (name.empty() || std::binary_search(groups_.begin(), groups_.end(), name)) {
    const Handle group(H5Gopen2(file_, ("/" + name).c_str(), H5P_DEFAULT), H5Gclose);
    return hdf5::read_attributes(group, image_.bytes, label());
  }
  return hdf5::read_attributes(open_dataset(name).id(), image_.bytes, label());
}

std::uint64_t Hdf5Source::memory_to_read(const std::string& name, const Slab& part) const {
  const Section section;
  return open_dataset(name).memory_to_read(image_, part);
}

TensorView Hdf5Source::read(const std::string& name, const Slab& part) {
  const Section section;
  return open_dataset(name).read(image_, part);
}

void Hdf5Source::release(const TensorView& part) const noexcept {
  const ByteSpan span = span_of(part);
  if (buffer().contains(span.begin)) release_mapped(span.begin, span.bytes);
}

bool Hdf5Source::has_next_batch() {
  if (input_->peek(1).empty()) return false;
  if (!hdf5::image_begin(*input_))
    throw Error(ErrorKind::data, label(), "has bytes behind its HDF5 image that are no other image");
  return true;
}

bool Hdf5Source::next_batch() {
  if (!has_next_batch()) return false;
  open_image();
  return true;
}

}  // namespace

std::unique_ptr<Source> open_hdf5(std::unique_ptr<ByteInput> input) {
  return std::make_unique<Hdf5Source>(std::move(input));
}

}  // namespace attn::io
