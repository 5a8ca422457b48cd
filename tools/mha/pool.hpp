#pragma once
// From projected heads to the pooled values.

#include "mha/options.hpp"

#include <attn/layers/key_value_cache.hpp>

namespace mha {

/// Queries (B, H, L, d), keys and values (B, N, S, d).
struct Heads {
  attn::TensorView query;
  attn::KeyValue memory;
};

/// q, k and v as they are written, for the stage that takes them; `given` is what the queries were made of.
std::vector<cli::Result> projected(const Options& options, const attn::MultiHeadAttention& attention,
                                   const attn::TensorView& given, const Heads& heads);

/// Heads to the pooled values, merged where the stage is all, and what --emit asks for beside them. `given` is what the
/// queries were made of; the keys and values of the past go in front.
void pool(const Options& options, const attn::MultiHeadAttention& attention, const attn::AttendInputs& inputs,
          const attn::TensorView& given, Heads heads, attn::KeyValueCache past, cli::Session& session);

}  // namespace mha
