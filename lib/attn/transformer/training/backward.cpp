#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/transformer/inference.hpp>
#include <attn/transformer/stack/head_input.hpp>
#include <attn/transformer/stack/pass.hpp>
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

TrainingResult backward(const Model& model, const TrainingBatch& batch, const LossParameters& loss_parameters,
                        ParameterGradients& parameters, const Execution& execution) {
  const ModelDescription& description = model.description();
  if (!description.head || description.decoder_reads_source)
    throw Error(ErrorKind::usage, "gradients", "are computed for models whose head reads the tokens of the batch");
  const Visited visited = visited_by(description, parameters);
  std::optional<StackRun> encoder, decoder;
  std::optional<Memory> memory;
  TensorView states;
  if (description.encoder) {
    encoder.emplace(StackRun::encoder(model, execution));
    encoder->keep_from(visited.encoder_layer, batch.dropout.below(0));
    states = (*encoder)(batch.source);
    memory = Memory{states, batch.source.padding_mask};
  }
  const TokenBatch& read = description.encoder && batch.target ? *batch.target : batch.source;
  if (description.decoder) {
    decoder.emplace(StackRun::decoder(model, memory, std::nullopt, execution));
    decoder->keep_from(visited.decoder_layer, batch.dropout.below(1));
    states = (*decoder)(read);
  }
  const TensorView seen = seen_by_head(model, states, read);
  TrainingResult result{model.logits(seen, execution), {}};
  const LossResult found = loss(result.logits, batch.labels, std::nullopt, loss_parameters, execution);
  result.loss = found.value;

  TensorView d = model.logits_vjp(seen, found.gradient, parameters, execution);
  d = seen_by_head_vjp(model, states, read, d);
  if (decoder) {
    const std::optional<TensorView> by_memory = decoder->vjp(read, d, visited.inputs, parameters);
    if (by_memory) d = *by_memory;
  }
  if (encoder && visited.encoder) encoder->vjp(batch.source, d, visited.inputs, parameters);
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
