#pragma once
// The loss of a model on a batch, and its gradients by the parameters.

#include <attn/layers/loss.hpp>
#include <attn/transformer/batch.hpp>
#include <attn/transformer/model.hpp>
#include <attn/transformer/parameter_gradients.hpp>

#include <optional>

namespace ATTN_API attn {

/// What a model learns from: the input of its encoder or of its only stack, that of the decoder behind an encoder, and
/// the targets of the logits.
struct TrainingBatch {
  TokenBatch source;
  std::optional<TokenBatch> target = std::nullopt;
  TensorView labels;  ///< (B, L), or (B) for a head that reads one token
};

struct TrainingResult {
  TensorView logits, loss;
};

/// The loss of the logits; adds its gradients by the parameters. Models with a head on tokens or pictures, of all
/// families but XLNet and TimeSformer.
///
/// The pass backwards walks the description of the model from the end. It keeps the input of each layer and computes
/// the rest of forward again. Throws Error(usage) for other models, Error(data) for batches that do not fit.
TrainingResult backward(const Model& model, const TrainingBatch& batch, const LossParameters& loss,
                        ParameterGradients& parameters, const Execution& execution = {});

}  // namespace attn
