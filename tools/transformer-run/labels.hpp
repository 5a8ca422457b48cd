#pragma once
// What stands beside attention maps: the tokens that their rows and columns belong to.

#include "cli/result.hpp"
#include "transformer-run/options.hpp"

#include <attn/api/opened_model.hpp>
#include <attn/transformer/inference.hpp>

#include <vector>

namespace transformer_run {

/// `tokens` (B, L) of what the encoder, or a decoder alone, saw, and `decoder_tokens` (B, T) of a decoder behind an
/// encoder: those that --emit asks for, and both beside attention maps where the folder has a tokenizer and the format
/// holds text.
std::vector<cli::Result> token_labels(const Options& options, const attn::OpenedModel& opened,
                                      const attn::TokenBatch& source, const attn::InferenceResult& result);

}  // namespace transformer_run
