#include <attn/regression/windows/local_polynomial.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attn {
namespace {

using std::abs;  // and those of Extended
using std::sqrt;

Extended dot(const WeightRow& row, const std::vector<Extended>& a, const std::vector<Extended>& b) {
  Extended total = 0;
  for (std::size_t r = 0; r < row.count(); ++r) total += row.weight[r] * a[r] * b[r];
  return total;
}

constexpr double smallest_pivot = 1e-5;  // of the diagonal; see the header

// Degrees above 2, in one column.
std::size_t term_count(std::size_t degree, std::size_t d) {
  if (degree > 2) return 1 + degree;
  return degree == 0 ? 1 : degree == 1 ? 1 + d : 1 + d + d * (d + 1) / 2;
}

// L L^T of a (p, p) matrix in place of its lower triangle; false when a pivot is too small.
bool factorise(std::vector<double>& a, std::size_t p) {
  for (std::size_t j = 0; j < p; ++j) {
    double pivot = a[j * p + j];
    const double diagonal = pivot;
    for (std::size_t k = 0; k < j; ++k) pivot -= a[j * p + k] * a[j * p + k];
    if (!(pivot > smallest_pivot * diagonal)) return false;
    a[j * p + j] = sqrt(pivot);
    for (std::size_t i = j + 1; i < p; ++i) {
      double sum = a[i * p + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * p + k] * a[j * p + k];
      a[i * p + j] = sum / a[j * p + j];
    }
  }
  return true;
}

// L^-1 b in place.
void solve_lower(const std::vector<double>& lower, std::size_t p, double* b) {
  for (std::size_t i = 0; i < p; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= lower[i * p + k] * b[k];
    b[i] /= lower[i * p + i];
  }
}

// sum_r l_r v[key_r], by blocks: the error grows with their number, not with the length.
double weighted_sum(const std::vector<double>& l, const std::vector<std::uint32_t>& key, const double* v) {
  constexpr std::size_t block = 128;
  double total = 0;
  for (std::size_t begin = 0; begin < l.size(); begin += block) {
    const std::size_t end = std::min(begin + block, l.size());
    double part = 0;
    for (std::size_t r = begin; r < end; ++r) part += l[r] * v[key[r]];
    total += part;
  }
  return total;
}

// sum_i l_i^2 of the samples, of which the halves on two sides follow each other.
double squares_of(const std::vector<double>& l, const std::vector<std::uint32_t>& key) {
  double squares = 0;
  for (std::size_t r = 0; r < l.size(); ++r) {
    double weight = l[r];
    for (; r + 1 < l.size() && key[r + 1] == key[r]; ++r) weight += l[r + 1];
    squares += weight * weight;
  }
  return squares;
}

}  // namespace

bool OrthonormalPolynomials::add(const WeightRow& row, Term term, Extended noise) {
  for (int pass = 0; pass < 2; ++pass)
    for (const Term& before : terms_) {
      const Extended share = dot(row, term, before);
      for (std::size_t i = 0; i < term.size(); ++i) term[i] -= share * before[i];
    }
  const Extended left = dot(row, term, term);
  Extended largest = 0;
  for (std::size_t r = 0; r < row.count(); ++r)
    if (counts(row, r)) largest = std::max(largest, abs(term[r]));
  if (!(largest > noise) || !(left > 0)) return false;
  const Extended norm = sqrt(left);
  for (Extended& value : term) value /= norm;
  terms_.push_back(std::move(term));
  return true;
}

