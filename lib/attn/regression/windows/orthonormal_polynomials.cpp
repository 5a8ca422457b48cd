#include <attn/regression/windows/orthonormal_polynomials.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

long double dot(const WeightRow& row, const std::vector<long double>& a, const std::vector<long double>& b) {
  long double total = 0;
  for (std::size_t r = 0; r < row.count(); ++r) total += row.weight[r] * a[r] * b[r];
  return total;
}

}  // namespace

bool OrthonormalPolynomials::add(const WeightRow& row, Term term, long double noise) {
  for (int pass = 0; pass < 2; ++pass)
    for (const Term& before : terms_) {
      const long double share = dot(row, term, before);
      for (std::size_t i = 0; i < term.size(); ++i) term[i] -= share * before[i];
    }
  const long double left = dot(row, term, term);
  long double largest = 0;
  for (std::size_t r = 0; r < row.count(); ++r)
    if (counts(row, r)) largest = std::max(largest, std::abs(term[r]));
  if (!(largest > noise) || !(left > 0)) return false;
  const long double norm = std::sqrt(left);
  for (long double& value : term) value /= norm;
  terms_.push_back(std::move(term));
  return true;
}

bool OrthonormalPolynomials::find(const double* q, const WeightRow& row, std::size_t degree) {
  const std::size_t count = row.count(), d = samples_.d, length = count + 1 + d;
  terms_.clear();
  least_weight_ = least_share * *std::max_element(row.weight.begin(), row.weight.end());
  Term one(length, 1.0L);
  std::fill(one.end() - static_cast<std::ptrdiff_t>(d), one.end(), 0.0L);
  if (!add(row, one, 0)) return false;
  // In units of the farthest key that counts, so that squares neither vanish nor overflow.
  std::vector<Term> linear(d, Term(length, 0.0L));
  std::vector<long double> noise(d);
  for (std::size_t j = 0; j < d; ++j) {
    const double* x = samples_.x.column(j);
    long double farthest = 0, largest = std::abs(q[j]);
    for (std::size_t r = 0; r < count; ++r) {
      linear[j][r] = static_cast<long double>(x[row.key[r]]) - q[j];
      if (!counts(row, r)) continue;
      farthest = std::max(farthest, std::abs(linear[j][r]));
      largest = std::max<long double>(largest, std::abs(x[row.key[r]]));
    }
    if (!(farthest > 0)) return false;
    for (std::size_t r = 0; r < count; ++r) linear[j][r] /= farthest;
    linear[j][count + 1 + j] = 1 / farthest;
    noise[j] = 4e-16L * largest / farthest;
  }
  for (std::size_t j = 0; j < d; ++j)
    if (!add(row, linear[j], noise[j])) return false;
  for (std::size_t j = 0; degree >= 2 && j < d; ++j)
    for (std::size_t k = j; k < d; ++k) {
      Term product(length, 0.0L);  // 0 at q, and so are its derivatives
      for (std::size_t r = 0; r < count; ++r) product[r] = linear[j][r] * linear[k][r];
      if (!add(row, std::move(product), noise[j] + noise[k])) return false;
    }
  return true;
}

void OrthonormalPolynomials::weigh(const WeightRow& row, std::size_t at, std::vector<double>& out) const {
  out.resize(row.count());
  for (std::size_t r = 0; r < row.count(); ++r) {
    long double total = 0;
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

}  // namespace attn
