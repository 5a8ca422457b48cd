#include <attn/core/error.hpp>
#include <attn/regression/samples/argsort.hpp>
#include <attn/regression/samples/categories.hpp>
#include <attn/regression/samples/samples.hpp>
#include <attn/regression/sums/sums.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

namespace attn {
namespace {

// One column for (rows), the second axis for (rows, columns).
std::size_t column_count(const TensorView& x, const char* fallback) {
  if (x.rank() == 1) return 1;
  if (x.rank() == 2) return x.shape[1];
  throw shape_error(name_or(x, fallback), x.shape, "(rows) or (rows, columns)");
}

void check_finite(const TensorView& tensor, const char* fallback, const Columns& columns, bool nan_is_fine) {
  for (std::size_t j = 0; j < columns.count(); ++j) {
    const double* column = columns.column(j);
    // The sum of x - x is 0 unless something is not finite: one pass that vectorises, then the search for the culprit.
    double probe = 0;
    for (std::size_t i = 0; i < columns.rows(); ++i) probe += column[i] - column[i];
    if (probe == 0) continue;
    for (std::size_t i = 0; i < columns.rows(); ++i)
      if (!std::isfinite(column[i]) && !(nan_is_fine && std::isnan(column[i])))
        throw Error(ErrorKind::data, name_or(tensor, fallback),
                    "row " + std::to_string(i) + ", column " + std::to_string(j) + " is " +
                        (std::isnan(column[i]) ? "NaN" : "infinite"),
                    "drop such rows");
  }
}

// Weights divided by the largest, so that denormal ones keep their digits. Throws for those that would lose theirs by
// it, alone or times a kernel and a y.
void normalise_weights(const TensorView& tensor, Columns& weights) {
  constexpr double widest = 1e200;
  double* w = weights.column(0);
  const std::size_t n = weights.rows();
  std::size_t heaviest = 0, lightest = n;  // of those above 0
  for (std::size_t i = 0; i < n; ++i) {
    if (w[i] < 0)
      throw Error(ErrorKind::data, name_or(tensor, "weights"), "row " + std::to_string(i) + " is negative",
                  "weights count samples: give 0 to drop one");
    if (w[i] > w[heaviest]) heaviest = i;
    if (w[i] > 0 && (lightest == n || w[i] < w[lightest])) lightest = i;
  }
  if (lightest == n) return;
  if (w[heaviest] / w[lightest] > widest)
    throw Error(ErrorKind::data, name_or(tensor, "weights"),
                "row " + std::to_string(lightest) + " weighs " + three_digits(w[lightest]) + " and row " +
                    std::to_string(heaviest) + " " + three_digits(w[heaviest]) + ", more than " + three_digits(widest) +
                    " times as much",
                "give 0 to samples that should not count, or bring the weights closer together");
  const double largest = w[heaviest];
  for (std::size_t i = 0; i < n; ++i) w[i] /= largest;
}

// The power of two that divides values so that sums of their squares neither overflow nor underflow. Within these
// limits values are unchanged, so that none loses digits next to a large one.
double scale_of_values(double largest) {
  if (!(largest > 0) || !std::isfinite(largest)) return 1;
  constexpr int highest = 450, lowest = -100;
  const int exponent = std::ilogb(largest);
  return std::ldexp(1.0, exponent - std::clamp(exponent, lowest, highest));
}

void permute(double* column, const std::vector<std::uint32_t>& order, std::vector<double>& buffer) {
  buffer.assign(column, column + order.size());
  for (std::size_t i = 0; i < order.size(); ++i) column[i] = buffer[order[i]];
}

// The columns as they are prepared: numbers, then categories.
Columns in_prepared_order(Columns given, const KernelRegression::Prepared& p) {
  if (p.categories.empty()) return given;
  Columns columns(p.query_length(), given.rows());
  for (std::size_t j = 0; j < columns.count(); ++j) {
    if (p.column(j) == KernelRegression::Prepared::dummy)
      std::fill_n(columns.column(j), given.rows(), 0.0);
    else
      std::copy_n(given.column(p.column(j)), given.rows(), columns.column(j));
  }
  return columns;
}

void choose_columns(const Samples& samples, std::size_t count, KernelRegression::Prepared& p) {
  p.categories = samples.categories;
  for (std::size_t j = 0; j < count; ++j)
    if (std::none_of(p.categories.begin(), p.categories.end(), [&](const Category& c) { return c.column == j; }))
      p.columns.push_back(j);
  if (p.columns.empty() && count > 0) p.columns.push_back(KernelRegression::Prepared::dummy);
  p.d = p.columns.size();
}

// The periods of the columns of numbers.
std::vector<double> periods_of(const Samples& samples, std::size_t columns, const KernelRegression::Prepared& p) {
  const std::vector<double>& given = samples.periods;
  if (std::all_of(given.begin(), given.end(), [](double period) { return period == 0; })) return {};
  if (given.size() != columns)
    throw Error(ErrorKind::usage, "period",
                "has " + std::to_string(given.size()) + " numbers for " + std::to_string(columns) + " columns of x",
                "give one for each column, 0 for those that do not come round");
  for (const double period : given)
    if (!(period >= 0) || !std::isfinite(period))
      throw Error(ErrorKind::usage, "period", "is not a positive number", "give the length of one round");
  for (const Category& category : p.categories)
    if (given[category.column] > 0)
      throw Error(ErrorKind::usage, "period",
                  "is of a column of numbers, and column " + std::to_string(category.column) + " has categories",
                  "leave it out");
  std::vector<double> periods;
  for (std::size_t j = 0; j < p.d; ++j) periods.push_back(given[p.column(j)]);
  return periods;
}

// Places on a circle become those of its first round.
void go_round(Columns& x, const std::vector<double>& periods) {
  for (std::size_t j = 0; j < periods.size(); ++j)
    for (std::size_t i = 0; periods[j] > 0 && i < x.rows(); ++i) {
      double& at = x.column(j)[i];
      at = std::fmod(at, periods[j]);
      if (at < 0) at += periods[j];
      if (at == periods[j]) at = 0;
    }
}

// Codes of categories; NaN is fine in queries.
void check_codes(const TensorView& tensor, const char* fallback, const Columns& x,
                 const KernelRegression::Prepared& p) {
  for (std::size_t f = 0; f < p.categories.size(); ++f) {
    const double* code = x.column(p.d + f);
    const auto levels = static_cast<double>(p.categories[f].levels);
    for (std::size_t i = 0; i < x.rows(); ++i)
      if (!std::isnan(code[i]) && !(code[i] >= 0 && code[i] < levels && code[i] == std::floor(code[i])))
        throw Error(ErrorKind::data, name_or(tensor, fallback),
                    "row " + std::to_string(i) + ", column " + std::to_string(p.categories[f].column) + " is " +
                        three_digits(code[i]) + ", which is no category",
                    "give codes from 0 to " + std::to_string(p.categories[f].levels - 1));
  }
}

void arrange(KernelRegression::Prepared& p, const Execution& execution) {
  if (p.d == 1) {
    p.order = sort_with_order(p.x.column(0), p.n, execution);
    return;
  }
  p.order.resize(p.n);
  std::iota(p.order.begin(), p.order.end(), 0U);
  arrange_in_tree(p, p.order);
}

}  // namespace

void arrange_in_tree(KernelRegression::Prepared& p, std::vector<std::uint32_t>& order) {
  std::vector<double> rows(p.n * p.d);
  for (std::size_t j = 0; j < p.d; ++j)
    for (std::size_t i = 0; i < p.n; ++i) rows[i * p.d + j] = p.x.column(j)[i];
  p.tree = std::make_unique<KdTree>(rows, order, p.d);
  for (std::size_t j = 0; j < p.d; ++j)
    for (std::size_t i = 0; i < p.n; ++i) p.x.column(j)[i] = rows[i * p.d + j];
}

std::string three_digits(double x) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.3g", x);
  return buffer;
}

