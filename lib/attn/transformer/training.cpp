#include <attn/transformer/training.hpp>

#include <attn/core/characters.hpp>
#include <attn/core/constants.hpp>
#include <attn/core/error.hpp>
#include <attn/core/shape.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/transformer/decoding/sampling.hpp>
#include <attn/transformer/inference.hpp>
#include <attn/transformer/parameter_gradients.hpp>
#include <attn/transformer/stack/head.hpp>
#include <attn/transformer/stack/pass.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
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

// A batch in leaves of a few lines, whose gradients are computed apart and added in a tree: lines of other lengths are
// no padding then, and what a leaf keeps of forward stays in the caches.

/// x[first:last, :length], contiguous.
TensorView part_of(const TensorView& x, std::size_t first, std::size_t last, std::size_t length) {
  Slab slab{{static_cast<std::int64_t>(first), static_cast<std::int64_t>(last)}};
  if (x.rank() == 2) slab.push_back({0, static_cast<std::int64_t>(length)});
  return contiguous(slice(x, slab));
}

/// The length of the longest of these rows (B, L), which end with the last number that is not `none`; at least 1.
std::size_t longest_row(const TensorView& rows, std::int64_t none) {
  const std::vector<std::int64_t> all = to_integers(rows);
  std::size_t longest = 1;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] != none) longest = std::max(longest, i % rows.shape[1] + 1);
  return longest;
}

/// The lines of a batch, leaf_lines by leaf_lines, each leaf cut to its longest line.
std::vector<TrainingBatch> leaves_of(const TrainingBatch& batch, std::int64_t ignored_label) {
  const std::size_t lines = batch.source.ids.shape.at(0);
  std::vector<TrainingBatch> leaves;
  for (std::size_t first = 0; first < lines; first += leaf_lines) {
    const std::size_t last = std::min(first + leaf_lines, lines);
    const auto part = [&](const TensorView& x, std::size_t length) { return part_of(x, first, last, length); };
    const auto whole = [&](const TensorView& x) { return part(x, x.shape.back()); };
    TrainingBatch& leaf = leaves.emplace_back();
    std::size_t length = batch.source.ids.shape.back();
    if (batch.source.padding_mask) {
      const TensorView mask = whole(*batch.source.padding_mask);
      length = longest_row(mask, 0);
      leaf.source.padding_mask = part(*batch.source.padding_mask, length);
    }
    leaf.source.ids = part(batch.source.ids, length);
    if (batch.source.types) leaf.source.types = part(*batch.source.types, length);
    if (batch.target) {  // the decoder does not look ahead
      length = longest_row(whole(batch.labels), ignored_label);
      leaf.target = TokenBatch{part(batch.target->ids, length)};
    }
    leaf.labels = part(batch.labels, length);
    leaf.dropout = batch.dropout;
    leaf.dropout.first_line += first;
  }
  return leaves;
}

Tensor own_copy(const TensorView& x, DType compute) {
  const TensorView from = cast(x, compute);
  Tensor to(compute, x.shape);
  std::copy_n(static_cast<const char*>(from.data), from.bytes(), static_cast<char*>(to.data()));
  return to;
}

/// As transformers begins a T5, whose scores have no scale: 1 / sqrt(inputs), and 1 for tables and heads.
double deviation_of_t5(const ModelDescription& model, const TensorInfo& info) {
  const auto ends = [&](const char* end) { return ends_with(info.name, end); };
  const double width = static_cast<double>(model.width), inputs = static_cast<double>(info.shape[1]);
  if (info.name == "shared.weight" || info.name == "lm_head.weight" || info.name == "classifier.weight") return 1;
  if (ends("relative_attention_bias.weight")) return 1 / std::sqrt(width);
  if (ends(".q.weight")) return 1 / std::sqrt(inputs * static_cast<double>(model.encoder->block.head_width));
  return 1 / std::sqrt(inputs);
}

/// As transformers begins a ModernBERT.
double deviation_of_modernbert(const ModelDescription& model, const TensorInfo& info, double scale) {
  if (info.name == "classifier.weight") return 1 / std::sqrt(static_cast<double>(model.width));
  const bool is_output =
      ends_with(info.name, ".Wo.weight") || info.name == "head.dense.weight" || info.name == "decoder.weight";
  return is_output ? scale / std::sqrt(2 * static_cast<double>(model.encoder->layers)) : scale;
}

