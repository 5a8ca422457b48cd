#include "cli/options/layer.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/io/sparse_matrix.hpp>
#include <attn/models/model_folder.hpp>
#include <attn/transformer/description.hpp>

#include <algorithm>
#include <filesystem>
#include <set>

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

/// The module of a tensor; empty: the one that the prefix names.
std::string module_of(const std::string& tensor) { return tensor.substr(0, tensor.rfind('.') + 1); }

/// Tensors that attention or a network does not read by itself, below a prefix of its own: GPT-2's causal masks, T5's
/// table of biases, which is read later, and the norm behind the sum with the input, which is a stage of its own.
bool is_beside(const std::string& tensor, bool is_gpt2) {
  if (tensor == "bias" || tensor == "masked_bias") return is_gpt2;
  std::string module = module_of(tensor);
  if (attn::starts_with(module, "output.")) module.erase(0, std::string("output.").size());
  return module == "LayerNorm." || module == "layer_norm." || tensor == "relative_attention_bias.weight";
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
  const bool is_group =
      !group.prefix.empty() && !weights.names().empty() && !attn::io::sparse_matrix(*group.source, group.prefix);
  const bool is_called_otherwise = group.source->tensors().size() > 1 && weights.other_name(name) != nullptr;
  if (is_group || (is_called_otherwise && !group.source->is_table())) return weights.get(name);  // says what there is
  return inputs.read(operand);
}

