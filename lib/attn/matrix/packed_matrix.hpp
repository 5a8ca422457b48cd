#pragma once
// Matrices packed once and multiplied often: the weights of layers.

#include <attn/core/activation.hpp>
#include <attn/core/execution.hpp>
#include <attn/core/shape.hpp>
#include <attn/core/tensor.hpp>
#include <attn/simd/gemm.hpp>

#include <memory>
#include <vector>

namespace attn {

/// What is done to a product before it is written: act(y + bias).
template <class T>
struct Epilogue {
  const T* bias = nullptr;  ///< (out), or null
  Activation activation = Activation::none;
};

/// A weight matrix in the order in which the processor reads it.
///
/// Element (i, j) of a product is the sum over blocks of 512 inputs, in order, of chains of multiply-adds: its bits are
/// a function of row i of x and of the weights, the same for one row and for a thousand, for any number of threads.
/// With AMX and 32 inputs or more an f32 product is the sum of products of bf16 pieces instead (see
/// simd/vector/bf16x3.hpp), and a chain of multiply-adds where these do not hold what they must (see
/// bf16x3_product.hpp). f16 and bf16 weights stay 16 bits wide in memory and are widened exactly as they are read; or,
/// where bf16 arithmetic is allowed and the processor has products of it, bf16 weights are multiplied with x rounded to
/// bf16, summed in f32.
class PackedMatrix {
 public:
  PackedMatrix() = default;
  /// weight: (out, in), any strides and floating dtype. compute: f32 or f64, the T of multiply(); bf16: f32, and
  /// products with bf16 weights may be bf16. All threads pack, for the instruction set of the execution. Throws
  /// Error(data) naming the weight when its rank is not 2.
  PackedMatrix(const TensorView& weight, DType compute, const Execution& execution = {});

  std::size_t inputs() const noexcept { return inputs_; }
  std::size_t outputs() const noexcept { return outputs_; }
  DType compute() const noexcept { return compute_; }

  /// y (rows, out) = act(x (rows, in) W + bias). The columns of y must be contiguous; x may have any strides and must
  /// not overlap y. Throws Error(defect) when shapes or T do not fit.
  template <class T>
  void multiply(Strided<const T, 2> x, Strided<T, 2> y, const Epilogue<T>& epilogue, const Execution& execution) const;

  /// A product of several with one x.
  template <class T>
  struct Product {
    const PackedMatrix* matrix;
    Strided<T, 2> y;
    Epilogue<T> epilogue;
  };

  /// multiply() for each, of the same bits: what is prepared of many rows of x is prepared once for all, and threads
  /// meet once. The matrices have one type and number of inputs.
  template <class T>
  static void multiply_together(Strided<const T, 2> x, const std::vector<Product<T>>& products,
                                const Execution& execution);

 private:
  template <class T>
  void expect_fitting(Strided<const T, 2> x, Strided<T, 2> y) const;
  template <class Walk, class T>
  Walk walk(Strided<const T, 2> x, const Product<T>& product) const;

  std::size_t inputs_ = 0, outputs_ = 0;
  DType compute_ = DType::f32;
  DType stored_ = DType::f32;
  Isa isa_ = Isa::baseline;
  bool is_tiled_ = false;                 ///< see bf16_product.hpp
  std::vector<float> largest_of_panels_;  ///< magnitudes, where products are summed by pieces
  std::shared_ptr<void> panels_;          ///< of columns one after another, each (in, width of the panel), or tiles
};

// What all products share: the chains in which an element is added up, and what follows the sum.

/// Inputs of one chain of additions; a panel's block of them fits the L2 cache. Packed or not, an element is added up
/// in the same chains, so that its bits do not depend on which.
inline constexpr std::size_t depth_block = 512;

/// Columns [first, last) of y = act(y + bias).
template <class T>
void finish_columns(const simd::GemmKernels<T>& kernel, const Epilogue<T>& epilogue, Strided<T, 2> y, std::size_t first,
                    std::size_t last) {
  if (epilogue.bias == nullptr && epilogue.activation == Activation::none) return;
  simd::Finish<T> part;
  part.y = y.data + first;
  part.y_stride = y.strides[0];
  part.rows = y.shape[0];
  part.columns = last - first;
  part.bias = epilogue.bias != nullptr ? epilogue.bias + first : nullptr;
  part.activation = epilogue.activation;
  kernel.finish(part);
}

}  // namespace attn
