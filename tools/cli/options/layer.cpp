#include "cli/options/layer.hpp"

#include <attn/core/ascii.hpp>
#include <attn/core/error.hpp>
#include <attn/models/model_folder.hpp>
#include <attn/transformer/attention_settings.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace cli {

using attn::Error;
using attn::ErrorKind;

void add_layer_inputs(Command& command, LayerOptions& o, const std::string& what_weights) {
  command.input(o.input, "vectors (..., d)");
  command.input("-w,--weights", o.weights, what_weights);
}

attn::Weights open_weights(const Input& operand, Inputs& inputs) {
  const Inputs::Group group = inputs.open(operand);
  return attn::Weights(*group.source, group.prefix,
                       [&inputs](const attn::TensorView& tensor) { inputs.has_read(tensor); });
}

namespace {

bool is_part(const attn::io::Operand& operand, const Input& input) {
  return !operand.slab.empty() || !input.slab.empty();
}

}  // namespace

attn::TensorView read_weight(const Input& operand, const std::string& name, Inputs& inputs) {
  const attn::io::Operand& parsed = inputs.parse(operand.text);
  if (parsed.literal) return inputs.read(operand);
  Input whole = operand;
  whole.slab.clear();
  if (!parsed.slab.empty()) whole.text = parsed.source + (parsed.dataset.empty() ? "" : ":/" + parsed.dataset);
  const Inputs::Group group = inputs.open(whole);
  const attn::Weights weights(*group.source, group.prefix);
  if (is_part(parsed, operand)) {
    if (weights.has(name) && !weights.has("") && !parsed.dataset.empty())
      throw Error(ErrorKind::usage, whole.text, "is a group, but a slab is a part of a tensor",
                  "name it, as in " + parsed.source + ":/" + weights.info(name)->name);
    return inputs.read(operand);
  }
  for (const std::string& below : {name, std::string()})
    if (const attn::TensorInfo* info = weights.info(below)) return inputs.read(whole, info->name);
  return inputs.read(operand);
}

std::optional<attn::TensorView> read_weight(const OptionalInput& operand, Inputs& inputs) {
  if (!operand.given()) return std::nullopt;
  return read_weight(operand, "weight", inputs);
}

attn::DType WeightAndBias::compute_dtype(const attn::TensorView& x) const {
  const attn::DType two = attn::wider(attn::compute_dtype(x.dtype), attn::compute_dtype(weight.dtype));
  return bias ? attn::wider(two, attn::compute_dtype(bias->dtype)) : two;
}

WeightAndBias read_weight_and_bias(const Input& weight, const OptionalInput& bias, Inputs& inputs) {
  WeightAndBias both{read_weight(weight, "weight", inputs), inputs.read(bias)};
  const attn::io::Operand& operand = inputs.parse(weight.text);
  if (both.bias || operand.literal || is_part(operand, weight)) return both;
  const Inputs::Group group = inputs.open(weight);
  const attn::Weights weights(*group.source, group.prefix);
  if (const attn::TensorInfo* info = weights.info("bias")) both.bias = inputs.read(weight, info->name);
  return both;
}

attn::DType compute_dtype(const attn::TensorView& x, const attn::Weights& weights) {
  return attn::wider(attn::compute_dtype(x.dtype), weights.compute_dtype());
}

void write_layer(const Output& output, Results& results, const attn::TensorView& x, std::vector<Result> all) {
  for (Result& result : all)
    if (!result.producer && attn::is_floating(x.dtype) && attn::is_floating(result.tensor.dtype) &&
        result.tensor.dtype != x.dtype)
      result.tensor = attn::cast(result.tensor, x.dtype);
  results.write(output, all);
}

void add_gradients(std::vector<Gradient>& all, const attn::Linear& map, const attn::LinearGradients& gradients) {
  all.push_back(by_parameter(map.weight(), "weight", gradients.weight));
  if (gradients.bias) all.push_back(by_parameter(*map.bias(), "bias", *gradients.bias));
}

ModelConfig::ModelConfig(const Input& weights) : operand_(weights.text) {
  const attn::io::Operand operand = attn::io::parse_operand(weights.text.empty() ? "-" : weights.text);
  if (operand.literal || operand.is_standard_stream()) return;
  const std::filesystem::path folder = std::filesystem::path(operand.source).parent_path();
  folder_ = folder.empty() ? "." : folder.string();
  prefix_ = operand.dataset;
}

const attn::JsonNode* ModelConfig::settings() const {
  if (folder_ && !is_read_) {
    const attn::ModelFolder model(*folder_);
    if (const auto text = model.read("config.json")) settings_.emplace(*text, model.file("config.json"));
  }
  is_read_ = true;
  return settings_ ? &*settings_ : nullptr;
}

