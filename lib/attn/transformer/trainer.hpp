#pragma once
// The parameters of a model that learns, and the steps of its optimiser.

#include <attn/core/source_sink.hpp>
#include <attn/layers/optimizer.hpp>
#include <attn/transformer/gradient_tree.hpp>
#include <attn/transformer/training.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ATTN_API attn {

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
/// deviations of transformers for T5, whose gains are `scale` too, else normal with the standard deviation `scale`.
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
