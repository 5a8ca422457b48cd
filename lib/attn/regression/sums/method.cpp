#include <attn/core/error.hpp>
#include <attn/regression/sums/method.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

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

}  // namespace

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
    cannot(wanted,
           "is for fixed bandwidths, without time, missing values and, at degree 0, derivatives and, of most kernels, "
           "standard errors and effective sizes",
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
