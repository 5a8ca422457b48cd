// The search for the number of nearest samples.
#include <attn/core/error.hpp>
#include <attn/regression/bandwidth_selection.hpp>
#include <attn/regression/search/criterion.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace attn {
namespace {

/// The criterion of each number that was tried, in the order of the trials.
class CountTrials {
 public:
  CountTrials(const KernelRegression& regression, const Smoother& smoother, Loss loss, const Execution& execution)
      : regression_(regression), smoother_(smoother), loss_(loss), execution_(execution) {}

  double evaluate(std::size_t count) {
    const auto known = values_.find(count);
    if (known != values_.end()) return known->second;
    Smoother smoother = smoother_;
    smoother.bandwidth = Bandwidth::nearest(count);
    const double value = criterion_of(regression_, smoother, Criterion::leave_one_out, loss_, execution_);
    tried_.push_back(count);
    if (execution_.progress) execution_.progress(tried_.size(), std::max(planned_, tried_.size() + 1));
    return values_[count] = std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
  }
  void plan(std::size_t evaluations) noexcept { planned_ = evaluations; }

  std::size_t best() const {
    const auto least = [](const auto& a, const auto& b) { return a.second < b.second; };
    return std::min_element(values_.begin(), values_.end(), least)->first;
  }
  std::size_t evaluations() const noexcept { return tried_.size(); }
  TensorView curve() const {
    Tensor curve(DType::f64, {tried_.size(), 3});
    for (std::size_t i = 0; i < tried_.size(); ++i) {
      double* row = curve.data_as<double>() + 3 * i;
      row[0] = static_cast<double>(tried_[i]);
      row[1] = values_.at(tried_[i]);
      row[2] = 1;
    }
    return curve.view("bandwidth-curve");
  }

 private:
  const KernelRegression& regression_;
  const Smoother& smoother_;
  Loss loss_;
  const Execution& execution_;
  std::map<std::size_t, double> values_;
  std::vector<std::size_t> tried_;
  std::size_t planned_ = 0;
};

// All numbers of few samples; of more, eight an octave beyond the first.
std::vector<std::size_t> ladder(std::size_t most) {
  constexpr std::size_t few = 256, first = 32;
  std::vector<std::size_t> counts;
  for (std::size_t count = 1; count <= (most <= few ? most : first); ++count) counts.push_back(count);
  for (double octave = 1.0 / 8; counts.back() < most; octave += 1.0 / 8)
    counts.push_back(std::min(most, static_cast<std::size_t>(static_cast<double>(first) * std::exp2(octave))));
  return counts;
}

}  // namespace

Selection select_neighbours(const KernelRegression& regression, const Smoother& smoother, Loss loss,
                            const Execution& execution) {
  const std::size_t most = regression.prepared().neighbours_of_others();
  if (most < 2)
    throw Error(ErrorKind::data, "x", "has too few samples to choose the number of neighbours", "give it as knn:K");
  CountTrials trials(regression, smoother, loss, execution);
  const std::vector<std::size_t> counts = ladder(most);
  trials.plan(counts.size() + 60);
  for (const std::size_t count : counts) trials.evaluate(count);
  // Between the neighbours of the best, eight at a time.
  const auto at = std::find(counts.begin(), counts.end(), trials.best());
  std::size_t low = at == counts.begin() ? 1 : *(at - 1), high = at + 1 == counts.end() ? most : *(at + 1);
  while (high - low > 2) {
    const std::size_t step = std::max<std::size_t>(1, (high - low) / 8);
    for (std::size_t count = low + step; count < high; count += step) trials.evaluate(count);
    if (step == 1) break;
    const std::size_t best = trials.best();
    low = std::max(low, best > step ? best - step : 1);
    high = std::min(high, best + step);
  }
  Selection chosen;
  chosen.bandwidth = Bandwidth::nearest(trials.best());
  chosen.criterion = trials.evaluate(trials.best());
  chosen.evaluations = trials.evaluations();
  chosen.curve = trials.curve();
  return chosen;
}

}  // namespace attn
