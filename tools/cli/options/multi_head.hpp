#pragma once
// The options of multi-head attention: heads, positions, masks; and the layer and masks that they describe.

#include "cli/options/attention.hpp"
#include "cli/options/layer.hpp"

#include <attn/layers/multi_head_attention.hpp>
#include <attn/layers/relative_positions.hpp>

namespace cli {

struct MultiHeadOptions {
  std::optional<std::size_t> heads, kv_heads, t5_max_distance, rotary_width;
  std::optional<double> rotary_base;
  AttentionOptions attention;
  OptionalInput padding_mask{"padding_mask"}, positions{"positions"}, segments{"segments"}, t5_table{"weight"};
  bool transposed = false, zero_attention = false, rotary = false, rotary_interleaved = false, t5_causal = false;
};

void add_multi_head_options(Command& command, MultiHeadOptions& options);

/// The numbers of projected heads and their width; key-value heads are missing before merge. `score_scale` is the
/// attribute of the queries.
struct ProjectedHeads {
  std::size_t heads, width;
  std::optional<std::size_t> key_value_heads = std::nullopt;
  std::optional<double> score_scale = std::nullopt;
};

/// The layer with the weights of the operand. Settings come from the options, else from `projected`, else from the
/// config.json in the folder of the weights. Without an operand there are no maps, and `projected` must be given.
/// Tensors of the options are read into `inputs`.
attn::MultiHeadAttention load_multi_head(const MultiHeadOptions& options, const Input& weights, attn::DType compute,
                                         const std::optional<ProjectedHeads>& projected, attn::AttendInputs& inputs,
                                         Session& session);

/// The masks and biases of one call; T5's bias is computed for the span and the heads.
attn::MultiHeadMasks read_masks(const MultiHeadOptions& options, const Input& weights, const attn::AttendInputs& inputs,
                                const attn::RelativeSpan& span, std::size_t heads, Session& session);

}  // namespace cli
