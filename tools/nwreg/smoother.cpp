#include "nwreg/smoother.hpp"

#include "cli/inputs.hpp"
#include "cli/numbers.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/regression/bandwidth_selection.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace nwreg {
namespace {

using attn::Bandwidth;
using attn::Error;
using attn::ErrorKind;
using attn::Method;
using attn::ScaleConvention;

/// A share of the samples, as in loess: 0.3 for "30%", "span=0.3", "knn:0.3".
std::optional<double> share_of(const std::string& word) {
  std::string number = word.substr(word.find_first_of(":=") + 1);  // the whole word if there is none
  const bool is_percentage = !number.empty() && number.back() == '%';
  if (is_percentage) number.pop_back();
  const auto share = cli::parse_numbers(number);
  if (!share || share->size() != 1 || !(share->front() > 0)) return std::nullopt;
  return is_percentage ? share->front() / 100 : share->front();
}

/// Is the word neither a file nor another kind of operand?
bool is_only_word(const std::string& word) {
  const bool is_path =
      word.find('/') != std::string::npos && word.find_first_not_of("0123456789./") != std::string::npos;
  return !is_path && attn::io::has_no_file(attn::io::parse_operand(word)) && !attn::io::format_from_path(word) &&
         attn::io::operand_hint(word).empty();
}

Error unknown_bandwidth(const std::string& word) {
  std::string lower, neighbours = "knn:K or knn:P%";
  for (const char c : word) lower += 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c == '=' ? ':' : c;
  bool is_known = lower != word && (lower == "cv" || lower == "aicc" || lower == "gcv" || lower == "rot" ||
                                    attn::starts_with(lower, "knn:"));
  if (const auto share = share_of(word); share && *share <= 1) {
    neighbours = "knn:" + cli::number_text(100 * *share, 4) + "% (that share of the samples)";
    is_known &= *share == 1;
  }
  return {ErrorKind::usage, "--bandwidth", "'" + word + "' is not known",
          is_known ? "did you mean " + lower + "?"
                   : "give cv, aicc, gcv or knn:cv to search, rot for the rule of thumb, " + neighbours +
                         ", a number or an operand"};
}

/// The number of samples of knn:30%, rounded down as loess does.
std::size_t count_of_share(const std::string& word, std::size_t samples) {
  const auto share = share_of(word);
  if (!share || *share > 1)
    throw Error(ErrorKind::usage, "--bandwidth", "'" + word + "' is no share of the samples",
                "give a percentage from 0 to 100, as knn:30%");
  return std::max<std::size_t>(1, static_cast<std::size_t>(*share * static_cast<double>(samples) + 1e-5));
}

/// The widths of cv:LOW,HIGH,N.
std::vector<double> grid_of(const std::string& word, const PreparedSamples& data) {
  const std::string criterion = word.substr(0, word.find(':'));
  const auto lengths = parse_lengths(word.substr(criterion.size() + 1));
  std::optional<std::vector<double>> numbers;
  if (lengths) {
    numbers.emplace();
    for (const Length& length : *lengths) numbers->push_back(data.in_units_of(0, length, "--bandwidth"));
  }
  constexpr double most = 10000;
  if (!numbers || numbers->size() != 3 || !((*numbers)[0] > 0 && (*numbers)[0] < (*numbers)[1]) ||
      !((*numbers)[2] >= 2 && (*numbers)[2] <= most) || (*numbers)[2] != std::floor((*numbers)[2]))
    throw Error(ErrorKind::usage, "--bandwidth",
                "'" + word + "' is not " + criterion + ":LOW,HIGH,N with 0 < LOW < HIGH and N from 2",
                "as in " + criterion + ":0.1,10,41");
  return attn::width_grid((*numbers)[0], (*numbers)[1], static_cast<std::size_t>((*numbers)[2]));
}

/// A bandwidth that is given, not searched and not the rule of thumb.
Bandwidth given_bandwidth(const std::string& word, const PreparedSamples& data,
                          const attn::KernelRegression& regression, cli::Inputs& inputs) {
  if (attn::starts_with(word, "knn:")) {
    if (word.back() == '%') return Bandwidth::nearest(count_of_share(word, regression.size()));
    const auto count = cli::parse_numbers(word.substr(4));
    if (!count || count->size() != 1 || count->front() != std::floor(count->front())) throw unknown_bandwidth(word);
    return Bandwidth::nearest(cli::parse_size("--bandwidth knn", word.substr(4)));
  }
  if (const auto lengths = parse_lengths(word); lengths && !cli::parse_numbers(word)) {
    std::vector<double> values;
    for (std::size_t j = 0; j < lengths->size(); ++j)
      values.push_back(data.in_units_of(std::min(j, data.columns() - 1), (*lengths)[j], "--bandwidth"));
    return values.size() == 1 ? Bandwidth::number(values[0]) : Bandwidth::per_coordinate(std::move(values));
  }
  cli::Input operand(std::vector<std::string>{"bandwidth", "h"});
  operand.names = "--bandwidth";
  operand.text = operand.option = word;
  if (const auto numbers = cli::parse_numbers(word)) {
    operand.text = std::to_string(numbers->size()) + "=" + word;
    const attn::TensorView h = attn::cast(inputs.read(operand), attn::DType::f64);
    const auto* const value = h.contiguous_data<double>();
    return h.size() == 1 ? Bandwidth::number(*value) : Bandwidth::per_coordinate({value, value + h.size()});
  }
  if (is_only_word(word)) throw unknown_bandwidth(word);
  return attn::bandwidth_from_tensor(inputs.read(operand), regression.dimensions());
}

const char* result_of_empty(const attn::RegressionResult& result, const PreparedSamples& data,
                            const attn::Smoother& smoother) {
  if (smoother.empty == attn::EmptyWindow::nearest && data.samples.x.shape[0] > 0) {
    const auto* fit = result.fit.contiguous_data<double>();
    const auto nans = std::count_if(fit, fit + result.fit.size(), [](double x) { return std::isnan(x); });
    const std::size_t outputs = result.fit.size() / result.fit.shape[0];
    const bool all_are_there = static_cast<std::size_t>(nans) <= result.not_finite * outputs;
    return all_are_there ? "the nearest sample" : "the nearest sample, NaN where none may count";
  }
  if (data.classes) return "no label";
  return smoother.empty == attn::EmptyWindow::zero ? "0" : "NaN";
}

/// The name of a polynomial of degree 1 or 2.
std::string polynomial(std::size_t degree) { return degree == 1 ? "linear" : "quadratic"; }

attn::TensorView bandwidth_value(const Bandwidth& bandwidth) {
  if (bandwidth.kind == Bandwidth::Kind::neighbours) return attn::scalar_of(attn::to_string(bandwidth));
  if (bandwidth.values.size() == 1) return attn::scalar_of(bandwidth.values[0]);
  return attn::vector_of(bandwidth.values);
}

/// What a search for the bandwidth found. word: what searched; unit: the divisor of y in the criterion.
void note_selection(const SettledSmoother& settled, const std::string& word, bool was_given, double unit,
                    const PreparedSamples& data, cli::Report& report) {
  const attn::Selection& chosen = *settled.selection;
  const std::size_t degree = settled.smoother.degree;
  const auto note = [&](const std::string& text) { report.note(data.note_prefix + text); };
  std::string widths = attn::listed(chosen.bandwidth.values, ",", [](double h) { return cli::number_text(h, 9); });
  if (widths.empty()) widths = attn::to_string(chosen.bandwidth);
  const std::string criterion = word == "knn:cv" || block_of(word) ? "cv" : word;
  note("bandwidth " + widths + (was_given ? " chosen by " + word : " chosen by cv, as none was given") + " (" +
       criterion + " = " + cli::number_text(chosen.criterion, 8) +
       (unit == 1 ? "" : " of y / " + cli::number_text(unit, 17)) + ")");
  report.detail(data.note_prefix + std::to_string(chosen.evaluations) + " bandwidths tried");
  if (chosen.is_constant)
    note("y is constant: every bandwidth predicts it");
  else if (chosen.is_polynomial)
    note("y is exactly " + polynomial(degree) + " in x: every bandwidth predicts it");
  else if (chosen.is_widest)
    note("an infinite bandwidth is the best: " +
         (degree == 0 ? "by " + criterion + ", y does not depend on x" : "the fit is " + polynomial(degree) + " in x"));
  else if (chosen.at_border)
    note("the bandwidth is at the narrow end of the range searched: the data ask for the least smoothing");
  if (!chosen.smoothed_away.empty()) {
    note("x, column " + attn::listed(chosen.smoothed_away, ",") + ": " +
         (degree == 0 ? "by " + word + ", y does not depend on it" : "the fit is " + polynomial(degree) + " in it") +
         ", so its width is infinite");
  }
  for (const attn::Category& category : data.samples.categories)
    if (!chosen.is_widest && !chosen.is_constant && !chosen.is_polynomial &&
        chosen.bandwidth.values[category.column] == attn::widest_lambda(settled.smoother.category_kernel, category))
      note(data.categories->name(category.column) + ": by " + word +
           ", y does not depend on it, so its lambda is the largest");
}

/// Throws Error(usage) for samples that have no order, or too few of them.
void expect_blocks(const PreparedSamples& data, std::size_t block, std::size_t samples) {
  if (data.columns() > 1 || !data.samples.categories.empty() || !data.samples.periods.empty())
    throw Error(ErrorKind::usage, "--bandwidth cv:block", "is for one column of numbers that does not come round",
                "give cv");
  if (block > samples / 2)
    throw Error(ErrorKind::usage, "--bandwidth cv:block=" + std::to_string(block),
                "leaves out more than half of " + std::to_string(samples) + " samples", "give a smaller block");
}

/// Says that cv, and the errors after it, take the errors of the samples for independent, where they are not.
void note_correlation(const attn::KernelRegression& regression, const std::string& prefix, cli::Report& report) {
  const std::optional<double> r = attn::correlation_of_neighbours(regression);
  if (!r) return;
  // Blocks that end where 1/20 of the correlation is left.
  const double side = std::min(std::ceil(std::log(0.05) / std::log(*r)), static_cast<double>(regression.size() / 8));
  report.note(prefix + "errors of neighbours in x correlate (about " + cli::number_text(*r, 2) +
              "), and a part of them is taken for the curve, with bands that are too narrow; --bandwidth cv:block=L " +
              "leaves out blocks of L neighbours, as cv:block=" + cli::number_text(2 * side + 1, 9));
}

/// The width that the criterion prefers, reported to the user and in the attributes.
void choose(const SmootherOptions& o, std::string word, const PreparedSamples& data,
            const attn::KernelRegression& regression, bool wants_curve, SettledSmoother& settled,
            cli::Session& session) {
  attn::SelectionParameters parameters = selection_parameters(o, data);
  parameters.curve = wants_curve;
  with_complete_samples(data, regression, session, [&](const attn::KernelRegression& complete) {
    if (parameters.block > 1) expect_blocks(data, parameters.block, complete.size());
    settled.selection = word == "knn:cv"
                            ? attn::select_neighbours(complete, settled.smoother, parameters.loss, session.execution())
                            : attn::select_bandwidth(complete, settled.smoother, parameters, session.execution());
  });
  if (!wants_curve) settled.selection->curve.reset();
  if (has_grid(o)) word.resize(word.find(':'));
  const attn::Selection& chosen = *settled.selection;
  settled.smoother.bandwidth = chosen.bandwidth;
  // If squares of y would overflow or underflow, y is divided by a power of two.
  const double unit = attn::unit_of_criterion(regression, parameters.criterion, parameters.loss);
  note_selection(settled, word, o.bandwidth.has_value(), unit, data, session.report);
  if (parameters.block <= 1)
    with_complete_samples(data, regression, session, [&](const attn::KernelRegression& complete) {
      note_correlation(complete, data.note_prefix, session.report);
    });
  settled.attributes["bandwidth-criterion"] = attn::scalar_of(chosen.criterion);
  if (unit != 1) settled.attributes["bandwidth-criterion-unit"] = attn::scalar_of(unit);
  settled.attributes["bandwidth-chosen-by"] = attn::scalar_of(word);
}

/// Throws Error(usage) for a bandwidth without a lambda for each category.
void expect_lambdas(const attn::Smoother& smoother, const std::string& word) {
  if (smoother.kernel == attn::Kernel::constant)
    throw Error(ErrorKind::usage, "--kernel constant", "has no bandwidth, and categories need their lambdas",
                "take another kernel");
  if (word != "cv" && word != "aicc" && word != "gcv" && !parse_lengths(word))
    throw Error(ErrorKind::usage, "--bandwidth", "'" + word + "' has no lambda for the categories in x",
                "give cv, aicc or gcv, or H1,H2,... with a width or a lambda for each column");
}

/// Any bandwidth that is possible.
Bandwidth any_bandwidth(const attn::Samples& samples, std::size_t columns) {
  if (samples.categories.empty()) return Bandwidth::number(1);
  std::vector<double> values(columns, 1);
  for (const attn::Category& category : samples.categories) values[category.column] = 0;
  return Bandwidth::per_coordinate(std::move(values));
}

cli::Choices<attn::Kernel> kernel_choices() {
  cli::Choices<attn::Kernel> choices;
  for (const attn::Kernel kernel : attn::all_kernels()) {
    const std::string name(attn::name_of(kernel));
    choices.emplace_back(kernel == attn::Kernel::cosine ? name + "|cosine" : name, kernel);
  }
  return choices;
}

/// Reads the word of --quantile. Throws Error(usage).
std::vector<double> parse_quantiles(const std::string& word) {
  const auto quantiles = cli::parse_numbers(word);
  if (!quantiles || quantiles->empty() ||
      !std::all_of(quantiles->begin(), quantiles->end(), [](double t) { return t > 0 && t < 1; }) ||
      std::adjacent_find(quantiles->begin(), quantiles->end(), std::greater_equal<>()) != quantiles->end())
    throw Error(ErrorKind::usage, "--quantile", "'" + word + "' is not a list of numbers between 0 and 1 that rise",
                "as in 0.5, or 0.1,0.5,0.9");
  return *quantiles;
}

cli::Choices<attn::Loss> loss_choices() {
  return {{"squared", attn::Loss::squared}, {"log", attn::Loss::log}, {"brier", attn::Loss::brier}};
}

}  // namespace