bool OrthonormalPolynomials::find(const double* q, const WeightRow& row, std::size_t degree) {
  const std::size_t count = row.count(), d = samples_.d, length = count + 1 + d;
  terms_.clear();
  least_weight_ = least_share * *std::max_element(row.weight.begin(), row.weight.end());
  Term one(length, 1.0);
  std::fill(one.end() - static_cast<std::ptrdiff_t>(d), one.end(), 0.0);
  if (!add(row, one, 0)) return false;
  // In units of the farthest key that counts, so that squares neither vanish nor overflow.
  std::vector<Term> linear(d, Term(length, 0.0));
  std::vector<Extended> noise(d);
  for (std::size_t j = 0; j < d; ++j) {
    const RowCoordinate x(samples_, row, j);
    Extended farthest = 0, largest = abs(q[j]);
    for (std::size_t r = 0; r < count; ++r) {
      linear[j][r] = Extended(x[r]) - q[j];
      if (!counts(row, r)) continue;
      farthest = std::max(farthest, abs(linear[j][r]));
      largest = std::max<Extended>(largest, abs(x[r]));
    }
    if (!(farthest > 0)) return false;
    for (std::size_t r = 0; r < count; ++r) linear[j][r] /= farthest;
    linear[j][count + 1 + j] = 1 / farthest;
    noise[j] = 4e-16 * largest / farthest;
  }
  for (std::size_t j = 0; j < d; ++j)
    if (!add(row, linear[j], noise[j])) return false;
  for (std::size_t j = 0; degree >= 2 && j < d; ++j)
    for (std::size_t k = j; k < d; ++k) {
      Term product(length, 0.0);  // 0 at q, and so are its derivatives
      for (std::size_t r = 0; r < count; ++r) product[r] = linear[j][r] * linear[k][r];
      if (!add(row, std::move(product), noise[j] + noise[k])) return false;
    }
  for (std::size_t power = 3; power <= degree; ++power) {
    Term product(length, 0.0);
    for (std::size_t r = 0; r < count; ++r) {
      product[r] = linear[0][r];
      for (std::size_t k = 1; k < power; ++k) product[r] = product[r] * linear[0][r];
    }
    if (!add(row, std::move(product), static_cast<double>(power) * noise[0])) return false;
  }
  return true;
}

void OrthonormalPolynomials::weigh(const WeightRow& row, std::size_t at, std::vector<double>& out) const {
  out.resize(row.count());
  for (std::size_t r = 0; r < row.count(); ++r) {
    Extended total = 0;
    for (const Term& term : terms_) total += term[r] * term[at];
    out[r] = static_cast<double>(row.weight[r] * total);
  }
}

void OrthonormalPolynomials::smoothing(const WeightRow& row, std::vector<double>& out) const {
  weigh(row, row.count(), out);
}

void OrthonormalPolynomials::slopes(const WeightRow& row, std::size_t j, std::vector<double>& out) const {
  weigh(row, row.count() + 1 + j, out);
}

LocalPolynomial::LocalPolynomial(const KernelRegression::Prepared& samples, std::size_t degree)
    : samples_(samples),
      degree_(degree),
      orthonormal_(samples),
      origin_(samples.d),
      offset_(samples.d),
      unit_(samples.d),
      point_(samples.d) {}

// Weighted mean and spread of each coordinate.
void LocalPolynomial::standardise(const WeightRow& row) {
  double total = 0;
  for (const double w : row.weight) total += w;
  const auto top = std::max_element(row.weight.begin(), row.weight.end());
  const auto heaviest = static_cast<std::size_t>(top - row.weight.begin());
  least_weight_ = OrthonormalPolynomials::least_share * *top;
  for (std::size_t j = 0; j < samples_.d; ++j) {
    const RowCoordinate x(samples_, row, j);
    const double origin = x[heaviest];
    double offset = 0, square = 0, farthest = 0, largest = 0;  // of keys that count
    for (std::size_t r = 0; r < row.count(); ++r) offset += row.weight[r] * (x[r] - origin);
    offset /= total;
    for (std::size_t r = 0; r < row.count(); ++r) {
      if (row.weight[r] < least_weight_) continue;
      farthest = std::max(farthest, abs(x[r] - origin));
      largest = std::max(largest, abs(x[r]));
    }
    // Relative to the farthest, so that squares neither vanish nor overflow.
    for (std::size_t r = 0; farthest > 0 && r < row.count(); ++r) {
      const double step = ((x[r] - origin) - offset) / farthest;
      square += row.weight[r] * step * step;
    }
    origin_[j] = origin;
    offset_[j] = offset;
    const double spread = farthest * sqrt(square / total);
    // Points that differ by no more than rounding are one point.
    unit_[j] = farthest > 4e-16 * largest && spread > 0 ? 1 / spread : 0;
  }
}

