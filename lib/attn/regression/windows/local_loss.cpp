#include <attn/regression/windows/local_loss.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attn {
namespace {

double dot(const double* a, const double* b, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/// The inverse of a (p, p), by Gauss and Jordan with exchanges of rows; false if it has none.
bool invert(std::vector<double> a, std::size_t p, std::vector<double>& inverse) {
  inverse.assign(p * p, 0.0);
  for (std::size_t k = 0; k < p; ++k) inverse[k * p + k] = 1;
  for (std::size_t k = 0; k < p; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < p; ++i)
      if (std::abs(a[i * p + k]) > std::abs(a[pivot * p + k])) pivot = i;
    if (!(std::abs(a[pivot * p + k]) > 0)) return false;
    for (std::size_t j = 0; j < p; ++j) {
      std::swap(a[pivot * p + j], a[k * p + j]);
      std::swap(inverse[pivot * p + j], inverse[k * p + j]);
    }
    const double unit = 1 / a[k * p + k];
    for (std::size_t j = 0; j < p; ++j) a[k * p + j] *= unit, inverse[k * p + j] *= unit;
    for (std::size_t i = 0; i < p; ++i) {
      const double factor = i == k ? 0 : a[i * p + k];
      for (std::size_t j = 0; factor != 0 && j < p; ++j) {
        a[i * p + j] -= factor * a[k * p + j];
        inverse[i * p + j] -= factor * inverse[k * p + j];
      }
    }
  }
  return true;
}

/// log(1 + exp(x))
double softplus(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }

double logistic(double x) { return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x)); }

}  // namespace

LossFitter::LossFitter(const KernelRegression::Prepared& samples, const WeightRows& rows, const Smoother& smoother)
    : samples_(samples), rows_(rows), smoother_(smoother), polynomial_(samples, smoother.degree) {}

// 1, z_j, z_j z_k with z in units of the farthest key.
void LossFitter::make_basis(const double* q, std::size_t degree) {
  const std::size_t d = samples_.d, count = row_.count();
  terms_ = degree == 0 ? 1 : degree == 1 ? 1 + d : 1 + d + d * (d + 1) / 2;
  basis_.assign(count * terms_, 1.0);
  for (std::size_t j = 0; degree > 0 && j < d; ++j) {
    const RowCoordinate x(samples_, row_, j);
    double farthest = 0;
    for (std::size_t r = 0; r < count; ++r) farthest = std::max(farthest, std::abs(x[r] - q[j]));
    for (std::size_t r = 0; r < count; ++r) basis_[r * terms_ + 1 + j] = (x[r] - q[j]) / farthest;
  }
  for (std::size_t r = 0; degree > 1 && r < count; ++r) {
    double *row = basis_.data() + r * terms_, *out = row + 1 + d;
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t k = j; k < d; ++k) *out++ = row[1 + j] * row[1 + k];
  }
}

double LossFitter::quantile_of(const double* y) {
  constexpr double rounding = 1e-14;
  std::vector<std::size_t> order(row_.count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return y[row_.key[a]] < y[row_.key[b]]; });
  double total = 0, passed = 0;
  for (const double w : row_.weight) total += w;
  const double share = *smoother_.quantile * total * (1 - rounding);
  for (const std::size_t r : order)
    if ((passed += row_.weight[r]) >= share) return y[row_.key[r]];
  return y[row_.key[order.back()]];
}

// Keys whose terms are independent, the heaviest and farthest apart first, by elimination.
bool LossFitter::first_set(std::vector<std::size_t>& set) const {
  const std::size_t p = terms_;
  std::vector<double> left(basis_);
  for (std::size_t r = 0; r < row_.count(); ++r)
    for (std::size_t j = 0; j < p; ++j) left[r * p + j] *= std::sqrt(row_.weight[r]);
  set.clear();
  for (std::size_t j = 0; j < p; ++j) {
    std::size_t pivot = 0;
    for (std::size_t r = 0; r < row_.count(); ++r)
      if (std::abs(left[r * p + j]) > std::abs(left[pivot * p + j])) pivot = r;
    if (!(std::abs(left[pivot * p + j]) > 0)) return false;
    set.push_back(pivot);
    const std::vector<double> by(left.begin() + static_cast<std::ptrdiff_t>(pivot * p),
                                 left.begin() + static_cast<std::ptrdiff_t>((pivot + 1) * p));
    // Columns, so that no later pivot depends on this one.
    for (std::size_t k = j + 1; k < p; ++k)
      for (std::size_t r = 0; r < row_.count(); ++r) left[r * p + k] -= left[r * p + j] * (by[k] / by[j]);
  }
  return true;
}

