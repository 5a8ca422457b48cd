#pragma once
// Losses: how far predictions are from their targets, and the gradient with which learning begins.

#include <attn/core/execution.hpp>
#include <attn/core/tensor.hpp>

#include <cstdint>
#include <optional>

namespace ATTN_API attn {

enum class LossKind : std::uint8_t {
  cross_entropy,         ///< -log softmax(x)_t of the label t, or its mean under probabilities of the classes
  binary_cross_entropy,  ///< max(x, 0) - x t + log(1 + e^-|x|) of a logit x and a probability t
  squared,               ///< (x - t)^2
  huber                  ///< (x - t)^2 / 2, and delta (|x - t| - delta / 2) beyond delta      Huber 1964
};

enum class Reduction : std::uint8_t {
  mean,  ///< of the labels that count, each by the weight of its class, or of the elements
  sum,
  none  ///< a loss for each label or element
};

/// The initialisers are the defaults of the tool loss.
struct LossParameters {
  LossKind kind = LossKind::cross_entropy;
  Reduction reduction = Reduction::mean;
  std::int64_t ignored_label = -100;  ///< labels of this number do not count
  double label_smoothing = 0;         ///< part of a label that is spread over all classes
  double delta = 1;                   ///< of huber
  double total = 0;                   ///< what a mean divides by, if x is a part of a batch; 0: what x has of it
};

struct LossResult {
  TensorView value;     ///< (), or without a reduction the shape of the target; in the computing type of x
  TensorView gradient;  ///< by x, of the loss or of the sum of all losses
};

/// Are the targets probabilities of the classes, and not labels? They have the shape of x.
bool are_probabilities(const TensorView& x, const TensorView& target, LossKind kind);

/// The loss of x and its gradient. Cross-entropy with smoothing e, class weights w and C classes:
///
///     g_c = (1 - e) w_t [c = t] + e w_c / C,   loss = -sum_c g_c log softmax(x)_c,   dx = (sum_c g_c) softmax(x) - g
///
/// and the mean divides the sum of the losses by the sum of w_t. With probabilities t_c in place of a label, such as a
/// one-hot row, g_c = w_c ((1 - e) t_c + e / C), and the mean divides by the number of rows.
///
/// x              (..., C) for cross-entropy, else any shape
/// target         for cross-entropy labels (...) from 0 to C - 1, or probabilities (..., C); else the shape of x
/// class_weights  (C), for cross-entropy only
/// throws         Error(data) naming a tensor that does not fit, a label or a probability that is none, or labels that
///                all are ignored; Error(usage) for parameters out of range or of another kind of loss
LossResult loss(const TensorView& x, const TensorView& target, const std::optional<TensorView>& class_weights = {},
                const LossParameters& parameters = {}, const Execution& execution = {});

}  // namespace attn
