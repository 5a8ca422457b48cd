#include "nwreg/band.hpp"

#include "nwreg/fits.hpp"

#include <attn/core/error.hpp>

namespace nwreg {

Band band_of(const BandOptions& o, const Fits& fits, const std::optional<attn::TensorView>& queries,
             const attn::RegressionRequest& request, const attn::Execution& execution) {
  Band band;
  if (o.kind == attn::BandKind::simultaneous) {
    for (const Fit& fit : fits.all)
      band.critical_values.push_back(attn::tube_critical_value(
          attn::tube_length(*fit.regression, queries, fit.settled.smoother, execution), o.level));
    return band;
  }
  band.critical_values = {attn::normal_critical_value(o.level)};
  if (o.kind == attn::BandKind::pointwise) return band;
  const std::size_t degree = fits.all.front().settled.smoother.degree;
  if (degree == 2 && fits.all.front().regression->dimensions() > 1)
    throw attn::Error(attn::ErrorKind::usage, "--band corrected", "is of degree 2 for one column of x alone",
                      "take --degree 1");
  Fits corrected = fits;
  for (Fit& fit : corrected.all) {
    fit.settled.smoother.degree = attn::corrected_degree(degree);
    fit.settled.smoother.method = attn::Method::automatic;
  }
  attn::RegressionRequest with_errors;
  with_errors.standard_error = true;
  with_errors.residual_degree = degree;
  with_errors.first = request.first;
  with_errors.last = request.last;
  const std::vector<attn::RegressionResult> each = corrected.evaluate(queries, with_errors, execution);
  band.corrected = corrected.join(each);
  band.corrected->lowered_degrees = 0;
  for (const attn::RegressionResult& result : each) band.corrected->lowered_degrees += result.lowered_degrees;
  return band;
}

}  // namespace nwreg
