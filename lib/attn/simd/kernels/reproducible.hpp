// The kernels of reproducible.hpp. Included by reproducible_<instruction set>.cpp alone.

#include <attn/simd/reproducible.hpp>
#include <attn/simd/vector/vector.hpp>

namespace attn::simd::ATTN_SIMD_LEVEL {
namespace {

/// 2^(i / 64)
constexpr double roots_of_two[64] = {
    0x1.0000000000000p+0, 0x1.02c9a3e778061p+0, 0x1.059b0d3158574p+0, 0x1.0874518759bc8p+0, 0x1.0b5586cf9890fp+0,
    0x1.0e3ec32d3d1a2p+0, 0x1.11301d0125b51p+0, 0x1.1429aaea92de0p+0, 0x1.172b83c7d517bp+0, 0x1.1a35beb6fcb75p+0,
    0x1.1d4873168b9aap+0, 0x1.2063b88628cd6p+0, 0x1.2387a6e756238p+0, 0x1.26b4565e27cddp+0, 0x1.29e9df51fdee1p+0,
    0x1.2d285a6e4030bp+0, 0x1.306fe0a31b715p+0, 0x1.33c08b26416ffp+0, 0x1.371a7373aa9cbp+0, 0x1.3a7db34e59ff7p+0,
    0x1.3dea64c123422p+0, 0x1.4160a21f72e2ap+0, 0x1.44e086061892dp+0, 0x1.486a2b5c13cd0p+0, 0x1.4bfdad5362a27p+0,
    0x1.4f9b2769d2ca7p+0, 0x1.5342b569d4f82p+0, 0x1.56f4736b527dap+0, 0x1.5ab07dd485429p+0, 0x1.5e76f15ad2148p+0,
    0x1.6247eb03a5585p+0, 0x1.6623882552225p+0, 0x1.6a09e667f3bcdp+0, 0x1.6dfb23c651a2fp+0, 0x1.71f75e8ec5f74p+0,
    0x1.75feb564267c9p+0, 0x1.7a11473eb0187p+0, 0x1.7e2f336cf4e62p+0, 0x1.82589994cce13p+0, 0x1.868d99b4492edp+0,
    0x1.8ace5422aa0dbp+0, 0x1.8f1ae99157736p+0, 0x1.93737b0cdc5e5p+0, 0x1.97d829fde4e50p+0, 0x1.9c49182a3f090p+0,
    0x1.a0c667b5de565p+0, 0x1.a5503b23e255dp+0, 0x1.a9e6b5579fdbfp+0, 0x1.ae89f995ad3adp+0, 0x1.b33a2b84f15fbp+0,
    0x1.b7f76f2fb5e47p+0, 0x1.bcc1e904bc1d2p+0, 0x1.c199bdd85529cp+0, 0x1.c67f12e57d14bp+0, 0x1.cb720dcef9069p+0,
    0x1.d072d4a07897cp+0, 0x1.d5818dcfba487p+0, 0x1.da9e603db3285p+0, 0x1.dfc97337b9b5fp+0, 0x1.e502ee78b3ff6p+0,
    0x1.ea4afa2a490dap+0, 0x1.efa1bee615a27p+0, 0x1.f50765b6e4540p+0, 0x1.fa7c1819e90d8p+0};

ATTN_INLINE f64v exp_of(f64v x) {
  // x = (n + r) ln 2 / 64, |r| <= 1/2: adding 1.5 * 2^52 rounds to n and leaves it in the low bits. n times the high
  // part of ln 2 / 64 is exact, and so is the Taylor series to the fifth power: the sixth is below 4e-17.
  constexpr double step_high = 0x1.62e42fefa0000p-7, step_low = 0x1.cf79abc9e3b3ap-46;
  const f64v rounded = x * 0x1.71547652b82fep+6 + rounder<double>;
  const f64v n = rounded - rounder<double>;
  const f64v y = (x - n * step_high) - n * step_low, square = y * y;
  const f64v beyond_one = y + square * (1.0 / 2 + y * (1.0 / 6)) + square * square * (1.0 / 24 + y * (1.0 / 120));
  const i64v integer = (i64v)rounded, root = integer & 63;
  f64v power;
#pragma GCC unroll 8
  for (int lane = 0; lane < width<double>; ++lane) power[lane] = roots_of_two[root[lane]];
  // Times 2^(n / 64), rounded down. Below -700 the sum may wrap, and is not taken.
  using u64v = std::uint64_t __attribute__((vector_size(ATTN_SIMD_BYTES), may_alias));
  power = (f64v)((u64v)power + ((u64v)(integer & -64) << 46));
  return select<double>(x < -700.0, f64v{}, power + power * beyond_one);
}

void exp(const double* x, double* y, std::size_t count) {
  constexpr std::size_t W = static_cast<std::size_t>(width<double>);
  std::size_t i = 0;
  for (; i + W <= count; i += W) store<double>(y + i, exp_of(load<double>(x + i)));
  const auto rest = static_cast<std::ptrdiff_t>(count - i);
  if (rest > 0) store_n<double>(y + i, exp_of(load_n<double>(x + i, rest)), rest);
}

/// Eight chains, whatever the width of a vector: term(x[i]) joins chain i % 8, and at the end they join the first in
/// order. Behind the last element stands -infinity.
template <class Term, class Join>
ATTN_INLINE double joined(const double* x, std::size_t count, double start, Term term, Join join) {
  constexpr std::size_t chains = 8, W = static_cast<std::size_t>(width<double>);
  f64v chain[chains / W];
  for (f64v& each : chain) each = set1<double>(start);
  const auto add = [&](const double* from) __attribute__((always_inline)) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < chains / W; ++v) chain[v] = join(chain[v], term(load<double>(from + v * W)));
  };
  std::size_t i = 0;
  for (; i + chains <= count; i += chains) add(x + i);
  double last[chains];
  for (std::size_t c = 0; c < chains; ++c) last[c] = i + c < count ? x[i + c] : -__builtin_inf();
  add(last);
  for (std::size_t v = 0; v < chains / W; ++v) store<double>(last + v * W, chain[v]);
  f64v all = set1<double>(last[0]);
  for (std::size_t c = 1; c < chains; ++c) all = join(all, set1<double>(last[c]));
  return all[0];
}

double largest(const double* x, std::size_t count) {
  return joined(
      x, count, -__builtin_inf(), [](f64v v) __attribute__((always_inline)) { return v; },
      [](f64v a, f64v b) __attribute__((always_inline)) { return max(a, b); });
}

double sum_of_exp(const double* x, std::size_t count, double top) {
  return joined(
      x, count, 0, [top](f64v v) __attribute__((always_inline)) { return exp_of(v - top); },
      [](f64v a, f64v b) __attribute__((always_inline)) { return a + b; });
}

template <class T>
void blend(double* __restrict x, double a, const T* __restrict y, double b, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) x[i] = x[i] * a + static_cast<double>(y[i]) * b;
}

}  // namespace

extern const ReproducibleKernels reproducible = {exp, largest, sum_of_exp, blend<float>, blend<double>};

}  // namespace attn::simd::ATTN_SIMD_LEVEL
