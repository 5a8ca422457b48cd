#pragma once
// XLNet's search for the answer to a question: ends are searched after each of the best starts.

#include <attn/layers/linear.hpp>
#include <attn/layers/norm.hpp>
#include <attn/transformer/batch.hpp>
#include <attn/transformer/description.hpp>

namespace attn {

/// With the vector h_i of token i and the tokens M that an answer may contain, never padding:
///
///     p(start = i) = softmax over i in M of w_s.h_i + b_s
///     p(end = j | start = i) = softmax over j in M of w_e.norm(tanh(W_e [h_j; h_i] + b)) + b_e
///     answerable = w_a.tanh(W_a [sum_i p(start = i) h_i; h_last] + b) h_last: of the last real token
///
/// Source: Yang et al. 2019, as in XLNetForQuestionAnswering of transformers.
class AnswerSearch {
 public:
  AnswerSearch(const Weights& weights, const AnswerSearchDescription& description, std::size_t width, DType compute);

  /// starts (B, L, 1): the logits of the starts; x (B, L, width); the answer mask and the padding mask of the input.
  ///
  /// returns  (B, n, 4): start and end as indices of tokens, p(start), p(end | start); for the best end of each start,
  ///          the best start first, then the second best ends, and so on. Shows cls_logits (B), the last formula.
  TensorView operator()(const TensorView& starts, const TensorView& x, const TokenBatch& read,
                        const Execution& execution = {}) const;

 private:
  AnswerSearchDescription description_;
  Linear end_token_, end_start_;  ///< W_e in two, of h_j with the bias and of h_i
  Linear end_, answerable_dense_, answerable_;
  Norm end_norm_;
};

}  // namespace attn
