// Pooling of a block of rows: values as they lie in memory or packed, and their weighted sums.

#include <attn/attention/fused_block.hpp>

#include <algorithm>

namespace attn::fused {

template <class T>
void BlockOfRows<T>::use_values(std::size_t key) {
  const AttentionProblem& problem = plan_.problem;
  values_ = row_of(problem.value, block_.b, block_.g, key - problem.first_key);
  values_stride_ = problem.value.strides[2];
}

template <class T>
void BlockOfRows<T>::pack_values(std::size_t key, std::size_t count, std::size_t column, std::size_t columns) {
  const AttentionProblem& problem = plan_.problem;
  const unsigned char* const data = row_of(problem.value, block_.b, block_.g, key - problem.first_key);
  plan_.kernels.pack_values(data + column * element_size(problem.dtype), plan_.storage, problem.value.strides[2], count,
                            std::min(columns, problem.sizes.value_width - column), packed_values_, columns);
  values_ = reinterpret_cast<const unsigned char*>(packed_values_);
  values_stride_ = static_cast<std::ptrdiff_t>(columns);
  values_column_ = column;
}

template <class T>
void BlockOfRows<T>::pool(const Work& work, std::size_t column, std::size_t columns, const T* weights,
                          const RunningState<T>& state) const {
  simd::PoolGroup<T> part;
  part.weights = weights + work.keys.first;
  part.weights_stride = score_stride;
  part.storage = packs_values_ ? simd::Storage::full : plan_.storage;
  const std::size_t size = packs_values_ ? sizeof(T) : element_size(plan_.problem.dtype);
  part.values = values_ + (static_cast<std::ptrdiff_t>(work.keys.first) * values_stride_ +
                           static_cast<std::ptrdiff_t>(column - values_column_)) *
                              static_cast<std::ptrdiff_t>(size);
  part.values_stride = values_stride_;
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
template void BlockOfRows<float>::pack_values(std::size_t, std::size_t, std::size_t, std::size_t);
template void BlockOfRows<double>::pack_values(std::size_t, std::size_t, std::size_t, std::size_t);
template void BlockOfRows<float>::pool(const Work&, std::size_t, std::size_t, const float*,
                                       const RunningState<float>&) const;
template void BlockOfRows<double>::pool(const Work&, std::size_t, std::size_t, const double*,
                                        const RunningState<double>&) const;

}  // namespace attn::fused
