// Sums of smoothing weights over pairs, for one instruction set. Included by kernel_sums_*.cpp.

#include <attn/simd/kernel_sums.hpp>
#include <attn/simd/vector/smoothing_kernel.hpp>

#include <type_traits>

namespace attn::simd::ATTN_SIMD_LEVEL {
namespace {

using D = f64v;
constexpr std::size_t lanes = width<double>;

ATTN_INLINE D constant(double x) { return set1<double>(x); }

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

/// Where a kernel ends, of what its weight is taken from.
template <class K>
double border_of(double slack) {
  if (K::is_closed) return 1 + slack;
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
      if constexpr (K::uses_u && Dim != 1) w[r] = sqrt<double>(w[r]);
      if constexpr (is_round)
        w[r] = exp2<double>(w[r] * constant(-(keys.scale[0] * K::unit) * (keys.scale[0] * K::unit)));
      else
        w[r] = K::template weight<double>(w[r], border);
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
  if (kernel == Kernel::gaussian && keys.is_isotropic)
    return add_dimensions<RoundGaussian>(keys, q, queries, begin, end, sums);
  with_kernel(kernel, [&](auto k) { add_dimensions<decltype(k)>(keys, q, queries, begin, end, sums); });
}

/// take(product) or take(product, factor), of which the product is meant, for `product` times each monomial up to order
/// Left in u[K] ... u[Dim - 1], by ascending exponents.
template <std::size_t Dim, std::size_t Left, std::size_t K, class Take>
ATTN_INLINE void each_monomial(D product, const D* u, Take& take) {
  if constexpr (K == Dim) {
    take(product);
  } else {
    each_monomial<Dim, Left, K + 1>(product, u, take);
    if constexpr (Left == 1) take(product, u[K]);
    if constexpr (Left > 1) each_monomial<Dim, Left - 1, K>(product * u[K], u, take);
  }
}

struct AddMonomials {
  D* total;
  inline __attribute__((always_inline)) void operator()(D product) { *total++ += product; }
  inline __attribute__((always_inline)) void operator()(D product, D factor) {
    *total = fma(product, factor, *total);
    ++total;
  }
};

/// a(u) with the coefficients of its monomials.
struct EvaluatePolynomial {
  const double* coefficient;
  D value = {};
  inline __attribute__((always_inline)) void operator()(D product) {
    value = fma(constant(*coefficient++), product, value);
  }
  inline __attribute__((always_inline)) void operator()(D product, D factor) { (*this)(product * factor); }
};

constexpr std::size_t count_of_monomials(std::size_t d, std::size_t order) {
  return d == 0 ? 1 : order == 0 ? 1 : count_of_monomials(d - 1, order) + count_of_monomials(d, order - 1);
}

/// w and z of the keys near one query. The kernel is chosen for each vector: a branch that is always predicted, where a
/// loop for each kernel would be many times the code.
template <std::size_t Dim>
struct NearKeys {
  const SmoothingKeys& keys;
  Kernel kernel;
  const double* q;
  D border;

  NearKeys(const SmoothingKeys& keys_, Kernel kernel_, const double* q_) : keys(keys_), kernel(kernel_), q(q_) {
    with_kernel(kernel, [&](auto k) { border = constant(border_of<decltype(k)>(keys.slack)); });
  }

  /// take(part, w, z) for every vector of keys.
  template <class Take>
  inline __attribute__((always_inline)) void each(const std::uint32_t* runs, std::size_t count, Take& take) const {
    for (std::size_t r = 0; r < count; ++r) {
      std::size_t i = runs[2 * r];
      const std::size_t end = runs[2 * r + 1];
      for (; i + lanes <= end; i += lanes) weigh(WholeVector{i}, take);
      if (i < end) weigh(PartOfVector{i, static_cast<std::ptrdiff_t>(end - i)}, take);
    }
  }

