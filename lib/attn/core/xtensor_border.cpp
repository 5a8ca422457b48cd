// The xtensor border, instantiated once for the element types and ranks of the public interface, so that a user's file
// compiles fast.

#include <attn/core/tensor.hpp>

#include <xtensor/xtensor.hpp>

#include <algorithm>

namespace ATTN_API attn {
namespace {

template <class T, std::size_t N>
TensorView borrow(const xt::xtensor<T, N>& x, std::shared_ptr<const void> owner, std::string name) {
  Shape shape(x.shape().begin(), x.shape().end());
  Strides strides(x.strides().begin(), x.strides().end());
  return {x.data(), dtype_of_v<T>, std::move(shape), std::move(strides), std::move(owner), std::move(name)};
}

}  // namespace

template <class T, std::size_t N>
TensorView view_of(const xt::xtensor<T, N>& x, std::string name) {
  return borrow(x, nullptr, std::move(name));
}

template <class T, std::size_t N>
TensorView adopt(xt::xtensor<T, N>&& x, std::string name) {
  auto owner = std::make_shared<const xt::xtensor<T, N>>(std::move(x));
  return borrow(*owner, owner, std::move(name));
}

template <class T, std::size_t N>
xt::xtensor<T, N> to_xtensor(const TensorView& x) {
  if (x.rank() != N) throw shape_error(x.name, x.shape, std::to_string(N) + " axes");
  std::array<std::size_t, N> shape{};
  std::copy(x.shape.begin(), x.shape.end(), shape.begin());
  xt::xtensor<T, N> out(shape);
  const TensorView from = cast(x, dtype_of_v<T>);
  std::copy_n(from.contiguous_data<T>(), from.size(), out.data());
  return out;
}

#define ATTN_BORDER(T, N)                                                   \
  template TensorView view_of<T, N>(const xt::xtensor<T, N>&, std::string); \
  template TensorView adopt<T, N>(xt::xtensor<T, N>&&, std::string);        \
  template xt::xtensor<T, N> to_xtensor<T, N>(const TensorView&);
#define ATTN_BORDER_RANKS(T) ATTN_BORDER(T, 1) ATTN_BORDER(T, 2) ATTN_BORDER(T, 3) ATTN_BORDER(T, 4)

ATTN_BORDER_RANKS(float)
ATTN_BORDER_RANKS(double)
ATTN_BORDER_RANKS(std::int64_t)

}  // namespace attn
