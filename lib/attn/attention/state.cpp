#include <attn/attention/state.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {
namespace {

template <class T>
void merge_typed(AttentionState& state, const AttentionState& later, std::size_t rows, std::size_t width) {
  T* const m = state.maximum.data_as<T>();
  T* const l = state.total.data_as<T>();
  T* const o = state.output.data_as<T>();
  const T* const later_m = later.maximum.view().contiguous_data<T>();
  const T* const later_l = later.total.view().contiguous_data<T>();
  const T* const later_o = later.output.view().contiguous_data<T>();
  for (std::size_t row = 0; row < rows; ++row) {
    // A part without keys adds nothing; its maximum of -inf would make the factors NaN.
    if (!(later_l[row] > 0) && !std::isnan(later_l[row])) continue;
    const T top = std::max(m[row], later_m[row]);
    const T keep = l[row] == 0 ? T(0) : std::exp(m[row] - top);
    const T add = std::exp(later_m[row] - top);
    m[row] = top;
    l[row] = l[row] * keep + later_l[row] * add;
    for (std::size_t c = 0; c < width; ++c)
      o[row * width + c] = (keep == 0 ? T(0) : o[row * width + c] * keep) + later_o[row * width + c] * add;
  }
}

}  // namespace

AttentionState::AttentionState(const AttentionSizes& sizes, DType dtype)
    : maximum(dtype, {sizes.batch, sizes.heads, sizes.queries}),
      total(Tensor::zeros(dtype, {sizes.batch, sizes.heads, sizes.queries})),
      output(Tensor::zeros(dtype, {sizes.batch, sizes.heads, sizes.queries, sizes.value_width})) {
  if (dtype == DType::f64)
    std::fill_n(maximum.data_as<double>(), maximum.size(), -std::numeric_limits<double>::infinity());
  else
    std::fill_n(maximum.data_as<float>(), maximum.size(), -std::numeric_limits<float>::infinity());
}

void merge(AttentionState& state, const AttentionState& later) {
  if (state.output.shape() != later.output.shape())
    throw shape_error("state", later.output.shape(),
                      to_string(state.output.shape()) + " as the state it is merged into");
  if (state.output.dtype() != later.output.dtype()) throw Error(ErrorKind::data, "state", "has another dtype");
  const std::size_t rows = state.total.size();
  const std::size_t width = state.output.shape().back();
  if (state.output.dtype() == DType::f64)
    merge_typed<double>(state, later, rows, width);
  else
    merge_typed<float>(state, later, rows, width);
}

}  // namespace attn
