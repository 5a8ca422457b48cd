// HDF5 as a source of tensors, from a mapped file or from an image in a pipe, in the same way; contiguous elements are
// used in place. A name leads to a dataset, a field of one of records, columns of a matrix, or a sparse matrix.

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/shell.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/bytes/mapped_files.hpp>
#include <attn/io/column_names.hpp>
#include <attn/io/data_frame.hpp>
#include <attn/io/formats/formats.hpp>
#include <attn/io/formats/meaning.hpp>
#include <attn/io/hdf5/dataset.hpp>
#include <attn/io/hdf5/elements.hpp>
#include <attn/io/hdf5/file_bytes.hpp>
#include <attn/io/hdf5/metadata.hpp>
#include <attn/io/sparse_matrix.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attn::io {
namespace {

using hdf5::Dataset;
using hdf5::Link;
using hdf5::Object;

/// Memory of one more link of a group: the object that it leads to, and its entry in the list of tensors or groups.
constexpr std::uint64_t bytes_of_link = 1024;

/// Columns of one dataset by their names: fields of records, or columns of a matrix whose attribute `columns` names
/// them.
struct Columns {
  std::string dataset;
  std::vector<std::string> names;
  std::vector<std::size_t> places;  ///< indices of columns of a matrix; empty for fields
};

std::vector<std::string> names_at(const std::vector<std::size_t>& places, const std::vector<std::string>& columns) {
  std::vector<std::string> names;
  for (const std::size_t place : places) names.push_back(columns[place]);
  return names;
}

class Hdf5Source final : public Source {
 public:
  /// `others`: files that it may lead to; null: none.
  Hdf5Source(std::unique_ptr<ByteInput> input, std::shared_ptr<hdf5::OtherFiles> others, NoteHook note)
      : input_(std::move(input)), others_(std::move(others)), note_(std::move(note)) {
    open_image();
  }

  const std::string& label() const noexcept override { return input_->label(); }
  const std::vector<TensorInfo>& tensors() const override { return listing().tensors; }
  const std::vector<Unreadable>& unreadable() const override { return listing().unreadable; }
  const std::vector<std::string>& groups() const override { return listing().groups; }
  const TensorInfo* find(const std::string& name) const override;
  std::string lost_in_copies(const std::string& name) const override;
  std::string group_of(const std::string& name) const override;
  TensorInfo describe(const std::string& name) const override;
  std::optional<GroupTensor> group_tensor(const std::string& name) const override;
  TensorView read(const std::string& name, const Slab& part) override;
  std::size_t rows_together(const std::string& name) const override {
    const std::optional<Dataset> dataset = dataset_at(name);
    return dataset ? dataset->rows_together(image_) : 0;
  }
  void release(const TensorView& part) const noexcept override { image_.bytes.release(span_of(part)); }
  void discard(const TensorView& part) const noexcept override { image_.bytes.discard(span_of(part)); }
  bool reads_again() const noexcept override { return image_.bytes.arrival == nullptr; }
  std::vector<std::size_t> columns_in(const std::string& name) const override {
    const std::optional<Columns> columns = name.empty() ? std::nullopt : columns_of(name);
    return columns ? columns->places : std::vector<std::size_t>{};
  }
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

  /// The contents of the file.
  struct Listing {
    explicit Listing(const std::string& label) : memory(label) {}

    std::vector<TensorInfo> tensors;
    std::vector<Unreadable> unreadable;
    std::vector<std::string> groups;
    std::map<std::uint64_t, std::string> paths;          // paths of groups, with the root, by address
    std::map<std::uint64_t, std::string> dataset_paths;  // one path for each dataset, by address
    std::map<std::string, std::string> losses;           // losses of tensors, for lost_in_copies()
    MemoryShare memory;                                  // memory of the lists
  };

  /// What is at a path: a dataset, or a link that may lead to one.
  struct Place {
    const Object* dataset;
    const Link* link;
  };
  using Places = std::map<std::string, Place>;

