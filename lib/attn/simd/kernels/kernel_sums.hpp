// Sums of smoothing weights over pairs, for one instruction set. Included by kernel_sums_*.cpp.

#include <attn/simd/kernel_sums.hpp>
#include <attn/simd/vector/math.hpp>

namespace attn::simd::ATTN_SIMD_LEVEL {
namespace {

using D = f64v;
constexpr std::size_t lanes = width<double>;

ATTN_INLINE D constant(double x) { return set1<double>(x); }

ATTN_INLINE D square_root(D x) {
#if ATTN_SIMD_BYTES == 64
  return (D)_mm512_sqrt_pd((__m512d)x);
#elif ATTN_SIMD_BYTES == 32
  return (D)_mm256_sqrt_pd((__m256d)x);
#else
  return by_lane<double>(x, ::sqrt);
#endif
}

// Weights from u squared or, where uses_u, from u. `unit` multiplies the scales beforehand, so that exponentials become
// powers of 2. inside() leaves 0 from the border u = 1 on, or u squared = 1.
ATTN_INLINE D inside(D u, D border, D weight) { return select<double>(u < border, weight, D{}); }

struct Gaussian {
  static constexpr double unit = 0.84932180028801904;  // sqrt(log2(e) / 2)
  static constexpr bool uses_u = false;
  ATTN_INLINE D weight(D squared, D) { return exp2<double>(-squared); }
};
struct Laplace {
  static constexpr double unit = 1.4426950408889634;  // log2(e)
  static constexpr bool uses_u = true;
  ATTN_INLINE D weight(D u, D) { return exp2<double>(-u); }
};
/// Closed: 1 on the border too, where the others are 0.
struct Boxcar {
  static constexpr double unit = 1;
  static constexpr bool uses_u = false;
  ATTN_INLINE D weight(D squared, D border) { return select<double>(squared <= border, constant(1), D{}); }
};
struct Triangular {
  static constexpr double unit = 1;
  static constexpr bool uses_u = true;
  ATTN_INLINE D weight(D u, D border) { return inside(u, border, constant(1) - u); }
};
struct Parabolic {
  static constexpr double unit = 1;
  static constexpr bool uses_u = false;
  ATTN_INLINE D weight(D squared, D border) { return inside(squared, border, constant(1) - squared); }
};
struct Biweight {
  static constexpr double unit = 1;
  static constexpr bool uses_u = false;
  ATTN_INLINE D weight(D squared, D border) {
    const D w = constant(1) - squared;
    return inside(squared, border, w * w);
  }
};
struct Triweight {
  static constexpr double unit = 1;
  static constexpr bool uses_u = false;
  ATTN_INLINE D weight(D squared, D border) {
    const D w = constant(1) - squared;
    return inside(squared, border, w * w * w);
  }
};
struct Tricube {
  static constexpr double unit = 1;
  static constexpr bool uses_u = true;
  ATTN_INLINE D weight(D u, D border) {
    const D w = constant(1) - u * u * u;
    return inside(u, border, w * w * w);
  }
};
struct Cosine {
  static constexpr double unit = 1;
  static constexpr bool uses_u = true;
  // cos(pi u / 2) = sin(pi y / 2), y = 1 - u: a Taylor series in y^2 that is accurate where the weight vanishes.
  ATTN_INLINE D weight(D u, D border) {
    constexpr double c[] = {1.5707963267948966,     -0.6459640975062462,    0.07969262624616703,
                            -0.004681754135318687,  0.00016044118478735975, -3.598843235212084e-06,
                            5.692172921967924e-08,  -6.688035109811464e-10, 6.066935731106192e-12,
                            -4.377065467313739e-14, 2.571422892860472e-16};
    const D y = constant(1) - u;
    return inside(u, border, y * polynomial<double>(y * y, c));
  }
};
struct Constant {
  static constexpr double unit = 0;
  static constexpr bool uses_u = false;
  ATTN_INLINE D weight(D, D) { return constant(1); }
};

// Queries that share the loads of a key: what the registers hold beside the accumulators.
constexpr std::size_t together = ATTN_SIMD_BYTES == 64 ? 4 : 2;
// Keys of a partial sum. Its coordinates and values stay in the first cache levels, and a sum of n weights rounds like
// one of n / block and one of block.
constexpr std::size_t block = 2048;

struct WholeVector {
  std::size_t i;
  static constexpr bool partial = false;
  inline __attribute__((always_inline)) D operator()(const double* column) const { return load(column + i); }
};
struct PartOfVector {
  std::size_t i;
  std::ptrdiff_t n;
  static constexpr bool partial = true;
  inline __attribute__((always_inline)) D operator()(const double* column) const { return load_n(column + i, n); }
  D present() const {
    double ones[lanes];
    for (std::size_t lane = 0; lane < lanes; ++lane) ones[lane] = static_cast<std::ptrdiff_t>(lane) < n ? 1.0 : 0.0;
    return load(ones);
  }
};

// Dim coordinates (0: as many as keys.d), Columns of values, Queries rows.
// The Gaussian where all scales are one: the scale is multiplied once, into the sum of the squared differences.
struct RoundGaussian : Gaussian {};
template <class K>
constexpr bool is_round_gaussian = false;
template <>
constexpr bool is_round_gaussian<RoundGaussian> = true;
template <class K>
constexpr bool is_closed = false;
template <>
constexpr bool is_closed<Boxcar> = true;

/// Where a kernel ends, of what its weight is taken from.
template <class K>
double border_of(double slack) {
  if (is_closed<K>) return 1 + slack;
  return K::uses_u ? __builtin_sqrt(1 - slack) : 1 - slack;
}

template <class K, std::size_t Dim, std::size_t Columns, std::size_t Queries>
struct Tile {
  static constexpr bool is_round = is_round_gaussian<K>;
  const SmoothingKeys& keys;
  D border;
  const double* values[Columns];
  const double* q;
  D total[Queries][1 + Columns];

