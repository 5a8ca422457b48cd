#pragma once
// What the attributes of a dataset say of its numbers: conventions of netCDF (CF), R and MATLAB.

#include <attn/core/stream.hpp>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace attn::io {

/// How what is stored becomes the values that are meant:
///
///     value = scale * stored + offset      NaN where stored is one of `missing`
///
/// source  CF conventions 1.11, sections 2.5.1 and 8.1; the NetCDF Users Guide, appendix A
struct Meaning {
  DType stored;                                         ///< what the stored bits are, signed or not
  DType dtype;                                          ///< of the values
  std::vector<double> missing = {};                     ///< compared with what is stored
  double scale = 1, offset = 0;                         ///< f32, f64 alone
  std::optional<std::pair<double, double>> valid = {};  ///< some readers take what is stored elsewhere as missing
  bool is_text = false;                                 ///< UTF-16 codes: each column is a text
  bool is_empty = false;                                ///< what is stored is the shape of an array without elements
  std::string reversed_by = {};                         ///< the writer, where its axes are in reverse order
  std::string refusal = {};                             ///< completes "NAME ...", where the values lie elsewhere
  std::set<std::string> used = {};                      ///< the attributes that do not hold of the values
  double suspect = 0;                                   ///< a number that stays and may stand for none,
  std::string why_suspect = {};                         ///< where this is not empty: what is said of it
  std::string note = {};                                ///< what is not certain

  bool changes_numbers() const { return !missing.empty() || scale != 1 || offset != 0; }
};

/// What the attributes say of the dataset; none where it is what it seems to be. `is_netcdf`: netCDF wrote the file,
/// and puts numbers of its own where nothing was written.
std::optional<Meaning> meaning_of(const TensorInfo& stored, const Attributes& attributes, bool is_netcdf);

/// The values of a part of a dataset that is neither text nor empty. `outside`: how many are not valid.
TensorView decoded(const Meaning& meaning, TensorView stored, std::size_t& outside);

/// The texts, one for each column of codes (N, M); shape (M).
TensorView decoded_texts(const TensorView& codes);

}  // namespace attn::io