std::vector<const double*> Columns::pointers() const {
  std::vector<const double*> all(count_);
  for (std::size_t j = 0; j < count_; ++j) all[j] = column(j);
  return all;
}

Columns to_columns(const TensorView& x, const std::vector<std::uint32_t>& order) {
  const std::size_t count = column_count(x, "tensor"), rows = x.shape[0];
  const TensorView numbers = x.dtype == DType::f64 ? x : cast(x, DType::f64);
  const double* first = static_cast<const double*>(numbers.data);
  const std::ptrdiff_t down = numbers.strides[0], across = x.rank() == 2 ? numbers.strides[1] : 0;
  Columns columns(count, rows);
  for (std::size_t j = 0; j < count; ++j) {
    const double* from = first + static_cast<std::ptrdiff_t>(j) * across;
    double* to = columns.column(j);
    if (order.empty())
      for (std::size_t i = 0; i < rows; ++i) to[i] = from[static_cast<std::ptrdiff_t>(i) * down];
    else
      for (std::size_t i = 0; i < rows; ++i) to[i] = from[static_cast<std::ptrdiff_t>(order[i]) * down];
  }
  return columns;
}

namespace {

std::size_t count_positive(const double* weight, std::size_t n) {
  if (weight == nullptr) return n;
  return static_cast<std::size_t>(std::count_if(weight, weight + n, [](double w) { return w > 0; }));
}

// One weight for each row. Throws for another shape and for numbers that are not finite.
Columns weights_of(const TensorView& given, const char* name, const std::string& rows, std::size_t n) {
  if (column_count(given, name) != 1 || given.shape[0] != n) throw shape_error(name_or(given, name), given.shape, rows);
  Columns weights = to_columns(given);
  check_finite(given, name, weights, false);
  return weights;
}

}  // namespace

