#pragma once
// The loss of a model on a batch, and its gradients by the parameters.

#include <attn/core/source_sink.hpp>
#include <attn/layers/loss.hpp>
#include <attn/layers/optimizer.hpp>
#include <attn/transformer/dropout.hpp>
#include <attn/transformer/model.hpp>
#include <attn/transformer/parameter_gradients.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

/// The class with the largest logit for each label of a batch, in order.
std::vector<std::int64_t> predicted_labels(const Model& model, const TrainingBatch& batch,
                                           const Execution& execution = {});

// The parameters of a model that learns, and the steps of its optimiser.

enum class ScheduleKind : std::uint8_t {
  constant,     ///< 1
  linear,       ///< (steps - s) / (steps - warmup)
  cosine,       ///< (1 + cos(pi (s - warmup) / (steps - warmup))) / 2     Loshchilov and Hutter 2017
  inverse_sqrt  ///< sqrt(warmup / s)                                       Vaswani et al. 2017, section 5.3
};

/// The factor of the learning rate in step s, from 0 on: (s + 1) / warmup before step `warmup`, then by kind.
struct LearningSchedule {
  ScheduleKind kind = ScheduleKind::constant;
  std::size_t warmup = 0;
  std::size_t steps = 0;  ///< of the whole training

  double factor(std::size_t step) const;
};

struct TrainerParameters {
  OptimizerParameters optimizer;  ///< with the learning rate after the warm-up
  LearningSchedule schedule;
  LossParameters loss;
  Dropout dropout;                   ///< of another key in each update
  std::optional<double> clip_norm;   ///< largest norm of all gradients together; longer ones are scaled down
  std::vector<std::string> trained;  ///< names of the parameters that learn; empty: all
};

/// The names of the parameters that can learn: those of tensor_table() but BART's final_logits_bias, a constant.
std::vector<std::string> trainable_parameters(const ModelDescription& description);

/// Parameters drawn at random, by the names of the description: offsets 0, gains 1, and all others as their family
/// begins: uniform in +-sqrt(6 / (in + out)) for "transformer" (Glorot and Bengio 2010), normal with `scale` times the
/// deviations of transformers for T5, whose gains are `scale` too, else normal with the standard deviation `scale`; for
/// ModernBERT cut at two deviations, and smaller for the outputs of its sublayers, as transformers begins it.
/// names: those to draw; empty: all. A parameter is the same alone and among others.
TensorMap initial_parameters(const ModelDescription& description, double scale, std::uint64_t seed,
                             const std::vector<std::string>& names = {});

/// A model, its parameters, and what the optimiser remembers of those that learn. The others keep their bits.
class Trainer {
 public:
  /// weights: those of the description, copied as `compute`, f32 or f64.
  Trainer(const ModelDescription& description, const Weights& weights, const TrainerParameters& parameters,
          DType compute);

  const Model& model() const noexcept { return *model_; }  ///< with the parameters of this moment
  std::size_t steps() const noexcept { return steps_; }
  const TensorMap& parameters() const noexcept { return source_; }

  struct Step {
    double loss, gradient_norm, learning_rate;
  };
  /// One step: loss, gradients, clipping, optimiser. Throws Error(data) if the loss or a gradient is not finite, with
  /// the parameters as they were.
  Step operator()(const TrainingBatch& batch, const Execution& execution = {});

  /// What some leaves of a batch give.
  struct LeafGradients {
    std::vector<double> losses;       ///< of each leaf; the loss of the batch is their sum, in order
    std::vector<GradientNode> nodes;  ///< the largest inside the leaves
  };
  /// The gradients of the mean loss of a whole batch over some of its leaves of leaf_lines lines, as the next step
  /// would compute them; reports the progress by leaves. Jobs can compute the leaves apart: append() and root_of() give
  /// the gradients of that step.
  LeafGradients differentiate(const TrainingBatch& batch, const LeafRange& leaves = all_leaves,
                              const Execution& execution = {});

  /// What the optimiser remembers, as the state of the tool optimize: step, m/NAME, v/NAME.
  void write_state(Sink& sink) const;
  /// Throws Error(input) for a missing tensor, Error(data) for another shape.
  void read_state(Source& source);

 private:
  struct Parameter {
    std::string name;
    Tensor value;
    std::vector<Tensor> state;
    bool learns;
  };

  ModelDescription description_;
  TrainerParameters settings_;
  DType compute_;
  std::vector<Parameter> parameters_;
  TensorMap source_;  ///< views of the parameters
  std::optional<Model> model_;
  std::size_t steps_ = 0;
};

}  // namespace attn
