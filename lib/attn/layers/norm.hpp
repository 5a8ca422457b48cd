#pragma once
// Normalisation of rows: layer norm and RMS norm, alone or after a residual sum.

#include <attn/core/execution.hpp>
#include <attn/core/tensor.hpp>
#include <attn/layers/weights.hpp>

#include <optional>

namespace ATTN_API attn {

enum class NormKind : std::uint8_t {
  layer,  ///< (x - mean) / sqrt(var + eps) * weight + bias      Ba, Kiros and Hinton 2016
  rms     ///< x / sqrt(mean of x^2 + eps) * weight              Zhang and Sennrich 2019
};

struct NormParameters {
  NormKind kind = NormKind::layer;
  double epsilon = 1e-5;  ///< added to the variance
  bool bias = true;       ///< whether a layer norm has an offset
  bool adds_one = false;  ///< the gain is 1 + weight: Gemma
};

/// Mean and 1 / sqrt(var + eps) of each row, shaped like x with 1 for the normalised axes; the mean is 0 for RMS norm.
struct NormStatistics {
  TensorView mean, inverse_deviation;
};

/// Gradients of a loss by the input and the parameters of a norm; none for a parameter that the norm does not have.
struct NormGradients {
  TensorView x;
  std::optional<TensorView> weight, bias;
};

/// A norm with its gain and offset, over as many trailing axes as these have.
///
///     mean = sum_i x_i / n,  var = sum_i (x_i - mean)^2 / n  over the n elements of the normalised axes
///
/// Sums are in f64 for both types; a row whose squares are out of range is scaled first. Rows are independent: a row
/// gives the same bits alone and in a batch.
class Norm {
 public:
  /// weight and bias of the shape of the normalised axes, or one that broadcasts to it.
  Norm(const NormParameters& parameters, const TensorView& weight, const std::optional<TensorView>& bias,
       DType compute);
  /// Without gain and offset, over the last `axes` axes.
  Norm(const NormParameters& parameters, std::size_t axes, DType compute);

  /// `weight` (width) and, if there is one, `bias` below `weights`.
  static Norm load(const Weights& weights, std::size_t width, const NormParameters& parameters, DType compute);

  const NormParameters& parameters() const noexcept { return parameters_; }
  std::size_t axes() const noexcept { return axes_; }                           ///< number of normalised trailing axes
  const std::optional<TensorView>& weight() const noexcept { return weight_; }  ///< in f64
  const std::optional<TensorView>& bias() const noexcept { return bias_; }

  /// norm(x); x (..., width). `statistics` is set if given.
  TensorView operator()(const TensorView& x, const Execution& execution = {},
                        NormStatistics* statistics = nullptr) const;

  /// The gradients for dy, that by norm(x), in the computing type. With x^ = (x - mean) / sqrt(var + eps), g = dy *
  /// weight and means over the normalised axes:
  ///
  ///     dx = (g - mean(g) - x^ mean(g x^)) / sqrt(var + eps)     without mean(g) for RMS norm
  ///     dweight = the sum of dy * x^ over the rows,  dbias = the sum of dy
  ///
  /// The residual of a sum has the gradient of x. Throws Error(data) if x or dy does not fit.
  NormGradients vjp(const TensorView& x, const TensorView& dy, const Execution& execution = {}) const;

  /// norm(x + residual), of equal shapes: the bits of add_residual() and then the norm, in one pass.
  TensorView of_sum(const TensorView& x, const TensorView& residual, const Execution& execution = {}) const;

 private:
  struct Rows;
  Rows rows_of(const TensorView& x) const;
  TensorView apply(const TensorView& x, const TensorView* residual, const Execution& execution,
                   NormStatistics* statistics) const;

  NormParameters parameters_;
  std::size_t axes_;
  std::optional<TensorView> weight_, bias_;
  DType compute_;
};

/// x + residual, of equal shapes, in the wider of their computing types, for a norm or the next layer.
TensorView add_residual(const TensorView& x, const TensorView& residual, const Execution& execution = {});

}  // namespace attn