void add_smoother_options(cli::Command& command, SmootherOptions& o) {
  attn::Smoother& s = o.smoother;
  command.group("Kernel and bandwidth");
  command.option("--kernel", s.kernel, kernel_choices(),
                 "kernel, the weight of a sample by its distance over the bandwidth");
  command.option("--scale-convention", s.scale_convention,
                 cli::Choices<ScaleConvention>{{"halfwidth", ScaleConvention::halfwidth},
                                               {"sd", ScaleConvention::sd},
                                               {"sqrt5", ScaleConvention::sqrt5},
                                               {"ksmooth", ScaleConvention::ksmooth}},
                 "meaning of the bandwidth");
  command.option("--category-kernel", s.category_kernel,
                 cli::Choices<attn::CategoryKernel>{{"li-racine", attn::CategoryKernel::li_racine},
                                                    {"aitchison-aitken", attn::CategoryKernel::aitchison_aitken}},
                 "factor of samples of other categories");
  command.option(
      "--bandwidth", "cv",
      "H: bandwidth: a number, H1,H2,... (lambda for categories), knn:K, knn:P%, an operand, or a rule that chooses it",
      [&o](const std::string& word) { o.bandwidth = word; });
  command.values({"rot", "cv", "aicc", "gcv", "knn:cv"});
  command.flag("--isotropic", o.isotropic, "choose one width for all columns of x, with cv, aicc and gcv");
  command.flag("--common-bandwidth", o.is_common, "choose one bandwidth for all columns of y, not one for each");
  command.option("--loss", o.loss, loss_choices(), "loss that cv sums up, by default squared, with --classify log");
  command.group("Local fit");
  command.option("--degree", s.degree, "N: degree of the local polynomial, 0, 1 or 2");
  command.option("--robust", o.robust, "N: robust fits after the first, in which samples far from the fit count less");
  command.option("--quantile", "", "T,...: local quantiles, 0 < T < 1, in place of the mean",
                 [&o](const std::string& word) {
                   o.quantiles = parse_quantiles(word);
                   o.smoother.quantile = o.quantiles.front();
                 });
  command.option("--family", s.family,
                 cli::Choices<attn::Family>{{"gaussian", attn::Family::gaussian}, {"binomial", attn::Family::binomial}},
                 "what y is: any numbers, or shares of events from 0 to 1, whose local likelihood is fitted");
  command.flag("--causal", s.causal, "use only samples up to the query; the first column of x is time");
  command.option("--decay", s.decay,
                 "RATE: rate at which samples fade with --causal: a weight at age t is multiplied by exp(-RATE t)");
  command.option("--empty", s.empty,
                 cli::Choices<attn::EmptyWindow>{{"nan", attn::EmptyWindow::nan},
                                                 {"nearest", attn::EmptyWindow::nearest},
                                                 {"zero", attn::EmptyWindow::zero},
                                                 {"error", attn::EmptyWindow::error}},
                 "result for a query with no sample in reach");
  command.option("--method", s.method,
                 cli::Choices<Method>{{"auto", Method::automatic},
                                      {"direct", Method::direct},
                                      {"window", Method::window},
                                      {"series", Method::series},
                                      {"tree", Method::tree}},
                 "method of summation; auto takes the cheapest by size alone");
  command.option("--tol", s.tolerance, "SHARE: share of all weights that the tree may drop; 0 is exact to rounding");
}

