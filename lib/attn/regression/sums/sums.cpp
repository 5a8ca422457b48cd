#include <attn/regression/sums/sums.hpp>

#include <attn/core/error.hpp>
#include <attn/simd/kernel_sums.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {
namespace {

// Sums of weights above this are complete: underflowed weights are below their rounding. At or below it, the largest
// weight must be factored out first.
constexpr double smallest_sum = 1e-200;

// Queries of a task.
constexpr std::size_t block = 64;

simd::SmoothingKeys keys_of(const SumsProblem& problem, const std::vector<const double*>& x) {
  simd::SmoothingKeys keys;
  keys.x = x.data();
  keys.d = problem.samples.d;
  keys.scale = problem.scale.data();
  keys.weight = problem.weight;
  keys.values = problem.values.data();
  keys.columns = problem.values.size();
  keys.slack = Metric::border_slack(keys.d);
  const double scale = problem.scale[0];
  keys.is_isotropic = scale > 1e-100 && scale < 1e100 &&
                      std::all_of(problem.scale.begin(), problem.scale.end(), [&](double s) { return s == scale; });
  return keys;
}

bool is_finite(const double* q, std::size_t d) {
  return std::all_of(q, q + d, [](double value) { return std::isfinite(value); });
}

// Calls visit(point, q, sums) for each query in blocks over the threads, then mends the rows whose weights are too
// small to be trusted. visit fills the sums, which start at 0, of finite queries [begin, end) given as rows.
template <class Visit>
void for_queries(const SumsProblem& problem, const Execution& execution, SumsOutput out, Visit visit) {
  const std::size_t first = problem.points.first / block * block, m = problem.points.end(), d = problem.samples.d,
                    columns = problem.columns();
  execution.parallel_with_progress((m - first + block - 1) / block, [&](std::size_t task, std::size_t) {
    const std::size_t begin = first + task * block, end = std::min(m, begin + block);
    std::vector<double> q((end - begin) * d);
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t point = begin; point < end; ++point)
        q[(point - begin) * d + j] = problem.points.x().column(j)[point];
    std::fill(out.totals + begin * columns, out.totals + end * columns, 0.0);
    visit(begin, end, q.data(), out.totals + begin * columns);
    ExactSums exact(problem);
    for (std::size_t point = begin; point < end; ++point) {
      const double* at = q.data() + (point - begin) * d;
      double* row = out.totals + point * columns;
      if (!is_finite(at, d))
        std::fill_n(row, columns, std::numeric_limits<double>::quiet_NaN());
      else if (!is_compact(problem.kernel) && !(row[0] > smallest_sum))
        out.set_log_factor(point, exact.find(at, problem.self(point), row));
    }
  });
}

// Nanoseconds on one core with vectors of 512 bits, as `bench-regression cost` prints them. Only their ratios matter,
// and only between all pairs and the rest, which differ much except for a few hundred samples: there narrower vectors
// or another clock may make the choice slightly slower.
struct Cost {
  double pair;   // a pair in direct tiles
  double point;  // a key or a query of the one-dimensional algorithms
};
Cost cost_of(Kernel kernel) {
  switch (kernel) {
    case Kernel::gaussian: return {0.55, 75};
    case Kernel::laplace: return {0.5, 35};
    case Kernel::triangular:
    case Kernel::epanechnikov: return {0.15, 45};
    case Kernel::biweight: return {0.18, 40};
    case Kernel::triweight: return {0.22, 45};
    case Kernel::tricube: return {0.3, 105};
    case Kernel::cosine: return {0.55, 55};
    default: return {0.15, 32};
  }
}
constexpr double visit_leaf = 15;  // ns for each run of keys that a query finds in the tree, likewise

bool has_line_method(const SumsProblem& problem) { return problem.samples.d == 1; }

Method line_method(Kernel kernel) {
  return kernel == Kernel::gaussian || kernel == Kernel::laplace ? Method::series : Method::window;
}

