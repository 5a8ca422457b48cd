#pragma once
// The options of multi-head attention: heads, positions, masks; and what they make of weights and operands.

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

/// What is known of heads that are projected already: how many there are, and how wide; of keys, unless all that is
/// left is to merge them; and the scale that queries were written with.
struct ProjectedHeads {
  std::size_t heads, width;
  std::optional<std::size_t> key_value_heads = std::nullopt;
  std::optional<double> score_scale = std::nullopt;
};

/// The layer whose weights the operand names, wired by the options and, where they are silent, by what is known of
/// heads that are there already, or the config.json beside the weights. Without an operand there are no maps, and
/// `projected` must be given. Tensors that options name are read into `inputs`.
attn::MultiHeadAttention load_multi_head(const MultiHeadOptions& options, const Input& weights, attn::DType compute,
                                         const std::optional<ProjectedHeads>& projected, attn::AttendInputs& inputs,
                                         Session& session);

/// The masks and biases of one call; T5's bias is worked out for the span and that many heads.
attn::MultiHeadMasks read_masks(const MultiHeadOptions& options, const Input& weights, const attn::AttendInputs& inputs,
                                const attn::RelativeSpan& span, std::size_t heads, Session& session);

}  // namespace cli
