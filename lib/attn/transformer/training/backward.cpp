#include <attn/core/error.hpp>
#include <attn/layers/relative_positions.hpp>
#include <attn/transformer/inference.hpp>
#include <attn/transformer/stack/head_input.hpp>
#include <attn/transformer/stack/parts.hpp>
#include <attn/transformer/training.hpp>

#include <algorithm>
#include <vector>

namespace attn {

/// A stack forward, with the inputs of its layers, and backwards.
class BackwardPass {
 public:
  BackwardPass(const Model& model, bool is_decoder, const TokenBatch& batch, const std::optional<Memory>& memory,
               const Execution& execution)
      : stack_(is_decoder ? *model.parts_->decoder : *model.parts_->encoder),
        input_(is_decoder ? *model.parts_->target : *model.parts_->source),
        description_(is_decoder ? *model.description_.decoder : *model.description_.encoder),
        compute_(model.compute_),
        batch_(batch),
        execution_(execution) {
    if (description_.two_streams) throw Error(ErrorKind::usage, "gradients", "of two streams are not computed");
    context_.self_masks.padding_mask = batch.padding_mask;
    if (memory) {
      memory_ = memory->states;
      context_.cross_masks.padding_mask = memory->padding_mask;
    }
  }

  TensorView forward() {
    TensorView x = input_(batch_, 0, execution_);
    if (stack_.relative_bias) {
      span_ = {x.shape[1], x.shape[1], 0};
      context_.self_masks.bias =
          bucketed_bias(*stack_.relative_bias, description_.relative_bias->buckets, span_, compute_)
              .view("relative bias");
    }
    for (const Block& block : stack_.blocks) x = block.forward(x, memory_, context_, kept_.emplace_back(), execution_);
    before_norm_ = x;
    return stack_.final_norm ? (*stack_.final_norm)(x, execution_) : x;
  }

  /// The gradient by the memory, if there is one, for dy, that by the output.
  std::optional<TensorView> backward(const TensorView& dy, ParameterGradients& parameters) {
    TensorView d = dy;
    if (stack_.final_norm) {
      const NormGradients of_norm = stack_.final_norm->vjp(before_norm_, d, execution_);
      parameters.add(*stack_.final_norm, of_norm);
      d = of_norm.x;
    }
    std::optional<TensorView> by_memory, by_bias;
    const auto add = [&](std::optional<TensorView>& sum, const std::optional<TensorView>& term) {
      if (term) sum = sum ? add_residual(*sum, *term, execution_) : *term;
    };
    for (std::size_t i = stack_.blocks.size(); i-- > 0;) {
      const Block::Gradients of_block = stack_.blocks[i].vjp(kept_[i], memory_, context_, d, parameters, execution_);
      add(by_memory, of_block.memory);
      add(by_bias, of_block.bias);
      d = of_block.x;
      kept_.pop_back();
    }
    if (by_bias)
      parameters.add(
          *stack_.relative_bias,
          bucketed_bias_vjp(*by_bias, *stack_.relative_bias, description_.relative_bias->buckets, span_).view());
    input_.vjp(batch_, d, parameters, execution_);
    return by_memory;
  }

  static TensorView logits_vjp(const Model& model, const TensorView& seen, const TensorView& dy,
                               ParameterGradients& parameters, const Execution& execution) {
    return model.parts_->head->vjp(seen, dy, parameters, execution);
  }

 private:
  const Stack& stack_;
  const Input& input_;
  const StackDescription& description_;
  DType compute_;
  const TokenBatch& batch_;
  Execution execution_;
  BlockContext context_;
  std::optional<TensorView> memory_;
  RelativeSpan span_;
  std::vector<std::vector<Block::Kept>> kept_;  ///< of the layers
  TensorView before_norm_;
};

TrainingResult backward(const Model& model, const TrainingBatch& batch, const LossParameters& loss_parameters,
                        ParameterGradients& parameters, const Execution& execution) {
  const ModelDescription& description = model.description();
  if (!description.head || description.decoder_reads_source)
    throw Error(ErrorKind::usage, "gradients", "are computed for models whose head reads the tokens of the batch");
  std::optional<BackwardPass> encoder, decoder;
  std::optional<Memory> memory;
  TensorView states;
  if (description.encoder) {
    encoder.emplace(model, false, batch.source, std::nullopt, execution);
    states = encoder->forward();
    memory = Memory{states, batch.source.padding_mask};
  }
  const TokenBatch& read = description.encoder && batch.target ? *batch.target : batch.source;
  if (description.decoder) {
    decoder.emplace(model, true, read, memory, execution);
    states = decoder->forward();
  }
  const TensorView seen = seen_by_head(model, states, read);
  TrainingResult result{model.logits(seen, execution), {}};
  const LossResult found = loss(result.logits, batch.labels, std::nullopt, loss_parameters, execution);
  result.loss = found.value;

  TensorView d = BackwardPass::logits_vjp(model, seen, found.gradient, parameters, execution);
  d = seen_by_head_vjp(model, states, read, d);
  if (decoder) {
    const std::optional<TensorView> by_memory = decoder->backward(d, parameters);
    if (by_memory) d = *by_memory;
  }
  if (encoder) encoder->backward(d, parameters);
  return result;
}

TrainingScore& TrainingScore::operator+=(const TrainingScore& other) noexcept {
  loss += other.loss;
  labels += other.labels;
  right += other.right;
  rows += other.rows;
  right_rows += other.right_rows;
  return *this;
}

TrainingScore score(const Model& model, const TrainingBatch& batch, const Execution& execution) {
  const bool is_decoder_alone = !model.description().encoder;
  const std::optional<TensorView> target = is_decoder_alone ? std::optional(batch.source.ids)
                                           : batch.target   ? std::optional(batch.target->ids)
                                                            : std::nullopt;
  const TensorView logits = *infer(model, batch.source, target, {}, {}, execution).head;
  LossParameters sum;
  sum.reduction = Reduction::sum;
  TrainingScore found;
  found.loss = to_scalar(loss(logits, batch.labels, std::nullopt, sum, execution).value);
  const std::vector<std::int64_t> labels = to_integers(batch.labels);
  found.rows = batch.labels.shape[0];
  const std::size_t classes = logits.shape.back(), labels_of_row = labels.size() / found.rows;
  std::vector<bool> is_right(found.rows, true);
  visit_compute_dtype(logits.dtype, [&](auto element) {
    const auto* const first = logits.contiguous_data<decltype(element)>();
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (labels[i] == sum.ignored_label) continue;
      const auto* const row = first + i * classes;
      ++found.labels;
      if (std::max_element(row, row + classes) - row == labels[i])
        ++found.right;
      else
        is_right[i / labels_of_row] = false;
    }
  });
  found.right_rows = static_cast<std::size_t>(std::count(is_right.begin(), is_right.end(), true));
  return found;
}

}  // namespace attn
