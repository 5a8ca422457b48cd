// Values over stored numbers: attributes that change the meaning of the numbers, by conventions of netCDF (CF), R and
// MATLAB, and the source that decodes by them.

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/formats/decoded_source.hpp>
#include <attn/io/formats/stored_elements.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace attn::io {
namespace {

/// Decoding of stored numbers:
///
///     value = scale * stored + offset
///     value = NaN if stored is one of `missing`
///
/// source  CF conventions 1.11, sections 2.5.1 and 8.1; the NetCDF Users Guide, appendix A
struct Meaning {
  DType stored;                                         ///< type of the stored bits, signed or not
  DType dtype;                                          ///< of the values
  std::vector<double> missing = {};                     ///< compared with stored numbers
  double scale = 1, offset = 0;                         ///< f32, f64 alone
  std::optional<std::pair<double, double>> valid = {};  ///< valid range; some readers take others as missing
  bool is_text = false;                                 ///< UTF-16 codes: each column is a text
  bool is_empty = false;                                ///< the stored numbers are the shape of an empty array
  std::string reversed_by = {};                         ///< the writer, if its axes are in reverse order
  std::string refusal = {};                             ///< completes "NAME ...", if the values are elsewhere
  std::set<std::string> used = {};                      ///< attributes that no longer apply to the values
  double suspect = 0;                                   ///< a number that is kept but may mean "missing",
  std::string why_suspect = {};                         ///< if this is not empty: the reason
  std::string note = {};                                ///< a note on what is uncertain

  bool changes_numbers() const { return !missing.empty() || scale != 1 || offset != 0; }
};

constexpr const char* way_out = "--raw reads what is stored";
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// The integer of the same width with or without a sign.
DType of_sign(DType dtype, bool is_signed) {
  switch (dtype) {
    case DType::i8:
    case DType::u8: return is_signed ? DType::i8 : DType::u8;
    case DType::i16:
    case DType::u16: return is_signed ? DType::i16 : DType::u16;
    case DType::i32:
    case DType::u32: return is_signed ? DType::i32 : DType::u32;
    case DType::i64:
    case DType::u64: return is_signed ? DType::i64 : DType::u64;
    default: return dtype;
  }
}

bool is_narrow(DType dtype) { return dtype != DType::f64 && (is_floating(dtype) || element_size(dtype) <= 2); }

/// The default fill values of netCDF, except for bytes; exact in f32.
const char* fill_of_netcdf(DType dtype) {
  switch (dtype) {
    case DType::f64:
    case DType::f32: return "9.9692099683868690e+36";
    case DType::i64: return "-9223372036854775806";
    case DType::u64: return "18446744073709551614";
    case DType::i32: return "-2147483647";
    case DType::u32: return "4294967295";
    case DType::i16: return "-32767";
    case DType::u16: return "65535";
    default: return nullptr;
  }
}

/// Reads the meaning of a dataset from its attributes.
class AttributeReader {
 public:
  AttributeReader(const TensorInfo& info, const Attributes& attributes)
      : info_(info), attributes_(attributes), meaning_{info.dtype, info.dtype} {}

  /// None if the stored numbers are the values. `is_netcdf`: the file is from netCDF, which fills unwritten elements
  /// with its own numbers.
  std::optional<Meaning> meaning(bool is_netcdf);

 private:
  const TensorView* find(const std::string& name) const {
    const auto found = attributes_.find(name);
    return found == attributes_.end() ? nullptr : &found->second;
  }
  std::string text(const std::string& name) const {
    const std::vector<std::string> texts = texts_of(attributes_, name);
    return texts.size() == 1 ? texts.front() : "";
  }
  std::vector<double> numbers(const std::string& name) const;
  std::optional<double> number(const std::string& name);
  bool is_set(const std::string& name) const {
    const std::vector<double> values = numbers(name);
    return values.size() == 1 && values.front() != 0;
  }
  void doubt(const std::string& name, const std::string& why) {
    if (meaning_.note.empty()) meaning_.note = "its attribute " + name + " " + why;
  }
  void add_missing(const std::string& name);

  void read_sign();
  void read_missing();
  void read_default_fill();
  void read_packing();
  void read_valid();
  void read_r();
  void read_times();
  void read_matlab();
  void read_others();

