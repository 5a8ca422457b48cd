#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/formats/conventions.hpp>
#include <attn/io/formats/decoded_source.hpp>
#include <attn/io/formats/stored_elements.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace attn::io {
namespace {

constexpr const char* way_out = "--raw reads what is stored";

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
    out.data_as<double>()[i] = is_missing[i] != 0 ? std::numeric_limits<double>::quiet_NaN() : from[i];
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
  DecodedSource(std::unique_ptr<Source> stored, std::function<void(const std::string&)> note)
      : stored_(std::move(stored)), note_(std::move(note)) {}

  const std::string& label() const noexcept override { return stored_->label(); }
  const std::vector<TensorInfo>& tensors() const override { return listing().tensors; }
  const std::vector<Unreadable>& unreadable() const override { return listing().unreadable; }
  const std::vector<std::string>& groups() const override { return stored_->groups(); }
  const TensorInfo* find(const std::string& name) const override;
  std::string group_of(const std::string& name) const override { return stored_->group_of(name); }
  TensorInfo describe(const std::string& name) const override;
  TensorView read(const std::string& name, const Slab& part) override;
  std::size_t rows_together(const std::string& name) const override {
    const TensorInfo* const stored = stored_->find(name);
    return stored != nullptr && meant(*stored) == nullptr ? stored_->rows_together(name) : 0;
  }
  void release(const TensorView& part) const noexcept override { stored_->release(part); }
  void discard(const TensorView& part) const noexcept override { stored_->discard(part); }
  Attributes attributes(const std::string& name) const override;
  std::string lost_in_copies(const std::string& name) const override { return stored_->lost_in_copies(name); }
  std::vector<Unreadable> unreadable_attributes(const std::string& name) const override {
    return stored_->unreadable_attributes(name);
  }
  bool has_next_batch() override { return stored_->has_next_batch(); }
  bool next_batch() override {
    listing_.reset();
    is_netcdf_.reset();
    datasets_.clear();
    return stored_->next_batch();
  }
  Source& stored() noexcept override { return *stored_; }

 private:
  /// A dataset whose values are not what is stored.
  struct Dataset {
    Meaning meaning;
    TensorInfo info;   // of the values
    std::string mask;  // a dataset that is not 0 where values are missing; none: empty
  };

  /// All that there is, made when it is asked for: a file may have very many datasets, of which one is read.
  struct Listing {
    std::vector<TensorInfo> tensors;
    std::vector<Unreadable> unreadable;
  };

  const Listing& listing() const;
  bool is_netcdf() const;
  std::optional<Dataset> dataset(const TensorInfo& stored) const;
  void read_group(const std::string& name, const TensorInfo& stored, Dataset& found) const;
  Shape shape_of_empty(const TensorInfo& stored) const;
  const Dataset* meant(const TensorInfo& stored) const;
  void say_once(const std::string& name, const std::string& text);
  void say_notes(const Dataset& dataset, std::size_t outside, std::size_t axes);
  void say_of_numbers(const Dataset& dataset, const TensorView& stored, const TensorView& values);

  std::unique_ptr<Source> stored_;
  std::function<void(const std::string&)> note_;
  mutable std::optional<Listing> listing_;
  mutable std::map<std::string, std::unique_ptr<const Dataset>> datasets_;  // that were asked for; null: as stored
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

/// The meaning of the stored dataset; none if the stored numbers are the values.
std::optional<DecodedSource::Dataset> DecodedSource::dataset(const TensorInfo& stored) const {
  std::optional<Meaning> meaning = meaning_of(stored, stored_->attributes(stored.name), is_netcdf());
  Dataset found{meaning.value_or(Meaning{stored.dtype, stored.dtype}), stored, ""};
  if (!meaning) {
    read_group(stored.name, stored, found);
    if (!found.meaning.changes_numbers() && found.mask.empty() && found.meaning.note.empty()) return std::nullopt;
  }
  found.info.dtype = found.meaning.dtype;
  if (found.meaning.is_text) found.info.shape = {stored.shape.size() < 2 ? 1 : stored.shape[1]};
  if (found.meaning.is_empty) found.info.shape = shape_of_empty(stored);
  return found;
}

/// Meaning from the group of a dataset: AnnData's masks and categories, gain and offset of weather radars.
void DecodedSource::read_group(const std::string& name, const TensorInfo& stored, Dataset& found) const {
  const std::size_t slash = name.rfind('/');
  if (slash == std::string::npos || !is_integer(stored.dtype)) return;
  const std::string group = name.substr(0, slash), own = name.substr(slash + 1);
  const auto encoding = [&] {
    const std::vector<std::string> texts = texts_of(stored_->attributes(group), "encoding-type");
    return texts.empty() ? "" : texts.front();
  };
  if (own == "codes" && encoding() == "categorical") {
    found.meaning.missing = {-1};
    found.meaning.dtype = DType::f64;
  } else if (own == "values" && stored_->find(group + "/mask") != nullptr && starts_with(encoding(), "nullable-")) {
    found.mask = group + "/mask";
    found.meaning.dtype = DType::f64;
  } else if (const std::string what = group + "/what"; own == "data" && stored_->has_group(what)) {
    const Attributes attributes = stored_->attributes(what);
    if (attributes.count("gain") > 0 && attributes.count("offset") > 0)
      found.meaning.note = "gain, offset and nodata of the group " + what + " are not applied to its numbers";
  }
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

TensorInfo DecodedSource::describe(const std::string& name) const {
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
  const Dataset* const found = meant(info);
  if (found == nullptr) return stored_->read(name, part);
  const std::string subject = label() + ":/" + name;
  if (found->meaning.is_empty) return slice(Tensor(info.dtype, info.shape).view(subject), part);
  if (found->meaning.is_text) return slice(decoded_texts(stored_->read(name)), part);
  std::size_t outside = 0;
  const TensorView stored = stored_->read(name, part);
  TensorView values = decoded(found->meaning, stored, outside);
  if (!found->mask.empty()) values = masked(values, stored_->read(found->mask, part));
  say_of_numbers(*found, stored, values);
  if (values.data != stored.data) stored_->release(stored);
  say_notes(*found, outside, values.rank());
  return values;
}

Attributes DecodedSource::attributes(const std::string& name) const {
  Attributes attributes = stored_->attributes(name);
  const TensorInfo* const stored = name.empty() ? nullptr : stored_->find(name);  // no group
  if (const Dataset* const found = stored == nullptr ? nullptr : meant(*stored))
    for (const std::string& used : found->meaning.used) attributes.erase(used);
  return attributes;
}

}  // namespace

std::unique_ptr<Source> decoded_source(std::unique_ptr<Source> stored, std::function<void(const std::string&)> note) {
  return std::make_unique<DecodedSource>(std::move(stored), std::move(note));
}

}  // namespace attn::io
