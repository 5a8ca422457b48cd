// HDF5: what a name leads to. It may be a dataset, a field of one of records, columns of a matrix, or a sparse matrix.

#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/column_names.hpp>
#include <attn/io/hdf5/reader.hpp>

#include <algorithm>

namespace attn::io {

using hdf5::Columns;
using hdf5::Dataset;
using hdf5::Link;
using hdf5::Object;

namespace {

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

/// The names in "age,height", or the one that this is.
std::vector<std::string> wanted_of(const std::string& names, const std::vector<std::string>& known) {
  const bool is_one = std::find(known.begin(), known.end(), names) != known.end();
  return is_one ? std::vector<std::string>{names} : hdf5::split_columns(names);
}

}  // namespace

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
                "the file has " + list_tensors(*this));
  listing();
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

TensorInfo Hdf5Source::describe(const std::string& name) const {
  if (const TensorInfo* info = find(name)) return *info;
  if (const auto there = followed(name)) return there->source->describe(there->name);
  if (const std::optional<SparseMatrix> sparse = sparse_matrix_at(name)) return sparse->info;
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
  if (const std::optional<Columns> columns = columns_of(name)) {
    const bool is_matrix = !columns->places.empty();
    hdf5::ObjectAttributes found = is_matrix ? all_attributes(columns->dataset) : hdf5::ObjectAttributes{};
    found.tensors["columns"] = vector_of(columns->names);
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
  return found;
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

TensorView Hdf5Source::read(const std::string& name, const Slab& part) {
  if (const auto there = followed(name)) return there->source->read(there->name, part);
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
    const std::vector<std::string> wanted = wanted_of(name.substr(begin), columns);
    const auto is_column = [&](const std::string& each) {
      return std::find(columns.begin(), columns.end(), each) != columns.end();
    };
    if (std::all_of(wanted.begin(), wanted.end(), is_column))
      all.push_back({info.name, wanted, hdf5::places_of(wanted, columns)});
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
    const std::vector<std::string> wanted = wanted_of(names, object.dataset->type.field_names());
    return wanted.size() < 2 ? std::nullopt : std::optional<Columns>({dataset, wanted, {}});
  }
  const TensorInfo* info = find(dataset);
  if (info == nullptr || info->shape.size() != 2) return std::nullopt;
  const std::vector<std::string> columns = names_of_columns(*info);
  const std::vector<std::string> wanted = wanted_of(names, columns);
  const std::vector<std::size_t> places = hdf5::places_of(wanted, columns);
  if (!places.empty()) return Columns{dataset, wanted, places};
  throw Error(ErrorKind::input, full_name(dataset), "has no column '" + names + "'",
              columns.empty() ? "its columns have no names; number 0 is " + full_name(dataset) + "[:,0]"
                              : "it has " + listed(columns));
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
  TensorInfo info{name, hdf5::common_dtype(fields, full_name(name)), fields.front().shape};
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
  return slice(hdf5::side_by_side(parts, info.dtype, full_name(name)), part);
}

}  // namespace attn::io
