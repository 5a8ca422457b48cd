#pragma once
// Labels of attention maps: the tokens of their rows and columns.

#include "cli/result.hpp"
#include "transformer-run/options.hpp"

#include <attn/models/model_folder.hpp>
#include <attn/transformer/inference.hpp>

#include <vector>

namespace transformer_run {

/// `tokens` (B, L) of the encoder, or of a model with only a decoder, and `decoder_tokens` (B, T) of the decoder of an
/// encoder-decoder: those that --emit names, and both with attention maps if the folder has a tokenizer and the format
/// holds text.
std::vector<cli::Result> token_labels(const Options& options, const attn::OpenedModel& opened,
                                      const attn::TokenBatch& source, const attn::InferenceResult& result);

}  // namespace transformer_run