double LossFitter::quantile_polynomial(const double* given) {
  const std::size_t n = row_.count(), p = terms_;
  const double tau = *smoother_.quantile;
  // Shifts that are small beside all differences and different for all samples: no polynomial then passes through more
  // samples than it has coefficients, and every step goes down.
  double low = given[row_.key[0]], high = low;
  for (const std::uint32_t key : row_.key) low = std::min(low, given[key]), high = std::max(high, given[key]);
  std::vector<double> y(n), residual(n), inverse, b(p), step(p), along(n), a(p * p);
  for (std::size_t r = 0; r < n; ++r) {
    const double shift = std::fmod(static_cast<double>(row_.key[r] + 1) * 0.6180339887498949, 1.0);
    y[r] = given[row_.key[r]] + 1e-11 * (high - low) * (shift - 0.5);
  }
  const auto rho = [tau](double r) { return r * (tau - (r < 0 ? 1 : 0)); };
  std::vector<std::size_t> set;
  if (high == low || !first_set(set)) return quantile_of(given);
  std::vector<char> is_in(n, 0);
  for (const std::size_t r : set) is_in[r] = 1;
  const auto solve = [&](const std::vector<double>& values) {
    for (std::size_t k = 0; k < p; ++k) std::copy_n(terms(set[k]), p, a.data() + k * p);
    if (!invert(a, p, inverse)) return false;
    for (std::size_t j = 0; j < p; ++j) {
      b[j] = 0;
      for (std::size_t k = 0; k < p; ++k) b[j] += inverse[j * p + k] * values[set[k]];
    }
    return true;
  };
  for (std::size_t iteration = 0; iteration < 50 + 10 * n && solve(y); ++iteration) {
    for (std::size_t r = 0; r < n; ++r) residual[r] = is_in[r] ? 0 : y[r] - dot(terms(r), b.data(), p);
    // The edge that goes down most, in the change of the loss for a change of one of the set.
    double steepest = 0;
    std::size_t leaving = p;
    double sign = 1;
    for (std::size_t k = 0; k < p; ++k) {
      for (std::size_t j = 0; j < p; ++j) step[j] = inverse[j * p + k];
      double up = row_.weight[set[k]] * rho(-1), down = row_.weight[set[k]] * rho(1), size = row_.weight[set[k]];
      for (std::size_t r = 0; r < n; ++r) {
        if (is_in[r]) continue;
        const double change = row_.weight[r] * dot(terms(r), step.data(), p);
        const double slope = change * (tau - (residual[r] < 0 ? 1 : 0));
        up -= slope;
        down += slope;
        size += std::abs(change);
      }
      const double least = std::min(up, down) / size;
      if (least < steepest - 1e-13) steepest = least, leaving = k, sign = up < down ? 1 : -1;
    }
    if (leaving == p) break;
    for (std::size_t j = 0; j < p; ++j) step[j] = sign * inverse[j * p + leaving];
    double slope = row_.weight[set[leaving]] * rho(-sign);
    std::vector<std::pair<double, std::size_t>> places;
    for (std::size_t r = 0; r < n; ++r) {
      along[r] = is_in[r] ? 0 : dot(terms(r), step.data(), p);
      slope -= row_.weight[r] * along[r] * (tau - (residual[r] < 0 ? 1 : 0));
      if (along[r] != 0 && residual[r] / along[r] > 0) places.emplace_back(residual[r] / along[r], r);
    }
    std::sort(places.begin(), places.end());
    std::size_t entering = n;
    for (const auto& [place, r] : places) {
      slope += row_.weight[r] * std::abs(along[r]);
      if (slope >= 0) {
        entering = r;
        break;
      }
    }
    if (entering == n) break;
    is_in[set[leaving]] = 0;
    is_in[entering] = 1;
    set[leaving] = entering;
  }
  for (std::size_t r = 0; r < n; ++r) y[r] = given[row_.key[r]];
  return solve(y) ? b[0] : quantile_of(given);
}

