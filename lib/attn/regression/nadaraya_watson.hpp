#pragma once
// Nadaraya-Watson kernel regression and its local polynomials: prepare the samples once, evaluate often.

#include <attn/core/execution.hpp>
#include <attn/core/smoothing_kernel.hpp>
#include <attn/core/tensor.hpp>
#include <attn/regression/bandwidth.hpp>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ATTN_API attn {

/// A column of x that holds categories, as codes 0 .. levels - 1.
struct Category {
  std::size_t column = 0;
  std::size_t levels = 0;
  std::vector<double> positions = {};  ///< (levels) of ordered categories, which are as far apart as these; else empty
};

/// The database of keys and values. Every number must be finite.
struct Samples {
  TensorView x;                           ///< (n) or (n, d)
  TensorView y;                           ///< (n) or (n, C): C outputs are smoothed with the same weights
  std::optional<TensorView> weights;      ///< (n), >= 0: weight of each sample; at most 1e200 apart
  std::vector<Category> categories = {};  ///< columns of x, and of queries, that are no numbers
  /// (n), in [0, 1]: a factor of each weight that leaves every sample a neighbour of others; see robust_samples().
  std::optional<TensorView> robustness = {};
  /// (d): the period of each column of x that comes round, such as hours (24) or degrees (360), and 0 of the others;
  /// empty: none does. The difference of such a column is x - q - P round((x - q) / P).
  std::vector<double> periods = {};
};

/// Methods for the sums over keys; all are exact to rounding, except `tree` with a tolerance.
/// The costs and the choice of `automatic` are in regression/sums/sums.hpp.
enum class Method : std::uint8_t {
  automatic,
  direct,  ///< every pair
  window,  ///< one dimension, compact kernels: sorted keys, moments in two stacks, or of runs if widths are adaptive
  series,  ///< one dimension, gaussian: a sum of exponentials; laplace: an exact recursion; power series likewise
  tree     ///< pairs within reach, found in a k-d tree
};
std::string_view name_of(Method method) noexcept;

/// Result for a query without a key in reach.
enum class EmptyWindow : std::uint8_t {
  nan,
  nearest,  ///< the mean of the nearest keys
  zero,
  error  ///< Error(data)
};

/// The factor of a weight for each column of categories, by its lambda, the bandwidth of the column. `levels` are those
/// of the samples. Sources: Aitchison and Aitken 1976; Wang and van Ryzin 1981; Racine and Li 2004.
enum class CategoryKernel : std::uint8_t {
  li_racine,        ///< 1 if equal, else lambda; ordered: lambda^distance. lambda in [0, 1]
  aitchison_aitken  ///< 1 - lambda if equal, else lambda / (levels - 1), lambda in [0, (levels - 1) / levels];
                    ///< ordered (Wang, van Ryzin): 1 - lambda, else (1 - lambda) / 2 lambda^distance, lambda in [0, 1]
};
std::string_view name_of(CategoryKernel kernel) noexcept;
/// The lambda at which a column counts least.
double widest_lambda(CategoryKernel kernel, const Category& category) noexcept;

/// What y is: any numbers, or shares and events, 0 to 1.
enum class Family : std::uint8_t {
  gaussian,  ///< least squares
  binomial   ///< local likelihood with the logit link; the fit is the probability
};
std::string_view name_of(Family family) noexcept;

/// Parameters of smoothing. The initialisers are the defaults of the tool.
struct Smoother {
  Kernel kernel = Kernel::gaussian;
  ScaleConvention scale_convention = ScaleConvention::halfwidth;
  Bandwidth bandwidth;     ///< with categories: per_coordinate, or number if x is one column
  std::size_t degree = 0;  ///< of the local polynomial: 0 (Nadaraya-Watson), 1 or 2; evaluate(), in one column: to 4
  bool causal = false;     ///< the first coordinate is time: only keys with x <= q count
  double decay = 0;        ///< with causal: weights at age t are multiplied by exp(-decay t)
  EmptyWindow empty = EmptyWindow::nan;
  Method method = Method::automatic;
  double tolerance = 0;  ///< relative tolerance of the tree; 0: exact to rounding
  CategoryKernel category_kernel = CategoryKernel::li_racine;
  Family family = Family::gaussian;
  std::optional<double> quantile = {};  ///< in (0, 1): the local quantile in place of the mean
  /// Are fits those of least squares?
  bool fits_means() const noexcept { return family == Family::gaussian && !quantile; }
};

/// What to compute in addition to the fit.
struct RegressionRequest {
  bool leave_one_out = false;   ///< at the samples only: each from the others,
  std::size_t block = 1;        ///< and in one dimension without so many samples in order: with it, half before it
  bool derivative = false;      ///< derivative by each coordinate of the query
  bool standard_error = false;  ///< pointwise, from leave-one-out residuals
  bool slope_error = false;     ///< of the derivatives, likewise; with derivative
  std::optional<std::size_t> residual_degree = {};  ///< degree of the fits that leave the residuals; none: the same
  bool effective_size = false;                      ///< (sum w)^2 / sum w^2
  bool local_degree = false;                        ///< the degree of each window
  bool self_weight = false;                         ///< at the samples: the weight of each in its own fit, S_ii
  std::size_t first = 0, last = std::numeric_limits<std::size_t>::max();  ///< the rows of the result, of all queries
};

