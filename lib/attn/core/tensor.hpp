#pragma once
// Tensors: views that keep their memory alive, and owned memory.

#include <attn/core/dtype.hpp>
#include <attn/core/error.hpp>
#include <attn/core/shape.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>
#include <xtensor/xtensor_forward.hpp>

namespace ATTN_API attn {

/// A read-only tensor in place: in a mapped file, in a pipe's buffer, in an xtensor, in a Tensor.
///
/// Copying a view copies no elements; `owner` keeps the memory alive as long as any view of it lives. All tensors that
/// are read or passed between layers are TensorViews, so weights and inputs are used in place.
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

  /// Typed window of rank N. Throws Error(data) naming the tensor if dtype or rank differ.
  template <class T, std::size_t N>
  Strided<const T, N> as() const;

  /// First element of a contiguous tensor of T. Throws Error(defect) if it is not contiguous or has another dtype.
  template <class T>
  const T* contiguous_data() const;
};

/// Owned, contiguous, row-major memory, 64-byte aligned, in huge pages if it is large. It can be moved but not copied;
/// view() shares the memory.
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
TensorView reshaped(const TensorView& x, Shape shape);  ///< contiguous x only; throws Error(data) if counts differ
TensorView transposed(const TensorView& x, const std::vector<std::size_t>& order);
TensorView broadcast_to(const TensorView& x, const Shape& shape);  ///< throws Error(data) naming x
/// Index i of the first axis, which is dropped.
TensorView element(const TensorView& x, std::size_t i);

/// x itself if it has that dtype and is contiguous, else a converted copy. Floats round to nearest even; floats to
/// integers must be whole and in range, else Error(data) with the index.
TensorView cast(const TensorView& x, DType dtype);
TensorView contiguous(const TensorView& x);
/// The elements of x, contiguous, in memory of their own.
TensorView copied(const TensorView& x);
/// x times a number; f32 or f64.
TensorView scaled(const TensorView& x, double factor);
/// f(x), element by element; f32 or f64.
template <class Function>
TensorView mapped(const TensorView& x, Function f) {
  const TensorView from = contiguous(x);
  Tensor out(from.dtype, from.shape);
  visit_compute_dtype(from.dtype, [&](auto element) {
    using T = decltype(element);
    const T* elements = from.contiguous_data<T>();
    for (std::size_t i = 0; i < from.size(); ++i) out.data_as<T>()[i] = f(elements[i]);
  });
  return out.view(x.name);
}

/// All elements of x as integers (ids, lengths); throws Error(data) naming an element that is not an integer.
std::vector<std::int64_t> to_integers(const TensorView& x);
/// x must be a single number.
double to_scalar(const TensorView& x);

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

/// So many elements stay in the nearest caches, and a copy of them is too small for memory_account() to count.
constexpr std::size_t few_elements = 4096;

/// Elements of x in row-major order, `count` from `first` on, as a vector: in place where x is contiguous, else a copy
/// of them. Expects first + count <= x.size().
TensorView elements(const TensorView& x, std::size_t first, std::size_t count);

// Values of a program as small tensors, and back.

/// One value, shape ().
template <class T>
TensorView scalar_of(T value) {
  Tensor x(dtype_of_v<T>, {});
  *x.data_as<T>() = std::move(value);
  return x.view();
}
inline TensorView scalar_of(std::string_view text) { return scalar_of(std::string(text)); }
inline TensorView scalar_of(const char* text) { return scalar_of(std::string(text)); }

/// Several values, shape (n).
template <class T>
TensorView vector_of(const std::vector<T>& values) {
  Tensor x(dtype_of_v<T>, {values.size()});
  std::copy(values.begin(), values.end(), x.data_as<T>());
  return x.view();
}

/// All elements in row-major order, for any shape. Throws Error(defect) if they are no T.
template <class T>
std::vector<T> elements_of(const TensorView& x) {
  const TensorView row = contiguous(x);
  const T* first = row.contiguous_data<T>();
  return std::vector<T>(first, first + row.size());
}

}  // namespace attn
