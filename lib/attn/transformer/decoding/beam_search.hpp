#pragma once
// Beam search: the best whole sequences, rather than the best token at each step.

#include <attn/transformer/generation.hpp>

namespace attn {

/// Beam search for one prompt; the model has one row at the start.
///
/// In each step every beam proposes its continuations, the best 2 * beams of all are candidates; those among the first
/// `beams` that end are finished, the best `beams` that do not end continue. With sampling, candidates are drawn by
/// their probability, none twice, instead of taking the best, and "first" means drawn first.
/// hook     asked of every candidate, as row 0: what it ends is finished as by an end token
/// returns  num_return <= beams sequences, the best first; where rules leave fewer (a forced end token does), empty
///          ones with the score -infinity make up the number
std::vector<Generated> beam_search(Continuation& model, const Prompt& prompt, const GenerationParameters& parameters,
                                   const TokenHook& hook = {}, const Execution& execution = {});

}  // namespace attn