struct RegressionResult {
  TensorView fit;                            ///< (m), or (m, C) if y is (n, C)
  std::optional<TensorView> derivative;      ///< (m, d), or (m, C, d)
  std::optional<TensorView> standard_error;  ///< as fit
  std::optional<TensorView> slope_error;     ///< as derivative: sqrt(s^2 sum l'^2), slope = sum l' y
  std::optional<TensorView> effective_size;  ///< (m)
  std::optional<TensorView> local_degree;    ///< (m), i64
  std::optional<TensorView> self_weight;     ///< (m)
  std::size_t not_finite = 0;                ///< queries that are NaN or infinite
  std::size_t empty_windows = 0;             ///< queries without a key in reach
  std::size_t lowered_degrees = 0;           ///< queries whose window was too small for the degree
  Method method = Method::direct;            ///< the method that was used,
  std::string reason;                        ///< and why
};

/// Samples prepared for the engines: checked, and sorted (d = 1) or arranged in a k-d tree, once for any number of
/// kernels, bandwidths and queries.
///
///     fit(q) = sum_i w_i y_i / sum_i w_i,   w_i = weights_i K(u(q, x_i))                       degree 0
///     fit(q) = b_0 of the polynomial in (x - q) that minimises sum_i w_i (y_i - p(x_i - q))^2  degree 1, 2
///
/// Columns of categories multiply w_i by their factor (CategoryKernel); polynomials are in the others alone.
/// A sample exactly opposite the query on the circle of a column that comes round is on neither side: half of it counts
/// on each.
///
/// A fit of degree 0 differs from its formula by less than 1e-12 sum_i w_i |y_i| / sum_i w_i, for every exact method
/// and any spread of values and weights; `series` adds at most 1e-17 max |y| if y is 0 on all keys near the query.
/// With the Gaussian this holds up to 100 bandwidths from the nearest key.
/// A fit of degree 1 or 2 differs by a few roundings of sum_i |l_i y_i| with `direct` and `tree`, where l are the
/// smoothing weights; `window`, `series` and, in 2 to 4 dimensions, `tree` and `auto` compute it from moments, within
/// 1e-10 of that sum, usually 1e-14.
///
/// Sources: Nadaraya 1964; Watson 1964; Fan and Gijbels 1996 (local polynomials).
class KernelRegression {
 public:
  /// Throws Error(data) that names the tensor for a wrong shape, for NaN or infinity in x or weights, infinity in y,
  /// and for weights that are negative or too far apart. NaN in y is allowed: it gives NaN in results in which its
  /// weight is not zero.
  explicit KernelRegression(const Samples& samples, const Execution& execution = {});
  ~KernelRegression();
  KernelRegression(KernelRegression&&) noexcept;
  KernelRegression& operator=(KernelRegression&&) noexcept;

  std::size_t size() const noexcept;        ///< n
  std::size_t dimensions() const noexcept;  ///< d, with the columns of categories
  std::size_t outputs() const noexcept;     ///< C

  /// At m queries (m) or (m, d), in their order. NaN or infinity in a query gives NaN in its row. With a part of the
  /// rows, they have the bits that they have among all.
  /// Throws Error(usage) for an invalid smoother, Error(data) that names the tensor for a wrong shape and for a code
  /// that is no category.
  RegressionResult evaluate(const TensorView& queries, const Smoother& smoother, const RegressionRequest& request = {},
                            const Execution& execution = {}) const;
  /// At the samples themselves.
  RegressionResult evaluate(const Smoother& smoother, const RegressionRequest& request = {},
                            const Execution& execution = {}) const;

  /// Throws Error(data) that names the tensor for queries that evaluate() would refuse.
  void check_queries(const TensorView& queries) const;

  struct Prepared;
  const Prepared& prepared() const noexcept { return *prepared_; }

 private:
  std::unique_ptr<Prepared> prepared_;
};

/// The number m of queries: a list of d numbers is one query of d > 1 coordinates.
std::size_t query_count(const TensorView& queries, std::size_t d);

/// prepare(x, y), then evaluate(q).
inline KernelRegression prepare(const Samples& samples, const Execution& execution = {}) {
  return KernelRegression(samples, execution);
}

// Robust fits: samples far from the fit count less.

/// The samples with the robustness that `iterations` fits give them, each from the residuals r of the fit before:
///
///     robustness_i = (1 - (r_i / limit)^2)^2 for |r_i| < limit, else 0,   limit = 6 median |r|
///
/// As in R's lowess and loess, it is 1 up to 0.001 and 0 from 0.999 of the limit on, and the last fit stays if the
/// limit is nothing next to the mean of |r|. y must have one column; throws Error(usage) otherwise.
/// Source: Cleveland 1979, "Robust locally weighted regression and smoothing scatterplots".
Samples robust_samples(const Samples& samples, const Smoother& smoother, std::size_t iterations,
                       const Execution& execution = {});

/// fit -+ z se, z the two-sided quantile of the normal distribution at the level: (m, 2), or (m, 2 C): lower, upper.
/// is_probability: limits the band to [0, 1].
/// throws Error(usage) unless 0 < level < 1
TensorView confidence_band(const TensorView& fit, const TensorView& standard_error, double level,
                           bool is_probability = false);

}  // namespace attn
