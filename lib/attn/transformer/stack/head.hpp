#pragma once
// The last step of a model: from hidden states to logits.

#include <attn/layers/linear.hpp>
#include <attn/layers/norm.hpp>
#include <attn/transformer/description.hpp>
#include <attn/transformer/model.hpp>
#include <attn/transformer/parameter_gradients.hpp>

#include <optional>

namespace attn {

// XLNet's search for the answer to a question: ends are searched after each of the best starts.

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

/// Vectors to logits.
class Head {
 public:
  Head(const Weights& weights, const HeadDescription& description, std::size_t width, DType compute);

  /// x (..., width) to (..., outputs), or to what AnswerSearch makes of the tokens of `batch`. Shows head/dense and
  /// head/norm where it has them.
  TensorView operator()(const TensorView& x, const Execution& execution = {}, const TokenBatch& batch = {}) const;

  /// The gradient by x for dy, that by the logits; adds those by the parameters.
  TensorView vjp(const TensorView& x, const TensorView& dy, ParameterGradients& parameters,
                 const Execution& execution = {}) const;

 private:
  HeadDescription description_;
  std::optional<Linear> dense_, projection_;
  std::optional<Norm> norm_;
  std::optional<AnswerSearch> search_;
};

/// The vectors (B, width) or (B, L, width) of the states (B, L, width) that the head reads: of every token, of the
/// first, of the last or of the last end token of source.ids, or their mean over source.padding_mask. Throws
/// Error(data) that names a row without an end token.
TensorView seen_by_head(const Model& model, const TensorView& states, const TokenBatch& source);

/// The gradient by the states (B, L, width) for dy, that by seen_by_head(): 0 for tokens that the head does not read.
TensorView seen_by_head_vjp(const Model& model, const TensorView& states, const TokenBatch& source,
                            const TensorView& dy);

}  // namespace attn
