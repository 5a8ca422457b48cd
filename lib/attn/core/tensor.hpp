#pragma once
// Tensors: views that say what keeps their memory alive, and owned memory behind them.

#include <attn/core/dtype.hpp>
#include <attn/core/error.hpp>
#include <attn/core/shape.hpp>
#include <attn/core/strided.hpp>

#include <xtensor/xtensor_forward.hpp>

#include <memory>
#include <string>

namespace ATTN_API attn {

/// A read-only tensor in place: in a mapped file, in a pipe's buffer, in an xtensor, in a Tensor.
///
/// Copying a view copies no elements; `owner` keeps the memory alive as long as any view of it lives. Everything that
/// is read or handed between layers is a TensorView, so weights and inputs are used where they lie.
struct TensorView {
  const void* data = nullptr;
  DType dtype = DType::f64;
  Shape shape;
  Strides strides;                    ///< in elements
  std::shared_ptr<const void> owner;  ///< keeps data alive; empty for memory that outlives every view
  std::string name;                   ///< for messages: "run.h5:/q"

  std::size_t rank() const noexcept { return shape.size(); }
  std::size_t size() const { return element_count(shape); }
  std::size_t bytes() const { return size() * element_size(dtype); }
  bool is_contiguous() const noexcept;

  /// Typed window of rank N. Throws Error(data) naming the tensor when dtype or rank differ.
  template <class T, std::size_t N>
  Strided<const T, N> as() const;

  /// First element of a contiguous tensor of T. Throws Error(defect) when it is not contiguous or of another dtype.
  template <class T>
  const T* contiguous_data() const;
};

/// Owned, contiguous, row-major memory, 64-byte aligned, in huge pages where it is large.
/// Moves, never copies by accident; view() shares the memory.
class Tensor {
 public:
  Tensor() = default;
  /// Uninitialised for numbers, empty strings for DType::string. Throws Error(memory).
  Tensor(DType dtype, Shape shape);
  static Tensor zeros(DType dtype, Shape shape);

  DType dtype() const noexcept { return dtype_; }
  const Shape& shape() const noexcept { return shape_; }
  std::size_t size() const { return element_count(shape_); }
  void* data() noexcept { return memory_.get(); }
  template <class T>
  T* data_as();
  template <class T, std::size_t N>
  Strided<T, N> as();

  TensorView view(std::string name = {}) const;

 private:
  DType dtype_ = DType::f64;
  Shape shape_;
  std::shared_ptr<void> memory_;
};

/// Views of the same memory.
TensorView renamed(TensorView x, std::string name);
TensorView reshaped(const TensorView& x, Shape shape);  ///< contiguous x only; throws Error(data) when counts differ
TensorView transposed(const TensorView& x, const std::vector<std::size_t>& order);
TensorView broadcast_to(const TensorView& x, const Shape& shape);  ///< throws Error(data) naming x
/// Index i of the first axis, which is dropped.
TensorView element(const TensorView& x, std::size_t i);

/// x itself when it is already of that dtype and contiguous, a converted copy otherwise.
/// Floats round to nearest even; floats to integers must be whole and in range, else Error(data) with the index.
TensorView cast(const TensorView& x, DType dtype);
TensorView contiguous(const TensorView& x);
/// The elements of x, contiguous, in memory of their own.
TensorView copied(const TensorView& x);

/// All of x as whole numbers (ids, lengths); throws Error(data) naming the element that is not one.
std::vector<std::int64_t> to_integers(const TensorView& x);
/// x must be a single number.
double to_scalar(const TensorView& x);

/// The xtensor border. A view borrows x: x must outlive it. adopt() takes it over.
template <class T, std::size_t N>
TensorView view_of(const xt::xtensor<T, N>& x, std::string name = {});
template <class T, std::size_t N>
TensorView adopt(xt::xtensor<T, N>&& x, std::string name = {});
/// A copy as xtensor, converted to T.
template <class T, std::size_t N>
xt::xtensor<T, N> to_xtensor(const TensorView& x);

// ---- templates -----------------------------------------------------------------------------------------------------

namespace detail {
/// Throws unless x has this dtype and rank.
void expect_typed(const TensorView& x, DType dtype, std::size_t rank);
void expect_contiguous(const TensorView& x, DType dtype);
}  // namespace detail

template <class T, std::size_t N>
Strided<const T, N> TensorView::as() const {
  detail::expect_typed(*this, dtype_of_v<T>, N);
  Strided<const T, N> typed;
  typed.data = static_cast<const T*>(data);
  for (std::size_t axis = 0; axis < N; ++axis) {
    typed.shape[axis] = shape[axis];
    typed.strides[axis] = strides[axis];
  }
  return typed;
}

template <class T>
const T* TensorView::contiguous_data() const {
  detail::expect_contiguous(*this, dtype_of_v<T>);
  return static_cast<const T*>(data);
}

template <class T>
T* Tensor::data_as() {
  detail::expect_contiguous(view(), dtype_of_v<T>);
  return static_cast<T*>(memory_.get());
}

template <class T, std::size_t N>
Strided<T, N> Tensor::as() {
  detail::expect_typed(view(), dtype_of_v<T>, N);
  std::array<std::size_t, N> extents{};
  for (std::size_t axis = 0; axis < N; ++axis) extents[axis] = shape_[axis];
  return strided(static_cast<T*>(memory_.get()), extents);
}

}  // namespace attn
