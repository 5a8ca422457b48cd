#include "nwreg/results.hpp"

#include "cli/numbers.hpp"
#include "cli/plots/picture.hpp"

#include <attn/attention/vjp.hpp>
#include <attn/core/error.hpp>
#include <attn/core/shape.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/dates.hpp>
#include <attn/regression/nadaraya_watson.hpp>
#include <attn/regression/weights.hpp>

#include <algorithm>
#include <cmath>

namespace nwreg {
namespace {

using attn::Bandwidth;
using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

/// (m, C d), whatever the rank.
TensorView as_matrix(const TensorView& x) {
  if (x.rank() < 2) return x;
  return attn::reshaped(x, {x.shape[0], x.shape[0] > 0 ? x.size() / x.shape[0] : x.shape[1]});
}

/// Columns of each output, such as "lower-setosa" and "upper-setosa"; for a single output, the columns themselves.
std::vector<std::string> columns_for_each(const std::vector<std::string>& outputs,
                                          const std::vector<std::string>& columns) {
  std::vector<std::string> names;
  for (const std::string& output : outputs)
    for (const std::string& column : columns) names.push_back(output.empty() ? column : column + "-" + output);
  return names;
}

/// What slopes are of: each output by each column of numbers in x, if there are several.
std::vector<std::string> slope_names(const PreparedSamples& data) {
  std::vector<std::string> columns;
  for (std::size_t j = 0; j < data.columns(); ++j)
    if (!data.is_category(j))
      columns.push_back(data.x_names.size() == data.columns() ? data.x_names[j] : std::to_string(j));
  if (columns.size() == 1) return data.output_names();
  std::vector<std::string> names;
  for (const std::string& output : data.output_names())
    for (const std::string& column : columns) names.push_back(output.empty() ? column : output + "-" + column);
  return names;
}

std::string digits(double x) { return cli::number_text(x, 6); }

/// A number, a list of several, rows of a matrix; text for neighbours, as in --bandwidth.
cli::Json json_of(const attn::Bandwidth& bandwidth) {
  const std::vector<double>& all = bandwidth.values;
  if (bandwidth.kind == attn::Bandwidth::Kind::neighbours) return attn::to_string(bandwidth);
  if (all.size() == 1) return all.front();
  if (bandwidth.kind != attn::Bandwidth::Kind::matrix) return all;
  const auto columns = std::lround(std::sqrt(all.size()));
  cli::Json rows = cli::Json::array();
  for (auto row = all.begin(); row != all.end(); row += columns) rows.push_back(std::vector(row, row + columns));
  return rows;
}

/// Queries whose weights are computed together.
constexpr std::size_t block_rows = 256;

/// (n) as (n, 1), in f64.
TensorView as_columns(const TensorView& x) {
  const TensorView wide = attn::cast(x, attn::DType::f64);
  const std::size_t rows = x.shape.empty() ? 1 : x.shape[0];
  return attn::reshaped(wide, {rows, rows > 0 ? x.size() / rows : 1});
}

TensorView rows_between(const TensorView& x, std::size_t first, std::size_t last) {
  return attn::slice(x, {{static_cast<std::int64_t>(first), static_cast<std::int64_t>(last)}});
}

/// Samples that take part in the fit of a query: with --loo all others, with --causal the past.
TensorView visible(const Options& o, const TensorView& q, const TensorView& x, std::size_t first, std::size_t last) {
  const std::size_t n = x.shape[0], d = x.shape[1];
  attn::Tensor mask(attn::DType::u8, {last - first, n});
  auto* const to = mask.data_as<std::uint8_t>();
  const auto *const q_c = q.contiguous_data<double>(), *const x_c = x.contiguous_data<double>();
  for (std::size_t i = first; i < last; ++i)
    for (std::size_t j = 0; j < n; ++j)
      to[(i - first) * n + j] =
          !(o.leave_one_out && i == j) && !(o.smoother.smoother.causal && x_c[j * d] > q_c[i * d]);
  return mask.view("mask");
}

/// The fit as attention: queries q, keys x and values y under a kernel.
attn::AttendParameters attention_of(const attn::Smoother& smoother, const std::vector<double>& widths) {
  attn::AttendParameters p;
  p.score = smoother.kernel == attn::Kernel::gaussian ? attn::Score::gaussian : attn::Score::kernel;
  p.kernel = smoother.kernel;
  p.normalize = attn::Normalize::sum;
  p.bandwidth = widths;
  if (smoother.empty == attn::EmptyWindow::nearest) p.empty = attn::EmptyRows::nearest;
  return p;
}

void add(std::vector<double>& sum, const TensorView& part, std::size_t first = 0) {
  const TensorView x = attn::cast(part, attn::DType::f64);
  for (std::size_t at = 0; at < x.size(); ++at) sum[first + at] += x.contiguous_data<double>()[at];
}

TensorView as_given(const std::vector<double>& sum, const TensorView& given, attn::DType dtype) {
  attn::Tensor out(attn::DType::f64, given.shape);
  std::copy(sum.begin(), sum.end(), out.data_as<double>());
  return attn::cast(out.view(), dtype);
}

}  // namespace

std::vector<cli::Result> results_of(const Options& o, const PreparedSamples& data, const Fits& fits,
                                    const attn::Attributes& attributes, const attn::RegressionResult& result,
                                    const std::optional<Band>& band) {
  const auto as_written = [&](const TensorView& x) { return attn::cast(as_matrix(x), data.dtype); };
  std::vector<cli::Result> results;
  const auto emit = [&](const char* name, const TensorView& tensor, const std::vector<std::string>& columns = {}) {
    results.push_back({name, tensor});
    if (!columns.empty()) results.back().attributes["columns"] = attn::vector_of(columns);
  };
  const auto wants = [&](const char* name) { return o.output.wants(name); };
  std::optional<TensorView> derivative = result.derivative;
  if (derivative && data.scales) derivative = data.scales->slopes(*derivative);
  const TensorView fit = as_written(result.fit);
  results.push_back({"",
                     o.derivative   ? as_written(*derivative)
                     : data.classes ? attn::likeliest_classes(result.fit, *data.classes)
                                    : fit,
                     attributes});
  if (fits.quantiles > 1) results.front().attributes["columns"] = attn::vector_of(data.output_names());
  const attn::Predictors& queries = data.shown_queries;
  for (std::size_t i = 0; o.with_query && i < queries.parts.size(); ++i) {
    const bool is_one = queries.parts.size() == 1;
    if (is_one)
      emit("q", queries.parts[i], queries.names);
    else
      emit(("q/" + queries.names[i]).c_str(), queries.parts[i], {queries.names[i]});
    results.back().attributes.merge(
        attn::io::attributes_of_dates(is_one ? data.query_dates : std::vector<bool>{data.query_dates[i]}));
  }
  const std::vector<std::string> outputs = data.output_names();
  const TensorView mean = data.classes ? attn::class_probabilities(result.fit) : result.fit;
  if (wants("probabilities"))
    emit("probabilities", as_written(mean),
         data.classes->names.dtype == attn::DType::string ? outputs : columns_for_each(outputs, {"probability"}));
  const bool has_errors = wants("se") || wants("band");
  TensorView error, middle = mean;
  if (has_errors && !o.derivative) error = *result.standard_error;
  if (has_errors && o.derivative) {
    error = as_matrix(data.scales ? data.scales->slopes(*result.slope_error) : *result.slope_error);
    middle = as_matrix(*derivative);
  }
  const std::vector<std::string> written = o.derivative ? slope_names(data) : outputs;
  if (wants("se")) emit("se", as_written(error), columns_for_each(written, {"se"}));
  if (band) {
    const bool is_probability = data.classes || o.smoother.smoother.family != attn::Family::gaussian;
    emit("band", as_written(band->around(middle, error, is_probability)),
         columns_for_each(written, {"lower", "upper"}));
    if (o.band.kind != attn::BandKind::pointwise) {
      results.back().attributes["kind"] = attn::scalar_of(attn::name_of(o.band.kind));
      results.back().attributes["critical-value"] = band->critical_values.size() == 1
                                                        ? attn::scalar_of(band->critical_values.front())
                                                        : attn::vector_of(band->critical_values);
    }
  }
  const auto of_fits = [&](const char* name) {
    return fits.is_one() ? std::vector<std::string>{} : columns_for_each(outputs, {name});
  };
  if (wants("neff")) emit("neff", as_written(*result.effective_size), of_fits("neff"));
  if (wants("degree")) emit("degree", *result.local_degree, of_fits("degree"));
  if (wants("derivative")) emit("derivative", as_written(*derivative));
  if (const std::optional<TensorView> curve = fits.curve())
    emit("bandwidth-curve", *curve,
         fits.has_own_bandwidths ? std::vector<std::string>{} : curve_columns(fits.all.front().settled));
  return results;
}

void add_weights(const Options& o, const PreparedSamples& data, const Fits& fits, const attn::Execution& execution,
                 std::vector<cli::Result>& results) {
  if (!fits.is_one()) {
    results.push_back(
        {"weights", {}, {}, attn::dense_weights(fits.smoothed(), data.queries, o.leave_one_out, execution)});
    return;
  }
  const auto& [one, regression, settled] = fits.all.front();
  const attn::Smoother& smoother = settled.smoother;
  if (!o.sparse) {
    results.push_back(
        {"weights", {}, {}, attn::dense_weights(regression, data.queries, smoother, o.leave_one_out, execution)});
    return;
  }
  if (execution.dry_run != nullptr) return;  // how many are not 0 is known when they are
  attn::SparseWeights sparse = attn::sparse_weights(regression, data.queries, smoother, o.leave_one_out, execution);
  results.push_back({"weights/data", {}, {}, std::move(sparse.data)});
  results.push_back({"weights/indices", {}, {}, std::move(sparse.indices)});
  results.push_back({"weights/indptr", sparse.indptr});
  results.push_back({"weights/shape", sparse.shape});
}

Summary::Summary(const PreparedSamples& data, const attn::RegressionResult& result, const Fits& fits)
    : samples_(result.fit.shape[0]), omitted_(data.omitted), method_(attn::name_of(result.method)) {
  const attn::Attributes& known = fits.all.front().settled.attributes;
  if (known.count("bandwidth-chosen-by") > 0) chosen_by_ = attn::texts_of(known, "bandwidth-chosen-by").front();
  for (std::size_t k = 0; k < (fits.has_own_bandwidths ? fits.all.size() : 1); ++k) {
    const SettledSmoother& settled = fits.all[k].settled;
    bandwidths_.push_back(settled.smoother.bandwidth);
    if (settled.selection) criteria_.push_back(settled.selection->criterion);
  }
  const double* self = result.self_weight->contiguous_data<double>();
  parameters_.assign(fits.all.size(), 0.0);
  for (std::size_t at = 0; at < samples_ * parameters_.size(); ++at) parameters_[at % parameters_.size()] += self[at];
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
    deviation_.push_back(std::sqrt(around_fit / mass * counted / (counted - parameters_[c % parameters_.size()])));
  }
}

