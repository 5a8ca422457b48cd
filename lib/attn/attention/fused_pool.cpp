// Pooling of a block of rows: values in place or packed, and their weighted sums.

#include <attn/attention/fused_block.hpp>

#include <algorithm>

namespace attn::fused {

template <class T>
void BlockOfRows<T>::use_values(std::size_t key) {
  const AttentionProblem& problem = plan_.problem;
  values_ = row_of(problem.value, block_.b, block_.g, key - problem.first_key);
}

template <class T>
T* BlockOfRows<T>::packed_columns(std::size_t column) const noexcept {
  return packed_values_ + (packs_columns_as_needed_ ? 0 : column * key_block);
}

template <class T>
void BlockOfRows<T>::pack_values(std::size_t count, std::size_t column, std::size_t columns) {
  const AttentionProblem& problem = plan_.problem;
  plan_.kernels.pack_values(values_ + column * element_size(problem.dtype), plan_.storage, problem.value.strides[2],
                            count, std::min(columns, problem.sizes.value_width - column), packed_columns(column),
                            columns);
}

template <class T>
void BlockOfRows<T>::pool(const Work& work, std::size_t column, std::size_t columns, const T* weights,
                          const RunningState<T>& state) const {
  simd::PoolGroup<T> part;
  part.weights = weights + work.keys.first;
  part.weights_stride = score_stride;
  if (packs_values_) {
    part.values = packed_columns(column) + work.keys.first * columns;
    part.values_stride = static_cast<std::ptrdiff_t>(columns);
  } else {
    const TensorView& value = plan_.problem.value;
    part.storage = plan_.storage;
    part.values_stride = value.strides[2];
    part.values = values_ + (static_cast<std::ptrdiff_t>(work.keys.first) * part.values_stride +
                             static_cast<std::ptrdiff_t>(column)) *
                                static_cast<std::ptrdiff_t>(element_size(value.dtype));
  }
  part.rows = work.group.rows;
  part.count = work.keys.last - work.keys.first;
  part.columns = columns;
  part.out = state.out + work.group.first * plan_.padded_values + column;
  part.out_stride = static_cast<std::ptrdiff_t>(plan_.padded_values);
  part.keep = work.keep;
  part.add = work.add;
  part.streams = has_few_rows_ && !packs_values_;
  part.excludes = work.excludes;
  plan_.kernels.pool(part);
}

template void BlockOfRows<float>::use_values(std::size_t);
template void BlockOfRows<double>::use_values(std::size_t);
template float* BlockOfRows<float>::packed_columns(std::size_t) const noexcept;
template double* BlockOfRows<double>::packed_columns(std::size_t) const noexcept;
template void BlockOfRows<float>::pack_values(std::size_t, std::size_t, std::size_t);
template void BlockOfRows<double>::pack_values(std::size_t, std::size_t, std::size_t);
template void BlockOfRows<float>::pool(const Work&, std::size_t, std::size_t, const float*,
                                       const RunningState<float>&) const;
template void BlockOfRows<double>::pool(const Work&, std::size_t, std::size_t, const double*,
                                        const RunningState<double>&) const;

}  // namespace attn::fused
