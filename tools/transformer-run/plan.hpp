#pragma once
// What a run will cost, known before anything is computed.

#include "cli/session.hpp"
#include "transformer-run/opened_model.hpp"

namespace transformer_run {

/// Tells the session: `rows` sequences of `length` tokens, answered by as many tokens as generation allows.
void plan(const OpenedModel& opened, attn::DType compute, const attn::GenerationParameters& generation,
          std::size_t rows, std::size_t length, cli::Session& session);

}  // namespace transformer_run
