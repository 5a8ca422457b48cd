#include <attn/attention/attend_joined.hpp>

#include <attn/attention/attend_blocks.hpp>
#include <attn/attention/problem_views.hpp>

#include <algorithm>

namespace attn {
namespace {

/// Rows [first, last) of x (B, H, S, d).
TensorView rows_of(TensorView x, std::size_t first, std::size_t last) {
  x.data = static_cast<const unsigned char*>(x.data) +
           static_cast<std::ptrdiff_t>(first) * x.strides[2] * static_cast<std::ptrdiff_t>(element_size(x.dtype));
  x.shape[2] = last - first;
  return x;
}

/// Keys or values, (B, H_kv, S, d), in two parts.
struct Rows {
  std::optional<TensorView> past;
  TensorView present;

  std::size_t before() const { return past ? past->shape[2] : 0; }
  /// Rows [first, last) of both as one.
  TensorView part(std::size_t first, std::size_t last, DType dtype) const {
    const std::size_t P = before();
    if (first >= P) return rows_of(present, first - P, last - P);
    if (last <= P) return rows_of(*past, first, last);
    return joined(rows_of(*past, first, P), rows_of(present, 0, last - P), dtype);
  }
};

/// False where everything is used as it lies: decided first, as layers of a model ask at every step.
bool makes_anew(const AttendInputs& in) {
  const DType dtype = in.query.dtype;
  return in.past_key || in.past_value || !is_floating(dtype) || in.key.dtype != dtype || in.value.dtype != dtype;
}

/// How keys and values are made anew: in blocks, where those take less memory than all at once.
struct Joining {
  AttentionSizes sizes;
  DType dtype;
  bool converts = false;       ///< some are of another dtype
  std::size_t block_keys = 0;  ///< made anew at a time; 0: all at once
};

Joining joining_of(const AttendInputs& in, const AttendParameters& parameters, const AttendRequest& request,
                   const Execution& execution) {
  constexpr std::size_t converted_bytes = std::size_t{8} << 20;
  const AttentionSizes n = attention_sizes(in, parameters);
  const DType dtype = attention_dtype(named_inputs(in));
  const std::size_t each = std::max<std::size_t>(bytes_of_key(n, dtype), 1), block = fused_engine.key_block;
  Joining joining{n, dtype};
  std::size_t whole = 0;
  for (const auto& [past, present] : {std::pair{&in.past_key, &in.key}, std::pair{&in.past_value, &in.value}}) {
    const bool converts = present->dtype != dtype || (*past && (*past)->dtype != dtype);
    joining.converts |= converts;
    const std::size_t bytes = ((*past ? (*past)->size() : 0) + present->size()) * element_size(dtype);
    if (*past || converts) whole += *past && converts ? 2 * bytes : bytes;
  }
  const std::size_t keys = joining.converts ? std::max<std::size_t>(converted_bytes / each / block, 1) * block : block;
  // What is joined is there twice for a while, apart and together.
  const std::size_t in_blocks = 2 * std::min(keys, n.keys) * each + bytes_of_states(n, dtype);
  if (in_blocks < whole && is_for_blocks(in, parameters, request, execution)) joining.block_keys = keys;
  return joining;
}

}  // namespace

std::optional<AttendResult> attend_joined(const AttendInputs& inputs, const AttendParameters& parameters,
                                          const AttendRequest& request, const Execution& execution) {
  if (!makes_anew(inputs)) return std::nullopt;
  const Joining joining = joining_of(inputs, parameters, request, execution);
  if (joining.block_keys == 0) return std::nullopt;
  const Call call(problem_without_keys(inputs, parameters), inputs, parameters, request, execution.engine);
  const auto rows = [&](const std::optional<TensorView>& past, const TensorView& present) {
    return Rows{past ? std::optional(key_view(*past, parameters)) : std::nullopt, key_view(present, parameters)};
  };
  const Rows keys = rows(inputs.past_key, inputs.key), values = rows(inputs.past_value, inputs.value);
  const std::size_t S = joining.sizes.keys, P = keys.before(), block = joining.block_keys;
  // Of what is stored alike only the block is copied in which the past ends.
  const auto end = [&](std::size_t first) {
    if (joining.converts) return std::min(first + block, S);
    if (first >= P) return S;
    return first + block <= P ? P / block * block : std::min(first + block, S);
  };
  const auto read = [&](std::size_t first, std::size_t last, const UseBlock& use) {
    use(keys.part(first, last, joining.dtype), values.part(first, last, joining.dtype));
  };
  return attend_in_blocks(call, {end, read}, request, execution);
}

}  // namespace attn