std::string largest_gradient(const std::map<std::string, TensorView>& gradients) {
  std::string name;
  double largest = -1;
  for (const auto& [parameter, gradient] : gradients)
    if (const double norm = norm_of({gradient}); !(norm <= largest)) {
      largest = norm;
      name = parameter;
    }
  return name + " has the largest gradient, of norm " + std::to_string(largest);
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

namespace {

TensorView logits_of(const Model& model, const TrainingBatch& batch, const Execution& execution) {
  const bool is_decoder_alone = !model.description().encoder;
  const std::optional<TensorView> target = is_decoder_alone ? std::optional(batch.source.ids)
                                           : batch.target   ? std::optional(batch.target->ids)
                                                            : std::nullopt;
  return *infer(model, batch.source, target, {}, {}, execution).head;
}

/// The class with the largest of the logits of each row.
std::vector<std::int64_t> best_classes(const TensorView& logits) {
  const std::size_t classes = logits.shape.back();
  std::vector<std::int64_t> best(logits.size() / classes);
  visit_compute_dtype(logits.dtype, [&](auto element) {
    const auto* row = logits.contiguous_data<decltype(element)>();
    for (std::int64_t& each : best) {
      each = std::max_element(row, row + classes) - row;
      row += classes;
    }
  });
  return best;
}

}  // namespace

std::vector<std::int64_t> predicted_labels(const Model& model, const TrainingBatch& batch, const Execution& execution) {
  return best_classes(logits_of(model, batch, execution));
}

TrainingScore score(const Model& model, const TrainingBatch& batch, const Execution& execution) {
  const TensorView logits = logits_of(model, batch, execution);
  LossParameters sum;
  sum.reduction = Reduction::sum;
  TrainingScore found;
  found.loss = to_scalar(loss(logits, batch.labels, std::nullopt, sum, execution).value);
  const std::vector<std::int64_t> labels = to_integers(batch.labels);
  found.rows = batch.labels.shape[0];
  const std::vector<std::int64_t> best = best_classes(logits);
  const std::size_t labels_of_row = labels.size() / found.rows;
  std::vector<bool> is_right(found.rows, true);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == sum.ignored_label) continue;
    ++found.labels;
    if (best[i] == labels[i])
      ++found.right;
    else
      is_right[i / labels_of_row] = false;
  }
  found.right_rows = static_cast<std::size_t>(std::count(is_right.begin(), is_right.end(), true));
  return found;
}

double LearningSchedule::factor(std::size_t step) const {
  const auto s = static_cast<double>(step), w = static_cast<double>(warmup), all = static_cast<double>(steps);
  if (step < warmup) return (s + 1) / w;
  switch (kind) {
    case ScheduleKind::linear: return (all - s) / (all - w);
    case ScheduleKind::cosine: return (1 + std::cos(pi * (s - w) / (all - w))) / 2;
    case ScheduleKind::inverse_sqrt: return std::sqrt(std::max(w, 1.0) / std::max(s, 1.0));
    case ScheduleKind::constant: break;
  }
  return 1;
}

std::vector<std::string> trainable_parameters(const ModelDescription& description) {
  std::vector<std::string> names;
  for (const TensorInfo& info : tensor_table(description))
    if (info.name != "final_logits_bias") names.push_back(info.name);
  return names;
}

TensorMap initial_parameters(const ModelDescription& description, double scale, std::uint64_t seed,
                             const std::vector<std::string>& names) {
  const bool is_t5 = description.model_type == "t5";
  const bool adds_one = (description.decoder ? description.decoder : description.encoder)->block.norm.adds_one;
  TensorMap all("initial parameters");
  std::uint64_t stream = 0;
  for (const TensorInfo& info : tensor_table(description)) {
    RandomNumbers random(seed, stream++);
    if (!names.empty() && std::find(names.begin(), names.end(), info.name) == names.end()) continue;
    Tensor values = Tensor::zeros(DType::f32, info.shape);
    auto* const first = values.data_as<float>();
    if (info.shape.size() == 1) {
      if (!adds_one && !ends_with(info.name, "bias"))
        std::fill_n(first, values.size(), is_t5 ? static_cast<float>(scale) : 1.0F);
    } else if (description.model_type == "transformer") {
      const double bound = std::sqrt(6 / static_cast<double>(info.shape[0] + info.shape[1]));
      std::generate_n(first, values.size(), [&] { return static_cast<float>(bound * (2 * random.uniform() - 1)); });
    } else {  // Box and Muller 1958
      const bool is_modernbert = description.model_type == "modernbert";
      const double deviation = is_t5           ? scale * deviation_of_t5(description, info)
                               : is_modernbert ? deviation_of_modernbert(description, info, scale)
                                               : scale;
      const double most = is_modernbert ? 2 : std::numeric_limits<double>::infinity();
      std::generate_n(first, values.size(), [&] {
        double normal = 0;
        do {
          const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
          normal = radius * std::cos(2 * pi * random.uniform());
        } while (std::abs(normal) > most);
        return static_cast<float>(deviation * normal);
      });
    }
    all.add(info.name, values.view());
  }
  return all;
}