  const TensorInfo& info_;
  const Attributes& attributes_;
  Meaning meaning_;
};

/// All numbers of an attribute; none where it is text or not there. One of the type stored has its sign too.
std::vector<double> AttributeReader::numbers(const std::string& name) const {
  const TensorView* found = find(name);
  if (found == nullptr || found->dtype == DType::string) return {};
  TensorView value = *found;
  if (value.dtype == info_.dtype) value.dtype = meaning_.stored;
  return elements_of<double>(cast(value, DType::f64));
}

std::optional<double> AttributeReader::number(const std::string& name) {
  if (find(name) == nullptr) return std::nullopt;
  const std::vector<double> values = numbers(name);
  if (values.size() == 1 && std::isfinite(values.front())) return values.front();
  doubt(name, "is not one number, and is not applied");
  return std::nullopt;
}

/// netCDF-3 has no unsigned integers except bytes, OPeNDAP no signed bytes.
void AttributeReader::read_sign() {
  const std::string is_unsigned = lower_case(text("_Unsigned"));
  if (is_unsigned != "true" && is_unsigned != "false") return;
  meaning_.stored = of_sign(info_.dtype, is_unsigned == "false");
  meaning_.used.insert("_Unsigned");
}

/// A number that the stored type does not have is equal to none; a float is as close as the type has it.
void AttributeReader::add_missing(const std::string& name) {
  for (double value : numbers(name)) {
    if (is_floating(meaning_.stored)) value = to_scalar(cast(cast(scalar_of(value), meaning_.stored), DType::f64));
    if (!std::isnan(value)) meaning_.missing.push_back(value);
  }
  if (find(name) != nullptr && find(name)->dtype != DType::string) meaning_.used.insert(name);
}

void AttributeReader::read_missing() {
  add_missing("_FillValue");
  add_missing("missing_value");
}

/// Integers that are nothing else stay integers, whatever is among them.
void AttributeReader::read_default_fill() {
  const char* const fill = fill_of_netcdf(meaning_.stored);
  if (fill == nullptr || find("_FillValue") != nullptr) return;
  const bool are_floats = is_floating(info_.dtype) || meaning_.changes_numbers();
  if (are_floats) return meaning_.missing.push_back(std::stod(fill));
  meaning_.suspect = std::stod(fill);
  meaning_.why_suspect =
      std::string("some of its numbers are ") + fill +
      ", netCDF's fill where nothing was written, and stay; an attribute _FillValue would make them NaN";
}

void AttributeReader::read_packing() {
  const std::optional<double> scale = number("scale_factor"), offset = number("add_offset");
  if ((!scale && !offset) || !meaning_.note.empty()) return;
  // HDF4 writes these too, and subtracts the offset first.
  if (find("calibrated_nt") != nullptr && offset.value_or(0) != 0)
    return doubt("add_offset", "is HDF4's, which is subtracted before scaling, and is not applied");
  meaning_.scale = scale.value_or(1);
  meaning_.offset = offset.value_or(0);
  meaning_.used.insert({"scale_factor", "add_offset"});
}

void AttributeReader::read_valid() {
  std::vector<double> range = numbers("valid_range");
  if (range.size() != 2) {
    for (const char* name : {"valid_range", "valid_min", "valid_max"})
      if (!text(name).empty()) doubt(name, "is text, and is not applied");
    const std::vector<double> least = numbers("valid_min"), most = numbers("valid_max");
    if (least.size() > 1 || most.size() > 1 || least.size() + most.size() == 0) return;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    range = {least.empty() ? -infinity : least.front(), most.empty() ? infinity : most.front()};
  }
  meaning_.valid = {range[0], range[1]};
}

/// rhdf5, hdf5r by way of SeuratDisk: each has a number of its own for NA.
void AttributeReader::read_r() {
  constexpr double of_int = -2147483648.0, of_int64 = -9223372036854775808.0, of_logical = -128, of_seurat = 2;
  const auto add = [this](const char* attribute, double na) {
    meaning_.missing.push_back(na);
    meaning_.used.insert(attribute);
  };
  const bool is_rhdf5 = is_set("rhdf5-NA.OK");
  if (is_rhdf5) meaning_.reversed_by = "R";
  if (is_rhdf5 && info_.dtype == DType::i32) add("rhdf5-NA.OK", of_int);
  if (is_rhdf5 && info_.dtype == DType::i64) add("rhdf5-NA.OK", of_int64);
  if (text("storage.mode") == "logical" && info_.dtype == DType::i8) add("storage.mode", of_logical);
  if (text("s3class") == "logical") add("s3class", of_seurat);
}

/// pandas stores times as whole numbers.
void AttributeReader::read_times() {
  if (info_.dtype != DType::i64) return;
  for (const char* name : {"value_type", "kind"})
    if (const std::string type = text(name);
        type.substr(0, 10) == "datetime64" || type.substr(0, 11) == "timedelta64") {
      meaning_.suspect = -9223372036854775808.0;
      meaning_.why_suspect = "some of its numbers are -9223372036854775808, which pandas calls NaT (no time), and stay";
    }
}

void AttributeReader::read_matlab() {
  const std::string kind = text("MATLAB_class");
  if (kind.empty()) return;
  if (find("MATLAB_object_decode") != nullptr) {
    meaning_.refusal = "is an object of MATLAB's class " + kind + ", and its numbers are not its values";
    return;
  }
  meaning_.reversed_by = "MATLAB";
  meaning_.is_empty = is_set("MATLAB_empty");
  meaning_.is_text = kind == "char" && is_integer(info_.dtype);
  static const std::map<std::string, DType> types = {
      {"double", DType::f64}, {"single", DType::f32}, {"int8", DType::i8},        {"uint8", DType::u8},
      {"int16", DType::i16},  {"uint16", DType::u16}, {"int32", DType::i32},      {"uint32", DType::u32},
      {"int64", DType::i64},  {"uint64", DType::u64}, {"logical", DType::boolean}};
  if (meaning_.is_text)
    meaning_.dtype = DType::string;
  else if (const auto type = types.find(kind);
           type != types.end() && (meaning_.is_empty || (kind == "logical" && element_size(info_.dtype) == 1)))
    meaning_.dtype = type->second;
  if (meaning_.is_empty || meaning_.dtype != info_.dtype)
    meaning_.used.insert({"MATLAB_class", "MATLAB_int_decode", "MATLAB_empty"});
}

/// Attributes that may change the meaning in an uncertain way.
void AttributeReader::read_others() {
  static const std::set<std::string> scales = {"scalefactor", "scalingfactor", "scale",      "factor", "multiplier",
                                               "slope",       "gain",          "conversion", "unitsi"},
                                     offsets = {"addoffset", "offset", "intercept"},
                                     missing = {"fillvalue", "missingvalue", "nodata", "nodatavalue"};
  for (const auto& [name, attribute] : attributes_) {
    std::string plain = lower_case(name);
    plain.erase(std::remove_if(plain.begin(), plain.end(), [](char c) { return c == '_' || c == ' '; }), plain.end());
    if (meaning_.used.count(name) > 0) continue;
    const bool is_scale = scales.count(plain) > 0, is_offset = offsets.count(plain) > 0;
    if (!is_scale && !is_offset && missing.count(plain) == 0) continue;
    const std::vector<double> values = numbers(name);
    const auto is_neutral = [&](double value) {
      const std::vector<double>& known = meaning_.missing;
      return is_scale    ? value == 1
             : is_offset ? value == 0
                         : std::isnan(value) || std::find(known.begin(), known.end(), value) != known.end();
    };
    const bool is_word = missing.count(plain) > 0 && !text(name).empty();
    if (is_word || !std::all_of(values.begin(), values.end(), is_neutral))
      doubt(name, "may change what its numbers mean, and is not applied");
  }
}

std::optional<Meaning> AttributeReader::meaning(bool is_netcdf) {
  if (info_.dtype == DType::string || info_.dtype == DType::boolean) return std::nullopt;
  read_matlab();
  if (meaning_.dtype == info_.dtype && meaning_.refusal.empty() && !meaning_.is_empty) {
    read_sign();
    read_missing();
    read_packing();
    if (is_netcdf) read_default_fill();
    read_valid();
    read_r();
    read_times();
    read_others();
    const bool is_xarray_bool = text("dtype") == "bool" && info_.dtype == DType::i8;
    if (is_xarray_bool) meaning_.used.insert("dtype");
    const auto is_wide = [this](const char* name) { return find(name) != nullptr && find(name)->dtype != DType::f32; };
    const bool is_packed = meaning_.scale != 1 || meaning_.offset != 0;
    if (is_packed)
      meaning_.dtype =
          is_narrow(meaning_.stored) && !is_wide("scale_factor") && !is_wide("add_offset") ? DType::f32 : DType::f64;
    else if (!meaning_.missing.empty())
      meaning_.dtype = is_floating(info_.dtype) ? compute_dtype(info_.dtype) : DType::f64;
    else
      meaning_.dtype = is_xarray_bool ? DType::boolean : meaning_.stored;
    // They are given as stored numbers.
    if (meaning_.dtype != info_.dtype) meaning_.used.insert({"valid_range", "valid_min", "valid_max", "actual_range"});
  }
  // A row of numbers seems to be one sample; a column of them is what it is everywhere.
  const bool has_order = info_.shape.size() > 1 && info_.shape.back() > 1;
  if (!has_order || meaning_.is_text) meaning_.reversed_by.clear();
  if (meaning_.dtype == info_.dtype && !meaning_.changes_numbers() && !meaning_.is_empty && !meaning_.valid &&
      meaning_.reversed_by.empty() && meaning_.refusal.empty() && meaning_.note.empty() && meaning_.why_suspect.empty())
    return std::nullopt;
  return std::move(meaning_);
}

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
  for (std::size_t i = 0; i < count; ++i) {
    std::string text = utf8_of(all, i, count);
    memory.add_text(text.size());
    texts.data_as<std::string>()[i] = std::move(text);
  }
  return std::move(memory).held_by(texts.view(codes.name));
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
  bool reads_again() const noexcept override { return stored_->reads_again(); }
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
  std::optional<Meaning> meaning = AttributeReader(stored, stored_->attributes(stored.name)).meaning(is_netcdf());
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
