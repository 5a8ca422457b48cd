// Gaussian sums by a sum of exponentials, for one instruction set. Included by gaussian_series_*.cpp.

#include <attn/simd/gaussian_series.hpp>
#include <attn/simd/vector/math.hpp>

namespace attn::simd::ATTN_SIMD_LEVEL {
namespace {

using D = f64v;
using series::columns;
using series::state;
using series::terms;
constexpr std::size_t lanes = width<double>;

constexpr double decay = 4.322305436466215756;             // sqrt(2 mu) log2(e)
constexpr double half_frequency = 0.22469953701041109537;  // sqrt(2 mu) 3 / (2 terms)
constexpr double farthest = 60;                            // beyond, every term is below 1e-75: no need of more
constexpr double gaussian_unit = 0.84932180028801904;      // sqrt(log2(e) / 2)

// w_k, real and imaginary.
constexpr double weights[terms][2] = {{24.3125620748073384, 19.3886212702104187},
                                      {-11.0250619579783385, 22.8937770542777189},
                                      {-16.5409463148074187, -3.77536305659259206},
                                      {0, -9.25674120877560742},
                                      {4.02337944548290247, -0.918310103426932508},
                                      {0.652292402730714474, 1.35449913109190823},
                                      {-0.349882845468439599, 0.279022258487534983},
                                      {-0.0851046501205683972, -0.0678686937413009686},
                                      {0.00938716048282526744, -0.0194926395956449736},
                                      {0.00342565952753829816, 0.000781884432643060692},
                                      {0, 0.000466307722347672603},
                                      {-0.0000492987740005870263, 0.0000112521234610687745},
                                      {-1.94409770351133537e-6, -4.03696047836843043e-6},
                                      {2.53646607203910777e-7, -2.02276419425426705e-7},
                                      {1.50068775566202386e-8, 1.19675855016212317e-8},
                                      {-4.0262610698017188e-10, 8.36061725962949501e-10},
                                      {-3.57390107189156378e-11, -8.15719597775211551e-12},
                                      {0, -1.18331829338828475e-12},
                                      {3.04295640600093104e-14, -6.94534942523416201e-15},
                                      {2.91882689677197537e-16, 6.06100650403784155e-16}};

ATTN_INLINE D constant(double x) { return set1<double>(x); }

struct Complex {
  D re, im;
};
ATTN_INLINE Complex times(Complex a, Complex b) {
  return {fma(-a.im, b.im, a.re * b.re), fma(a.re, b.im, a.im * b.re)};
}

// cos x and sin x for 0 <= x < 1000: reduced to [-pi/4, pi/4], then Taylor series to the last bit.
ATTN_INLINE void cos_sin(D x, D& cosine, D& sine) {
  constexpr double s[] = {-0.16666666666666666667,   0.0083333333333333333333,  -0.0001984126984126984127,
                          2.7557319223985890653e-6,  -2.5052108385441718775e-8, 1.6059043836821614599e-10,
                          -7.6471637318198164759e-13};
  constexpr double c[] = {-0.5,
                          0.041666666666666666667,
                          -0.0013888888888888888889,
                          0.000024801587301587301587,
                          -2.7557319223985890653e-7,
                          2.0876756987868098979e-9,
                          -1.1470745597729724714e-11,
                          4.7794773323873852974e-14};
  const D quarter = round<double>(x * constant(0.63661977236758134308));  // of a turn
  // pi / 2 in two parts, the first short enough that quarter times it is exact.
  D r = fma(quarter, constant(-1.570796325802803), x);
  r = fma(quarter, constant(-9.9209357968054044164e-10), r);
  const D r2 = r * r;
  const D sin_r = fma(r * r2, polynomial<double>(r2, s), r);
  const D cos_r = fma(r2, polynomial<double>(r2, c), constant(1));
  // quarter mod 4 in {0, 1, 2, 3}.
  const D turn = quarter - constant(4) * round<double>((quarter - constant(1.5)) * constant(0.25));
  const auto odd = abs<double>(turn - constant(2)) == constant(1);
  const auto cos_is_negative = abs<double>(turn - constant(1.5)) < constant(1);
  const auto sin_is_negative = turn > constant(1.5);
  cosine = select<double>(odd, sin_r, cos_r);
  sine = select<double>(odd, cos_r, sin_r);
  cosine = select<double>(cos_is_negative, -cosine, cosine);
  sine = select<double>(sin_is_negative, -sine, sine);
}

// exp(-l_0 u) and the factor from each term to the next.
ATTN_INLINE void first_term(D u, Complex& term, Complex& factor) {
  const D distance = min(u, constant(farthest));
  D cosine, sine;
  cos_sin(distance * constant(half_frequency), cosine, sine);
  const Complex half = {cosine, -sine};
  const D size = exp2<double>(distance * constant(-decay));
  term = {half.re * size, half.im * size};
  factor = times(half, half);
}

// Lane i of the result is the sum of v[i]: neighbours are added, halving their number.
template <std::size_t Count>
ATTN_INLINE D sums_of(const D* v) {
  if constexpr (Count == 1) {
    return v[0];
  } else {
    D halved[Count / 2];
    for (std::size_t i = 0; i < Count / 2; ++i) {
      const D a = v[2 * i], b = v[2 * i + 1];
#if ATTN_SIMD_BYTES == 64
      halved[i] = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14) +
                  __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
#elif ATTN_SIMD_BYTES == 32
      halved[i] = __builtin_shufflevector(a, b, 0, 2, 4, 6) + __builtin_shufflevector(a, b, 1, 3, 5, 7);
#else
      halved[i] = __builtin_shufflevector(a, b, 0, 2) + __builtin_shufflevector(a, b, 1, 3);
#endif
    }
    return sums_of<Count / 2>(halved);
  }
}

ATTN_INLINE D load_some(const double* p, std::size_t n) {
  return n >= lanes ? load(p) : load_n(p, static_cast<std::ptrdiff_t>(n));
}

constexpr std::size_t most_vectors = 4;  // of a gathered block; longer blocks go in parts

void gather_part(const SeriesBlock& block, std::size_t begin, std::size_t count, double to, double scale, double* out) {
  Complex term[most_vectors], factor[most_vectors];
  D value[most_vectors][columns];
  const std::size_t vectors = (count + lanes - 1) / lanes;
  for (std::size_t v = 0; v < vectors; ++v) {
    const std::size_t at = begin + v * lanes, n = count - v * lanes;
    first_term(abs<double>(load_some(block.x + at, n) - constant(to)) * constant(scale), term[v], factor[v]);
    // Lanes without a key have the value 0.
    for (std::size_t c = 0; c < columns; ++c) value[v][c] = load_some(block.values[c] + at, n);
  }
  // Sums over the lanes are taken of as many terms at once as there are lanes.
  D waiting[2 * columns][lanes];
  for (std::size_t k = 0; k < terms; ++k) {
    for (std::size_t c = 0; c < columns; ++c) {
      D re = value[0][c] * term[0].re, im = value[0][c] * term[0].im;
      for (std::size_t v = 1; v < vectors; ++v) {
        re = fma(value[v][c], term[v].re, re);
        im = fma(value[v][c], term[v].im, im);
      }
      waiting[c][k % lanes] = re;
      waiting[columns + c][k % lanes] = im;
    }
    for (std::size_t v = 0; v < vectors; ++v) term[v] = times(term[v], factor[v]);
    if (k % lanes != lanes - 1 && k != terms - 1) continue;
    const std::size_t first = k / lanes * lanes, n = k + 1 - first;
    for (std::size_t part = 0; part < 2 * columns; ++part) {
      for (std::size_t lane = n; lane < lanes; ++lane) waiting[part][lane] = D{};
      double* at = out + part * terms + first;
      const D total = sums_of<lanes>(waiting[part]);
      if (n == lanes)
        store(at, load(at) + total);
      else
        store_n<double>(at, load_n(at, static_cast<std::ptrdiff_t>(n)) + total, static_cast<std::ptrdiff_t>(n));
    }
  }
}

void gather(const SeriesBlock& block, double to, double scale, double* out) {
  for (std::size_t i = 0; i < state; ++i) out[i] = 0;
  for (std::size_t begin = 0; begin < block.count; begin += most_vectors * lanes) {
    const std::size_t left = block.count - begin;
    gather_part(block, begin, left < most_vectors * lanes ? left : most_vectors * lanes, to, scale, out);
  }
}

void travel(double distance, double* s) {
  const double bounded = distance < farthest ? distance : farthest;
  const D size = exp2<double>(constant(bounded * -decay));
  // exp(-l_k distance), once for each column.
  double re[columns * terms], im[columns * terms], number[lanes];
  for (std::size_t lane = 0; lane < lanes; ++lane) number[lane] = static_cast<double>(2 * lane + 1);
  for (std::size_t k = 0; k < terms; k += lanes) {
    D cosine, sine;
    cos_sin((load(number) + constant(static_cast<double>(2 * k))) * constant(bounded * half_frequency), cosine, sine);
    const auto n = static_cast<std::ptrdiff_t>(terms - k < lanes ? terms - k : lanes);
    for (std::size_t c = 0; c < columns; ++c) {
      store_n<double>(re + c * terms + k, cosine * size, n);
      store_n<double>(im + c * terms + k, -(sine * size), n);
    }
  }
  static_assert(columns * terms % lanes == 0, "states are whole vectors");
  for (std::size_t i = 0; i < columns * terms; i += lanes) {
    const Complex moved = times({load(s + i), load(s + columns * terms + i)}, {load(re + i), load(im + i)});
    store(s + i, moved.re);
    store(s + columns * terms + i, moved.im);
  }
}

ATTN_INLINE void add_lanes(D total, double* sums, std::size_t n, std::size_t stride) {
  for (std::size_t lane = 0; lane < n && lane < lanes; ++lane) sums[lane * stride] += total[lane];
}

void arrive(const double* q, std::size_t queries, double from, double scale, const double* s, double* sums,
            std::size_t stride) {
  // w_k state_k, real parts are all that is needed of its product with a term.
  double weighted[terms][columns][2];
  for (std::size_t k = 0; k < terms; ++k)
    for (std::size_t c = 0; c < columns; ++c) {
      const double re = s[c * terms + k], im = s[(columns + c) * terms + k];
      weighted[k][c][0] = weights[k][0] * re - weights[k][1] * im;
      weighted[k][c][1] = -(weights[k][0] * im + weights[k][1] * re);
    }
  constexpr std::size_t vectors = 2;
  for (std::size_t begin = 0; begin < queries; begin += vectors * lanes) {
    Complex term[vectors], factor[vectors];
    D total[vectors][columns];
    for (std::size_t v = 0; v < vectors; ++v) {
      const std::size_t at = begin + v * lanes < queries ? begin + v * lanes : begin;
      first_term(abs<double>(load_some(q + at, queries - at) - constant(from)) * constant(scale), term[v], factor[v]);
      for (std::size_t c = 0; c < columns; ++c) total[v][c] = D{};
    }
    for (std::size_t k = 0; k < terms; ++k) {
      for (std::size_t v = 0; v < vectors; ++v) {
        for (std::size_t c = 0; c < columns; ++c) {
          total[v][c] = fma(term[v].re, constant(weighted[k][c][0]), total[v][c]);
          total[v][c] = fma(term[v].im, constant(weighted[k][c][1]), total[v][c]);
        }
        term[v] = times(term[v], factor[v]);
      }
    }
    for (std::size_t v = 0; v < vectors && begin + v * lanes < queries; ++v)
      for (std::size_t c = 0; c < columns; ++c)
        add_lanes(total[v][c], sums + (begin + v * lanes) * stride + c, queries - begin - v * lanes, stride);
  }
}

void inside(const SeriesBlock& block, const double* q, std::size_t queries, const std::size_t* itself, double scale,
            double* sums, std::size_t stride) {
  const D unit = constant(scale * gaussian_unit);
  double number[lanes];
  for (std::size_t lane = 0; lane < lanes; ++lane) number[lane] = static_cast<double>(lane);
  for (std::size_t begin = 0; begin < queries; begin += lanes) {
    const D at = load_some(q + begin, queries - begin);
    // The key that each lane must not meet.
    const D own = itself != nullptr ? load(number) + constant(static_cast<double>(*itself + begin)) : constant(-1);
    D total[columns];
    for (std::size_t c = 0; c < columns; ++c) total[c] = D{};
    for (std::size_t j = 0; j < block.count; ++j) {
      const D u = (at - constant(block.x[j])) * unit;
      D w = exp2<double>(-(u * u));
      w = select<double>(own == constant(static_cast<double>(j)), D{}, w);
      for (std::size_t c = 0; c < columns; ++c) total[c] = fma(w, constant(block.values[c][j]), total[c]);
    }
    for (std::size_t c = 0; c < columns; ++c) add_lanes(total[c], sums + begin * stride + c, queries - begin, stride);
  }
}

}  // namespace

extern const SeriesKernels gaussian_series = {gather, travel, arrive, inside};

}  // namespace attn::simd::ATTN_SIMD_LEVEL