// 1, t_j, t_j t_k (j <= k), t^3, t^4, t = (point - mean) / spread.
void LocalPolynomial::basis(const double* point, std::size_t degree, double* out) const {
  std::size_t term = 0;
  out[term++] = 1;
  if (degree == 0) return;
  for (std::size_t j = 0; j < samples_.d; ++j) out[term++] = ((point[j] - origin_[j]) - offset_[j]) * unit_[j];
  if (degree == 1) return;
  for (std::size_t j = 0; j < samples_.d; ++j)
    for (std::size_t k = j; k < samples_.d; ++k) out[term++] = out[1 + j] * out[1 + k];
  for (; term <= degree; ++term) out[term] = out[term - 1] * out[1];
}

void LocalPolynomial::basis_derivative(const double* point, std::size_t degree, std::size_t j, double* out) const {
  std::fill_n(out, term_count(degree, samples_.d), 0.0);
  out[1 + j] = unit_[j];
  if (degree < 2) return;
  std::size_t term = 1 + samples_.d;
  const auto t = [&](std::size_t k) { return ((point[k] - origin_[k]) - offset_[k]) * unit_[k]; };
  for (std::size_t a = 0; a < samples_.d; ++a)
    for (std::size_t b = a; b < samples_.d; ++b, ++term)
      out[term] = (a == j ? unit_[j] * t(b) : 0) + (b == j ? unit_[j] * t(a) : 0);
  for (double power = t(0); term <= degree; ++term) {
    power *= t(0);
    out[term] = static_cast<double>(term) * unit_[0] * power;
  }
}

// sum_r w_r t_r t_r^T of the terms t_r in at_keys_, by blocks: the error grows with their number, not with the length.
std::vector<double> LocalPolynomial::gram(const WeightRow& row) const {
  constexpr std::size_t block = 128;
  std::vector<double> total(terms_ * terms_, 0.0), part(terms_ * terms_);
  for (std::size_t begin = 0; begin < row.count(); begin += block) {
    std::fill(part.begin(), part.end(), 0.0);
    for (std::size_t r = begin; r < std::min(begin + block, row.count()); ++r) {
      const double* t = at_keys_.data() + r * terms_;
      for (std::size_t a = 0; a < terms_; ++a)
        for (std::size_t b = 0; b <= a; ++b) part[a * terms_ + b] += row.weight[r] * t[a] * t[b];
    }
    for (std::size_t k = 0; k < total.size(); ++k) total[k] += part[k];
  }
  for (std::size_t a = 0; a < terms_; ++a)
    for (std::size_t b = 0; b < a; ++b) total[b * terms_ + a] = total[a * terms_ + b];
  return total;
}

// out[r] = w_r P(x_r) . (2 - G) P of a target, given as its basis.
void LocalPolynomial::weigh_basis(const WeightRow& row, std::vector<double>& target, std::vector<double>& out) const {
  solve_lower(lower_, terms_, target.data());
  std::vector<double> mended(terms_);
  for (std::size_t a = 0; a < terms_; ++a) {
    mended[a] = 2 * target[a];
    for (std::size_t b = 0; b < terms_; ++b) mended[a] -= gram_[a * terms_ + b] * target[b];
  }
  out.resize(row.count());
  for (std::size_t r = 0; r < row.count(); ++r) {
    double dot = 0;
    for (std::size_t t = 0; t < terms_; ++t) dot += at_keys_[r * terms_ + t] * mended[t];
    out[r] = row.weight[r] * dot;
  }
}

