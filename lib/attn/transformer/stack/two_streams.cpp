#include <attn/transformer/stack/two_streams.hpp>

#include <attn/core/error.hpp>
#include <attn/core/shape.hpp>

#include <algorithm>
#include <limits>

namespace attn {
namespace {

std::vector<double> flags_of(const std::optional<TensorView>& mask, const Shape& expected) {
  if (!mask) return {};
  if (mask->shape != expected) throw shape_error(mask->name, mask->shape, to_string(expected));
  const TensorView wide = contiguous(cast(*mask, DType::f64));
  const double* first = wide.contiguous_data<double>();
  return {first, first + wide.size()};
}

/// Excludes a key that is no token.
constexpr float no_key = -std::numeric_limits<float>::infinity();
/// Makes all scores to which it is added equal, in f32 and f64, without exceeding the limit beyond which f32 is
/// computed in f64. (The model itself uses -1e30.)
constexpr float hidden_alike = -0x1p80f;

/// out(b, i) = sum_j weight(b, i, j) x(b, j), where weight is the mapping or its transpose.
TensorView mixed(const TensorView& x, const TensorView& mapping, bool transposed_mapping) {
  const TensorView weights = contiguous(cast(transposed_mapping ? transposed(mapping, {0, 2, 1}) : mapping, x.dtype));
  const std::size_t batch = weights.shape[0], rows = weights.shape[1], from = weights.shape[2], width = x.shape[2];
  const TensorView states = contiguous(x);
  Tensor out = Tensor::zeros(x.dtype, {batch, rows, width});
  visit_compute_dtype(x.dtype, [&](auto element) {
    using T = decltype(element);
    const T *weight = weights.contiguous_data<T>(), *state = states.contiguous_data<T>();
    for (std::size_t row = 0; row < batch * rows; ++row)
      for (std::size_t j = 0; j < from; ++j) {
        const T w = weight[row * from + j];
        if (w == 0) continue;
        const T* source = state + (row / rows * from + j) * width;
        T* to = out.data_as<T>() + row * width;
        for (std::size_t c = 0; c < width; ++c) to[c] += w * source[c];
      }
  });
  return out.view(x.name);
}

}  // namespace

StreamMasks stream_masks(const TokenBatch& batch, const TwoStreamDescription& streams, std::size_t memory) {
  const std::size_t rows = batch.ids.shape[0], length = batch.ids.shape[1], keys = memory + length;
  const std::vector<double> real = flags_of(batch.padding_mask, {rows, length});
  const std::vector<double> hidden = flags_of(batch.permutation_mask, {rows, length, length});
  if (real.empty() && hidden.empty() && !streams.causal) return {};
  Tensor content(DType::u8, {rows, 1, length, keys}), targets(DType::f32, {rows, 1, length, keys});
  auto* seen = content.data_as<std::uint8_t>();
  auto* of_target = targets.data_as<float>();
  for (std::size_t b = 0; b < rows; ++b)
    for (std::size_t i = 0; i < length; ++i, of_target += keys) {
      bool sees_any = false;
      const auto is_token = [&](std::size_t k) {
        return k < memory || real.empty() || real[b * length + k - memory] != 0;
      };
      for (std::size_t k = 0; k < keys; ++k) {
        const bool sees = is_token(k) && (!streams.causal || (k <= memory + i && (!streams.same_length || k >= i))) &&
                          (k < memory || hidden.empty() || hidden[(b * length + i) * length + k - memory] == 0);
        const bool self = k == memory + i;
        sees_any |= sees;
        *seen++ = sees || self;
        of_target[k] = sees ? 0 : no_key;
      }
      for (std::size_t k = 0; k < keys && !sees_any; ++k) of_target[k] = is_token(k) ? hidden_alike : no_key;
    }
  return {content.view("who sees whom"), targets.view("what targets see")};
}

TensorView segments_of(const TensorView& types, std::size_t memory) {
  const std::size_t rows = types.shape.at(0), length = types.shape.at(1);
  const std::vector<std::int64_t> ids = to_integers(types);
  Tensor segments = Tensor::zeros(DType::i64, {rows, memory + length});
  for (std::size_t b = 0; b < rows; ++b)
    std::copy_n(ids.data() + b * length, length, segments.data_as<std::int64_t>() + b * (memory + length) + memory);
  return segments.view(types.name);
}

TensorView placed(const TensorView& y, const TensorView& mapping) { return mixed(y, mapping, true); }

TensorView gathered(const TensorView& x, const TensorView& mapping) { return mixed(x, mapping, false); }

TensorView remembered(const TensorView& x, const std::optional<TensorView>& before,
                      const TwoStreamDescription& streams) {
  const std::size_t batch = x.shape.at(0), width = x.shape.at(2), past = before ? before->shape.at(0) : 0;
  const std::size_t now = streams.reused > 0 ? std::min(streams.reused, x.shape[1]) : x.shape[1];
  const std::size_t kept = streams.remembered > 0 ? std::min(streams.remembered, past + now) : past + now;
  Tensor memory(x.dtype, {kept, batch, width});
  visit_compute_dtype(x.dtype, [&](auto element) {
    using T = decltype(element);
    const TensorView states = contiguous(x), older = before ? contiguous(cast(*before, x.dtype)) : TensorView();
    T* to = memory.data_as<T>();
    for (std::size_t i = past + now - kept; i < past + now; ++i)
      for (std::size_t b = 0; b < batch; ++b)
        to = std::copy_n(i < past ? older.contiguous_data<T>() + (i * batch + b) * width
                                  : states.contiguous_data<T>() + (b * x.shape[1] + i - past) * width,
                         width, to);
  });
  return memory.view("mems");
}

}  // namespace attn