std::optional<std::size_t> block_of(const std::string& word) {
  const std::string start = "cv:block=";
  if (!attn::starts_with(word, start)) return std::nullopt;
  const auto count = cli::parse_numbers(word.substr(start.size()));
  constexpr double most = 1e9;
  if (!count || count->size() != 1 || !(count->front() >= 1 && count->front() <= most) ||
      count->front() != std::floor(count->front()))
    throw Error(ErrorKind::usage, "--bandwidth", "'" + word + "' is not cv:block=L with L from 1", "as in cv:block=9");
  return static_cast<std::size_t>(count->front());
}

bool has_grid(const SmootherOptions& o) {
  return o.bandwidth && !attn::starts_with(*o.bandwidth, "cv:block") &&
         (attn::starts_with(*o.bandwidth, "cv:") || attn::starts_with(*o.bandwidth, "gcv:"));
}

std::vector<std::string> quantile_names(const SmootherOptions& o) {
  if (o.quantiles.size() < 2) return {""};
  std::vector<std::string> names;
  for (const double t : o.quantiles) names.push_back("quantile-" + cli::to_text(t));
  return names;
}

bool is_searched(const SmootherOptions& o) {
  if (o.smoother.kernel == attn::Kernel::constant) return false;
  const std::string word = o.bandwidth.value_or("cv");
  return word == "cv" || word == "aicc" || word == "gcv" || word == "knn:cv" || has_grid(o) || block_of(word);
}