Trainer::Trainer(const ModelDescription& description, const Weights& weights, const TrainerParameters& parameters,
                 DType compute)
    : description_(description), settings_(parameters), compute_(compute), source_("parameters") {
  expect_in_range(parameters.optimizer);
  std::vector<std::string>& trained = settings_.trained;
  if (trained.empty()) trained = trainable_parameters(description);
  for (const TensorInfo& info : tensor_table(description)) {
    Parameter& p = parameters_.emplace_back();
    p.name = info.name;
    p.value = own_copy(weights.get(info.name), compute);
    p.learns = std::find(trained.begin(), trained.end(), info.name) != trained.end();
    if (p.learns)
      for (std::size_t i = 0; i < state_names(settings_.optimizer).size(); ++i)
        p.state.push_back(Tensor::zeros(compute, p.value.shape()));
    source_.add(p.name, p.value.view());
  }
  model_.emplace(description_, source_, compute_);
}

Trainer::LeafGradients Trainer::differentiate(const TrainingBatch& given, const LeafRange& range,
                                              const Execution& reporting) {
  const Execution execution = reporting.without_progress();
  TrainingBatch batch = given;
  batch.dropout = settings_.dropout.below(steps_);
  LossParameters parameters = settings_.loss;
  const std::vector<std::int64_t> labels = to_integers(batch.labels);
  parameters.total = static_cast<double>(labels.size()) -
                     static_cast<double>(std::count(labels.begin(), labels.end(), parameters.ignored_label));
  const std::vector<TrainingBatch> leaves = leaves_of(batch, parameters.ignored_label);
  // Each thread computes a leaf, unless its gradients take much memory.
  constexpr std::size_t most_bytes = std::size_t{64} << 20;
  std::size_t bytes = 0;
  for (const TensorInfo& info : source_.tensors()) bytes += element_count(info.shape) * element_size(compute_);
  const std::size_t threads = execution.threads(), at_once = bytes * threads <= most_bytes ? threads : 1;

  LeafGradients all;
  const std::size_t end = std::min(range.last, leaves.size());
  for (std::size_t first = range.first; first < end; first += at_once) {
    std::vector<ParameterGradients> gradients;
    const std::size_t count = std::min(at_once, end - first);
    for (std::size_t i = 0; i < count; ++i) gradients.emplace_back(source_, compute_, settings_.trained);
    std::vector<double> losses(count);
    execution.parallel(count, [&](std::size_t i, std::size_t) {
      losses[i] = to_scalar(backward(*model_, leaves[first + i], parameters, gradients[i], execution).loss);
    });
    for (std::size_t i = 0; i < count; ++i) {
      all.losses.push_back(losses[i]);
      append(all.nodes, {{0, first + i}, std::move(gradients[i])}, execution);
    }
    if (reporting.progress) reporting.progress(all.losses.size(), end - range.first);
  }
  return all;
}

Trainer::Step Trainer::operator()(const TrainingBatch& batch, const Execution& execution) {
  LeafGradients leaves = differentiate(batch, all_leaves, execution.without_progress());
  const ParameterGradients gradients = root_of(std::move(leaves.nodes), execution);
  const std::map<std::string, TensorView> by_name = gradients.tensors();
  std::vector<TensorView> all;  // in the order of optimize(1), for the bits of its norm
  for (const auto& [name, gradient] : by_name) all.push_back(gradient);

  Step done{std::accumulate(leaves.losses.begin(), leaves.losses.end(), 0.0), norm_of(all, execution), 0};
  if (!std::isfinite(done.loss) || !std::isfinite(done.gradient_norm))
    throw Error(ErrorKind::data, "update " + std::to_string(steps_ + 1),
                "has the loss " + std::to_string(done.loss) + ", and " + largest_gradient(by_name),
                "a lower --lr, a longer --warmup or --clip-norm may help");
  const double factor = settings_.clip_norm ? std::min(1.0, *settings_.clip_norm / (done.gradient_norm + 1e-6)) : 1;
  OptimizerParameters optimizer = settings_.optimizer;
  optimizer.learning_rate *= settings_.schedule.factor(steps_);
  done.learning_rate = optimizer.learning_rate;
  ++steps_;
  for (Parameter& p : parameters_)
    if (p.learns) optimize(p.value, p.state, by_name.at(p.name), optimizer, steps_, factor, execution);
  model_.emplace(description_, source_, compute_);  // weights are prepared anew
  return done;
}

void Trainer::write_state(Sink& sink) const {
  sink.add("step", scalar_of(static_cast<std::int64_t>(steps_)));
  const auto names = state_names(settings_.optimizer);
  for (const Parameter& p : parameters_)
    for (std::size_t i = 0; i < p.state.size(); ++i) sink.add(names[i] + ("/" + p.name), p.state[i].view());
}

void Trainer::read_state(Source& source) {
  steps_ = static_cast<std::size_t>(to_integers(source.read("step")).at(0));
  const auto names = state_names(settings_.optimizer);
  for (Parameter& p : parameters_)
    for (std::size_t i = 0; i < p.state.size(); ++i) {
      const TensorView known = source.read(names[i] + ("/" + p.name));
      if (known.shape != p.value.shape())
        throw shape_error(known.name, known.shape, to_string(p.value.shape()) + " = the shape of the parameter");
      p.state[i] = own_copy(known, compute_);
    }
}

}  // namespace attn