  template <class Part>
  inline __attribute__((always_inline)) void step(Part part) {
    const std::size_t d = Dim == 0 ? keys.d : Dim;
    D w[Queries] = {};
    if constexpr (is_round) {
      for (std::size_t j = 0; j < d; ++j) {
        const D x = part(keys.x[j]);
        for (std::size_t r = 0; r < Queries; ++r) {
          const D step = x - constant(q[r * d + j]);
          w[r] = j == 0 ? step * step : fma(step, step, w[r]);
        }
      }
    }
    for (std::size_t j = 0; !is_round && j < d; ++j) {
      const D x = part(keys.x[j]), scale = constant(keys.scale[j] * K::unit);
      for (std::size_t r = 0; r < Queries; ++r) {
        const D u = (x - constant(q[r * d + j])) * scale;
        if constexpr (Dim == 1 && K::uses_u)
          w[r] = abs<double>(u);
        else
          // Rounded twice, as everywhere, so that all engines agree on the keys near the border of a boxcar.
          w[r] = j == 0 ? u * u : u * u + w[r];
      }
    }
    D factor = constant(1);
    if constexpr (Part::partial) factor = part.present();
    if (keys.weight != nullptr) factor = part(keys.weight);
    for (std::size_t r = 0; r < Queries; ++r) {
      if constexpr (K::uses_u && Dim != 1) w[r] = square_root(w[r]);
      if constexpr (is_round)
        w[r] = exp2<double>(w[r] * constant(-(keys.scale[0] * K::unit) * (keys.scale[0] * K::unit)));
      else
        w[r] = K::weight(w[r], border);
      if (Part::partial || keys.weight != nullptr) w[r] = w[r] * factor;
      total[r][0] += w[r];
    }
    for (std::size_t c = 0; c < Columns; ++c) {
      const D value = part(values[c]);
      for (std::size_t r = 0; r < Queries; ++r) total[r][1 + c] = fma(w[r], value, total[r][1 + c]);
    }
  }