// Keys and runs that a query meets within reach, on average over 64 of the queries.
struct Reach {
  double keys = 0, runs = 0;
};
Reach probe(const SumsProblem& problem) {
  constexpr std::size_t probes = 64;
  const std::size_t m = problem.points.count(), d = problem.samples.d;
  const WeightRows rows(problem.samples, problem.row_parameters());
  WeightRows::Scratch scratch;
  std::vector<double> q(d);
  Reach total;
  std::size_t finite = 0;
  for (std::size_t probe = 0; probe < std::min(probes, m); ++probe) {
    const std::size_t point = m <= probes ? probe : m / probes * probe;
    for (std::size_t j = 0; j < d; ++j) q[j] = problem.points.x().column(j)[point];
    if (!std::all_of(q.begin(), q.end(), [](double value) { return std::isfinite(value); })) continue;
    rows.find_reach(q.data(), problem.self(point), scratch);
    for (const KeyRun run : scratch.runs) total.keys += run.end - run.begin;
    total.runs += static_cast<double>(scratch.runs.size());
    ++finite;
  }
  if (finite > 0) {
    total.keys /= static_cast<double>(finite);
    total.runs /= static_cast<double>(finite);
  }
  return total;
}

[[noreturn]] void cannot(Method method, const std::string& why, const std::string& fix) {
  throw Error(ErrorKind::usage, "method " + std::string(name_of(method)), why, fix);
}

// Whether keys far from a query can be left out.
bool has_reach_of(Kernel kernel) { return is_compact(kernel) || kernel == Kernel::gaussian; }

void check_reach(Kernel kernel, Method wanted) {
  if (wanted == Method::tree && !has_reach_of(kernel))
    cannot(wanted, "needs a kernel that ends or falls like the Gaussian, not " + std::string(name_of(kernel)),
           "take direct");
}

MethodChoice check_wanted(const SumsProblem& problem, Method wanted) {
  const std::string kernel(name_of(problem.kernel)), d = std::to_string(problem.samples.d);
  if ((wanted == Method::window || wanted == Method::series) && problem.samples.d != 1)
    cannot(wanted, "is for one dimension, x has " + d,
           has_reach_of(problem.kernel) ? "take direct or tree" : "take direct");
  if ((wanted == Method::window || wanted == Method::series) && line_method(problem.kernel) != wanted)
    cannot(wanted, "is not for the kernel " + kernel, "take " + std::string(name_of(line_method(problem.kernel))));
  check_reach(problem.kernel, wanted);
  return {wanted, "as asked for"};
}

// Rows see the keys in reach, which are a few times as many as the neighbours with the Gaussian, and all with Laplace.
std::optional<MethodChoice> choose_for_neighbours(const SumsProblem& problem, double n, double m, double row_pair) {
  constexpr double run_of_query = 100, runs = 30;  // ns for each sum over a run, and how many a query meets
  const double reach = problem.kernel == Kernel::laplace    ? n
                       : problem.kernel == Kernel::gaussian ? 10 * static_cast<double>(problem.neighbours)
                                                            : static_cast<double>(problem.neighbours);
  const double line = m * runs * run_of_query, rows = m * std::min(n, problem.kernel_scale * reach) * row_pair;
  if (2 * line > rows) return std::nullopt;
  return MethodChoice{line_method(problem.kernel), "about " + three_digits(line * 1e-6) + " ms against " +
                                                       three_digits(rows * 1e-6) + " ms for rows of weights"};
}

}  // namespace

WeightRows::Parameters SumsProblem::row_parameters() const {
  WeightRows::Parameters parameters;
  parameters.kernel = kernel;
  parameters.metric.scale = scale;
  parameters.weight = weight;
  parameters.tolerance = tolerance;
  parameters.categories = categories;
  parameters.metric.neighbours = neighbours;
  parameters.metric.kernel_scale = kernel_scale;
  parameters.neighbours = samples.neighbour_weight();
  parameters.causal = causal;
  return parameters;
}

SumsProblem sums_problem(const KernelRegression::Prepared& samples, const QueryPoints& points, const Smoother& smoother,
                         bool leave_one_out) {
  const Metric metric = metric_of(smoother, samples);
  SumsProblem problem{
      samples,           points, smoother.kernel, metric.scale, samples.weight(), samples.y.pointers(), leave_one_out,
      smoother.tolerance};
  problem.neighbours = metric.neighbours;
  problem.kernel_scale = metric.kernel_scale;
  problem.categories = CategoryWeights(samples, smoother);
  return problem;
}

bool square(SumsProblem& problem, std::vector<double>& weights) {
  switch (problem.kernel) {
    case Kernel::boxcar:
    case Kernel::constant: break;
    case Kernel::parabolic: problem.kernel = Kernel::biweight; break;
    case Kernel::gaussian:
      for (double& scale : problem.scale) scale *= std::sqrt(2.0);
      break;
    case Kernel::laplace:
      for (double& scale : problem.scale) scale *= 2;
      break;
    default:
      if (problem.degree == 0 && problem.neighbours == 0) return false;
      problem.squared = true;
  }
  if (problem.weight != nullptr) {
    weights.assign(problem.weight, problem.weight + problem.samples.n);
    for (double& weight : weights) weight *= weight;
    problem.weight = weights.data();
  }
  problem.values.clear();
  problem.fitted = 0;
  problem.categories.square();
  return true;
}