  void open_image();
  Bytes take_next() const;
  std::string way_to_cut() const;
  const Listing& listing() const;
  void list_all(Listing& all) const;
  void list_group(const Object& group, const std::string& path, Listing& all, Places& places, std::size_t depth) const;
  void require_names(const std::vector<Link>& sorted, const std::string& path) const;
  void list_link(const std::string& path, const Link& link, Listing& all) const;
  void list_other_link(const std::string& path, Listing& all) const;
  Unreadable explain_link(const std::string& path, const Link& link) const;
  void list_dataset(const std::string& path, const Object& object, Listing& all) const;
  hdf5::Objects::Found located(const std::string& path) const;
  hdf5::ObjectAttributes all_attributes(const std::string& name) const;
  void name_axes(const Object& object, hdf5::ObjectAttributes& attributes) const;
  std::vector<std::string> axes_by_number(const hdf5::ObjectAttributes& attributes) const;
  Dataset open_dataset(const std::string& path) const;
  std::optional<Dataset> dataset_at(const std::string& name) const;
  [[noreturn]] void explain_missing(const std::string& name) const;
  std::optional<SparseMatrix> sparse_matrix_at(const std::string& path) const;
  std::optional<DataFrame> frame_at(const std::string& path) const;
  bool are_characters(const Object& object, const hdf5::ObjectAttributes& attributes) const;
  std::optional<Columns> columns_of(const std::string& path) const;
  std::optional<Columns> columns_of(const Object& object, const std::string& dataset, const std::string& names) const;
  std::vector<std::string> names_of_columns(const TensorInfo& info) const;
  TensorInfo describe(const Columns& columns, const std::string& name) const;
  TensorView read(const Columns& columns, const std::string& name, const Slab& part) const;

  /// A name in another file, reached through a link.
  struct Followed {
    Source* source;
    std::string name;
  };
  std::optional<Followed> followed(const std::string& name) const;

  std::unique_ptr<ByteInput> input_;
  std::shared_ptr<hdf5::OtherFiles> others_;
  NoteHook note_;
  hdf5::Image image_;
  std::optional<Bytes> next_;                        // the image after this one, if it was looked for
  std::uint64_t images_end_ = 0;                     // in the input
  bool is_plain_file_ = false;                       // and no stream, nor compressed
  mutable std::unique_ptr<const Listing> listing_;   // made on demand
  mutable std::map<std::string, TensorInfo> named_;  // tensors that were requested before that
};

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

}  // namespace

