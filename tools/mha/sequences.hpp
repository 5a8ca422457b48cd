#pragma once
// What mha attends from, to, and over.

#include "mha/options.hpp"

#include <attn/layers/multi_head_attention.hpp>

namespace mha {

/// What queries, keys and values are projected from, or they themselves.
struct Sequences {
  attn::TensorView query, key, value;
};

/// The attend stage takes q, k and v from INPUT where they have no operands of their own.
cli::Input source_of(const cli::OptionalInput& operand, const Options& options);

Sequences read_sequences(const Options& options, cli::Session& session);

/// Angles that follow the length of a text are those of one text: throws Error(usage) for keys of another length.
void expect_one_text(const attn::MultiHeadAttention& attention, const Sequences& sequences);

}  // namespace mha
