// From scores of a group of rows to weights: softcap, biases and masks, and the running softmax.

#include <attn/attention/engines/fused/block.hpp>

namespace attn::fused {

template <class T>
void BlockOfRows<T>::weigh(Work& work, std::size_t key, std::size_t count, T* scores, const RunningState<T>& state) {
  const std::size_t panel_width = plan_.kernels.panel_width;
  const std::size_t origin = work.first_panel * panel_width;  // columns begin here
  RowLimits<T, group_limit> limits;
  simd::WeightRows<T> weights;
  weights.scores = scores + origin;
  weights.stride = score_stride;
  weights.columns = (work.last_panel - work.first_panel) * panel_width;
  work.excludes = masks_.limit(work.group, work.keys, key, count, origin, limits, weights);
  if (work.has_maxima) weights.maxima = scores + key_block;
  weights.softcap = plan_.softcap;
  weights.maximum = state.maximum + work.group.first;
  weights.total = state.total + work.group.first;
  weights.keep = work.keep;
  weights.add = work.add;
  plan_.kernels.weights(weights);
}

template void BlockOfRows<float>::weigh(Work&, std::size_t, std::size_t, float*, const RunningState<float>&);
template void BlockOfRows<double>::weigh(Work&, std::size_t, std::size_t, double*, const RunningState<double>&);

}  // namespace attn::fused
