#pragma once
// --emit gradients: those of one batch of all lines, or of a shard of them.

#include "cli/session.hpp"
#include "transformer-train/examples.hpp"
#include "transformer-train/start.hpp"

namespace transformer_train {

/// Throws Error(usage) for options that change no gradient.
void check_gradients(const Options& options, const cli::Session& session);

/// Writes the gradients of the first update of a training with all rows in one batch.
void write_gradients(const Options& options, const Examples& examples, attn::Trainer& trainer, cli::Session& session);

}  // namespace transformer_train
