#include <attn/simd/portable.hpp>
#include <attn/transformer/decoding/probability.hpp>

#include <cmath>
#include <cstdint>

namespace attn {

double portable_exp(double x) {
  double y = 0;
  simd::portable_kernels(Isa::baseline).exp(&x, &y, 1);
  return y;
}

void portable_exp(std::vector<double>& x, Isa isa) { simd::portable_kernels(isa).exp(x.data(), x.data(), x.size()); }

double portable_log(double x) {
  constexpr double sqrt_half = 0.70710678118654752440, ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;
  // x = 2^n m with m from sqrt(1/2) to sqrt(2), f = m - 1, s = f / (2 + f): log m = 2 atanh s = f - f^2 / 2 + s (f^2 /
  // 2
  // + 2 s^2 / 3 + 2 s^4 / 5 + ...), of which f and f^2 / 2 are by far the largest. n times the high part of ln 2 is
  // exact.
  int n = 0;
  double m = std::frexp(x, &n);
  if (m < sqrt_half) {
    m *= 2;
    --n;
  }
  const double f = m - 1, s = f / (2 + f), square = s * s, half_square = f * f / 2;
  double series = 0;
  for (int k = 23; k >= 3; k -= 2) series = (series + 2.0 / k) * square;
  return n * ln2_high - ((half_square - (s * (half_square + series) + n * ln2_low)) - f);
}

double portable_power(double x, double p) {
  double whole = 0;
  const double rest = std::modf(std::fabs(p), &whole);
  double power = rest > 0 ? 1 / portable_exp(-rest * portable_log(x)) : 1;
  for (auto n = static_cast<std::uint64_t>(whole); n > 0; n /= 2, x *= x)
    if (n % 2 == 1) power *= x;
  return p < 0 ? 1 / power : power;
}

void log_softmax(std::vector<double>& scores, Isa isa) {
  const simd::PortableKernels& portable = simd::portable_kernels(isa);
  const double top = portable.largest(scores.data(), scores.size());
  const double lse = top + portable_log(portable.sum_of_exp(scores.data(), scores.size(), top));
  for (double& score : scores) score -= lse;
}

void softmax(std::vector<double>& scores, Isa isa) {
  log_softmax(scores, isa);
  portable_exp(scores, isa);
}

double sigmoid(double x) {
  const double e = portable_exp(-std::fabs(x));
  return (x < 0 ? e : 1) / (1 + e);
}

}  // namespace attn
