#include <attn/transformer/trainer.hpp>

#include <attn/core/characters.hpp>
#include <attn/core/constants.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/transformer/decoding/sampling.hpp>
#include <attn/transformer/training/leaves.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attn {
namespace {

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
      const double deviation = is_t5 ? scale * deviation_of_t5(description, info) : scale;
      std::generate_n(first, values.size(), [&] {
        const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
        return static_cast<float>(deviation * radius * std::cos(2 * pi * random.uniform()));
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