  void run(std::size_t begin, std::size_t end) {
    for (std::size_t r = 0; r < Queries; ++r)
      for (std::size_t c = 0; c <= Columns; ++c) total[r][c] = D{};
    std::size_t i = begin;
    for (; i + lanes <= end; i += lanes) step(WholeVector{i});
    if (i < end) step(PartOfVector{i, static_cast<std::ptrdiff_t>(end - i)});
  }
};

template <class K, std::size_t Dim, std::size_t Columns, std::size_t Queries>
void add_tile(const SmoothingKeys& keys, std::size_t first_column, const double* q, std::size_t begin, std::size_t end,
              double* sums) {
  Tile<K, Dim, Columns, Queries> tile{keys, constant(border_of<K>(keys.slack)), {}, q, {}};
  // Columns that do not exist repeat the first coordinate; their sums are dropped.
  for (std::size_t c = 0; c < Columns; ++c)
    tile.values[c] = first_column + c < keys.columns ? keys.values[first_column + c] : keys.x[0];
  tile.run(begin, end);
  for (std::size_t r = 0; r < Queries; ++r) {
    double* row = sums + r * (1 + keys.columns);
    if (first_column == 0) row[0] += reduce_add<double>(tile.total[r][0]);
    for (std::size_t c = 0; c < Columns && first_column + c < keys.columns; ++c)
      row[1 + first_column + c] += reduce_add<double>(tile.total[r][1 + c]);
  }
}

template <class K, std::size_t Dim, std::size_t Columns>
void add_columns(const SmoothingKeys& keys, std::size_t first_column, const double* q, std::size_t queries,
                 std::size_t begin, std::size_t end, double* sums) {
  std::size_t r = 0;
  for (; r + together <= queries; r += together)
    add_tile<K, Dim, Columns, together>(keys, first_column, q + r * keys.d, begin, end, sums + r * (1 + keys.columns));
  for (; r < queries; ++r)
    add_tile<K, Dim, Columns, 1>(keys, first_column, q + r * keys.d, begin, end, sums + r * (1 + keys.columns));
}

template <class K, std::size_t Dim>
void add_blocks(const SmoothingKeys& keys, const double* q, std::size_t queries, std::size_t begin, std::size_t end,
                double* sums) {
  for (std::size_t from = begin; from < end; from += block) {
    const std::size_t to = end - from < block ? end : from + block;
    if (keys.columns <= 1) {
      add_columns<K, Dim, 1>(keys, 0, q, queries, from, to, sums);
      continue;
    }
    for (std::size_t column = 0; column < keys.columns; column += 3)
      add_columns<K, Dim, 3>(keys, column, q, queries, from, to, sums);
  }
}

template <class K>
void add_dimensions(const SmoothingKeys& keys, const double* q, std::size_t queries, std::size_t begin, std::size_t end,
                    double* sums) {
  if (keys.d == 1) return add_blocks<K, 1>(keys, q, queries, begin, end, sums);
  if (keys.d == 3) return add_blocks<K, 3>(keys, q, queries, begin, end, sums);
  add_blocks<K, 0>(keys, q, queries, begin, end, sums);
}

void add(const SmoothingKeys& keys, Kernel kernel, const double* q, std::size_t queries, std::size_t begin,
         std::size_t end, double* sums) {
  switch (kernel) {
    case Kernel::gaussian:
      return keys.is_isotropic ? add_dimensions<RoundGaussian>(keys, q, queries, begin, end, sums)
                               : add_dimensions<Gaussian>(keys, q, queries, begin, end, sums);
    case Kernel::boxcar: return add_dimensions<Boxcar>(keys, q, queries, begin, end, sums);
    case Kernel::triangular:
    case Kernel::epanechnikov: return add_dimensions<Triangular>(keys, q, queries, begin, end, sums);
    case Kernel::parabolic: return add_dimensions<Parabolic>(keys, q, queries, begin, end, sums);
    case Kernel::biweight: return add_dimensions<Biweight>(keys, q, queries, begin, end, sums);
    case Kernel::triweight: return add_dimensions<Triweight>(keys, q, queries, begin, end, sums);
    case Kernel::tricube: return add_dimensions<Tricube>(keys, q, queries, begin, end, sums);
    case Kernel::cosine: return add_dimensions<Cosine>(keys, q, queries, begin, end, sums);
    case Kernel::laplace: return add_dimensions<Laplace>(keys, q, queries, begin, end, sums);
    case Kernel::constant: return add_dimensions<Constant>(keys, q, queries, begin, end, sums);
  }
}

}  // namespace

extern const SmoothingKernels smoothing = {add};

}  // namespace attn::simd::ATTN_SIMD_LEVEL
