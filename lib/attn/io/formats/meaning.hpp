#pragma once
// What stored numbers mean: attributes that change their values, by conventions of netCDF (CF), R, MATLAB and pandas.

#include <attn/core/source_sink.hpp>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace attn::io {

/// What the reader of HDF5 says of a dataset of netCDF whose texts are single characters: the last axis makes words.
constexpr const char* characters_attribute = "CHARACTERS";

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
  bool are_characters = false;                          ///< of texts along the last axis
  bool is_empty = false;                                ///< the stored numbers are the shape of an empty array
  std::string reversed_by = {};                         ///< the writer, if its axes are in reverse order
  std::string refusal = {};                             ///< completes "NAME ...", if the values are elsewhere
  std::set<std::string> used = {};                      ///< attributes that no longer apply to the values
  double suspect = 0;                                   ///< a number that is kept but may mean "missing",
  std::string why_suspect = {};                         ///< if this is not empty: the reason
  std::string note = {};                                ///< a note on what is uncertain

  bool changes_numbers() const { return !missing.empty() || scale != 1 || offset != 0; }
};

/// The meaning of a dataset by its attributes; none if the stored numbers are the values. `is_netcdf`: the file is from
/// netCDF, which fills unwritten elements with its own numbers.
std::optional<Meaning> meaning_of(const TensorInfo& info, const Attributes& attributes, bool is_netcdf);

}  // namespace attn::io