std::optional<attn::TensorView> read_weight(const OptionalInput& operand, Inputs& inputs) {
  if (!operand.given()) return std::nullopt;
  const attn::io::Operand& parsed = inputs.parse(operand.text);
  if (!parsed.literal && !is_part(parsed, operand)) {
    const Inputs::Group group = inputs.open(operand);
    const attn::Weights module(*group.source, group.prefix);
    if (module.has("weight") && module.has("bias") && !module.has(""))
      throw Error(ErrorKind::data, module.subject(), "bias is not read, and lies beside weight",
                  "to leave it out, give " + parsed.source + ":/" + module.info("weight")->name);
  }
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

void write_layer(const Output& output, ResultWriter& results, const attn::TensorView& x, std::vector<Result> all) {
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

ModelConfig::ModelConfig(const Input& weights) : weights_(weights) {
  const attn::io::Operand operand = attn::io::parse_operand(weights.text.empty() ? "-" : weights.text);
  prefix_ = operand.dataset;
  std::replace(prefix_.begin(), prefix_.end(), '/', '.');
  if (const std::string tensor = ".weight"; attn::ends_with(prefix_, tensor))
    prefix_.resize(prefix_.size() - tensor.size());
  if (operand.literal || operand.is_standard_stream()) return;
  const std::filesystem::path folder = std::filesystem::path(operand.source).parent_path();
  folder_ = folder.empty() ? "." : folder.string();
}

const attn::JsonNode* ModelConfig::settings() const {
  if (folder_ && !is_read_) {
    const attn::ModelFolder model(*folder_);
    if (const auto text = model.read("config.json")) settings_.emplace(*text, model.file("config.json"));
  }
  is_read_ = true;
  return settings_ ? &*settings_ : nullptr;
}

const attn::ModelParts* ModelConfig::models() const {
  if (models_) return &*models_;
  try {
    if (settings() == nullptr || !attn::has_family(*settings())) return nullptr;
  } catch (const Error&) {
    return nullptr;  // no JSON: who asks for a field says so
  }
  models_.emplace(*settings());
  return &*models_;
}

std::optional<attn::TensorView> ModelConfig::read(const std::string& tensor, Inputs& inputs) const {
  const Inputs::Group group = inputs.open(weights_);
  const attn::Weights all(*group.source);
  const std::string stored = models_->stored_name(tensor, all.names());
  if (stored.empty()) return std::nullopt;
  return inputs.read(*group.source, all.info(stored)->name);
}

void ModelConfig::expect_all_read(const attn::ModelPart* part, Extent extent, Inputs& inputs,
                                  const std::string& replaced) const {
  const attn::io::Operand& operand = inputs.parse(weights_.text.empty() ? "-" : weights_.text);
  if (operand.literal || !operand.slab.empty() || !weights_.slab.empty()) return;
  const Inputs::Group group = inputs.open(weights_);
  const attn::Weights below(*group.source, group.prefix);
  if (below.has("")) return;  // one tensor, by its name
  const auto refuse = [&](const std::string& tensor, const std::string& why, const std::string& fix) {
    throw Error(ErrorKind::data, below.subject(), tensor + " " + why, fix);
  };
  const std::vector<std::string> names = below.names();
  std::set<std::string> modules;
  for (const std::string& name : names)
    if (inputs.was_read(*below.info(name))) modules.insert(module_of(name));
  for (const attn::TensorInfo& tensor : part == nullptr ? std::vector<attn::TensorInfo>{} : part->tensors) {
    const std::string name = tensor.name.substr(std::min(part->name.size() + 1, tensor.name.size()));
    if (!below.has(name) && name != replaced)
      refuse(name, "is missing, which config.json asks for", "do config.json and the weights belong together?");
  }
  // A network may lie beside the attention of a layer, below the prefix of the layer.
  const bool is_layer = extent == Extent::network &&
                        std::any_of(names.begin(), names.end(),
                                    [](const std::string& name) { return name.find("att") != std::string::npos; });
  const bool has_all = !prefix_.empty() && !is_layer;
  for (const std::string& name : names) {
    const std::string module = module_of(name);
    const bool lies_beside = std::any_of(modules.begin(), modules.end(), [&](const std::string& read) {
      return !read.empty() && attn::starts_with(module, read);
    });
    if (!(lies_beside || has_all) || name == replaced) continue;
    const bool was_read = inputs.was_read(*below.info(name));
    if (part == nullptr ? was_read : models_->has_place(*part, part->name + "." + name)) continue;
    if (part != nullptr) refuse(name, "has no place in the model that config.json describes", "");
    if (lies_beside || extent == Extent::all || !is_beside(name, modules.count("c_attn.") > 0))
      refuse(name, "is not read, and lies beside tensors that are", "leave it out of the file if it changes nothing");
  }
}

std::string ModelConfig::model_type() const {
  try {
    if (settings() == nullptr || !settings()->has("model_type")) return {};
  } catch (const Error&) {
    return {};
  }
  return settings()->text("model_type");
}

bool ModelConfig::is_gemma() const {
  const std::string type = models() == nullptr ? model_type() : "";
  is_gemma_ = type == "gemma" || type == "gemma2";
  if (!is_gemma_ && attn::starts_with(type, "gemma"))
    throw Error(ErrorKind::data, settings()->subject(),
                "model_type " + type + " is not known; Gemma's kin may add 1 to gains and scale embeddings",
                "give embed --scale, or copy the gains, with 1 added, to a folder without config.json for addnorm");
  return is_gemma_;
}

void ModelConfig::note_unknown(Report& report) const {
  const std::string type = model_type();
  if (type.empty() || is_gemma_) return;  // what was asked of Gemma is known
  if (models_)
    report.note(weights_.text + ": is no such part of the model of type " + type + " that " + settings()->subject() +
                " describes; what only the whole model defines is not applied");
  else
    report.note(settings()->subject() + ": model_type " + type +
                " is not known; only fields with usual names are read, and what else the model defines is not applied");
}

std::optional<attn::JsonNode> ModelConfig::section(std::initializer_list<const char*> fields) const {
  const attn::JsonNode* const all = settings();
  if (all == nullptr) return std::nullopt;
  const auto has_any = [&](const attn::JsonNode& one) {
    return std::any_of(fields.begin(), fields.end(), [&](const char* field) { return one.has(field); });
  };
  const auto part_of = [&](const char* name) {
    auto part = all->has(name) ? std::optional(all->object(name)) : std::nullopt;
    return part && has_any(*part) ? part : std::nullopt;
  };
  const auto is_called = [&](std::initializer_list<const char*> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](const char* word) { return prefix_.find(word) != std::string::npos; });
  };
  const bool is_vision = is_called({"visi", "visual"}), is_text = !is_vision && is_called({"text", "language"});
  const auto texts = part_of("text_config"), vision = part_of("vision_config");
  if (is_vision && vision) return vision;
  if (is_text && texts) return texts;
  if (has_any(*all)) return *all;
  if (texts && vision)
    throw Error(ErrorKind::data, all->subject(),
                "has " +
                    std::string(*std::find_if(fields.begin(), fields.end(), [&](auto* f) { return texts->has(f); })) +
                    " for texts and another for pictures, and " + weights_.text + " names neither",
                "put text_config or vision_config alone into a config.json beside the weights");
  return texts ? texts : vision;
}

