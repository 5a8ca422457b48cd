#pragma once
// The sequences of queries, keys and values.

#include "mha/options.hpp"

#include <attn/layers/multi_head_attention.hpp>

namespace mha {

/// The sources of queries, keys and values, or the projected ones for the stage attend.
struct Sequences {
  attn::TensorView query, key, value;
};

/// The operand, or INPUT if it is omitted, for the stage attend with the operand's default dataset.
cli::Input source_of(const cli::OptionalInput& operand, const Options& options);

Sequences read_sequences(const Options& options, cli::Session& session);

/// Throws Error(usage) if keys and queries differ in length and rotary angles depend on the length of the text.
void expect_one_text(const attn::MultiHeadAttention& attention, const Sequences& sequences);

}  // namespace mha
