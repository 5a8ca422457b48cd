// Values over stored numbers: by the attributes of a dataset, and by other datasets of its group.

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/data_frame.hpp>
#include <attn/io/formats/decoded_source.hpp>
#include <attn/io/formats/meaning.hpp>
#include <attn/io/formats/stored_elements.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace attn::io {
namespace {

constexpr const char* way_out = "--raw reads what is stored";
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class T>
void decode(const Meaning& meaning, T* values, std::size_t count, std::size_t& outside) {
  const double scale = meaning.scale, offset = meaning.offset == 0 ? -0.0 : meaning.offset;  // -0 + 0 is 0
  const auto first = meaning.missing.begin(), last = meaning.missing.end();
  for (std::size_t i = 0; i < count; ++i) {
    const auto stored = static_cast<double>(values[i]);
    const bool is_missing = std::find(first, last, stored) != last;
    outside += meaning.valid && !is_missing && (stored < meaning.valid->first || stored > meaning.valid->second);
    values[i] = is_missing ? static_cast<T>(not_a_number) : static_cast<T>(stored * scale + offset);
  }
}

/// One half of a pair is no character.
std::string utf8_of(const std::vector<std::int64_t>& codes, std::size_t first, std::size_t step) {
  constexpr std::int64_t replacement = 0xfffd;
  const auto is_high = [](std::int64_t code) { return code >= 0xd800 && code < 0xdc00; };
  const auto is_low = [](std::int64_t code) { return code >= 0xdc00 && code < 0xe000; };
  std::string text;
  for (std::size_t i = first; i < codes.size(); i += step) {
    std::int64_t code = codes[i];
    if (is_high(code) && i + step < codes.size() && is_low(codes[i + step])) {
      code = 0x10000 + ((code - 0xd800) << 10) + (codes[i + step] - 0xdc00);
      i += step;
    } else if (is_high(code) || is_low(code) || code < 0 || code > 0x10ffff) {
      code = replacement;
    }
    append_utf8(text, static_cast<std::uint32_t>(code));
  }
  return text;
}

/// Text of bytes, as Octave stores it: UTF-8, or else Latin-1.
std::string text_of_bytes(const std::vector<std::int64_t>& codes, std::size_t first, std::size_t step) {
  std::string bytes;
  for (std::size_t i = first; i < codes.size(); i += step) bytes += static_cast<char>(codes[i]);
  if (!find_invalid_utf8(bytes)) return bytes;
  std::string text;
  for (const char byte : bytes) append_utf8(text, static_cast<unsigned char>(byte));
  return text;
}

/// The values of a part of a dataset that is neither text nor empty. `outside`: the number of invalid ones.
TensorView decoded(const Meaning& meaning, TensorView stored, std::size_t& outside) {
  stored.dtype = meaning.stored;
  if (meaning.dtype == DType::boolean) {
    Tensor out(DType::boolean, stored.shape);
    const TensorView bytes = contiguous(stored);
    auto* const values = static_cast<std::uint8_t*>(out.data());
    std::copy_n(static_cast<const std::uint8_t*>(bytes.data), out.size(), values);
    normalise_booleans(values, out.size());
    return out.view(stored.name);
  }
  if (!meaning.changes_numbers() && !meaning.valid) return stored;
  memory_account().require(stored.size() * element_size(meaning.dtype), stored.name);
  const bool is_float = is_floating(meaning.dtype);
  const TensorView same = cast(stored, is_float ? meaning.dtype : DType::f64);
  TensorView out = same.data == stored.data ? copied(same) : same;
  visit_compute_dtype(out.dtype, [&](auto sample) {
    using T = decltype(sample);
    // Nothing else has seen this memory yet.
    decode(meaning, const_cast<T*>(out.contiguous_data<T>()), out.size(), outside);
  });
  return meaning.changes_numbers() ? renamed(std::move(out), stored.name) : stored;
}

/// The texts, one for each column of codes (N, M); shape (M).
TensorView decoded_texts(const TensorView& codes) {
  const std::size_t rows = codes.rank() == 0 ? 1 : codes.shape[0], count = rows == 0 ? 0 : codes.size() / rows;
  const std::vector<std::int64_t> all = to_integers(codes);
  Tensor texts(DType::string, {count});
  TextMemory memory(codes.name);
  const auto text_of = element_size(codes.dtype) == 1 ? text_of_bytes : utf8_of;
  for (std::size_t i = 0; i < count; ++i) {
    std::string text = text_of(all, i, count);
    memory.add_text(text.size());
    texts.data_as<std::string>()[i] = std::move(text);
  }
  return std::move(memory).held_by(texts.view(codes.name));
}

/// The texts whose characters are along the last axis; shape without it.
TensorView joined_characters(const TensorView& characters) {
  Shape shape = characters.shape;
  const std::size_t width = shape.back();
  shape.pop_back();
  Tensor texts(DType::string, shape);
  TextMemory memory(characters.name);
  const std::vector<std::string> all = elements_of<std::string>(characters);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::string& text = texts.data_as<std::string>()[i];
    for (std::size_t k = 0; k < width; ++k) text += all[i * width + k];
    memory.add_text(text.size());
  }
  return std::move(memory).held_by(texts.view(characters.name));
}

