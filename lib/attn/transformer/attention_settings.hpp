#pragma once
// Fields of config.json about attention, read in one place for the families and for tools that run one layer.

#include <attn/transformer/description.hpp>

namespace ATTN_API attn {

/// Llama's rotary positions: rope_theta, partial_rotary_factor and the kind of scaling, from rope_parameters or the two
/// older fields; of layers that see everything where windowed layers turn by another base. Throws Error(data) that
/// names the field.
RotaryEncoding rotary_of(const Settings& config, std::size_t head_width);

/// Those of windowed layers, without scaling: rope_parameters of sliding_attention, or an older field with their base.
RotaryEncoding local_rotary_of(const Settings& config, std::size_t head_width, const std::string& field);

/// GPT-2's scale of scores.
struct ScoreScaling {
  std::optional<double> scale;  ///< none: 1 / sqrt(head width)
  bool by_layer = false;        ///< see scale_of_layer()
};

/// scale_attn_weights and scale_attn_by_inverse_layer_idx.
ScoreScaling score_scaling_of(const Settings& config);

}  // namespace attn