// Are there `count` keys that count at different positions?
bool LocalPolynomial::has_distinct(const WeightRow& row, std::size_t count) const {
  std::vector<std::size_t> found;
  std::vector<RowCoordinate> x;
  for (std::size_t j = 0; j < samples_.d; ++j) x.emplace_back(samples_, row, j);
  for (std::size_t r = 0; r < row.count() && found.size() < count; ++r) {
    if (row.weight[r] < least_weight_) continue;
    const auto is_same = [&](std::size_t other) {
      return std::all_of(x.begin(), x.end(), [&](const RowCoordinate& along) { return along[r] == along[other]; });
    };
    // Equal keys of one column follow each other.
    const auto first = samples_.d == 1 && row.place.empty() && !found.empty() ? found.end() - 1 : found.begin();
    if (std::none_of(first, found.end(), is_same)) found.push_back(r);
  }
  return found.size() == count;
}

bool LocalPolynomial::try_degree(const double* q, const WeightRow& row, std::size_t degree) {
  fitted_ = degree;
  terms_ = term_count(degree, samples_.d);
  if (!has_distinct(row, terms_)) return false;
  at_keys_.resize(row.count() * terms_);
  for (std::size_t r = 0; r < row.count(); ++r) {
    for (std::size_t j = 0; j < samples_.d; ++j) point_[j] = RowCoordinate(samples_, row, j)[r];
    basis(point_.data(), degree, at_keys_.data() + r * terms_);
  }
  lower_ = gram(row);
  by_normal_equations_ = factorise(lower_, terms_);
  if (!by_normal_equations_) return orthonormal_.find(q, row, degree);
  for (std::size_t r = 0; r < row.count(); ++r) solve_lower(lower_, terms_, at_keys_.data() + r * terms_);
  gram_ = gram(row);
  return true;
}

std::size_t LocalPolynomial::solve(const double* q, const WeightRow& row) {
  if (degree_ > 0) {
    standardise(row);
    for (std::size_t degree = degree_; degree > 0; --degree)
      if (try_degree(q, row, degree)) {
        if (!by_normal_equations_) {
          orthonormal_.smoothing(row, smoothing_);
          return degree;
        }
        target_.resize(terms_);
        basis(q, degree, target_.data());
        weigh_basis(row, target_, smoothing_);
        return degree;
      }
  }
  fitted_ = 0;
  double total = 0;
  for (const double w : row.weight) total += w;
  smoothing_.resize(row.count());
  for (std::size_t r = 0; r < row.count(); ++r) smoothing_[r] = row.weight[r] / total;
  return 0;
}

void LocalPolynomial::slopes(const double* q, const WeightRow& row, std::size_t j, std::vector<double>& out) {
  if (fitted_ > 0 && !by_normal_equations_) return orthonormal_.slopes(row, j, out);
  if (fitted_ > 0) {
    basis_derivative(q, fitted_, j, target_.data());
    weigh_basis(row, target_, out);
    return;
  }
  // d/dq_j of w_r / sum w: the derivative of w_r is (slope_r + falloff w_r) scale_j^2 (x_rj - q_j). The quotient takes
  // multiples of w_r out again, so that the common falloff may be measured from a key: nothing grows with q then.
  const RowCoordinate x(samples_, row, j);
  const double scale = row.scale[j];
  // A bandwidth of 0: all keys are where the query is.
  if (!std::isfinite(scale)) return out.assign(row.count(), 0.0);
  const auto heaviest = std::max_element(row.weight.begin(), row.weight.end()) - row.weight.begin();
  const double origin = x[static_cast<std::size_t>(heaviest)];
  double total = 0, change = 0;
  out.resize(row.count());
  for (std::size_t r = 0; r < row.count(); ++r) {
    const double at = x[r], own = row.slope[r] == 0 ? 0 : row.slope[r] * ((at - q[j]) * scale);
    out[r] = (own + row.falloff * row.weight[r] * ((at - origin) * scale)) * scale;
    total += row.weight[r];
    change += out[r];
  }
  for (std::size_t r = 0; r < row.count(); ++r) out[r] = (out[r] - smoothing_[r] * change) / total;
}