double spread_of(const SumsProblem& problem, std::size_t column) {
  constexpr std::size_t parts = 64, looks = 32;
  const std::size_t n = problem.samples.n;
  const double *values = column > 0 ? problem.values[column - 1] : nullptr, *weight = problem.weight;
  if (values == nullptr && weight == nullptr) return 1;
  const auto size = [&](std::size_t i) {
    return std::abs(values != nullptr ? values[i] : 1.0) * (weight != nullptr ? weight[i] : 1.0);
  };
  double largest = 0, usual = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, size(i));
  std::vector<double> sizes;
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t begin = n * part / parts, end = n * (part + 1) / parts;
    sizes.clear();
    for (std::size_t i = begin; i < end; i += std::max<std::size_t>(1, (end - begin) / looks))
      if (size(i) > 0) sizes.push_back(size(i));
    if (sizes.empty()) continue;
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::nth_element(sizes.begin(), middle, sizes.end());
    usual = std::min(usual, *middle);
  }
  return largest > usual ? largest / usual : 1;
}

ExactSums::ExactSums(const SumsProblem& problem)
    : problem_(problem), rows_(problem.samples, problem.row_parameters()) {}

double ExactSums::find(const double* q, std::size_t self, double* sums) {
  rows_.find(q, self, false, row_, scratch_);
  std::fill_n(sums, problem_.columns(), 0.0);
  for (std::size_t r = 0; r < row_.count(); ++r) {
    sums[0] += row_.weight[r];
    for (std::size_t c = 1; c < problem_.columns(); ++c)
      sums[c] += row_.weight[r] * problem_.values[c - 1][row_.key[r]];
  }
  return row_.log_factor;
}

// Sums over pairs: every pair, or those within reach. Vector kernels of the instruction set do the arithmetic.

void direct_sums(const SumsProblem& problem, const Execution& execution, SumsOutput out) {
  const std::vector<const double*> x = problem.samples.x.pointers();
  const simd::SmoothingKeys keys = keys_of(problem, x);
  const auto& add = simd::smoothing_kernels(execution.isa).add;
  const std::size_t n = problem.samples.n, d = problem.samples.d, columns = problem.columns();
  for_queries(problem, execution, out, [&](std::size_t begin, std::size_t end, const double* q, double* sums) {
    if (!problem.leave_one_out) return add(keys, problem.kernel, q, end - begin, 0, n, sums);
    // Together where no query meets itself, one by one around the diagonal.
    add(keys, problem.kernel, q, end - begin, 0, begin, sums);
    for (std::size_t i = begin; i < end; ++i) {
      const double* one = q + (i - begin) * d;
      double* row = sums + (i - begin) * columns;
      add(keys, problem.kernel, one, 1, begin, i, row);
      add(keys, problem.kernel, one, 1, i + 1, end, row);
    }
    add(keys, problem.kernel, q, end - begin, end, n, sums);
  });
}

void tree_sums(const SumsProblem& problem, const Execution& execution, SumsOutput out) {
  const std::vector<const double*> x = problem.samples.x.pointers();
  const simd::SmoothingKeys keys = keys_of(problem, x);
  const auto& add = simd::smoothing_kernels(execution.isa).add;
  const std::size_t d = problem.samples.d, columns = problem.columns();
  const WeightRows rows(problem.samples, problem.row_parameters());
  for_queries(problem, execution, out, [&](std::size_t begin, std::size_t end, const double* q, double* sums) {
    WeightRows::Scratch scratch;
    for (std::size_t point = begin; point < end; ++point) {
      const double* at = q + (point - begin) * d;
      if (!is_finite(at, d)) continue;
      const std::size_t self = problem.self(point);
      rows.find_reach(at, self, scratch);
      for (const KeyRun run : scratch.runs) {
        double* row = sums + (point - begin) * columns;
        const bool splits = run.begin <= self && self < run.end;
        add(keys, problem.kernel, at, 1, run.begin, splits ? self : run.end, row);
        if (splits) add(keys, problem.kernel, at, 1, self + 1, run.end, row);
      }
      // Dropped pairs are small compared with a nearest key of full weight; see WeightRows.
      if (!is_compact(problem.kernel) && problem.weight != nullptr && sums[(point - begin) * columns] < 0.5)
        sums[(point - begin) * columns] = 0;
    }
  });
}

