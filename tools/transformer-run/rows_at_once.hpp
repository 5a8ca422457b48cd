#pragma once
// How many lines are computed together.

#include <attn/api/opened_model.hpp>

namespace transformer_run {

/// How many sequences of at most `length` tokens, each answered as `generation` says, fit the memory that is left
/// beside the weights, about. Throws Error(memory) where not even one does.
std::size_t rows_at_once(const attn::OpenedModel& opened, attn::DType compute,
                         const attn::GenerationParameters& generation, std::size_t length);

/// The tokens of a text that no one has read yet: as many as the model takes, or as are likely.
std::size_t likely_length(const attn::OpenedModel& opened);

}  // namespace transformer_run