void Summary::add_to(attn::Attributes& attributes) const {
  attributes["samples"] = attn::scalar_of(static_cast<std::int64_t>(samples_));
  attributes["rows-omitted"] = attn::scalar_of(static_cast<std::int64_t>(omitted_));
  attributes["method"] = attn::scalar_of(method_);
  attributes["effective-parameters"] =
      parameters_.size() == 1 ? attn::scalar_of(parameters_.front()) : attn::vector_of(parameters_);
  if (r_squared_.empty()) return;
  attributes["r-squared"] = attn::vector_of(r_squared_);
  attributes["residual-sd"] = attn::vector_of(deviation_);
}

void Summary::say(double seconds, cli::Report& report) const {
  report.say("samples               " + std::to_string(samples_) + ", " + std::to_string(omitted_) + " rows omitted");
  const auto text_of = [](const attn::Bandwidth& bandwidth) { return attn::to_string(bandwidth); };
  report.say("bandwidth             " + attn::listed(bandwidths_, "; ", text_of) +
             (chosen_by_.empty() ? "" : " by " + chosen_by_) +
             (criteria_.empty() ? "" : ", criterion " + attn::listed(criteria_, ", ", digits)));
  report.say("method                " + method_);
  report.say("effective parameters  " + attn::listed(parameters_, ", ", digits));
  if (!r_squared_.empty()) {
    report.say("R squared             " + attn::listed(r_squared_, ", ", digits));
    report.say("residual sd           " + attn::listed(deviation_, ", ", digits));
  }
  report.say("seconds               " + digits(std::round(seconds * 1000) / 1000));
}

