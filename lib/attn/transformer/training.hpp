#pragma once
// The loss of a model on a batch, and its gradients by the parameters.

#include <attn/layers/loss.hpp>
#include <attn/transformer/batch.hpp>
#include <attn/transformer/dropout.hpp>
#include <attn/transformer/model.hpp>
#include <attn/transformer/parameter_gradients.hpp>

#include <optional>

namespace ATTN_API attn {

/// What a model learns from: the input of its encoder or of its only stack, that of the decoder behind an encoder, the
/// targets of the logits, and which hidden states are dropped.
struct TrainingBatch {
  TokenBatch source;
  std::optional<TokenBatch> target = std::nullopt;
  TensorView labels;  ///< (B, L), or (B) for a head that reads one token
  Dropout dropout = {};
};

struct TrainingResult {
  TensorView logits, loss;
};

/// The loss of the logits; adds its gradients by the parameters. Models with a head on tokens or pictures, of all
/// families but XLNet and TimeSformer.
///
/// Dropout acts on the embeddings, with positions and norm, and on what each sublayer adds to its input (Vaswani et al.
/// 2017, section 5.4).
///
/// The pass backwards walks the description of the model from the end, with what each layer has kept of forward. Throws
/// Error(usage) for other models, Error(data) for batches that do not fit.
TrainingResult backward(const Model& model, const TrainingBatch& batch, const LossParameters& loss,
                        ParameterGradients& parameters, const Execution& execution = {});

/// How good the predictions for some labels are.
struct TrainingScore {
  double loss = 0;                       ///< sum of the cross-entropies
  std::size_t labels = 0, right = 0;     ///< right: the label has the largest logit
  std::size_t rows = 0, right_rows = 0;  ///< right_rows: with all labels right, so greedy search gives the answer

  TrainingScore& operator+=(const TrainingScore& other) noexcept;
};

/// The score of a model on a batch.
TrainingScore score(const Model& model, const TrainingBatch& batch, const Execution& execution = {});

}  // namespace attn