/// The labels with the numbers of `codes`, from `first` on; where there is none, an empty text or NaN, which `missing`
/// counts.
TensorView labelled(const TensorView& codes, const TensorView& labels, std::int64_t first, std::size_t& missing) {
  const std::vector<std::int64_t> places = to_integers(codes);
  const auto fill = [&](auto* out, const auto& known, const auto& none) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      // A code without a label is -1, or the smallest number of R.
      const bool is_missing = places[i] < first;
      if (!is_missing && places[i] - first >= static_cast<std::int64_t>(known.size()))
        throw Error(ErrorKind::data, codes.name,
                    "is damaged: it has the code " + std::to_string(places[i]) + ", and " +
                        std::to_string(known.size()) + " categories");
      missing += is_missing;
      out[i] = is_missing ? none : known[static_cast<std::size_t>(places[i] - first)];
    }
  };
  if (labels.dtype != DType::string) {
    memory_account().require(places.size() * sizeof(double), codes.name);
    Tensor out(DType::f64, codes.shape);
    fill(out.data_as<double>(), elements_of<double>(cast(labels, DType::f64)), not_a_number);
    return out.view(codes.name);
  }
  memory_account().require(places.size() * sizeof(std::string), codes.name);
  Tensor out(DType::string, codes.shape);
  fill(out.data_as<std::string>(), elements_of<std::string>(labels), std::string());
  TextMemory memory(codes.name);
  for (std::size_t i = 0; i < out.size(); ++i) memory.add_text(out.data_as<std::string>()[i].size());
  return std::move(memory).held_by(out.view(codes.name));
}

/// f64, with NaN where the mask is not 0.
TensorView masked(const TensorView& integers, const TensorView& mask) {
  if (mask.shape != integers.shape)
    throw Error(ErrorKind::data, mask.name,
                "has shape " + to_string(mask.shape) + ", expected that of the values, " + to_string(integers.shape),
                "--raw reads the values without the mask");
  const std::vector<std::int64_t> is_missing = to_integers(mask);
  Tensor out(DType::f64, integers.shape);
  const TensorView values = cast(integers, DType::f64);
  const auto* from = values.contiguous_data<double>();
  for (std::size_t i = 0; i < is_missing.size(); ++i)
    out.data_as<double>()[i] = is_missing[i] != 0 ? not_a_number : from[i];
  return out.view(integers.name);
}

template <class Is>
bool has_one(const TensorView& x, Is&& is) {
  return visit_dtype(x.dtype, [&](auto sample) {
    using T = decltype(sample);
    if constexpr (!std::is_arithmetic_v<T>)
      return false;
    else {
      const TensorView all = contiguous(x);
      const auto* const first = all.contiguous_data<T>();
      return std::any_of(first, first + all.size(), [&](T value) { return is(static_cast<double>(value)); });
    }
  });
}