cli::Json Summary::to_json(double seconds) const {
  const auto one_or_all = [](const auto& values) {
    return values.size() == 1 ? cli::Json(values.front()) : cli::Json(values);
  };
  std::vector<cli::Json> bandwidths;
  for (const attn::Bandwidth& each : bandwidths_) bandwidths.push_back(json_of(each));
  const auto text_or_null = [](const std::string& text) { return text.empty() ? cli::Json() : cli::Json(text); };
  return {{"samples", samples_},
          {"rows_omitted", omitted_},
          {"bandwidth", one_or_all(bandwidths)},
          {"bandwidth_chosen_by", text_or_null(chosen_by_)},
          {"criterion", criteria_.empty() ? cli::Json() : one_or_all(criteria_)},
          {"method", method_},
          {"effective_parameters", one_or_all(parameters_)},
          {"r_squared", r_squared_},
          {"residual_sd", deviation_},
          {"seconds", std::round(seconds * 1000) / 1000}};
}

void check_gradients(const Options& o) {
  const auto refuse = [](const char* option) {
    throw Error(ErrorKind::usage, option, "has no gradient: --vjp is of the fit of degree 0", "leave it out");
  };
  const std::string word = o.smoother.bandwidth.value_or("cv");
  if (word == "cv" || word == "aicc" || word == "gcv" || word == "rot" || has_grid(o.smoother) || block_of(word))
    throw Error(ErrorKind::usage, "--bandwidth", "is required: --vjp is of the fit at one bandwidth", "give a number");
  if (o.smoother.smoother.degree != 0) refuse("--degree");
  if (o.samples.classify) refuse("--classify");
  if (o.samples.standardize) refuse("--standardize");
  if (!o.samples.periods.empty()) refuse("--period");
  if (o.samples.weights.given()) refuse("--sample-weights");
  if (o.smoother.smoother.decay != 0) refuse("--decay");
  if (o.derivative) refuse("--derivative");
  if (o.smoother.robust > 0) refuse("--robust");
}