WindowFitter::WindowFitter(const KernelRegression::Prepared& samples, const WeightRows& rows, const Smoother& smoother,
                           const Residuals& residuals)
    : samples_(samples),
      rows_(rows),
      smoother_(smoother),
      residuals_(residuals),
      polynomial_(samples, smoother.degree) {}

// sum_r l_r y_rc
double WindowFitter::sum_of_values(const std::vector<double>& l, std::size_t c) const {
  const double* y = samples_.y.column(c);
  if (samples_.y_is_finite) return weighted_sum(l, row_.key, y);
  double total = 0;
  for (std::size_t r = 0; r < l.size(); ++r)
    if (row_.weight[r] >= counts_ || !std::isnan(y[row_.key[r]])) total += l[r] * y[row_.key[r]];
  return total;
}

void WindowFitter::fit(const double* q, const WindowRequest& request, WindowFit& out) {
  rows_.find(q, request.leave_out_self ? request.self : WeightRows::no_self, request.slope, row_, scratch_);
  out.empty = row_.count() == 0;
  if (out.empty) {
    if (smoother_.empty != EmptyWindow::nearest) return;
    rows_.find_nearest(q, request.leave_out_self ? request.self : WeightRows::no_self, row_, scratch_);
    if (row_.count() == 0) return;
    row_.slope.assign(row_.count(), 0.0);
  }
  out.degree = polynomial_.solve(q, row_);
  const std::vector<double>& l = polynomial_.smoothing();
  if (!samples_.y_is_finite)
    counts_ = missing_counts(smoother_.degree, std::accumulate(row_.weight.begin(), row_.weight.end(), 0.0),
                             *std::max_element(row_.weight.begin(), row_.weight.end()));
  const std::size_t outputs = samples_.outputs;
  out.fit.resize(outputs);
  for (std::size_t c = 0; c < outputs; ++c) out.fit[c] = sum_of_values(l, c);
  const double squares = squares_of(l, row_.key);
  out.effective_size = 1 / squares;
  if (request.self != WeightRows::no_self) {
    const auto at = std::lower_bound(row_.key.begin(), row_.key.end(), request.self);
    out.self_weight =
        at != row_.key.end() && *at == request.self ? l[static_cast<std::size_t>(at - row_.key.begin())] : 0;
  }
  std::vector<double> slope_squares;
  if (request.slope) {
    out.slope.resize(outputs * samples_.d);
    for (std::size_t j = 0; j < samples_.d; ++j) {
      polynomial_.slopes(q, row_, j, slopes_);
      for (std::size_t c = 0; c < outputs; ++c) out.slope[c * samples_.d + j] = sum_of_values(slopes_, c);
      if (request.slope_error) slope_squares.push_back(squares_of(slopes_, row_.key));
    }
  }
  if (residuals_.count() == 0) return;
  out.error.resize(outputs);
  if (request.slope_error) out.slope_error.resize(outputs * samples_.d);
  for (std::size_t c = 0; c < outputs; ++c) {
    const double sum = weighted_sum(row_.weight, row_.key, residuals_.column(c));
    const double weight = weighted_sum(row_.weight, row_.key, residuals_.column(outputs + c));
    out.error[c] = sqrt(sum / weight * squares);
    for (std::size_t j = 0; j < slope_squares.size(); ++j)
      out.slope_error[c * samples_.d + j] = sqrt(sum / weight * slope_squares[j]);
  }
}

}  // namespace attn