class DecodedSource final : public Source {
 public:
  DecodedSource(std::shared_ptr<Source> stored, std::function<void(const std::string&)> note, std::string writer)
      : stored_(std::move(stored)), note_(std::move(note)), writer_(std::move(writer)) {}

  const std::string& label() const noexcept override { return stored_->label(); }
  const std::vector<TensorInfo>& tensors() const override { return listing().tensors; }
  const std::vector<Unreadable>& unreadable() const override { return listing().unreadable; }
  const std::vector<std::string>& groups() const override { return stored_->groups(); }
  const TensorInfo* find(const std::string& name) const override;
  std::vector<std::size_t> columns_in(const std::string& name) const override { return stored_->columns_in(name); }
  std::string group_of(const std::string& name) const override { return stored_->group_of(name); }
  TensorInfo describe(const std::string& name) const override;
  std::vector<TensorInfo> columns_at(const std::string& name) const;
  std::optional<GroupTensor> group_tensor(const std::string& name) const override;
  TensorView read(const std::string& name, const Slab& part) override;
  std::size_t rows_together(const std::string& name) const override {
    const TensorInfo* const stored = stored_->find(name);
    return stored != nullptr && meant(*stored) == nullptr ? stored_->rows_together(name) : 0;
  }
  void release(const TensorView& part) const noexcept override { stored_->release(part); }
  void discard(const TensorView& part) const noexcept override { stored_->discard(part); }
  bool reads_again() const noexcept override { return stored_->reads_again(); }
  Attributes attributes(const std::string& name) const override;
  std::string lost_in_copies(const std::string& name) const override {
    return columns_at(name).empty() ? stored_->lost_in_copies(name) : "";
  }
  std::vector<Unreadable> unreadable_attributes(const std::string& name) const override {
    return columns_at(name).empty() ? stored_->unreadable_attributes(name) : std::vector<Unreadable>{};
  }
  bool has_next_batch() override { return stored_->has_next_batch(); }
  bool next_batch() override {
    listing_.reset();
    is_netcdf_.reset();
    datasets_.clear();
    groups_.clear();
    return stored_->next_batch();
  }
  Source& stored() noexcept override { return *stored_; }

 private:
  /// A dataset whose values are not what is stored, or a group that is one.
  struct Dataset {
    Meaning meaning;
    TensorInfo info;               // of the values
    std::string stored;            // the dataset with the numbers
    std::string mask = {};         // a dataset that is not 0 where values are missing; none: empty
    std::string labels = {};       // a dataset of what the numbers stand for; none: empty
    std::int64_t first_label = 0;  // the number of the first of them
  };

  /// All that there is, made when it is asked for: a file may have very many datasets, of which one is read.
  struct Listing {
    std::vector<TensorInfo> tensors;
    std::vector<Unreadable> unreadable;
  };

  const Listing& listing() const;
  bool is_netcdf() const;
  std::string encoding_of(const std::string& group) const;
  std::optional<Dataset> dataset(const TensorInfo& stored) const;
  void read_group(const std::string& name, const TensorInfo& stored, Dataset& found) const;
  void read_writer(const TensorInfo& stored, const Attributes& attributes, Dataset& found) const;
  bool read_labels(const std::string& labels, std::int64_t first, Dataset& found) const;
  std::optional<Dataset> dataset_of_group(const std::string& group) const;
  const Dataset* meant_group(const std::string& name) const;
  Shape shape_of_empty(const TensorInfo& stored) const;
  const Dataset* meant(const TensorInfo& stored) const;
  void say_once(const std::string& name, const std::string& text);
  void say_notes(const Dataset& dataset, std::size_t outside, std::size_t axes);
  void say_of_numbers(const Dataset& dataset, const TensorView& stored, const TensorView& values);