std::optional<std::size_t> ModelConfig::extent(std::initializer_list<const char*> fields) const {
  constexpr std::int64_t largest = std::int64_t{1} << 31;
  const auto known = section(fields);
  for (const char* field : fields)
    if (known && known->has(field)) return static_cast<std::size_t>(known->integer(field, 1, largest));
  return std::nullopt;
}

std::optional<std::size_t> ModelConfig::heads() const {
  const bool in_decoder = prefix_.find("decoder") != std::string::npos;
  return in_decoder
             ? extent({"nhead", "decoder_attention_heads", "num_attention_heads", "num_heads", "n_head", "n_heads"})
             : extent({"nhead", "encoder_attention_heads", "num_attention_heads", "num_heads", "n_head", "n_heads"});
}

std::optional<std::size_t> ModelConfig::key_value_heads() const { return extent({"num_key_value_heads"}); }

std::optional<attn::Activation> ModelConfig::activation() const {
  static constexpr std::initializer_list<const char*> fields = {"activation", "hidden_act", "activation_function",
                                                                "hidden_activation"};
  const auto known = section(fields);
  for (const char* field : fields) {
    if (!known || !known->has(field)) continue;
    try {
      return attn::activation_from_name(known->text(field));
    } catch (const Error&) {
      throw known->error(field, "a known activation", "give --activation");
    }
  }
  return std::nullopt;
}

std::optional<double> ModelConfig::epsilon() const {
  static constexpr std::initializer_list<const char*> fields = {"layer_norm_eps", "layer_norm_epsilon", "rms_norm_eps"};
  const auto known = section(fields);
  for (const char* field : fields)
    if (known && known->has(field)) return known->number(field, 0, 1);
  return std::nullopt;
}

bool ModelConfig::is_rms_norm() const { return section({"rms_norm_eps"}).has_value(); }

std::optional<std::size_t> ModelConfig::relative_max_distance() const {
  return extent({"relative_attention_max_distance"});
}

std::size_t ModelConfig::longest_distance() const {
  constexpr std::int64_t largest = std::int64_t{1} << 31;
  const std::int64_t length = settings() ? settings()->integer("clamp_len", -1, largest, -1) : -1;
  return static_cast<std::size_t>(std::max<std::int64_t>(length, 0));
}

bool ModelConfig::scales_embedding() const {
  return is_gemma() || (models() == nullptr && settings() != nullptr && settings()->flag("scale_embedding", false));
}

std::optional<attn::RotaryEncoding> ModelConfig::rotary(std::size_t head_width) const {
  const auto known = section({"rope_theta", "rope_parameters", "rope_scaling"});
  return known ? std::optional(attn::rotary_of(*known, head_width)) : std::nullopt;
}

attn::RelativeBuckets buckets_of(attn::TensorView& table, const attn::RelativeBiasDescription* family,
                                 std::optional<std::size_t> max_distance, bool is_causal) {
  attn::RelativeBuckets buckets = family == nullptr ? attn::RelativeBuckets{} : family->buckets;
  if (table.rank() != 2 || (family != nullptr && table.shape[0] < buckets.buckets))
    throw attn::shape_error(table.name, table.shape, "(buckets, H)");
  if (family == nullptr) buckets.buckets = table.shape[0];
  table = attn::slice(table, {{0, static_cast<std::int64_t>(buckets.buckets), 1, false}});
  buckets.max_distance = max_distance.value_or(buckets.max_distance);
  if (is_causal) buckets.bidirectional = false;
  return buckets;
}

}  // namespace cli