void Hdf5Source::open_image() {
  image_ = {};  // released before the next one is read
  listing_.reset();
  named_.clear();
  image_.bytes = next_ ? *std::exchange(next_, std::nullopt) : take_next();
  images_end_ += image_.bytes.size;
  is_plain_file_ = image_.bytes.is_mapped && label() != "standard input";
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

Bytes Hdf5Source::take_next() const {
  try {
    return hdf5::take_image(*input_);
  } catch (const Error& error) {
    if (images_end_ == 0 || error.kind() != ErrorKind::input) throw;
    throw Error(error.kind(), label(), "has bytes after its HDF5 image that begin another, which " + error.detail(),
                way_to_cut());
  }
}

/// How to keep the images so far, and nothing after them.
std::string Hdf5Source::way_to_cut() const {
  const std::string size = std::to_string(images_end_);
  return is_plain_file_ ? "truncate -s " + size + " " + shell_quoted(label()) + " cuts them off"
                        : "head -c " + size + " passes on what is before them";
}

/// Line ends and zeros, as editors, transfers and killed writers leave them behind a file, are passed over.
bool Hdf5Source::has_next_batch() {
  if (next_) return true;
  if (input_->peek(1).empty()) return false;
  if (hdf5::image_begin(*input_)) {
    if (is_plain_file_) next_ = take_next();  // is all of it there? That costs nothing where it is mapped
    return true;
  }
  std::uint64_t passed = 0;
  for (std::size_t some = 1; some > 0; passed += some) {
    constexpr std::size_t at_once = 4096;
    const std::string_view next = input_->peek(at_once);
    some = std::min(next.find_first_not_of(std::string_view("\n\r\0", 3)), next.size());
    input_->take(some);
  }
  const bool has_more = !input_->peek(1).empty();
  if (has_more && !hdf5::image_begin(*input_))
    throw Error(ErrorKind::data, label(), "has bytes after its HDF5 image that are not another image", way_to_cut());
  if (note_)
    note_(label() + ": passes over " + std::to_string(passed) + (passed == 1 ? " byte" : " bytes") +
          " of line ends and zeros after its HDF5 image");
  images_end_ += passed;
  return has_more && has_next_batch();
}

bool Hdf5Source::next_batch() {
  if (!has_next_batch()) return false;
  open_image();
  return true;
}

/// The places of what was read on the way are checked.
hdf5::Objects::Found Hdf5Source::located(const std::string& path) const {
  const hdf5::Objects::Found found = image_.objects->find(path);
  image_.objects->check_places();
  return found;
}

std::optional<Hdf5Source::Followed> Hdf5Source::followed(const std::string& name) const {
  if (!others_ || name.empty()) return std::nullopt;
  const hdf5::Objects::Found found = located(name);
  if (found.obstacle == nullptr || found.obstacle->kind != Link::Kind::external) return std::nullopt;
  const std::size_t end = found.obstacle_end;
  const std::string path = name.substr(0, end);
  const hdf5::ExternalTarget target = hdf5::external_target(*found.obstacle);
  Source* source = others_->open(target.file, full_name(path));
  if (source == nullptr) refuse(path, "is a link to " + target.file + ", which does not exist");
  return Followed{source, listed_path(target.path + (end == name.npos ? "" : name.substr(end)))};
}

const TensorInfo* Hdf5Source::find(const std::string& name) const {
  if (const auto there = followed(name)) {
    const TensorInfo* info = there->source->find(there->name);
    if (info == nullptr) return nullptr;
    return &named_.insert_or_assign(name, TensorInfo{name, info->dtype, info->shape}).first->second;
  }
  if (listing_ || name.empty() || listed_path(name) != name) return Source::find(name);
  if (const auto known = named_.find(name); known != named_.end()) return &known->second;
  located(name);
  try {
    const std::optional<Dataset> dataset = dataset_at(name);
    if (!dataset) return nullptr;
    return &named_.emplace(name, dataset->info()).first->second;
  } catch (const Error&) {
    return nullptr;
  }
}

std::string Hdf5Source::lost_in_copies(const std::string& name) const {
  if (const auto there = followed(name)) return there->source->lost_in_copies(there->name);
  if (const auto frame = find(name) == nullptr ? frame_at(name) : std::nullopt)
    return "a data frame becomes one matrix in the copy, without its index";
  if (!listing_) return find(name) == nullptr ? "" : open_dataset(name).lost_in_copies();
  const auto found = listing_->losses.find(name);
  return found == listing_->losses.end() ? "" : found->second;
}

Dataset Hdf5Source::open_dataset(const std::string& path) const {
  const std::string name = listed_path(path);
  if (std::optional<Dataset> dataset = dataset_at(name)) return std::move(*dataset);
  explain_missing(name);
}

/// A dataset, or a field of a dataset of records; nothing if there is none.
std::optional<Dataset> Hdf5Source::dataset_at(const std::string& name) const {
  const hdf5::Objects::Found found = located(name);
  const Object& object = *found.object;
  if (object.kind != Object::Kind::dataset) return std::nullopt;
  if (found.is_whole()) return Dataset(object, name, label(), image_);
  if (!object.dataset || !object.dataset->type.is_record()) return std::nullopt;
  return Dataset(object, name.substr(0, found.end), label(), image_, name.substr(found.end + 1));
}

/// Says why a path leads to no dataset: a link to another file, a group, or nothing at all.
void Hdf5Source::explain_missing(const std::string& name) const {
  const hdf5::Objects::Found found = located(name);
  if (const Link* link = found.obstacle; link != nullptr && link->kind >= Link::Kind::external) {
    const std::string path = name.substr(0, found.obstacle_end);
    const Unreadable other = explain_link(path, *link);
    refuse(path, other.reason, other.fix);
  }
  if (found.is_whole() && found.object->kind == Object::Kind::group)
    throw Error(ErrorKind::input, full_name(name), "is a group, expected a dataset",
                "the file has " + list_tensors(*this, name));
  listing();
  for (const std::string& group : name.empty() ? std::vector<std::string>{} : groups()) {
    const std::vector<std::string> columns = frame_columns(*this, group);
    if (columns.empty()) continue;
    const bool is_in_it = starts_with(name, group + '/');
    const std::string list = name.substr(is_in_it ? group.size() + 1 : name.rfind('/') + 1);
    const ChosenColumns chosen = choose_columns(list, columns, columns.size());
    if (is_in_it && !chosen.missing.empty()) throw no_column(full_name(group), chosen, list, columns, columns.size());
    if (chosen.missing.empty())
      throw Error(ErrorKind::input, label(), "has no dataset '" + name + "'",
                  is_in_it ? "each column of this data frame is a dataset or a group of its own: name them one by one"
                           : "the data frame " + group + " has it: name " + full_name(group + '/' + list));
  }
  Source::describe(name);
  refuse(name, "cannot be opened: it is no dataset");
}

std::string Hdf5Source::group_of(const std::string& name) const {
  const Listing& all = listing();
  const hdf5::Objects::Found here = located(name);
  if (name.empty() || !here.is_whole()) return name;
  const auto found = all.paths.find(here.object->address);
  return found == all.paths.end() ? name : found->second;
}

/// The sparse matrix that a group is.
std::optional<SparseMatrix> Hdf5Source::sparse_matrix_at(const std::string& path) const {
  const std::string name = listed_path(path);
  if (name.empty()) return std::nullopt;
  const hdf5::Objects::Found found = located(name);
  const bool is_group = found.is_whole() && found.object->kind == Object::Kind::group;
  return is_group ? sparse_matrix(*this, name) : std::nullopt;
}

/// The data frame that a group is, or the columns of it that the rest of the path names; the path is their name.
std::optional<DataFrame> Hdf5Source::frame_at(const std::string& path) const {
  const std::string name = listed_path(path);
  const hdf5::Objects::Found found = located(name);
  if (name.empty() || found.object->kind != Object::Kind::group) return std::nullopt;
  const std::size_t end = std::min(found.end, name.size());
  std::optional<DataFrame> frame = end == 0 ? std::nullopt : data_frame(*this, name.substr(0, end));
  if (!frame || found.is_whole()) return frame;
  const std::string rest = name.substr(end + 1);
  std::vector<DataFrame::Column> chosen;
  const std::vector<std::string> names = frame->names();
  const ChosenColumns places = choose_columns(rest, names, names.size());
  if (!places.missing.empty()) throw no_column(full_name(frame->group), places, rest, names, names.size());
  for (const std::size_t place : places.places) chosen.push_back(frame->columns[place]);
  return DataFrame{name, std::move(chosen), frame->fault};
}

std::optional<GroupTensor> Hdf5Source::group_tensor(const std::string& name) const {
  const std::string path = listed_path(name);
  if (path.empty() || !located(path).is_whole()) return std::nullopt;
  if (const std::optional<SparseMatrix> sparse = sparse_matrix_at(name))
    return GroupTensor{sparse->info, sparse->attributes};
  if (const std::optional<DataFrame> frame = frame_at(name))
    return GroupTensor{io::describe(*this, *frame), {{"columns", vector_of(frame->names())}}};
  return std::nullopt;
}

TensorInfo Hdf5Source::describe(const std::string& name) const {
  if (const TensorInfo* info = find(name)) return *info;
  if (const auto there = followed(name)) return there->source->describe(there->name);
  if (const std::optional<SparseMatrix> sparse = sparse_matrix_at(name)) return sparse->info;
  if (const std::optional<DataFrame> frame = frame_at(name)) return io::describe(*this, *frame);
  if (const std::optional<Columns> columns = columns_of(name)) return describe(*columns, name);
  return open_dataset(name).info();
}

hdf5::ObjectAttributes Hdf5Source::all_attributes(const std::string& name) const {
  if (const auto there = followed(name))
    return {there->source->attributes(there->name), there->source->unreadable_attributes(there->name)};
  const std::string path = listed_path(name);
  const hdf5::Objects::Found here = located(path);
  if (here.is_whole() && here.object->kind == Object::Kind::group)
    return hdf5::read_attributes(*image_.objects, *here.object);
  if (const std::optional<DataFrame> frame = frame_at(name)) return {{{"columns", vector_of(frame->names())}}, {}};
  if (const std::optional<Columns> columns = columns_of(name)) {
    const bool is_matrix = !columns->places.empty();
    hdf5::ObjectAttributes found = is_matrix ? all_attributes(columns->dataset) : hdf5::ObjectAttributes{};
    found.tensors.erase("columns");
    if (!columns->names.empty()) found.tensors["columns"] = vector_of(columns->names);
    return found;
  }
  const Dataset dataset = open_dataset(name);
  if (dataset.is_field()) {
    hdf5::ObjectAttributes found;
    if (dataset.info().shape.size() == 1)
      found.tensors["columns"] = vector_of(std::vector<std::string>{dataset.field()});
    return found;
  }
  hdf5::ObjectAttributes found = hdf5::read_attributes(*image_.objects, *here.object);
  name_axes(*here.object, found);
  if (const std::vector<std::int64_t> limits = dataset.limits(); !limits.empty())
    found.tensors["DIMENSION_LIMITS"] = vector_of(limits);
  if (are_characters(*here.object, found)) found.tensors[characters_attribute] = scalar_of(std::int64_t{1});
  return found;
}

/// Texts of netCDF are characters along a last axis that has no coordinates.
bool Hdf5Source::are_characters(const Object& object, const hdf5::ObjectAttributes& attributes) const {
  const hdf5::Datatype& type = object.dataset->type;
  if (type.kind != hdf5::Datatype::Kind::text || type.is_variable_text || type.size != 1) return false;
  if (is_scale(attributes.tensors)) return object.dataset->shape.size() == 2;
  const std::vector<std::string> axes = texts_of(attributes.tensors, "DIMENSION_LIST");
  if (axes.empty()) return false;
  const hdf5::Objects::Found last = located(axes.back());
  if (axes.back().empty() || !last.is_whole()) return false;
  const std::vector<std::string> names = texts_of(hdf5::read_attributes(*image_.objects, *last.object).tensors, "NAME");
  return names.size() == 1 && starts_with(names.front(), hdf5::name_of_bare_scale);
}

/// Makes DIMENSION_LIST, which has references to dimension scales, the paths of these: the names of the axes, empty
/// without a scale. A list of references the other way is not needed.
void Hdf5Source::name_axes(const Object& object, hdf5::ObjectAttributes& attributes) const {
  const auto take = [&others = attributes.others](const char* name) {
    const auto found =
        std::find_if(others.begin(), others.end(), [&](const auto& other) { return other.name == name; });
    if (found == others.end()) return false;
    others.erase(found);
    return true;
  };
  take("REFERENCE_LIST");
  if (is_scale(attributes.tensors) && object.dataset && object.dataset->shape.size() > 1)
    if (const std::vector<std::string> axes = axes_by_number(attributes); axes.size() == object.dataset->shape.size())
      attributes.tensors["DIMENSION_LIST"] = vector_of(axes);
  if (!take("DIMENSION_LIST")) return;
  std::vector<std::string> names;
  try {
    for (const std::uint64_t scale : image_.objects->scales_of(object)) {
      const auto found = listing().dataset_paths.find(scale);
      names.push_back(found == listing().dataset_paths.end() ? "" : found->second);
    }
  } catch (const hdf5::Damage& damage) {
    attributes.others.push_back({"DIMENSION_LIST", std::string("is damaged: ") + damage.what(), ""});
    return;
  }
  attributes.tensors["DIMENSION_LIST"] = vector_of(names);
}

/// The axes of a coordinate of netCDF with several, such as the characters of names: it has the numbers of the
/// dimensions in place of a list.
/// source  NetCDF-4 file format, Dimensions and Coordinate Variables (_Netcdf4Coordinates, _Netcdf4Dimid)
std::vector<std::string> Hdf5Source::axes_by_number(const hdf5::ObjectAttributes& attributes) const {
  const auto numbers_in = [](const Attributes& of, const char* name) {
    const auto found = of.find(name);
    const bool has = found != of.end() && is_integer(found->second.dtype);
    return has ? elements_of<double>(cast(found->second, DType::f64)) : std::vector<double>{};
  };
  const std::vector<double> wanted = numbers_in(attributes.tensors, "_Netcdf4Coordinates");
  std::map<double, std::string> dimensions;
  for (const TensorInfo& info : wanted.empty() ? std::vector<TensorInfo>{} : listing().tensors) {
    const hdf5::Objects::Found found = located(info.name);
    if (!found.is_whole()) continue;
    const Attributes of = hdf5::read_attributes(*image_.objects, *found.object).tensors;
    const std::vector<double> number = numbers_in(of, "_Netcdf4Dimid");
    if (is_scale(of) && number.size() == 1) dimensions.emplace(number.front(), info.name);
  }
  std::vector<std::string> axes;
  for (const double number : wanted)
    if (const auto found = dimensions.find(number); found != dimensions.end()) axes.push_back(found->second);
  return axes;
}

TensorView Hdf5Source::read(const std::string& name, const Slab& part) {
  if (const auto there = followed(name)) return there->source->read(there->name, part);
  if (find(name) == nullptr)
    if (const std::optional<DataFrame> frame = frame_at(name)) return io::read(*this, *frame, part);
  if (const std::optional<Columns> columns = columns_of(name)) return read(*columns, name, part);
  if (const std::optional<SparseMatrix> sparse = sparse_matrix_at(name)) return read_dense(*this, *sparse, part);
  return open_dataset(name).read(image_, part);
}

/// Columns in a path after a dataset, such as table/age,height, or without one if only one dataset has them.
std::optional<Columns> Hdf5Source::columns_of(const std::string& path) const {
  if (find(path) != nullptr) return std::nullopt;
  const std::string name = listed_path(path);
  const hdf5::Objects::Found found = located(name);
  if (found.is_whole()) return std::nullopt;
  if (found.object->kind == Object::Kind::dataset)
    return columns_of(*found.object, name.substr(0, found.end), name.substr(found.end + 1));
  std::vector<Columns> all;
  for (const TensorInfo& info : tensors()) {
    const std::size_t begin = info.name.rfind('/') + 1;  // of its own name, behind its group
    if (info.shape.size() != 2 || name.compare(0, begin, info.name, 0, begin) != 0) continue;
    const std::vector<std::string> columns = names_of_columns(info);
    const ChosenColumns chosen = choose_columns(name.substr(begin), columns, columns.size());
    if (chosen.missing.empty()) all.push_back({info.name, names_at(chosen.places, columns), chosen.places});
  }
  if (all.size() > 1)
    throw Error(ErrorKind::input, label(),
                "has the columns '" + name + "' in " + all[0].dataset + " and in " + all[1].dataset,
                "name the dataset too, as in " + full_name(all[0].dataset) + "/" + all[0].names.front());
  return all.empty() ? std::nullopt : std::optional<Columns>(all.front());
}

/// Columns of a dataset that is there; nothing for one field, which is a dataset of its own.
std::optional<Columns> Hdf5Source::columns_of(const Object& object, const std::string& dataset,
                                              const std::string& names) const {
  if (object.dataset && object.dataset->type.is_record()) {
    const std::vector<std::string> fields = object.dataset->type.field_names();
    if (std::find(fields.begin(), fields.end(), names) != fields.end()) return std::nullopt;
    const ChosenColumns chosen = choose_columns(names, fields, fields.size());
    if (chosen.missing.empty()) return Columns{dataset, names_at(chosen.places, fields), {}};
    if (chosen.missing == names) return std::nullopt;  // such as a record in the record
    throw no_column(full_name(dataset), chosen, names, fields, fields.size());
  }
  const TensorInfo* info = find(dataset);
  if (info == nullptr || info->shape.size() != 2) return std::nullopt;
  const std::vector<std::string> columns = names_of_columns(*info);
  const ChosenColumns chosen = choose_columns(names, columns, info->shape.back());
  if (!chosen.missing.empty()) throw no_column(full_name(dataset), chosen, names, columns, info->shape.back());
  return Columns{dataset, columns.empty() ? columns : names_at(chosen.places, columns), chosen.places};
}

std::vector<std::string> Hdf5Source::names_of_columns(const TensorInfo& info) const {
  return column_names(attributes(info.name), info.shape.back());
}

TensorInfo Hdf5Source::describe(const Columns& columns, const std::string& name) const {
  if (!columns.places.empty()) {
    TensorInfo info = describe(columns.dataset);
    return {name, info.dtype, {info.shape.front(), columns.places.size()}};
  }
  std::vector<TensorInfo> fields;
  for (const std::string& field : columns.names) {
    fields.push_back(open_dataset(columns.dataset + "/" + field).info());
    if (fields.back().shape != fields.front().shape)
      refuse(name, "has fields of shapes " + to_string(fields.front().shape) + " and " + to_string(fields.back().shape),
             "read them one by one");
  }
  TensorInfo info{name, common_dtype(fields, full_name(name)), fields.front().shape};
  info.shape.push_back(fields.size());
  return info;
}

/// Columns of a matrix come with their rows; of records, one field after the other.
TensorView Hdf5Source::read(const Columns& columns, const std::string& name, const Slab& part) const {
  const TensorInfo info = describe(columns, name);
  resolve(part, info.shape, full_name(name));
  std::vector<TensorView> parts;
  if (columns.places.empty()) {
    for (const std::string& field : columns.names)
      parts.push_back(open_dataset(columns.dataset + "/" + field).read(image_, {}));
  } else {
    const Dataset dataset = open_dataset(columns.dataset);
    for (const std::size_t place : columns.places) {
      AxisSlab column;
      column.start = static_cast<std::int64_t>(place);
      column.is_index = true;
      parts.push_back(dataset.read(image_, {{}, column}));
    }
  }
  return slice(side_by_side(parts, info.dtype, full_name(name)), part);
}

std::unique_ptr<Source> open_hdf5(std::unique_ptr<ByteInput> input, const std::string& folder, const NoteHook& note,
                                  int depth) {
  std::shared_ptr<hdf5::OtherFiles> others;
  if (!folder.empty()) {
    const bool is_stream = input->label() == "standard input";
    others = std::make_shared<hdf5::OtherFiles>(folder, is_stream ? folder + "/" : input->label(), depth);
  }
  return std::make_unique<Hdf5Source>(std::move(input), std::move(others), note);
}

}  // namespace attn::io
