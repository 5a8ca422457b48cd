#include <attn/regression/search/boxcar_steps.hpp>

namespace attn {

bool BoxcarSteps::serves(const KernelRegression::Prepared& p, const Smoother& smoother) {
  return smoother.kernel == Kernel::boxcar && smoother.degree == 0 && p.y_is_finite &&
         (smoother.decay == 0 || p.d == 1);
}

BoxcarSteps::BoxcarSteps(const KernelRegression::Prepared& samples, const Smoother& smoother, Criterion criterion,
                         Loss loss)
    : samples_(samples), smoother_(smoother), criterion_(criterion), loss_(loss), counted_(samples.counted()) {
  for (std::size_t c = 0; c < samples.outputs; ++c) moments_.push_back(moments_of(samples, c));
  if (samples.d > 1) {
    std::vector<double> first(samples.d), one(samples.d, 1.0);
    for (std::size_t j = 0; j < samples.d; ++j) first[j] = samples.x.column(j)[0];
    unit_ = std::ldexp(1.0, -std::ilogb(samples.tree->farthest(first.data(), one.data())));
  }
  if (smoother.decay == 0) return;
  // Samples fade from the newest one in the window, which is the nearest: its weight never vanishes.
  const double* x = samples.x.column(0);
  for (std::size_t i = 0; i < samples.n; ++i) {
    std::size_t at = static_cast<std::size_t>(std::upper_bound(x, x + samples.n, x[i]) - x);
    const auto is_out = [&](std::size_t k) {
      return (criterion == Criterion::leave_one_out && k == i) || weight_of(samples, k) == 0;
    };
    while (at > 0 && is_out(at - 1)) --at;
    newest_.push_back(at > 0 ? x[at - 1] : x[i]);
  }
}

double BoxcarSteps::distance(std::size_t a, std::size_t b) const {
  if (samples_.d == 1) return std::abs(samples_.x.column(0)[b] - samples_.x.column(0)[a]);
  double square = 0;
  for (std::size_t j = 0; j < samples_.d; ++j) {
    const double step = (samples_.x.column(j)[b] - samples_.x.column(j)[a]) * unit_;
    square += step * step;
  }
  return std::sqrt(square) / unit_;
}

// Pairs a < b of samples at most `high` apart, a every stride-th.
template <class F>
void BoxcarSteps::for_each_pair(double high, std::size_t stride, F f) const {
  for (std::size_t a = 0; a < samples_.n; a += stride)
    for (std::size_t b = a + 1; b < samples_.n; ++b) {
      const double apart = distance(a, b);
      if (apart <= high)
        f(Pair{apart, static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
      else if (samples_.d == 1)
        break;  // sorted
    }
}

double BoxcarSteps::count(double low, double high) const {
  const std::size_t stride = 1 + samples_.n / 2048;
  double found = 0;
  for_each_pair(high, stride, [&](const Pair& pair) { found += pair.distance > low ? 1 : 0; });
  return found * static_cast<double>(stride);
}

// Windows at width 0, without coincident samples.
void BoxcarSteps::begin() {
  const std::size_t n = samples_.n, outputs = samples_.outputs;
  weight_.assign(n, 0.0);
  self_.assign(n, 0.0);
  sum_.assign(n * outputs, 0.0);
  cost_.assign(n * outputs, 0.0);
  totals_.assign(outputs, {});
  trace_ = {};
  if (criterion_ == Criterion::aicc)
    for (std::size_t i = 0; i < n; ++i) add(i, i);
}

void BoxcarSteps::add(std::size_t to, std::size_t from) {
  double weight = weight_of(samples_, from);
  if (smoother_.decay != 0) weight *= std::exp(smoother_.decay * (samples_.x.column(0)[from] - newest_[to]));
  weight_[to] += weight;
  for (std::size_t c = 0; c < samples_.outputs; ++c)
    sum_[to * samples_.outputs + c] += weight * samples_.y.column(c)[from];
}

// Exchanges what the window of sample i costs for what it costs now.
void BoxcarSteps::settle(std::size_t i) {
  const double mine = weight_of(samples_, i);
  if (mine == 0) return;
  for (std::size_t c = 0; c < samples_.outputs; ++c) {
    const std::size_t at = i * samples_.outputs + c;
    const double y = samples_.y.column(c)[i];
    const double fit = weight_[i] > 0 ? sum_[at] / weight_[i] : moments_[c].mean_without(y, mine);
    const double cost = mine * loss_of(criterion_ == Criterion::aicc ? Loss::squared : loss_, y, fit);
    totals_[c].add(-cost_[at]);
    totals_[c].add(cost_[at] = cost);
  }
  if (criterion_ != Criterion::aicc) return;
  double own = mine;
  if (smoother_.decay != 0) own *= std::exp(smoother_.decay * (samples_.x.column(0)[i] - newest_[i]));
  trace_.add(-self_[i]);
  trace_.add(self_[i] = own / weight_[i]);
}

void BoxcarSteps::join(const Pair& pair) {
  const double* time = samples_.x.column(0);
  if (!smoother_.causal || time[pair.b] <= time[pair.a]) add(pair.a, pair.b);
  if (!smoother_.causal || time[pair.a] <= time[pair.b]) add(pair.b, pair.a);
}

double BoxcarSteps::criterion() const {
  const auto n = static_cast<double>(counted_);
  double total = 0;
  for (std::size_t c = 0; c < samples_.outputs; ++c) {
    const double mean = std::max(totals_[c].value(), 0.0) / moments_[c].mass;
    total += criterion_ == Criterion::aicc ? std::log(mean) + aicc_penalty(trace_.value(), n)
                                           : mean / unit_of_loss(loss_, samples_.outputs, moments_[c]);
  }
  return criterion_ == Criterion::aicc ? total / static_cast<double>(samples_.outputs) : total;
}

BoxcarSteps::Step BoxcarSteps::least(double low, double high) {
  constexpr double narrowest = 1e-9;
  begin();
  std::vector<Pair> pairs;
  for_each_pair(high, 1, [&](const Pair& pair) {
    if (pair.distance > low)
      pairs.push_back(pair);
    else
      join(pair);
  });
  for (std::size_t i = 0; i < samples_.n; ++i) settle(i);
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.a != b.a ? a.a < b.a : a.b < b.b;
  });
  Step best;
  const auto look = [&](double from, double to) {
    if (!(to > from * (1 + narrowest))) return;
    // Steps that rounding alone sets apart are one.
    const double value = criterion();
    const double margin = std::isfinite(best.criterion) ? 1e-13 * std::abs(best.criterion) : 0;
    if (value < best.criterion - margin) best = {from, to, value};
  };
  double from = low;
  for (std::size_t at = 0; at < pairs.size();) {
    look(from, pairs[at].distance);
    from = pairs[at].distance;
    for (; at < pairs.size() && pairs[at].distance == from; ++at) {
      join(pairs[at]);
      settle(pairs[at].a);
      settle(pairs[at].b);
    }
  }
  look(from, high);
  return best;
}

}  // namespace attn
