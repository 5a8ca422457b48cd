// Sums over pairs: every pair, or those within reach. Vector kernels of the instruction set do the arithmetic.
#include <attn/regression/sums/sums.hpp>
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

}  // namespace

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

}  // namespace attn
