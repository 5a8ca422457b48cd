#include "nwreg/summary.hpp"

#include "cli/numbers.hpp"
#include "cli/plots/picture.hpp"

#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>

#include <cmath>
#include <numeric>

namespace nwreg {
namespace {

std::string digits(double x) { return cli::number_text(x, 6); }

}  // namespace

Summary::Summary(const PreparedSamples& data, const attn::RegressionResult& result, const SettledSmoother& settled)
    : samples_(result.fit.shape[0]),
      omitted_(data.omitted),
      method_(attn::name_of(result.method)),
      bandwidth_(attn::to_string(settled.smoother.bandwidth)) {
  const attn::Attributes& known = settled.attributes;
  if (known.count("bandwidth-chosen-by") > 0)
    bandwidth_ += " by " + attn::texts_of(known, "bandwidth-chosen-by").front();
  if (settled.selection) bandwidth_ += ", criterion " + digits(settled.selection->criterion);
  const double* self = result.self_weight->contiguous_data<double>();
  parameters_ = std::accumulate(self, self + samples_, 0.0);
  if (data.classes) return;
  const std::vector<double> y = cli::numbers_of(data.samples.y), fit = cli::numbers_of(result.fit);
  const std::vector<double> weights =
      data.samples.weights ? cli::numbers_of(*data.samples.weights) : std::vector<double>(samples_, 1.0);
  const std::size_t outputs = samples_ > 0 ? fit.size() / samples_ : 0;
  for (std::size_t c = 0; c < outputs; ++c) {
    double mass = 0, mean = 0, around_fit = 0, around_mean = 0, counted = 0;
    const auto for_each = [&](auto take) {
      for (std::size_t i = 0; i < samples_; ++i)
        if (weights[i] > 0 && std::isfinite(y[i * outputs + c] - fit[i * outputs + c]))
          take(weights[i], y[i * outputs + c], fit[i * outputs + c]);
    };
    for_each([&](double w, double value, double) { mass += w, mean += w * value, counted += 1; });
    mean /= mass;
    for_each([&](double w, double value, double at) {
      around_fit += w * (value - at) * (value - at);
      around_mean += w * (value - mean) * (value - mean);
    });
    r_squared_.push_back(1 - around_fit / around_mean);
    deviation_.push_back(std::sqrt(around_fit / mass * counted / (counted - parameters_)));
  }
}

void Summary::add_to(attn::Attributes& attributes) const {
  attributes["samples"] = attn::scalar_of(static_cast<std::int64_t>(samples_));
  attributes["rows-omitted"] = attn::scalar_of(static_cast<std::int64_t>(omitted_));
  attributes["method"] = attn::scalar_of(method_);
  attributes["effective-parameters"] = attn::scalar_of(parameters_);
  if (r_squared_.empty()) return;
  attributes["r-squared"] = attn::vector_of(r_squared_);
  attributes["residual-sd"] = attn::vector_of(deviation_);
}

void Summary::say(double seconds, cli::Report& report) const {
  report.say("samples               " + std::to_string(samples_) + ", " + std::to_string(omitted_) + " rows omitted");
  report.say("bandwidth             " + bandwidth_);
  report.say("method                " + method_);
  report.say("effective parameters  " + digits(parameters_));
  if (!r_squared_.empty()) {
    report.say("R squared             " + attn::listed(r_squared_, ", ", digits));
    report.say("residual sd           " + attn::listed(deviation_, ", ", digits));
  }
  report.say("seconds               " + digits(std::round(seconds * 1000) / 1000));
}

}  // namespace nwreg