void check_smoother(const SmootherOptions& o, bool classify) {
  if (o.smoother.degree > 2) throw Error(ErrorKind::usage, "degree", "is more than 2", "give 0, 1 or 2");
  if ((o.loss == attn::Loss::log || o.loss == attn::Loss::brier) && !classify)
    throw Error(ErrorKind::usage, "--loss", "log and brier are for labels", "give --classify");
  const auto refuse = [&](bool is_given, const char* option, const char* why) {
    if (is_given && !o.smoother.fits_means()) throw Error(ErrorKind::usage, option, why, "omit it");
  };
  refuse(classify, "--classify", "has its own probabilities, and no --quantile or --family");
  refuse(o.robust > 0, "--robust", "is for least squares, not for --quantile or --family");
  refuse(o.bandwidth && (*o.bandwidth == "aicc" || *o.bandwidth == "rot" || attn::starts_with(*o.bandwidth, "gcv")),
         "--bandwidth", "is chosen for least squares by aicc, gcv and rot");
  if (o.robust > 0 && classify)
    throw Error(ErrorKind::usage, "--robust", "is for numbers, not for labels", "leave it out");
}

void note_result(const attn::RegressionResult& result, const PreparedSamples& data, const attn::Smoother& smoother,
                 cli::Report& report) {
  const auto note = [&](const std::string& text) { report.note(data.note_prefix + text); };
  const auto some = [&](std::size_t count) {
    return std::to_string(count) + " of " + std::to_string(result.fit.shape[0]);
  };
  if (result.not_finite > 0)
    note(some(result.not_finite) + " queries are NaN or infinite: their result is " +
         (data.classes ? "no label" : "NaN"));
  if (result.empty_windows > 0)
    note(some(result.empty_windows) + " queries have no sample in reach: their result is " +
         result_of_empty(result, data, smoother));
  if (result.lowered_degrees > 0)
    note(some(result.lowered_degrees) + " windows have too few samples that count and lie apart for degree " +
         std::to_string(smoother.degree) + ": a lower one was fitted (--emit degree)");
  if (result.standard_error) {
    const auto* error = result.standard_error->contiguous_data<double>();
    const auto* fit = result.fit.contiguous_data<double>();
    std::size_t unknown = 0;
    for (std::size_t i = 0; i < result.fit.size(); ++i) unknown += std::isnan(error[i]) && !std::isnan(fit[i]);
    if (unknown > 0)
      note(std::to_string(unknown) + " of " + std::to_string(result.fit.size()) +
           " standard errors are NaN: no sample of the window has another one in reach");
  }
  report.detail(data.note_prefix + "method " + std::string(attn::name_of(result.method)) + ": " + result.reason);
}

