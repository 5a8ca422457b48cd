#pragma once
// From a model and prompts to sequences: which prompts share a batch, and the length of each.

#include <attn/transformer/generation.hpp>
#include <attn/transformer/model.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attn {

/// The tokens before the first generated token of each row. A model with an encoder starts with its start token.
std::vector<Prompt> start_prompts(const Model& model, std::size_t rows);

/// Throws Error(data) for a prompt beyond the positions of a decoder without an encoder, or longer than it was trained
/// for if no length is given.
void check_prompt(std::size_t tokens, const ModelDescription& model, const GenerationParameters& generation,
                  const std::string& subject = "text");

/// The sequences generated for each prompt, num_return of them, the best first.
///
/// memory  of an encoder, a row for each prompt; none where the model has no encoder
/// hook    counts rows as the prompts do (when sampling, prompt b's sequences are rows b * num_return ..., with beams
///         all are row b * num_return)
/// Rows with prompts of one length share a batch; with beams each row has its own.
std::vector<std::vector<Generated>> generate(const Model& model, const std::optional<Memory>& memory,
                                             const std::vector<Prompt>& prompts, const GenerationParameters& parameters,
                                             const Execution& execution = {}, const TokenHook& hook = {});

// Decoding step by step: a decoder that continues from the tokens it has seen.

/// The decoder of a model for generation.
std::unique_ptr<Continuation> make_continuation(const Model& model, const std::optional<Memory>& memory,
                                                std::size_t capacity, const Execution& execution = {});

}  // namespace attn