std::optional<std::size_t> ModelConfig::extent(std::initializer_list<const char*> fields) const {
  constexpr std::int64_t largest = std::int64_t{1} << 31;
  for (const char* field : fields)
    if (settings() && settings()->has(field)) return static_cast<std::size_t>(settings()->integer(field, 1, largest));
  return std::nullopt;
}

std::optional<std::size_t> ModelConfig::width() const { return extent({"d_model", "hidden_size", "n_embd"}); }

std::optional<std::size_t> ModelConfig::heads() const {
  const bool in_decoder = prefix_.find("decoder") != std::string::npos;
  return in_decoder ? extent({"nhead", "decoder_attention_heads", "num_attention_heads", "num_heads", "n_head"})
                    : extent({"nhead", "encoder_attention_heads", "num_attention_heads", "num_heads", "n_head"});
}

std::optional<std::size_t> ModelConfig::key_value_heads() const { return extent({"num_key_value_heads"}); }

std::optional<attn::Activation> ModelConfig::activation() const {
  for (const char* field :
       {"activation", "hidden_act", "activation_function", "ff_activation", "feed_forward_proj", "dense_act_fn"}) {
    if (!settings() || !settings()->has(field)) continue;
    std::string name = settings()->text(field);
    // T5's "gated-gelu" is the tanh form; the names of the weights show the gate.
    if (name == "gated-gelu") name = "gelu-tanh";
    if (attn::starts_with(name, "gated-")) name.erase(0, 6);
    try {
      return attn::activation_from_name(name);
    } catch (const Error&) {
      throw settings()->error(field, "a known activation", "give --activation");
    }
  }
  return std::nullopt;
}

std::optional<double> ModelConfig::epsilon() const {
  for (const char* field : {"layer_norm_eps", "layer_norm_epsilon", "rms_norm_eps"})
    if (settings() && settings()->has(field)) return settings()->number(field, 0, 1);
  return std::nullopt;
}

std::string ModelConfig::model_type() const { return settings() ? settings()->text("model_type", "") : ""; }

bool ModelConfig::is_t5() const { return model_type() == "t5" || model_type() == "mt5"; }

std::optional<bool> ModelConfig::is_rms_norm() const {
  if (model_type().empty()) return std::nullopt;
  return is_t5() || model_type() == "llama" || has_any({"rms_norm_eps"});
}

std::optional<std::size_t> ModelConfig::relative_max_distance() const {
  return extent({"relative_attention_max_distance"});
}

std::size_t ModelConfig::longest_distance() const {
  constexpr std::int64_t largest = std::int64_t{1} << 31;
  const std::int64_t length = settings() ? settings()->integer("clamp_len", -1, largest, -1) : -1;
  return static_cast<std::size_t>(std::max<std::int64_t>(length, 0));
}

namespace {

/// The number of the layer that contains the prefix: 3 for "transformer.h.3.attn".
std::optional<std::size_t> layer_number(const std::string& prefix) {
  std::optional<std::size_t> number;
  for (std::size_t first = 0; first <= prefix.size();) {
    const std::size_t end = std::min(prefix.find_first_of("./", first), prefix.size());
    std::size_t value = 0;
    const auto [rest, failed] = std::from_chars(prefix.data() + first, prefix.data() + end, value);
    if (failed == std::errc() && rest == prefix.data() + end) number = value;
    first = end + 1;
  }
  return number;
}

}  // namespace

std::optional<double> ModelConfig::score_scale(std::size_t head_width) const {
  if (!settings()) return std::nullopt;
  if (is_t5()) return 1.0;
  const attn::ScoreScaling scaling = attn::score_scaling_of(*settings());
  if (!scaling.by_layer) return scaling.scale;
  const auto layer = layer_number(prefix_);
  if (!layer)
    throw Error(ErrorKind::data, operand_,
                "has no layer number, by which config.json scales scores (scale_attn_by_inverse_layer_idx)",
                "name the layer, or give --scale");
  return attn::scale_of_layer(scaling.scale, head_width, *layer);
}

std::optional<bool> ModelConfig::scales_embedding() const {
  if (!settings() || !settings()->has("scale_embedding")) return std::nullopt;
  return settings()->flag("scale_embedding");
}

bool ModelConfig::has_any(std::initializer_list<const char*> fields) const {
  return settings() && std::any_of(fields.begin(), fields.end(), [&](const char* f) { return settings()->has(f); });
}

std::optional<attn::RotaryEncoding> ModelConfig::rotary(std::size_t head_width) const {
  if (model_type() != "llama" && !has_any({"rope_theta", "rope_parameters", "rope_scaling"})) return std::nullopt;
  return attn::rotary_of(*settings(), head_width);
}

}  // namespace cli