double LossFitter::share_of(const double* y, double& error) {
  const std::size_t n = row_.count(), p = terms_;
  double total = 0, mean = 0;
  bool all_are_0 = true, all_are_1 = true;
  for (std::size_t r = 0; r < n; ++r) {
    const double value = y[row_.key[r]];
    total += row_.weight[r];
    mean += row_.weight[r] * value;
    all_are_0 = all_are_0 && value == 0;
    all_are_1 = all_are_1 && value == 1;
  }
  mean /= total;
  error = 0;
  if (all_are_0 || all_are_1) return all_are_1 ? 1 : 0;
  std::vector<double> b(p, 0.0), next(p), gradient(p), hessian(p * p), inverse, meat(p * p);
  b[0] = std::log(mean / (1 - mean));
  const auto likelihood = [&](const std::vector<double>& at) {
    double sum = 0;
    for (std::size_t r = 0; r < n; ++r) {
      const double theta = dot(terms(r), at.data(), p);
      sum += row_.weight[r] * (y[row_.key[r]] * theta - softplus(theta));
    }
    return sum;
  };
  double value = likelihood(b);
  for (int iteration = 0; iteration < 100; ++iteration) {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    std::fill(hessian.begin(), hessian.end(), 0.0);
    std::fill(meat.begin(), meat.end(), 0.0);
    for (std::size_t r = 0; r < n; ++r) {
      const double *f = terms(r), w = row_.weight[r], share = logistic(dot(f, b.data(), p)),
                   v = w * share * (1 - share);
      for (std::size_t j = 0; j < p; ++j) {
        gradient[j] += w * (y[row_.key[r]] - share) * f[j];
        for (std::size_t k = 0; k < p; ++k) {
          hessian[j * p + k] += v * f[j] * f[k];
          meat[j * p + k] += w * v * f[j] * f[k];
        }
      }
    }
    if (!invert(hessian, p, inverse)) break;
    double gain = 0;
    for (std::size_t j = 0; j < p; ++j) {
      next[j] = dot(inverse.data() + j * p, gradient.data(), p);
      gain += next[j] * gradient[j];
    }
    if (!(gain > 1e-24 * total)) break;
    double share = 1, there = value;
    std::vector<double> trial(p);
    for (int half = 0; half < 40; ++half, share /= 2) {
      for (std::size_t j = 0; j < p; ++j) trial[j] = b[j] + share * next[j];
      there = likelihood(trial);
      if (there >= value) break;
    }
    if (!(there >= value)) break;  // rounding alone is left
    b = trial;
    value = there;
  }
  const double share = logistic(b[0]);
  if (invert(hessian, p, inverse)) {
    double square = 0;
    for (std::size_t j = 0; j < p; ++j)
      for (std::size_t k = 0; k < p; ++k) square += inverse[j] * meat[j * p + k] * inverse[k];
    error = share * (1 - share) * std::sqrt(square);
  }
  return share;
}

void LossFitter::fit(const double* q, const WindowRequest& request, WindowFit& out) {
  const std::size_t self = request.leave_out_self ? request.self : WeightRows::no_self;
  rows_.find(q, self, false, row_, scratch_);
  out.empty = row_.count() == 0;
  if (out.empty) {
    if (smoother_.empty != EmptyWindow::nearest) return;
    rows_.find_nearest(q, self, row_, scratch_);
    if (row_.count() == 0) return;
  }
  out.degree = polynomial_.solve(q, row_);
  make_basis(q, out.degree);
  out.fit.resize(samples_.outputs);
  out.error.assign(samples_.outputs, 0.0);
  for (std::size_t c = 0; c < samples_.outputs; ++c) {
    const double* y = samples_.y.column(c);
    const bool is_missing = !samples_.y_is_finite && std::any_of(row_.key.begin(), row_.key.end(),
                                                                 [y](std::uint32_t key) { return std::isnan(y[key]); });
    out.fit[c] = is_missing            ? std::numeric_limits<double>::quiet_NaN()
                 : !smoother_.quantile ? share_of(y, out.error[c])
                 : out.degree == 0     ? quantile_of(y)
                                       : quantile_polynomial(y);
  }
}

}  // namespace attn
