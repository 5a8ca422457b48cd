#include <attn/core/ascii.hpp>
#include <attn/core/error.hpp>
#include <attn/layers/relative_positions.hpp>
#include <attn/transformer/inference.hpp>
#include <attn/transformer/stack/head_input.hpp>
#include <attn/transformer/stack/parts.hpp>
#include <attn/transformer/training.hpp>

#include <algorithm>
#include <vector>

namespace attn {
namespace {

/// What the pass backwards visits: what is above the lowest parameter that learns.
struct Visited {
  bool inputs = false, encoder = false;
  std::size_t encoder_layer = 0, decoder_layer = 0;  ///< the lowest ones
};

/// By the names of the parameters; one of an unknown place is taken for one of the input.
Visited visited_by(const ModelDescription& model, const ParameterGradients& parameters) {
  const auto is_below = [](const std::string& name, const std::string& prefix) {
    return !prefix.empty() && starts_with(name, prefix + ".");
  };
  const auto layers = [](const std::optional<StackDescription>& stack) { return stack ? stack->layers : 0; };
  const auto layer_of = [&](const std::string& name, const std::optional<StackDescription>& stack) {
    std::size_t i = 0;
    while (i < layers(stack) && !is_below(name, stack->tensor_of(i))) ++i;
    return i;
  };
  const auto is_of_norm = [&](const std::string& name, const std::optional<StackDescription>& stack) {
    return stack && is_below(name, stack->final_norm);
  };
  const auto is_of_input = [&](const std::string& name) {
    return (model.source && is_below(name, model.source->tensor)) ||
           (model.target && is_below(name, model.target->tensor));
  };
  const auto is_of_head = [&](const std::string& name) {
    const HeadDescription& head = *model.head;
    return is_below(name, head.dense) || is_below(name, head.norm) || name == head.projection_bias ||
           (name == head.projection && !is_of_input(name));  // a table may be tied to that of the input
  };
  Visited visited{false, false, layers(model.encoder), layers(model.decoder)};
  for (const std::string& name : parameters.names()) {
    if (is_of_head(name) || is_of_norm(name, model.decoder)) continue;
    const std::size_t in_encoder = layer_of(name, model.encoder), in_decoder = layer_of(name, model.decoder);
    visited.encoder_layer = std::min(visited.encoder_layer, in_encoder);
    visited.decoder_layer = std::min(visited.decoder_layer, in_decoder);
    if (in_encoder < layers(model.encoder) || is_of_norm(name, model.encoder))
      visited.encoder = true;
    else if (in_decoder == layers(model.decoder))
      visited.inputs = visited.encoder = true;
  }
  if (visited.inputs) visited.encoder_layer = 0;
  if (visited.encoder) visited.decoder_layer = 0;  // all layers of the decoder read what the encoder makes
  return visited;
}

}  // namespace

/// A stack forward, with the inputs of its layers, and backwards.
class BackwardPass {
 public:
  BackwardPass(const Model& model, bool is_decoder, const TokenBatch& batch, const std::optional<Memory>& memory,
               const Visited& visited, const Execution& execution)
      : stack_(is_decoder ? *model.parts_->decoder : *model.parts_->encoder),
        input_(is_decoder ? *model.parts_->target : *model.parts_->source),
        description_(is_decoder ? *model.description_.decoder : *model.description_.encoder),
        compute_(model.compute_),
        batch_(batch),
        first_layer_(is_decoder ? visited.decoder_layer : visited.encoder_layer),
        visits_input_(visited.inputs),
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
    for (std::size_t i = 0; i < stack_.blocks.size(); ++i) {
      std::vector<Block::Kept> kept;
      x = stack_.blocks[i].forward(x, memory_, context_, kept, execution_);
      kept_.push_back(i < first_layer_ ? std::vector<Block::Kept>() : std::move(kept));
    }
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
    for (std::size_t i = stack_.blocks.size(); i-- > first_layer_;) {
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
    if (visits_input_) input_.vjp(batch_, d, parameters, execution_);
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
  std::size_t first_layer_;  ///< of the pass backwards
  bool visits_input_;
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
  const Visited visited = visited_by(description, parameters);
  std::optional<BackwardPass> encoder, decoder;
  std::optional<Memory> memory;
  TensorView states;
  if (description.encoder) {
    encoder.emplace(model, false, batch.source, std::nullopt, visited, execution);
    states = encoder->forward();
    memory = Memory{states, batch.source.padding_mask};
  }
  const TokenBatch& read = description.encoder && batch.target ? *batch.target : batch.source;
  if (description.decoder) {
    decoder.emplace(model, true, read, memory, visited, execution);
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
  if (encoder && visited.encoder) encoder->backward(d, parameters);
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