std::size_t KernelRegression::Prepared::counted() const noexcept { return count_positive(weight(), n); }

std::size_t KernelRegression::Prepared::neighbours_of_others() const noexcept {
  const std::size_t count = count_positive(neighbour_weight(), n);
  return count > 0 ? count - 1 : 0;
}

KernelRegression::KernelRegression(const Samples& samples, const Execution& execution)
    : prepared_(std::make_unique<Prepared>()) {
  Prepared& p = *prepared_;
  choose_columns(samples, column_count(samples.x, "x"), p);
  p.outputs = column_count(samples.y, "y");
  p.n = samples.x.shape[0];
  p.y_is_vector = samples.y.rank() == 1;
  const std::string rows = std::to_string(p.n) + " rows as " + name_or(samples.x, "x");
  if (samples.y.shape[0] != p.n) throw shape_error(name_or(samples.y, "y"), samples.y.shape, rows);
  if (p.d == 0) throw shape_error(name_or(samples.x, "x"), samples.x.shape, "at least one column");
  if (p.n >= std::numeric_limits<std::uint32_t>::max())
    throw Error(ErrorKind::memory, name_or(samples.x, "x"), "has more than 2^32 rows");
  p.x = to_columns(samples.x);
  check_finite(samples.x, "x", p.x, false);
  p.x = in_prepared_order(std::move(p.x), p);
  check_codes(samples.x, "x", p.x, p);
  p.periods = periods_of(samples, column_count(samples.x, "x"), p);
  go_round(p.x, p.periods);
  for (std::size_t j = 0; j < p.d; ++j)
    for (std::size_t i = 0; i < p.n; ++i) p.x.column(j)[i] += 0.0;  // -0 becomes 0, so that both sort as one
  arrange(p, execution);
  std::vector<double> buffer;
  for (std::size_t j = p.d; j < p.x.count(); ++j) permute(p.x.column(j), p.order, buffer);
  p.y = to_columns(samples.y, p.order);
  check_finite(samples.y, "y", p.y, true);
  if (samples.weights) {
    p.weights = weights_of(*samples.weights, "weights", rows, p.n);
    normalise_weights(*samples.weights, p.weights);
    permute(p.weights.column(0), p.order, buffer);
  }
  if (samples.robustness) {
    Columns robustness = weights_of(*samples.robustness, "robustness", rows, p.n);
    permute(robustness.column(0), p.order, buffer);
    p.is_robust = true;
    p.given_weights = std::move(p.weights);
    for (std::size_t i = 0; i < p.n && p.given_weights.count() > 0; ++i)
      robustness.column(0)[i] *= p.given_weights.column(0)[i];
    p.weights = std::move(robustness);
    normalise_weights(*samples.robustness, p.weights);
  }
  for (std::size_t c = 0; c < p.outputs; ++c) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    double* y = p.y.column(c);
    for (std::size_t i = 0; i < p.n; ++i) {
      if (p.weight() != nullptr && p.weight()[i] == 0) {
        y[i] = 0;  // ignored
        continue;
      }
      if (std::isnan(y[i])) p.y_is_finite = false;
      low = std::min(low, y[i]);
      high = std::max(high, y[i]);
    }
    const double scale = scale_of_values(std::max(-low, high));
    if (scale != 1)
      for (std::size_t i = 0; i < p.n; ++i) y[i] /= scale;
    p.y_scale.push_back(scale);
    p.y_low.push_back(low / scale);
    p.y_high.push_back(high / scale);
  }
  const SumsProblem problem{p, {}, Kernel::gaussian, {}, p.weight(), p.y.pointers()};
  for (std::size_t c = 0; c <= p.outputs; ++c) p.y_spread = std::max(p.y_spread, spread_of(problem, c));
  p.cells = cells_of(p);
}