void with_complete_samples(const PreparedSamples& data, const attn::KernelRegression& regression, cli::Session& session,
                           const std::function<void(const attn::KernelRegression&)>& use) {
  const std::vector<std::size_t> rows = attn::complete_rows(data.samples, attn::MissingValues::omit);
  if (rows.size() == regression.size()) return use(regression);
  session.report.detail(data.note_prefix + std::to_string(regression.size() - rows.size()) +
                        " rows with missing values are ignored in the search for a bandwidth");
  use(attn::KernelRegression(attn::rows_of(data.samples, rows), session.execution()));
}

attn::SelectionParameters selection_parameters(const SmootherOptions& o, const PreparedSamples& data) {
  attn::SelectionParameters parameters;
  const std::string word = o.bandwidth.value_or("cv");
  parameters.criterion = word == "aicc"                   ? attn::Criterion::aicc
                         : attn::starts_with(word, "gcv") ? attn::Criterion::gcv
                                                          : attn::Criterion::leave_one_out;
  parameters.loss = o.loss.value_or(data.classes ? attn::Loss::log : attn::Loss::squared);
  parameters.isotropic = o.isotropic;
  parameters.block = block_of(word).value_or(1);
  if (has_grid(o)) parameters.grid = grid_of(*o.bandwidth, data);
  return parameters;
}

