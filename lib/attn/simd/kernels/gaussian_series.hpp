// Gaussian sums by a sum of exponentials, for one instruction set. Included by gaussian_series_*.cpp.

#include <attn/simd/gaussian_series.hpp>
#include <attn/simd/vector/math.hpp>

namespace attn::simd::ATTN_SIMD_LEVEL {
namespace {

using D = f64v;
using series::columns;
constexpr std::size_t lanes = width<double>;

constexpr double decay = 4.322305436466215756;         // sqrt(2 mu) log2(e)
constexpr double real_rate = 2.9959938268054812716;    // sqrt(2 mu), the real part of l_k
constexpr double farthest = 60;                        // beyond, every term is below 1e-75: no need of more
constexpr double gaussian_unit = 0.84932180028801904;  // sqrt(log2(e) / 2)

// Terms of a series, w_k real and imaginary, and half the step of their frequencies, sqrt(2 mu) cut / (2 terms).
struct SumSeries {
  static constexpr std::size_t terms = 20;
  static constexpr double half_frequency = 0.22469953701041109537;
  static constexpr double weights[terms][2] = {{24.3125620748073384, 19.3886212702104187},
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
};
struct MomentSeries {
  static constexpr std::size_t terms = 24;
  static constexpr double half_frequency = 0.20597457559287683742;
  static constexpr double weights[terms][2] = {{23.341918308703618, 16.561974264725780553},
                                               {-6.6865373819574245757, 23.209484798703408324},
                                               {-17.17490487744134483, 0.96452196921131205314},
                                               {-3.9565413017785147623, -9.5519356708429910295},
                                               {3.9102430596715668794, -3.4944068408215474895},
                                               {1.9646662814066448792, 1.0858326724193749249},
                                               {-0.13583030796356211737, 0.7994399337275020285},
                                               {-0.24371430972500059717, 0.041408726720371198062},
                                               {-0.030764402089651263691, -0.055663994083454766461},
                                               {0.0092013049194560885677, -0.010296264957163987631},
                                               {0.0023375328744373631152, 0.00096823781908492086371},
                                               {-0.000021936576196637366973, 0.00039061692894570943078},
                                               {-0.00004905831227987518889, 0.000014133456291690358423},
                                               {-3.2534908607509598708e-6, -4.585366253799098037e-6},
                                               {3.0237088672171116394e-7, -4.2615188406738637397e-7},
                                               {3.9380728931882064773e-8, 1.1345392558927979652e-8},
                                               {1.5209703817906343563e-10, 2.7083386861597492892e-9},
                                               {-1.3998786958272731046e-10, 5.7984874148881713972e-11},
                                               {-4.7595168049187042023e-12, -5.3259017629006451898e-12},
                                               {1.3744934842149409256e-13, -2.4869586917414682612e-13},
                                               {9.4049393857898607167e-15, 1.5979634732456501627e-15},
                                               {4.5274370595212606846e-17, 2.6646586001925715075e-16},
                                               {-5.6562069689180975725e-18, 3.1260750932316875144e-18},
                                               {-9.7234642011904877582e-20, -8.6894188679865228441e-20}};
};

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
template <class Series>
ATTN_INLINE void first_term(D u, Complex& term, Complex& factor) {
  const D distance = min(u, constant(farthest));
  D cosine, sine;
  cos_sin(distance * constant(Series::half_frequency), cosine, sine);
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

template <class Series>
void gather_part(const SeriesBlock& block, std::size_t begin, std::size_t count, double to, double scale, double* out) {
  constexpr std::size_t terms = Series::terms;
  Complex term[most_vectors], factor[most_vectors];
  D value[most_vectors][columns];
  const std::size_t vectors = (count + lanes - 1) / lanes;
  for (std::size_t v = 0; v < vectors; ++v) {
    const std::size_t at = begin + v * lanes, n = count - v * lanes;
    first_term<Series>(abs<double>(load_some(block.x + at, n) - constant(to)) * constant(scale), term[v], factor[v]);
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

template <class Series>
void gather(const SeriesBlock& block, double to, double scale, double* out) {
  for (std::size_t i = 0; i < 2 * columns * Series::terms; ++i) out[i] = 0;
  for (std::size_t begin = 0; begin < block.count; begin += most_vectors * lanes) {
    const std::size_t left = block.count - begin;
    gather_part<Series>(block, begin, left < most_vectors * lanes ? left : most_vectors * lanes, to, scale, out);
  }
}

template <class Series>
void travel(double distance, double* s) {
  constexpr std::size_t terms = Series::terms;
  const double bounded = distance < farthest ? distance : farthest;
  const D size = exp2<double>(constant(bounded * -decay));
  // exp(-l_k distance), once for each column.
  double re[columns * terms], im[columns * terms], number[lanes];
  for (std::size_t lane = 0; lane < lanes; ++lane) number[lane] = static_cast<double>(2 * lane + 1);
  for (std::size_t k = 0; k < terms; k += lanes) {
    D cosine, sine;
    cos_sin((load(number) + constant(static_cast<double>(2 * k))) * constant(bounded * Series::half_frequency), cosine,
            sine);
    const auto n = static_cast<std::ptrdiff_t>(terms - k < lanes ? terms - k : lanes);
    for (std::size_t c = 0; c < columns; ++c) {
      store_n<double>(re + c * terms + k, cosine * size, n);
      store_n<double>(im + c * terms + k, -(sine * size), n);
    }
  }
  for (std::size_t i = 0; i < columns * terms; i += lanes) {
    const Complex moved = times({load(s + i), load(s + columns * terms + i)}, {load(re + i), load(im + i)});
    store(s + i, moved.re);
    store(s + columns * terms + i, moved.im);
  }
}

ATTN_INLINE void add_lanes(D total, double* sums, std::size_t n, std::size_t stride) {
  for (std::size_t lane = 0; lane < n && lane < lanes; ++lane) sums[lane * stride] += total[lane];
}

// w_k p_r(l_k)
template <class Series, std::size_t Moments>
struct Readouts {
  double re[Series::terms][Moments], im[Series::terms][Moments];
  constexpr Readouts() : re(), im() {
    for (std::size_t k = 0; k < Series::terms; ++k) {
      const double rate = static_cast<double>(2 * k + 1) * Series::half_frequency;  // the imaginary part of l_k
      for (std::size_t r = 0; r < Moments; ++r) {
        if (r == 0) {
          re[k][r] = Series::weights[k][0];
          im[k][r] = Series::weights[k][1];
          continue;
        }
        re[k][r] = real_rate * re[k][r - 1] - rate * im[k][r - 1];
        im[k][r] = real_rate * im[k][r - 1] + rate * re[k][r - 1];
        if (r == 1) continue;
        re[k][r] += static_cast<double>(r - 1) * re[k][r - 2];
        im[k][r] += static_cast<double>(r - 1) * im[k][r - 2];
      }
    }
  }
};

template <class Series, std::size_t Moments>
void arrive_moments(const double* q, std::size_t queries, double from, double scale, double sign, const double* s,
                    double* sums) {
  constexpr std::size_t terms = Series::terms;
  static constexpr Readouts<Series, Moments> readout;
  // Times the states; real parts are all that is needed of the product with a term.
  double weighted[terms][columns][Moments][2];
  for (std::size_t k = 0; k < terms; ++k)
    for (std::size_t c = 0; c < columns; ++c) {
      const double re = s[c * terms + k], im = s[(columns + c) * terms + k];
      for (std::size_t r = 0; r < Moments; ++r) {
        weighted[k][c][r][0] = readout.re[k][r] * re - readout.im[k][r] * im;
        weighted[k][c][r][1] = -(readout.re[k][r] * im + readout.im[k][r] * re);
      }
    }
  constexpr std::size_t vectors = Moments > 3 ? 1 : 2, stride = columns * Moments;
  for (std::size_t begin = 0; begin < queries; begin += vectors * lanes) {
    Complex term[vectors], factor[vectors];
    D total[vectors][columns][Moments];
    for (std::size_t v = 0; v < vectors; ++v) {
      const std::size_t at = begin + v * lanes < queries ? begin + v * lanes : begin;
      first_term<Series>(abs<double>(load_some(q + at, queries - at) - constant(from)) * constant(scale), term[v],
                         factor[v]);
      for (std::size_t c = 0; c < columns; ++c)
        for (std::size_t r = 0; r < Moments; ++r) total[v][c][r] = D{};
    }
    for (std::size_t k = 0; k < terms; ++k) {
      for (std::size_t v = 0; v < vectors; ++v) {
        for (std::size_t c = 0; c < columns; ++c)
          for (std::size_t r = 0; r < Moments; ++r) {
            total[v][c][r] = fma(term[v].re, constant(weighted[k][c][r][0]), total[v][c][r]);
            total[v][c][r] = fma(term[v].im, constant(weighted[k][c][r][1]), total[v][c][r]);
          }
        term[v] = times(term[v], factor[v]);
      }
    }
    for (std::size_t v = 0; v < vectors && begin + v * lanes < queries; ++v)
      for (std::size_t c = 0; c < columns; ++c)
        for (std::size_t r = 0; r < Moments; ++r)
          add_lanes(r % 2 == 0 ? total[v][c][r] : total[v][c][r] * constant(sign),
                    sums + (begin + v * lanes) * stride + c * Moments + r, queries - begin - v * lanes, stride);
  }
}

template <std::size_t Moments>
void inside_moments(const SeriesBlock& block, const double* q, std::size_t queries, const std::size_t* itself,
                    double scale, double* sums) {
  constexpr std::size_t stride = columns * Moments;
  const D unit = constant(scale * gaussian_unit);
  double number[lanes];
  for (std::size_t lane = 0; lane < lanes; ++lane) number[lane] = static_cast<double>(lane);
  for (std::size_t begin = 0; begin < queries; begin += lanes) {
    const D at = load_some(q + begin, queries - begin);
    // The key that each lane must not meet.
    const D own = itself != nullptr ? load(number) + constant(static_cast<double>(*itself + begin)) : constant(-1);
    D total[columns][Moments];
    for (std::size_t c = 0; c < columns; ++c)
      for (std::size_t r = 0; r < Moments; ++r) total[c][r] = D{};
    for (std::size_t j = 0; j < block.count; ++j) {
      const D step = at - constant(block.x[j]), u = step * unit, t = step * constant(-scale);
      D w = exp2<double>(-(u * u));
      w = select<double>(own == constant(static_cast<double>(j)), D{}, w);
      for (std::size_t r = 0; r < Moments; ++r) {
        for (std::size_t c = 0; c < columns; ++c) total[c][r] = fma(w, constant(block.values[c][j]), total[c][r]);
        if (r + 1 < Moments) w = w * t;
      }
    }
    for (std::size_t c = 0; c < columns; ++c)
      for (std::size_t r = 0; r < Moments; ++r)
        add_lanes(total[c][r], sums + begin * stride + c * Moments + r, queries - begin, stride);
  }
}

template <class Series>
void arrive(const double* q, std::size_t queries, double from, double scale, double sign, const double* s,
            std::size_t moments, double* sums) {
  switch (moments) {
    case 1: return arrive_moments<Series, 1>(q, queries, from, scale, sign, s, sums);
    case 2: return arrive_moments<Series, 2>(q, queries, from, scale, sign, s, sums);
    case 3: return arrive_moments<Series, 3>(q, queries, from, scale, sign, s, sums);
    default: return arrive_moments<Series, 5>(q, queries, from, scale, sign, s, sums);
  }
}

void inside(const SeriesBlock& block, const double* q, std::size_t queries, const std::size_t* itself, double scale,
            std::size_t moments, double* sums) {
  switch (moments) {
    case 1: return inside_moments<1>(block, q, queries, itself, scale, sums);
    case 2: return inside_moments<2>(block, q, queries, itself, scale, sums);
    case 3: return inside_moments<3>(block, q, queries, itself, scale, sums);
    default: return inside_moments<5>(block, q, queries, itself, scale, sums);
  }
}

template <class Series>
constexpr SeriesKernels kernels_of() {
  static_assert(columns * Series::terms % lanes == 0, "states are whole vectors");
  return {2 * columns * Series::terms, gather<Series>, travel<Series>, arrive<Series>, inside};
}

}  // namespace

extern const SeriesKernels gaussian_series = kernels_of<SumSeries>();
extern const SeriesKernels gaussian_moments = kernels_of<MomentSeries>();

}  // namespace attn::simd::ATTN_SIMD_LEVEL