  std::shared_ptr<Source> stored_;
  std::function<void(const std::string&)> note_;
  std::string writer_;
  mutable std::optional<Listing> listing_;
  mutable std::map<std::string, std::unique_ptr<const Dataset>> datasets_;  // that were asked for; null: as stored
  mutable std::map<std::string, std::unique_ptr<const Dataset>> groups_;    // the same; null: no group that is one
  mutable std::optional<bool> is_netcdf_;
  std::set<std::string> said_;
};

const DecodedSource::Listing& DecodedSource::listing() const {
  if (listing_) return *listing_;
  Listing all{{}, stored_->unreadable()};
  for (const TensorInfo& stored : stored_->tensors()) {
    try {
      all.tensors.push_back(describe(stored.name));
    } catch (const Error& error) {
      all.unreadable.push_back({stored.name, error.detail(), error.fix()});
    }
  }
  std::sort(all.unreadable.begin(), all.unreadable.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return listing_.emplace(std::move(all));
}

bool DecodedSource::is_netcdf() const {
  if (!is_netcdf_) is_netcdf_ = stored_->attributes("").count("_NCProperties") > 0;
  return *is_netcdf_;
}

std::string DecodedSource::encoding_of(const std::string& group) const {
  const std::vector<std::string> texts = texts_of(stored_->attributes(group), "encoding-type");
  return texts.empty() ? "" : texts.front();
}

/// The meaning of the stored dataset; none if the stored numbers are the values.
std::optional<DecodedSource::Dataset> DecodedSource::dataset(const TensorInfo& stored) const {
  const Attributes attributes = stored_->attributes(stored.name);
  std::optional<Meaning> meaning = meaning_of(stored, attributes, is_netcdf());
  Dataset found{meaning.value_or(Meaning{stored.dtype, stored.dtype}), stored, stored.name};
  if (!meaning) read_group(stored.name, stored, found);
  read_writer(stored, attributes, found);
  const Meaning& known = found.meaning;
  if (!meaning && !known.changes_numbers() && found.mask.empty() && found.labels.empty() && known.note.empty() &&
      known.reversed_by.empty() && known.dtype == stored.dtype && !known.is_empty)
    return std::nullopt;
  if (found.labels.empty()) found.info.dtype = known.dtype;
  if (known.is_text) found.info.shape = {stored.shape.size() < 2 ? 1 : stored.shape[1]};
  if (known.are_characters) found.info.shape.pop_back();
  if (known.is_empty) found.info.shape = shape_of_empty(stored);
  return found;
}

/// Meaning from the group of a dataset: AnnData's masks and categories, gain and offset of weather radars.
void DecodedSource::read_group(const std::string& name, const TensorInfo& stored, Dataset& found) const {
  const std::size_t slash = name.rfind('/');
  if (slash == std::string::npos || !is_integer(stored.dtype)) return;
  const std::string group = name.substr(0, slash), own = name.substr(slash + 1);
  // Where AnnData kept the categories of a column before version 0.8, and before 0.7.
  if (read_labels(group + "/__categories/" + own, 0, found)) return;
  if ((group == "obs" || group == "var") && read_labels("uns/" + own + "_categories", 0, found)) return;
  if (own == "codes" && encoding_of(group) == "categorical") {
    found.meaning.missing = {-1};
    found.meaning.dtype = DType::f64;
  } else if (own == "values" && stored_->find(group + "/mask") != nullptr &&
             starts_with(encoding_of(group), "nullable-")) {
    found.mask = group + "/mask";
    found.meaning.dtype = DType::f64;
  } else if (const std::string what = group + "/what"; own == "data" && stored_->has_group(what)) {
    const Attributes attributes = stored_->attributes(what);
    if (attributes.count("gain") > 0 && attributes.count("offset") > 0)
      found.meaning.note = "gain, offset and nodata of the group " + what + " are not applied to its numbers";
  }
}

bool DecodedSource::read_labels(const std::string& labels, std::int64_t first, Dataset& found) const {
  const TensorInfo* const known = stored_->find(labels);
  if (known == nullptr || known->shape.size() != 1) return false;
  found.labels = labels;
  found.first_label = first;
  found.info.dtype = known->dtype == DType::string ? DType::string : DType::f64;
  return true;
}

/// Meaning from the program that wrote the file: Octave has a group for each variable, with its `type` and `value`.
void DecodedSource::read_writer(const TensorInfo& stored, const Attributes& attributes, Dataset& found) const {
  Meaning& meaning = found.meaning;
  constexpr const char* mark = "OCTAVE_NEW_FORMAT";
  std::string writer = writer_, type;
  if (ends_with(stored.name, "/value")) {
    const std::string group = stored.name.substr(0, stored.name.rfind('/'));
    const TensorInfo* const kind = stored_->find(group + "/type");
    if (kind != nullptr && kind->dtype == DType::string && kind->shape.empty() &&
        stored_->attributes(group).count(mark) > 0) {
      writer = "Octave";
      type = elements_of<std::string>(stored_->read(kind->name)).front();
    }
  } else if (attributes.count(mark) > 0) {
    writer = "Octave";  // a sparse matrix
  }
  if (writer.empty()) return;
  meaning.is_empty = attributes.count("OCTAVE_EMPTY_MATRIX") > 0;
  const bool are_bytes = is_integer(stored.dtype) && element_size(stored.dtype) == 1;
  if (ends_with(type, "string") && (are_bytes || meaning.is_empty)) {
    meaning.dtype = DType::string;
    meaning.is_text = !meaning.is_empty;
  } else if (starts_with(type, "bool") && (are_bytes || meaning.is_empty)) {
    meaning.dtype = DType::boolean;
  } else if (meaning.is_empty) {
    meaning.dtype = DType::f64;
  }
  const bool has_order = stored.shape.size() > 1 && stored.shape.back() > 1;
  if (has_order && !meaning.is_text && meaning.reversed_by.empty()) meaning.reversed_by = writer;
}

/// A group that is one dataset: categories of AnnData and SeuratDisk, masked numbers, a variable of Octave.
std::optional<DecodedSource::Dataset> DecodedSource::dataset_of_group(const std::string& group) const {
  const auto member = [&](const char* name) { return stored_->find(group + "/" + name); };
  const std::string encoding = encoding_of(group);
  const bool is_categorical = encoding == "categorical";
  const TensorInfo* const codes = member(is_categorical ? "codes" : "values");
  if (codes != nullptr && is_integer(codes->dtype) && (is_categorical || member("levels") != nullptr)) {
    Dataset found{{codes->dtype, codes->dtype}, {group, codes->dtype, codes->shape}, codes->name};
    if (read_labels(group + (is_categorical ? "/categories" : "/levels"), is_categorical ? 0 : 1, found)) return found;
  }
  const TensorInfo* const values = starts_with(encoding, "nullable-") ? codes : member("value");
  if (values == nullptr || (values != codes && stored_->attributes(group).count("OCTAVE_NEW_FORMAT") == 0))
    return std::nullopt;
  const Dataset* const known = meant(*values);
  Dataset found = known != nullptr ? *known : Dataset{{values->dtype, values->dtype}, *values, values->name};
  found.info.name = group;
  return found;
}

const DecodedSource::Dataset* DecodedSource::meant_group(const std::string& name) const {
  if (name.empty() || stored_->find(name) != nullptr || !stored_->has_group(name)) return nullptr;
  const auto place = groups_.find(name);
  if (place != groups_.end()) return place->second.get();
  std::optional<Dataset> found = dataset_of_group(name);
  auto kept = found ? std::make_unique<Dataset>(std::move(*found)) : nullptr;
  return groups_.emplace(name, std::move(kept)).first->second.get();
}

std::optional<GroupTensor> DecodedSource::group_tensor(const std::string& name) const {
  if (const Dataset* const group = meant_group(name)) return GroupTensor{group->info, {}};
  std::optional<GroupTensor> tensor = stored_->group_tensor(name);
  if (tensor) tensor->info = describe(name);
  return tensor;
}

/// MATLAB's axes are in reverse order, as everywhere. A shape with elements, or an impossible one, is not an empty
/// array.
Shape DecodedSource::shape_of_empty(const TensorInfo& stored) const {
  const std::size_t axes = element_count(stored.shape);
  if (axes < 2 || axes > most_axes || !is_integer(stored.dtype)) return {0};
  Shape shape;
  for (const std::int64_t extent : to_integers(stored_->read(stored.name)))
    shape.insert(shape.begin(), static_cast<std::size_t>(extent));
  stored_bytes(shape, sizeof(double), label() + ":/" + stored.name);
  return std::find(shape.begin(), shape.end(), std::size_t{0}) == shape.end() ? Shape{0} : shape;
}

const DecodedSource::Dataset* DecodedSource::meant(const TensorInfo& stored) const {
  const auto place = datasets_.find(stored.name);
  if (place != datasets_.end()) return place->second.get();
  std::optional<Dataset> found = dataset(stored);
  auto kept = found ? std::make_unique<Dataset>(std::move(*found)) : nullptr;
  return datasets_.emplace(stored.name, std::move(kept)).first->second.get();
}

const TensorInfo* DecodedSource::find(const std::string& name) const {
  const TensorInfo* const stored = stored_->find(name);
  const Dataset* const found = stored == nullptr ? nullptr : meant(*stored);
  if (found == nullptr) return stored;
  return found->meaning.refusal.empty() ? &found->info : nullptr;
}

/// Those that a path lists behind a data frame of AnnData, whose categories are words.
std::vector<TensorInfo> DecodedSource::columns_at(const std::string& name) const {
  std::vector<TensorInfo> columns;
  if (name.empty() || stored_->find(name) != nullptr || stored_->has_group(name)) return columns;
  for (const std::string& column : frame_datasets(*stored_, name)) columns.push_back(describe(column));
  for (const TensorInfo& column : columns)
    if (column.shape != columns.front().shape)
      throw Error(ErrorKind::data, label() + ":/" + name, "has columns that differ in shape", "name them one by one");
  return columns;
}

TensorInfo DecodedSource::describe(const std::string& name) const {
  if (const Dataset* const group = meant_group(name)) return group->info;
  if (const std::vector<TensorInfo> columns = columns_at(name); !columns.empty()) {
    TensorInfo info{name, common_dtype(columns, label() + ":/" + name), columns.front().shape};
    info.shape.push_back(columns.size());
    return info;
  }
  const TensorInfo stored = stored_->describe(name);
  const Dataset* const found = meant(stored);
  if (found == nullptr) return stored;
  if (!found->meaning.refusal.empty())
    throw Error(ErrorKind::data, label() + ":/" + name, found->meaning.refusal, way_out);
  return found->info;
}

void DecodedSource::say_once(const std::string& name, const std::string& text) {
  if (note_ && said_.insert(name + text).second) note_(label() + ":/" + name + ": " + text);
}

/// `axes`: of the part that was read.
void DecodedSource::say_notes(const Dataset& dataset, std::size_t outside, std::size_t axes) {
  const Meaning& meaning = dataset.meaning;
  const std::string& name = dataset.info.name;
  if (!meaning.note.empty()) say_once(name, meaning.note);
  if (outside > 0)
    say_once(name, "some of its numbers lie outside of its attribute valid_range, valid_min or valid_max, and stay");
  // One for the whole file.
  if (meaning.reversed_by.empty() || axes < 2 || !said_.insert(meaning.reversed_by).second) return;
  Shape shape = dataset.info.shape;
  const std::string here = to_string(shape);
  const bool is_vector = element_count(shape) == shape.back();
  std::reverse(shape.begin(), shape.end());
  say_once(name, meaning.reversed_by + " writes axes in reverse order: what it calls " + to_string(shape) + " is " +
                     here + " here; " +
                     (is_vector && shape.size() == 2 ? label() + ":/" + name + "[0] has one axis"
                                                     : "tconv --axes turns them"));
}

void DecodedSource::say_of_numbers(const Dataset& dataset, const TensorView& stored, const TensorView& values) {
  const Meaning& meaning = dataset.meaning;
  if (!meaning.why_suspect.empty() && has_one(stored, [&](double value) { return value == meaning.suspect; }))
    say_once(dataset.info.name, meaning.why_suspect);
  constexpr double most = 9007199254740992;  // 2^53
  const bool may_round = (meaning.stored == DType::i64 || meaning.stored == DType::u64) &&
                         dataset.info.dtype == DType::f64 && meaning.scale == 1 && meaning.offset == 0;
  if (may_round && has_one(values, [](double value) { return std::abs(value) >= most; }))
    say_once(
        dataset.info.name,
        "as some of its numbers are missing they are read as f64, which rounds those beyond 2^53; --raw keeps them");
}

TensorView DecodedSource::read(const std::string& name, const Slab& part) {
  const TensorInfo info = describe(name);
  if (const std::vector<TensorInfo> columns = columns_at(name); !columns.empty()) {
    std::vector<TensorView> parts;
    for (const TensorInfo& column : columns) parts.push_back(read(column.name, {}));
    return slice(side_by_side(parts, info.dtype, label() + ":/" + name), part);
  }
  const Dataset* const group = meant_group(name);
  const Dataset* const found = group != nullptr ? group : meant(info);
  if (found == nullptr) return stored_->read(name, part);
  const std::string subject = label() + ":/" + name;
  if (found->meaning.is_empty) return slice(Tensor(info.dtype, info.shape).view(subject), part);
  if (found->meaning.is_text) return slice(decoded_texts(stored_->read(found->stored)), part);
  if (found->meaning.are_characters) return slice(joined_characters(stored_->read(found->stored)), part);
  std::size_t outside = 0;
  const TensorView stored = renamed(stored_->read(found->stored, part), subject);
  if (!found->labels.empty()) {
    std::size_t missing = 0;
    TensorView values = labelled(stored, stored_->read(found->labels), found->first_label, missing);
    if (missing > 0 && values.dtype == DType::string)
      say_once(name, "some of its values are of no category, and are empty");
    return values;
  }
  TensorView values = decoded(found->meaning, stored, outside);
  if (!found->mask.empty()) values = masked(values, stored_->read(found->mask, part));
  say_of_numbers(*found, stored, values);
  if (values.data != stored.data) stored_->release(stored);
  say_notes(*found, outside, values.rank());
  return values;
}

Attributes DecodedSource::attributes(const std::string& name) const {
  if (const std::vector<TensorInfo> columns = columns_at(name); !columns.empty()) {
    std::vector<std::string> names;
    for (const TensorInfo& column : columns) names.push_back(column.name.substr(column.name.rfind('/') + 1));
    return {{"columns", vector_of(names)}};
  }
  Attributes attributes = stored_->attributes(name);
  const TensorInfo* const stored = name.empty() ? nullptr : stored_->find(name);  // no group
  if (const Dataset* const found = stored == nullptr ? nullptr : meant(*stored)) {
    for (const std::string& used : found->meaning.used) attributes.erase(used);
    std::vector<std::string> axes = texts_of(attributes, "DIMENSION_LIST");
    if (found->meaning.are_characters && !axes.empty()) {
      axes.pop_back();
      attributes["DIMENSION_LIST"] = vector_of(axes);
    }
  }
  return attributes;
}

}  // namespace

std::unique_ptr<Source> decoded_source(std::shared_ptr<Source> stored, std::function<void(const std::string&)> note,
                                       std::string writer) {
  return std::make_unique<DecodedSource>(std::move(stored), std::move(note), std::move(writer));
}

}  // namespace attn::io
