#include <attn/core/constants.hpp>
#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/regression/partial_sums.hpp>
#include <attn/regression/sums/sums.hpp>
#include <attn/regression/windows/evaluation.hpp>
#include <attn/regression/windows/weight_rows.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {
namespace {

// The largest weight, by which prepared weights are divided.
double heaviest(const std::optional<TensorView>& weights) {
  if (!weights) return 1;
  const std::vector<double> all = elements_of<double>(cast(*weights, DType::f64));
  const double largest = all.empty() ? 0 : *std::max_element(all.begin(), all.end());
  return largest > 0 ? largest : 1;
}

void expect_sums(const Smoother& smoother) {
  const bool is_fixed =
      smoother.bandwidth.kind == Bandwidth::Kind::number || smoother.bandwidth.kind == Bandwidth::Kind::per_coordinate;
  if (smoother.degree != 0 || smoother.decay != 0 || !is_fixed)
    throw Error(ErrorKind::usage, "sums over some samples",
                "need degree 0, no decay, and a bandwidth that is one number or one for each column");
}

}  // namespace

PartialSums partial_sums(const Samples& samples, const TensorView& queries, const Smoother& given,
                         const Execution& execution) {
  expect_sums(given);
  const KernelRegression regression(samples, execution);
  const KernelRegression::Prepared& p = regression.prepared();
  const Smoother smoother = without_infinite_widths(given, p);
  const QueryPoints points = query_points(queries, p, execution);
  check_bandwidth(p, smoother, false);
  const std::size_t m = points.count(), outputs = p.outputs;
  PartialSums sums{std::vector<double>(m, -infinity), std::vector<double>(m), std::vector<double>(m),
                   std::vector<double>(m * 2 * outputs)};
  const bool restricted = choose_row_method(p, smoother).method == Method::tree;
  const WeightRows rows(p, row_parameters(p, smoother, restricted));
  const double unit = heaviest(samples.weights);
  constexpr std::size_t block = 64;
  execution.parallel((m + block - 1) / block, [&](std::size_t task, std::size_t) {
    WeightRow row;
    WeightRows::Scratch scratch;
    std::vector<double> q(p.query_length());
    for (std::size_t point = task * block; point < std::min(m, (task + 1) * block); ++point) {
      const std::size_t at = points.row(point);
      double* const values = sums.values.data() + at * 2 * outputs;
      for (std::size_t j = 0; j < q.size(); ++j) q[j] = points.x().column(j)[point];
      if (!std::all_of(q.begin(), q.end(), [](double value) { return std::isfinite(value); })) {
        sums.log_factor[at] = 0;
        sums.weight[at] = sums.square[at] = std::numeric_limits<double>::quiet_NaN();
        std::fill_n(values, 2 * outputs, std::numeric_limits<double>::quiet_NaN());
        continue;
      }
      rows.find(q.data(), WeightRows::no_self, false, row, scratch);
      if (row.count() == 0) continue;
      sums.log_factor[at] = row.log_factor;
      for (std::size_t r = 0; r < row.count(); ++r) {
        const double w = row.weight[r] * unit;
        sums.weight[at] += w;
        sums.square[at] += w * w;
        for (std::size_t c = 0; c < outputs; ++c) {
          const double y = p.y.column(c)[row.key[r]] * p.y_scale[c];
          values[c] += w * y;
          values[outputs + c] += w * y * y;
        }
      }
    }
  });
  return sums;
}

}  // namespace attn
