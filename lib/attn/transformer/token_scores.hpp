#pragma once
// The probability of a text under a language model, token by token.

#include <attn/transformer/model.hpp>

#include <cstdint>
#include <vector>

namespace ATTN_API attn {

struct TokenScores {
  std::vector<std::int64_t> ids;
  std::vector<double> log_probabilities;  ///< of ids[1], ids[2] ...; the first token has no predecessor

  double sum() const;
  /// exp(-mean of the log-probabilities); 1 if there are none.
  double perplexity() const;
};

/// log p(ids[i] | the tokens before it) from a decoder alone.
///
/// stride  where ids are longer than ModelDescription::window(): windows of that length, each beginning `stride` tokens
///         after the one before; tokens are scored by the first window that has them. 0: all in one, which throws
///         Error(data) where the model has no positions for them.
/// The model must have no encoder. At most a few hundred rows of logits are in memory at once.
TokenScores score_tokens(const Model& model, const std::vector<std::int64_t>& ids, std::size_t stride = 0,
                         const Execution& execution = {});

/// The same for a finished pass: logits (at least as many as ids, vocabulary), row i after ids[i].
TokenScores scores_of(const TensorView& logits, const std::vector<std::int64_t>& ids);

}  // namespace attn
