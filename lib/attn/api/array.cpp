// Tensors as xtensors, instantiated once, so that a user's file compiles fast.

#include <attn/api/array.hpp>

#include <attn/core/export.hpp>

#include <algorithm>

namespace ATTN_API attn {

template <class T, std::size_t N>
xt::xtensor<T, N> to_xtensor(const TensorView& x) {
  if (x.rank() != N) throw shape_error(x.name, x.shape, std::to_string(N) + (N == 1 ? " axis" : " axes"));
  std::array<std::size_t, N> shape{};
  std::copy(x.shape.begin(), x.shape.end(), shape.begin());
  xt::xtensor<T, N> out(shape);
  const TensorView from = cast(x, dtype_of_v<T>);
  std::copy_n(from.contiguous_data<T>(), from.size(), out.data());
  return out;
}

#define ATTN_TO_XTENSOR(T)                                        \
  template xt::xtensor<T, 1> to_xtensor<T, 1>(const TensorView&); \
  template xt::xtensor<T, 2> to_xtensor<T, 2>(const TensorView&); \
  template xt::xtensor<T, 3> to_xtensor<T, 3>(const TensorView&); \
  template xt::xtensor<T, 4> to_xtensor<T, 4>(const TensorView&); \
  template xt::xtensor<T, 5> to_xtensor<T, 5>(const TensorView&); \
  template xt::xtensor<T, 6> to_xtensor<T, 6>(const TensorView&);
ATTN_TO_XTENSOR(float)
ATTN_TO_XTENSOR(double)
ATTN_TO_XTENSOR(std::int64_t)
#undef ATTN_TO_XTENSOR

}  // namespace attn