 private:
  template <class Part, class Take>
  inline __attribute__((always_inline)) void weigh(Part part, Take& take) const {
    D u[Dim], squared = {}, w = {};
    for (std::size_t j = 0; j < Dim; ++j) {
      u[j] = (part(keys.x[j]) - constant(q[j])) * constant(keys.scale[j]);
      squared = j == 0 ? u[j] * u[j] : u[j] * u[j] + squared;
    }
    with_kernel(kernel, [&](auto k) {
      if constexpr (k.unit == 1)
        w = k.template weight<double>(k.uses_u ? sqrt<double>(squared) : squared, border);
      else if constexpr (k.unit != 0)
        w = k.template weight<double>(
            k.uses_u ? sqrt<double>(squared) * constant(k.unit) : squared * constant(k.unit * k.unit), border);
      else
        w = constant(1);
    });
    if (keys.weight != nullptr)
      w = w * part(keys.weight);
    else if constexpr (Part::partial)
      w = w * part.present();
    for (std::size_t j = 0; keys.stretch != nullptr && j < Dim; ++j)
      u[j] = (part(keys.x[j]) - constant(q[j])) * constant(keys.stretch[j]);
    take(part, w, u);
  }
};

template <std::size_t Dim, std::size_t Degree>
struct TakeMoments {
  static constexpr std::size_t of_weights = count_of_monomials(Dim, 2 * Degree);
  static constexpr std::size_t count = of_weights + count_of_monomials(Dim, Degree);
  const double* value;
  D total[count] = {};

  template <class Part>
  inline __attribute__((always_inline)) void operator()(Part part, D w, const D* u) {
    AddMonomials of_w{total}, of_values{total + of_weights};
    each_monomial<Dim, 2 * Degree, 0>(w, u, of_w);
    each_monomial<Dim, Degree, 0>(w * part(value), u, of_values);
  }
};

template <std::size_t Dim, std::size_t Degree>
struct TakeSquares {
  const double* coefficients;
  D total = {};

  template <class Part>
  inline __attribute__((always_inline)) void operator()(Part, D w, const D* u) {
    EvaluatePolynomial polynomial{coefficients};
    each_monomial<Dim, Degree, 0>(constant(1), u, polynomial);
    const D l = w * polynomial.value;
    total = fma(l, l, total);
  }
};

/// f(d, degree) as constants.
template <class F>
void with_polynomials(std::size_t d, std::size_t degree, const F& f) {
  const auto with_degree = [&](auto dim) {
    if (degree == 1) f(dim, std::integral_constant<std::size_t, 1>{});
    if (degree == 2) f(dim, std::integral_constant<std::size_t, 2>{});
  };
  if (d == 2) with_degree(std::integral_constant<std::size_t, 2>{});
  if (d == 3) with_degree(std::integral_constant<std::size_t, 3>{});
  if (d == 4) with_degree(std::integral_constant<std::size_t, 4>{});
}

void add_moments(const SmoothingKeys& keys, Kernel kernel, std::size_t degree, const double* q,
                 const std::uint32_t* runs, std::size_t count, std::size_t column, double* sums) {
  with_polynomials(keys.d, degree, [&](auto dim, auto of_degree) {
    TakeMoments<dim, of_degree> moments{keys.values[column]};
    NearKeys<dim>(keys, kernel, q).each(runs, count, moments);
    for (std::size_t at = 0; at < moments.count; ++at) sums[at] += reduce_add<double>(moments.total[at]);
  });
}

double sum_squares(const SmoothingKeys& keys, Kernel kernel, std::size_t degree, const double* q,
                   const std::uint32_t* runs, std::size_t count, const double* coefficients) {
  double sum = 0;
  with_polynomials(keys.d, degree, [&](auto dim, auto of_degree) {
    TakeSquares<dim, of_degree> squares{coefficients};
    NearKeys<dim>(keys, kernel, q).each(runs, count, squares);
    sum = reduce_add<double>(squares.total);
  });
  return sum;
}

}  // namespace

extern const SmoothingKernels smoothing = {add, add_moments, sum_squares};

}  // namespace attn::simd::ATTN_SIMD_LEVEL
