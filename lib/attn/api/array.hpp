#pragma once
// xtensor expressions as tensors of the library, and tensors as xtensors.
//
// The functions of this folder have in common:
//   arguments  any xtensor expression; all have one element type, float or double; each is evaluated once
//   result     an xtensor of that type with the rank of the first argument. If the compiler does not know that rank, as
//              for xarray, the rank of the result is a template argument: attend<3>(q, k, v)
//   errors     attn::Error naming the argument with its shape and the expected one, or the parameter
//   execution  threads, engine, instruction set, trace; by default the calling thread computes alone
// Letters of shapes: attention/shapes.hpp.

#include <attn/core/export.hpp>
#include <attn/core/tensor.hpp>

#include <xtensor/xarray.hpp>
#include <xtensor/xtensor.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace ATTN_API attn {

namespace detail {

inline constexpr std::size_t dynamic_rank = static_cast<std::size_t>(-1);

template <class Shape>
struct rank_of_shape : std::integral_constant<std::size_t, dynamic_rank> {};
template <class I, std::size_t N>
struct rank_of_shape<std::array<I, N>> : std::integral_constant<std::size_t, N> {};
template <std::size_t... extents>
struct rank_of_shape<xt::fixed_shape<extents...>> : std::integral_constant<std::size_t, sizeof...(extents)> {};

template <class E>
inline constexpr std::size_t rank_of = rank_of_shape<typename E::shape_type>::value;

/// Integers by their size: std::int64_t is long or long long.
template <class T>
constexpr DType dtype_of_element() {
  if constexpr (std::is_same_v<T, bool>) {
    return DType::boolean;
  } else if constexpr (std::is_integral_v<T>) {
    constexpr DType by_size[2][4] = {{DType::u8, DType::u16, DType::u32, DType::u64},
                                     {DType::i8, DType::i16, DType::i32, DType::i64}};
    return by_size[std::is_signed_v<T>][sizeof(T) == 8 ? 3 : sizeof(T) / 2];
  } else {
    return dtype_of_v<T>;
  }
}

template <class E>
TensorView view_of_memory(const E& x, std::shared_ptr<const void> owner, std::string name) {
  return {x.data() + x.data_offset(),
          dtype_of_element<typename E::value_type>(),
          Shape(x.shape().begin(), x.shape().end()),
          Strides(x.strides().begin(), x.strides().end()),
          std::move(owner),
          std::move(name)};
}

template <class E, std::size_t N>
struct result {
  static constexpr std::size_t rank = N != 0 ? N : rank_of<E>;
  static_assert(rank != dynamic_rank,
                "the rank is known at run time only: give that of the result, as in attend<3>(q, k, v)");
  using type = xt::xtensor<typename E::value_type, rank>;
};

}  // namespace detail

/// The elements of an xtensor expression; no type where E is none.
template <class E>
using element_t = std::enable_if_t<xt::is_xexpression<E>::value, typename E::value_type>;

/// What functions below return: an xtensor of the elements and of the rank of E, or of rank N where that is not 0.
template <class E, std::size_t N = 0>
using result_t = typename detail::result<std::enable_if_t<xt::is_xexpression<E>::value, E>, N>::type;

/// Any xtensor expression as a tensor. `name` stands in error messages.
///
/// A container, an adaptor or a view of them that has a name is used where it lies, whatever its strides, and must
/// outlive the tensor. All else, such as a + b or a temporary, is evaluated once into memory that the tensor owns.
template <class E, class = element_t<std::decay_t<E>>>
TensorView view_of(E&& x, std::string name = {}) {
  using Expression = std::decay_t<E>;
  if constexpr (std::is_lvalue_reference_v<E> && xt::has_data_interface<Expression>::value) {
    return detail::view_of_memory(x, nullptr, std::move(name));
  } else {
    using T = typename Expression::value_type;
    constexpr std::size_t rank = detail::rank_of<Expression>;
    using Container = std::conditional_t<rank == detail::dynamic_rank, xt::xarray<T>, xt::xtensor<T, rank>>;
    const auto owner = std::make_shared<const Container>(std::forward<E>(x));
    return detail::view_of_memory(*owner, owner, std::move(name));
  }
}

/// A copy as xtensor, converted to T: float, double or std::int64_t; N from 1 to 6.
/// Throws Error(data) naming x when it has not N axes.
template <class T, std::size_t N>
xt::xtensor<T, N> to_xtensor(const TensorView& x);

/// An argument: any xtensor expression whose elements are T, as view_of() takes it.
template <class T>
class Array {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>, "the elements are float or double");

 public:
  template <class E, class Element = element_t<std::decay_t<E>>>
  Array(E&& x) : view_(view_of(std::forward<E>(x))) {  // implicit: functions are called with expressions
    static_assert(std::is_same_v<Element, T>, "all tensors of a call have one element type, float or double");
  }

  TensorView named(std::string name) const { return renamed(view_, std::move(name)); }

 private:
  TensorView view_;
};

namespace detail {

template <class T>
std::optional<TensorView> named(const std::optional<Array<T>>& x, std::string name) {
  if (!x) return std::nullopt;
  return x->named(std::move(name));
}

}  // namespace detail

}  // namespace attn
