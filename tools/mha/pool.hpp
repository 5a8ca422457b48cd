#pragma once
// The sequences of queries, keys and values, and the way from projected heads to the pooled values.

#include "mha/options.hpp"

#include <attn/layers/key_value_cache.hpp>
#include <attn/layers/multi_head_attention.hpp>

namespace mha {

/// The sources of queries, keys and values, or the projected ones for the stage attend.
struct Sequences {
  attn::TensorView query, key, value;
  bool is_shared = false;  ///< the query was given without a batch axis, for all batches of keys and values
};

/// The operand, or INPUT if it is omitted, for the stage attend with the operand's default dataset.
cli::Input source_of(const cli::OptionalInput& operand, const Options& options);

Sequences read_sequences(const Options& options, cli::Session& session);

/// Throws Error(usage) if keys and queries differ in length and rotary angles depend on the length of the text.
void expect_one_text(const attn::MultiHeadAttention& attention, const Sequences& sequences);

/// Queries (B, H, L, d), keys and values (B, N, S, d).
struct Heads {
  attn::TensorView query;
  attn::KeyValue memory;
};

/// The number of keys before the queries, and the masks of the queries.
struct View {
  std::size_t before = 0;
  attn::MultiHeadMasks masks;
};

/// The number of queries of the sequence before the given ones, in a run by blocks of its rows.
std::size_t queries_before(const attn::TensorView& given, const cli::Session& session);

/// `past`: the length of the past.
View view_of(const Options& options, const attn::MultiHeadAttention& attention, const attn::AttendInputs& inputs,
             const attn::TensorView& given, const Heads& heads, std::size_t past, cli::Session& session);

/// q, k and v for the next stage; `given` is the source of the queries.
std::vector<cli::Result> projected(const Options& options, const attn::MultiHeadAttention& attention,
                                   const attn::TensorView& given, const Heads& heads);

/// Pools the heads, merges them if the stage is all, and writes the result and the results that --emit names. `given`
/// is the source of the queries; the keys and values of the past come first.
void pool(const Options& options, const attn::MultiHeadAttention& attention, const attn::AttendInputs& inputs,
          const attn::TensorView& given, Heads heads, attn::KeyValueCache past, cli::Session& session);

}  // namespace mha
