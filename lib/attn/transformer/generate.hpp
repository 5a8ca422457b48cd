#pragma once
// From a model and prompts to sequences: which prompts share a batch, and how far each may go.

#include <attn/transformer/generation.hpp>
#include <attn/transformer/model.hpp>

#include <optional>
#include <vector>

namespace attn {

/// What stands before the first generated token of each row. A model with an encoder starts with its start token.
std::vector<Prompt> start_prompts(const Model& model, std::size_t rows);

/// The sequences generated for each prompt, num_return of them, the best first.
///
/// memory  of an encoder, a row for each prompt; none where the model has no encoder
/// hook    counts rows as the prompts do (when sampling, prompt b's sequences are rows b * num_return ..., with beams
///         all are row b * num_return)
/// Rows with prompts of one length share a batch; with beams each row has its own.
std::vector<std::vector<Generated>> generate(const Model& model, const std::optional<Memory>& memory,
                                             const std::vector<Prompt>& prompts, const GenerationParameters& parameters,
                                             const Execution& execution = {}, const TokenHook& hook = {});

}  // namespace attn