void write_gradients(const Options& o, const PreparedSamples& data, const attn::Smoother& smoother,
                     cli::Session& session) {
  if (!data.samples.categories.empty())
    throw Error(ErrorKind::usage, "--vjp", "has no gradient through categories", "leave their columns out of x");
  const bool has_width = smoother.kernel != attn::Kernel::constant;
  const Bandwidth& h = smoother.bandwidth;
  if (has_width && h.kind != Bandwidth::Kind::number && h.kind != Bandwidth::Kind::per_coordinate)
    throw Error(ErrorKind::usage, "--bandwidth", "has no gradient", "give one number, or one for each column of x");
  const double scale = attn::kernel_scale(smoother.kernel, smoother.scale_convention);
  std::vector<double> widths = has_width ? h.values : std::vector<double>{1};
  for (double& width : widths) width *= scale;
  const TensorView x = as_columns(data.samples.x), y = as_columns(data.samples.y),
                   q = data.queries ? as_columns(*data.queries) : x;
  const std::size_t m = q.shape[0], d = x.shape[1], C = y.shape[1];
  const TensorView given = session.gradients.cotangent(), dy = as_columns(given);
  if (dy.shape != attn::Shape{m, C})
    throw attn::shape_error(given.name, given.shape, attn::to_string(attn::Shape{m, C}));
  const attn::AttendParameters parameters = attention_of(smoother, widths);
  std::vector<double> dx(x.size()), dvalues(y.size()), dq(q.size()), dh(widths.size());
  const bool has_mask = o.leave_one_out || smoother.causal;
  for (std::size_t first = 0; first < m; first += has_mask ? block_rows : m) {
    const std::size_t last = has_mask ? std::min(first + block_rows, m) : m;
    attn::AttendInputs in{rows_between(q, first, last), x, y};
    if (has_mask) in.mask = visible(o, q, x, first, last);
    const attn::AttendGradients part =
        attn::attend_vjp(in, parameters, {rows_between(dy, first, last)}, session.execution());
    add(dx, part.inputs.key);
    add(dvalues, part.inputs.value);
    add(dq, part.inputs.query, first * d);
    add(dh, *part.bandwidth);
  }
  if (!data.queries)
    for (std::size_t at = 0; at < dx.size(); ++at) dx[at] += dq[at];
  for (double& width : dh) width *= scale;
  const attn::DType compute = attn::compute_dtype(data.dtype);
  std::vector<cli::Gradient> all{{"dx", as_given(dx, data.samples.x, compute)},
                                 {"dy", as_given(dvalues, data.samples.y, compute)}};
  if (data.queries) all.push_back({"dq", as_given(dq, *data.queries, compute)});
  if (has_width) all.push_back({"dbandwidth", attn::vector_of(dh)});
  session.gradients.write(o.output, all);
}

}  // namespace nwreg
