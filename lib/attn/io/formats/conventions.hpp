#pragma once
// Attributes that change the meaning of stored numbers: conventions of netCDF (CF), R and MATLAB.

#include <attn/core/source_sink.hpp>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace attn::io {

/// Decoding of stored numbers:
///
///     value = scale * stored + offset NaN if stored is one of `missing`
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

/// The meaning of a dataset by its attributes; none if the stored numbers are the values. `is_netcdf`: the file is from
/// netCDF, which fills unwritten elements with its own numbers.
std::optional<Meaning> meaning_of(const TensorInfo& stored, const Attributes& attributes, bool is_netcdf);

/// The values of a part of a dataset that is neither text nor empty. `outside`: the number of invalid ones.
TensorView decoded(const Meaning& meaning, TensorView stored, std::size_t& outside);

/// The texts, one for each column of codes (N, M); shape (M).
TensorView decoded_texts(const TensorView& codes);

}  // namespace attn::io
