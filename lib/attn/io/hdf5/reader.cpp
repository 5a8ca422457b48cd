// HDF5 from a mapped file or from an image in a pipe, in the same way; contiguous elements are used in place.

#include <attn/io/formats/formats.hpp>
#include <attn/io/hdf5/images.hpp>
#include <attn/io/hdf5/reader.hpp>
#include <attn/io/hdf5/skeleton.hpp>

#include <algorithm>

namespace attn::io {

using hdf5::Dataset;
using hdf5::Link;
using hdf5::Object;

/// Memory of one more link of a group: the object that it leads to, and its entry in the list of tensors or groups.
static constexpr std::uint64_t bytes_of_link = 1024;

void Hdf5Source::open_image() {
  image_ = {};  // released before the next one is read
  listing_.reset();
  named_.clear();
  image_.bytes = hdf5::take_image(*input_);
  image_.others = others_;
  image_.own = this;
  image_.objects = std::make_shared<hdf5::Objects>(image_.bytes, label());
  image_.heaps = hdf5::StringHeaps(image_.objects->file());
}

const Hdf5Source::Listing& Hdf5Source::listing() const {
  if (listing_) return *listing_;
  auto all = std::make_unique<Listing>(label());
  list_all(*all);
  listing_ = std::move(all);
  return *listing_;
}

/// Datasets in the order of names; fields of records stay as they are.
void Hdf5Source::list_all(Listing& all) const {
  Places places;
  list_group(image_.objects->root(), "", all, places, 0);
  image_.objects->check_places();
  image_.objects->finish();
  for (const auto& [path, place] : places)
    place.dataset != nullptr ? list_dataset(path, *place.dataset, all) : list_link(path, *place.link, all);
  const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
  std::sort(all.unreadable.begin(), all.unreadable.end(), by_name);
  std::sort(all.groups.begin(), all.groups.end());
}

void Hdf5Source::list_group(const Object& group, const std::string& path, Listing& all, Places& places,
                            std::size_t depth) const {
  if (depth > hdf5::most_groups_deep) refuse(path, "is a damaged or too deep HDF5 group");
  if (!all.paths.emplace(group.address, path).second) return;  // a cycle of hard links
  if (!path.empty()) all.groups.push_back(path);
  require_names(group.links, path);
  for (const Link& link : group.links) {
    std::string full = path.empty() ? std::string(link.name) : path + "/" + std::string(link.name);
    all.memory.grow(bytes_of_link + 3 * full.size());
    if (link.kind == Link::Kind::soft || (link.kind == Link::Kind::external && others_)) {
      places[full] = {nullptr, &link};
      continue;
    }
    if (link.kind != Link::Kind::hard) {
      all.unreadable.push_back(explain_link(full, link));
      continue;
    }
    const Object& object = image_.objects->at(link.address, full);
    switch (object.kind) {
      case Object::Kind::group: list_group(object, full, all, places, depth + 1); break;
      case Object::Kind::dataset:
        all.dataset_paths.emplace(object.address, full);
        places[std::move(full)] = {&object, nullptr};
        break;
      case Object::Kind::type: break;
      case Object::Kind::unknown: refuse(full, "is a damaged HDF5 object: unable to determine object type");
    }
  }
}

/// Each link of a group has a name that no other has.
void Hdf5Source::require_names(const std::vector<Link>& sorted, const std::string& path) const {
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const std::string_view name = sorted[i].name;
    if (name.empty() || name.find('/') != std::string::npos || (i > 0 && name == sorted[i - 1].name))
      throw Error(
          ErrorKind::data, full_name(path),
          "is a damaged HDF5 group: it has the name '" + std::string(name) + "', which is invalid or occurs twice");
  }
}

void Hdf5Source::list_link(const std::string& path, const Link& link, Listing& all) const {
  if (link.kind == Link::Kind::external) return list_other_link(path, all);
  const hdf5::Objects::Found found = image_.objects->find(path);
  if (!found.is_whole())
    all.unreadable.push_back(explain_link(path, link));
  else if (found.object->kind == Object::Kind::dataset)
    list_dataset(path, *found.object, all);
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
Unreadable Hdf5Source::explain_link(const std::string& path, const Link& link) const {
  if (link.kind == Link::Kind::users_own)
    return {path, "is a link of the user's own kind " + std::to_string(link.number), ""};
  if (link.kind == Link::Kind::soft)
    return {path, "is a link to " + std::string(link.target) + ", which this file does not contain", ""};
  const hdf5::ExternalTarget target = hdf5::external_target(link);
  const std::string place = target.file + (target.path.substr(0, 1) == "/" ? ":" : ":/") + target.path;
  return {path, "is a link to " + place + ", and links to other files are not followed", "name that file"};
}

/// For records, each field.
void Hdf5Source::list_dataset(const std::string& path, const Object& object, Listing& all) const {
  std::vector<std::string> fields;
  if (object.dataset && object.dataset->type.is_record() && !object.dataset->type.is_complex())
    fields = object.dataset->type.field_names();
  if (fields.empty()) fields.emplace_back();
  for (const std::string& field : fields) {
    const std::string name = field.empty() ? path : path + "/" + field;
    all.memory.grow(field.size() + bytes_of_link);
    try {
      const Dataset dataset(object, path, label(), image_, field);
      all.tensors.push_back(dataset.info());
      if (std::string loss = dataset.lost_in_copies(); !loss.empty()) all.losses.emplace(name, std::move(loss));
    } catch (const Error& error) {
      all.unreadable.push_back({name, error.detail(), error.fix()});
    }
  }
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