attn::Attributes attributes_of(const attn::Smoother& s) {
  attn::Attributes all{{"kernel", attn::scalar_of(attn::name_of(s.kernel))},
                       {"degree", attn::scalar_of(static_cast<std::int64_t>(s.degree))}};
  if (s.quantile) all["quantile"] = attn::scalar_of(*s.quantile);
  if (s.family != attn::Family::gaussian) all["family"] = attn::scalar_of(attn::name_of(s.family));
  if (s.kernel == attn::Kernel::constant) return all;
  all["scale-convention"] = attn::scalar_of(attn::name_of(s.scale_convention));
  all["bandwidth"] = bandwidth_value(s.bandwidth);
  return all;
}

SettledSmoother settle_smoother(const SmootherOptions& o, const PreparedSamples& data,
                                const attn::KernelRegression& regression, bool wants_curve, cli::Session& session) {
  SettledSmoother settled{o.smoother, std::nullopt, {}};
  attn::Smoother& smoother = settled.smoother;
  const std::string word = o.bandwidth.value_or("cv");
  const std::vector<double>& periods = data.samples.periods;
  if (!periods.empty())
    settled.attributes["period"] = periods.size() == 1 ? attn::scalar_of(periods[0]) : attn::vector_of(periods);
  if (data.categories) {
    settled.attributes["category-kernel"] = attn::scalar_of(attn::name_of(smoother.category_kernel));
    expect_lambdas(smoother, word);
  }
  const bool is_rule =
      block_of(word) || word == "cv" || word == "aicc" || word == "gcv" || word == "rot" || word == "knn:cv";
  if (smoother.kernel == attn::Kernel::constant) {  // it has no bandwidth, but an invalid one is still an error
    if (!is_rule)
      attn::check_bandwidth(given_bandwidth(word, data, regression, session.inputs), regression.dimensions(),
                            regression.size());
    settled.attributes.merge(attributes_of(smoother));
    return settled;
  }
  if (is_searched(o) && session.execution().dry_run != nullptr) {
    smoother.bandwidth = any_bandwidth(data.samples, regression.dimensions());
  } else if (is_searched(o)) {
    choose(o, word, data, regression, wants_curve, settled, session);
  } else if (is_rule) {
    if (!data.samples.periods.empty())
      throw Error(ErrorKind::usage, "--bandwidth rot", "is for a line, and x comes round", "give cv or a number");
    smoother.bandwidth = attn::rule_of_thumb(data.samples.x, smoother.kernel, smoother.scale_convention);
    session.report.note("bandwidth " + attn::to_string(smoother.bandwidth) + " by the rule of thumb");
    settled.attributes["bandwidth-chosen-by"] = attn::scalar_of(word);
  } else {
    smoother.bandwidth = given_bandwidth(word, data, regression, session.inputs);
  }
  settled.attributes.merge(attributes_of(smoother));
  return settled;
}

std::vector<std::string> curve_columns(const SettledSmoother& settled) {
  const std::size_t widths = std::max<std::size_t>(1, settled.smoother.bandwidth.values.size());
  std::vector<std::string> names;
  for (std::size_t j = 0; j < widths; ++j)
    names.push_back(widths == 1 ? "bandwidth" : "bandwidth-" + std::to_string(j));
  names.push_back(attn::texts_of(settled.attributes, "bandwidth-chosen-by").front());
  names.emplace_back("exact");
  return names;
}

}  // namespace nwreg
