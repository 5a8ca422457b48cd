#include <attn/core/characters.hpp>
#include <attn/core/constants.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/formats/meaning.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace attn::io {
namespace {

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
  if (info_.dtype == DType::string && find(characters_attribute) != nullptr && !info_.shape.empty()) {
    meaning_.are_characters = true;
    meaning_.used.insert(characters_attribute);
    return std::move(meaning_);
  }
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

}  // namespace

std::optional<Meaning> meaning_of(const TensorInfo& info, const Attributes& attributes, bool is_netcdf) {
  return AttributeReader(info, attributes).meaning(is_netcdf);
}

}  // namespace attn::io
