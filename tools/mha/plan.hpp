#pragma once
// What mha needs and writes, from shapes alone.

#include "cli/result.hpp"
#include "mha/sequences.hpp"

namespace mha {

/// The plan of a stage. `weights`: those of the layer, where it has any; `past`: what goes in front of keys and values.
cli::Plan plan_of(const Options& options, const attn::MultiHeadAttention& attention, const Sequences& sequences,
                  const std::optional<attn::Weights>& weights, const std::optional<attn::KeyValue>& past,
                  attn::DType compute, const cli::Session& session);

}  // namespace mha