std::string_view name_of(Method method) noexcept {
  switch (method) {
    case Method::automatic: return "auto";
    case Method::direct: return "direct";
    case Method::window: return "window";
    case Method::series: return "series";
    case Method::tree: return "tree";
  }
  return "?";
}

MethodChoice choose_method(const SumsProblem& problem, Method wanted) {
  if (wanted != Method::automatic) return check_wanted(problem, wanted);
  const auto n = static_cast<double>(problem.samples.n), m = static_cast<double>(problem.points.count());
  const auto d = static_cast<double>(problem.samples.d);
  const Cost cost = cost_of(problem.kernel);
  const double pair = cost.pair + 0.05 * (d - 1), all_pairs = n * m * pair;
  const std::string against = "against " + three_digits(all_pairs * 1e-6) + " ms for all pairs";
  if (has_line_method(problem)) {
    const double line = cost.point * (n + m);
    if (line < all_pairs) return {line_method(problem.kernel), "about " + three_digits(line * 1e-6) + " ms " + against};
    return {Method::direct, "all pairs take about " + three_digits(all_pairs * 1e-6) + " ms"};
  }
  if (has_reach_of(problem.kernel)) {
    // Probing pays only for many pairs.
    constexpr double worth_probing = 1e6;
    if (n * m > worth_probing) {
      const Reach reach = probe(problem);
      // Runs of keys come one query at a time, without the sharing of loads in full tiles.
      const double within = m * (reach.keys * pair * 1.5 + reach.runs * visit_leaf + 100);
      if (within < all_pairs)
        return {Method::tree, "about " + three_digits(reach.keys) + " of " + three_digits(n) +
                                  " keys are within reach: " + three_digits(within * 1e-6) + " ms " + against};
    }
  }
  return {Method::direct, "all pairs take about " + three_digits(all_pairs * 1e-6) + " ms"};
}

std::optional<MethodChoice> choose_moments_method(const SumsProblem& problem, Method wanted) {
  if (wanted != Method::automatic) return check_wanted(problem, wanted);
  // ns for each pair of rows of weights, and for each moment of a key or a query, on one core. Rows keep a few more
  // digits: they are taken until the difference can be felt.
  constexpr double row_pair = 10, moment = 1.5, felt = 4;
  const auto n = static_cast<double>(problem.samples.n), m = static_cast<double>(problem.points.count());
  if (problem.neighbours > 0) return choose_for_neighbours(problem, n, m, row_pair);
  const double line = cost_of(problem.kernel).point * moment * static_cast<double>(problem.length()) * (n + m) *
                      static_cast<double>(cells_of_query(problem.samples));
  const double all_rows = n * m * row_pair;
  if (felt * line > all_rows) return std::nullopt;
  return MethodChoice{line_method(problem.kernel), "about " + three_digits(line * 1e-6) + " ms against " +
                                                       three_digits(all_rows * 1e-6) + " ms for all pairs"};
}

MethodChoice choose_row_method(const KernelRegression::Prepared& samples, const Smoother& smoother) {
  const bool has_reach = has_reach_of(smoother.kernel);
  const Method wanted = smoother.method;
  if (wanted == Method::window || wanted == Method::series)
    cannot(
        wanted,
        "is for fits without time, missing values and, at degree 0, derivatives and, of most kernels, standard errors "
        "and effective sizes",
        has_reach ? "take direct or tree" : "take direct");
  check_reach(smoother.kernel, wanted);
  if (wanted == Method::direct) return {Method::direct, "as asked for"};
  if (!has_reach) return {Method::direct, "every key is within reach"};
  if (wanted == Method::tree) return {Method::tree, "as asked for"};
  if (samples.n < 64) return {Method::direct, "there are few keys"};
  return {Method::tree, "each query looks at the keys within reach"};
}

void run_method(Method method, const SumsProblem& problem, const Execution& execution, SumsOutput out) {
  if (problem.categories.count() > 0) return category_sums(method, problem, execution, out);
  if (problem.neighbours > 0) return neighbour_sums(problem, execution, out);
  switch (method) {
    case Method::window: return window_sums(problem, execution, out);
    case Method::series:
      return problem.kernel == Kernel::laplace ? laplace_series_sums(problem, execution, out)
                                               : gaussian_series_sums(problem, execution, out);
    case Method::tree: return tree_sums(problem, execution, out);
    case Method::automatic:
    case Method::direct: return direct_sums(problem, execution, out);
  }
}

}  // namespace attn
