#pragma once
// The number of lines that are computed together.

#include <attn/models/model_folder.hpp>

namespace transformer_run {

/// Approximate number of sequences of at most `length` tokens, generated as `generation` specifies, that fit the memory
/// left by the weights. Throws Error(memory) if not even one fits.
std::size_t rows_at_once(const attn::OpenedModel& opened, attn::DType compute,
                         const attn::GenerationParameters& generation, std::size_t length);

/// Expected number of tokens of a text that is not read yet: what the model takes, or a likely number.
std::size_t likely_length(const attn::OpenedModel& opened);

}  // namespace transformer_run