KernelRegression::~KernelRegression() = default;
KernelRegression::KernelRegression(KernelRegression&&) noexcept = default;
KernelRegression& KernelRegression::operator=(KernelRegression&&) noexcept = default;
std::size_t KernelRegression::size() const noexcept { return prepared_->n; }
std::size_t KernelRegression::dimensions() const noexcept {
  return prepared_->categories.size() + (prepared_->has_numbers() ? prepared_->d : 0);
}
std::size_t KernelRegression::outputs() const noexcept { return prepared_->outputs; }

namespace {

// (m) or (m, d). A list of numbers is m queries in one dimension, and one query of d coordinates otherwise when there
// are d of them.
TensorView query_rows(const TensorView& queries, std::size_t d) {
  TensorView q = queries;
  if (q.rank() == 0) q = reshaped(contiguous(q), {1});
  if (q.rank() == 1 && d > 1 && q.shape[0] == d) q = reshaped(contiguous(q), {1, d});
  if (column_count(q, "q") != d)
    throw shape_error(name_or(queries, "q"), queries.shape,
                      "(m, " + std::to_string(d) + "): one column for each column of x");
  return q;
}

}  // namespace

std::size_t query_count(const TensorView& queries, std::size_t d) { return query_rows(queries, d).shape[0]; }

void KernelRegression::check_queries(const TensorView& queries) const { query_rows(queries, dimensions()); }

QueryPoints query_points(const TensorView& queries, const KernelRegression::Prepared& samples,
                         const Execution& execution) {
  QueryPoints points;
  const std::size_t columns = samples.categories.size() + (samples.has_numbers() ? samples.d : 0);
  points.own = in_prepared_order(to_columns(query_rows(queries, columns)), samples);
  check_codes(queries, "q", points.own, samples);
  go_round(points.own, samples.periods);
  if (samples.d == 1) points.order = sort_with_order(points.own.column(0), points.own.rows(), execution);
  std::vector<double> buffer;
  for (std::size_t j = samples.d; j < points.own.count() && samples.d == 1; ++j)
    permute(points.own.column(j), points.order, buffer);
  return points;
}

Smoother without_infinite_widths(const Smoother& smoother, const KernelRegression::Prepared& samples) {
  const std::vector<Category>& categories = samples.categories;
  Smoother finite = smoother;
  std::vector<double>& h = finite.bandwidth.values;
  for (std::size_t j = 0; j < h.size(); ++j) {
    if (std::any_of(categories.begin(), categories.end(), [&](const Category& c) { return c.column == j; })) continue;
    if (h[j] != std::numeric_limits<double>::infinity()) return smoother;
    h[j] = 1;
    finite.kernel = Kernel::constant;
    finite.method = Method::automatic;
  }
  return finite;
}

Metric metric_of(const Smoother& smoother, const KernelRegression::Prepared& samples) {
  const std::size_t d = samples.d;
  Metric metric;
  metric.kernel_scale = kernel_scale(smoother.kernel, smoother.scale_convention);
  const Bandwidth& h = smoother.bandwidth;
  if (h.kind == Bandwidth::Kind::neighbours) {
    metric.scale.assign(d, 1.0);
    metric.neighbours = h.neighbours;
    return metric;
  }
  if (smoother.kernel == Kernel::constant) metric.scale.assign(d, 0.0);
  for (std::size_t j = metric.scale.size(); j < d; ++j) {
    const double width = !samples.has_numbers() ? 1 : h.values[h.values.size() == 1 ? 0 : samples.column(j)];
    metric.scale.push_back(1 / (width * metric.kernel_scale));
  }
  return metric;
}

}  // namespace attn
