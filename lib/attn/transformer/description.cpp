#include <attn/transformer/description.hpp>

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/transformer/families/family.hpp>
#include <attn/transformer/model_parts.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace attn {
namespace {

struct TaskName {
  const char* name;
  Task task;
  std::vector<const char*> architectures;  ///< how their names end
};

const std::vector<TaskName>& tasks() {
  static const std::vector<TaskName> all{
      {"feature-extraction", Task::embed, {"Model"}},
      {"fill-mask", Task::fill_mask, {"ForMaskedLM", "LMHeadModel"}},
      {"text-classification", Task::classify, {"ForSequenceClassification"}},
      {"multiple-choice", Task::choose, {"ForMultipleChoice"}},
      {"next-sentence-prediction", Task::classify, {"ForNextSentencePrediction"}},
      {"token-classification", Task::label_tokens, {"ForTokenClassification"}},
      {"question-answering", Task::answer, {"ForQuestionAnsweringSimple", "ForQuestionAnswering"}},
      {"text-generation", Task::generate, {"ForCausalLM", "LMHeadModel"}},
      {"text2text-generation", Task::generate, {"ForConditionalGeneration"}},
      {"image-feature-extraction", Task::embed, {"VisionModel"}},
      {"image-classification", Task::classify, {"ForImageClassification"}},
      {"video-classification", Task::classify, {"ForVideoClassification"}},
      {"perplexity", Task::score_tokens, {"ForCausalLM", "LMHeadModel"}},
      {"log-probabilities", Task::score_tokens, {"ForCausalLM", "LMHeadModel"}},
  };
  return all;
}

/// max_position_embeddings of a Llama whose config.json has none.
constexpr double usual_positions = 2048;

/// The lengths in config.json to which positions are stretched.
struct Lengths {
  double most;                     ///< max_position_embeddings
  std::optional<double> original;  ///< original_max_position_embeddings, next to the object or inside
};

/// How many coordinates of a head are turned: partial_rotary_factor of them, the first ones.
void read_turned_part(const Settings& fields, std::size_t head_width, bool turns_whole, RotaryEncoding& rotary) {
  const char* const field = "partial_rotary_factor";
  if (!fields.has(field)) return;
  rotary.width = static_cast<std::size_t>(static_cast<double>(head_width) * fields.number(field, 0, 1));
  if (!turns_whole && (rotary.width == 0 || rotary.width % 2 != 0))
    throw fields.error(field,
                       "a part that is an even number of the " + std::to_string(head_width) + " coordinates of a head");
}

std::vector<double> factors_of(const Settings& fields, const std::string& name, std::size_t pairs) {
  std::vector<double> factors = fields.numbers(name);
  const bool all_positive = std::all_of(factors.begin(), factors.end(), [](double f) { return f > 0; });
  if (factors.size() != pairs || !all_positive)
    throw fields.error(name, std::to_string(pairs) + " positive numbers, one for each pair that is turned");
  return factors;
}

RotaryScaling yarn_of(const Settings& fields, double factor, double original) {
  RotaryScaling s;
  s.factor = factor;
  s.original_length = original;
  s.fast = fields.number("beta_fast", 1e-9, 1e9, 32);
  s.slow = fields.number("beta_slow", 1e-9, 1e9, 1);
  s.truncate = fields.flag("truncate", true);
  const double mscale = fields.number("mscale", 0, 1e6, 0), all = fields.number("mscale_all_dim", 0, 1e6, 0);
  const bool both = mscale != 0 && all != 0;
  s.attention_factor =
      fields.number("attention_factor", 0, 1e6,
                    both ? yarn_magnitude(factor, mscale) / yarn_magnitude(factor, all) : yarn_magnitude(factor));
  return s;
}

RotaryScaling longrope_of(const Settings& fields, double factor, double original, std::size_t pairs) {
  RotaryScaling s;
  s.kind = RotaryScalingKind::longrope;
  s.factor = factor;
  s.original_length = original;
  s.short_factors = factors_of(fields, "short_factor", pairs);
  s.long_factors = factors_of(fields, "long_factor", pairs);
  s.attention_factor =
      fields.number("attention_factor", 0, 1e6, factor <= 1 ? 1 : std::sqrt(1 + std::log(factor) / std::log(original)));
  return s;
}

RotaryScaling llama3_of(const Settings& fields, double original) {
  RotaryScaling s;
  s.kind = RotaryScalingKind::llama3;
  s.factor = fields.number("factor", 1, 1e6);
  s.original_length = original;
  s.slow = fields.number("low_freq_factor", 1e-9, 1e9);
  s.fast = fields.number("high_freq_factor", 1e-9, 1e9);
  if (s.fast <= s.slow) throw fields.error("high_freq_factor", "more than low_freq_factor");
  return s;
}

/// The kind of scaling that an object names.
void read_scaling(const Settings& fields, const Lengths& lengths, std::size_t head_width, bool turns_whole,
                  RotaryEncoding& rotary) {
  read_turned_part(fields, head_width, turns_whole, rotary);
  rotary.base = fields.number("rope_theta", 1, 1e12, rotary.base);
  const std::string type = fields.text("rope_type", fields.text("type", "default"));
  const double inside = fields.number("original_max_position_embeddings", 2, 1e12, lengths.most);
  const double original = lengths.original.value_or(inside);
  if (type == "linear") {
    rotary.scaling = fields.number("factor", 1, 1e6);
  } else if (type == "dynamic") {
    RotaryScaling s;
    s.kind = RotaryScalingKind::dynamic;
    s.factor = fields.number("factor", 1, 1e6);
    s.original_length = lengths.most;
    rotary.stretching = s;
  } else if (type == "yarn") {
    rotary.stretching = yarn_of(fields, fields.number("factor", 1, 1e6, lengths.most / original), original);
  } else if (type == "longrope") {
    rotary.stretching =
        longrope_of(fields, fields.number("factor", 1e-6, 1e6, lengths.most / original), original, rotary.width / 2);
  } else if (type == "llama3") {
    rotary.stretching = llama3_of(fields, original);
  } else if (type != "default") {
    throw fields.error(fields.has("rope_type") ? "rope_type" : "type",
                       "default, linear, dynamic, yarn, llama3 or longrope");
  }
  fields.skip({"rope_type", "type"});
  fields.expect_nothing_else();
}

/// What rope_parameters and the older rope_scaling say of some layers: each is one object, or has one for each kind of
/// layers. theta: the field of the base outside of them. of_all: does one object speak of these layers too?
RotaryEncoding rotary_of_layers(const Settings& config, std::size_t head_width, const std::string& theta,
                                const char* layers, bool turns_whole, std::initializer_list<const char*> of_all) {
  RotaryEncoding rotary;
  rotary.width = head_width;
  read_turned_part(config, head_width, turns_whole, rotary);
  Lengths lengths{config.number("max_position_embeddings", 1, 1e12, usual_positions), std::nullopt};
  if (config.has("original_max_position_embeddings"))
    lengths.original = config.number("original_max_position_embeddings", 2, 1e12);
  rotary.base = config.number(theta, 1, 1e12, rotary.base);
  for (const std::string field : {"rope_parameters", "rope_scaling"}) {
    if (!config.has(field)) continue;
    const Settings all = config.object(field);
    const bool has_kinds = all.has("full_attention") || all.has("sliding_attention");
    if (has_kinds && all.has(layers))
      read_scaling(all.object(layers), lengths, head_width, turns_whole, rotary);
    else if (!has_kinds && std::find(of_all.begin(), of_all.end(), field) != of_all.end())
      read_scaling(all, lengths, head_width, turns_whole, rotary);
  }
  config.skip({"rope_parameters", "rope_scaling"});
  return rotary;
}

/// Throws for a part of heads where positions are scaled, and otherwise ignores it.
RotaryEncoding turning_whole_heads(const Settings& config, std::size_t head_width, RotaryEncoding rotary) {
  if (rotary.width != head_width && (rotary.scaling != 1 || rotary.stretching))
    throw Error(ErrorKind::data, config.subject(),
                "has partial_rotary_factor beside scaled positions, and a model of this type turns whole heads",
                "remove it if whole heads are meant");
  rotary.width = head_width;
  return rotary;
}

}  // namespace

double scale_of_layer(std::optional<double> scale, std::size_t head_width, std::size_t layer) {
  return scale.value_or(1 / std::sqrt(static_cast<double>(head_width))) / static_cast<double>(layer + 1);
}

BlockDescription StackDescription::block_of(std::size_t layer) const {
  BlockDescription own = own_blocks.empty() ? block : own_blocks.at(layer);
  std::optional<double>& scale = own.self_attention.pooling.scale;
  if (scale_by_layer) scale = scale_of_layer(scale, own.head_width, layer);
  return own;
}

std::string StackDescription::tensor_of(std::size_t layer) const {
  const bool is_named = !own_blocks.empty() && !own_blocks.at(layer).tensor.empty();
  return is_named ? own_blocks[layer].tensor : tensor + "." + std::to_string(layer);
}

ModelDescription describe_model(const Settings& config) {
  const Family& family = family_of(config);
  config.assume(family.defaults);
  ModelDescription model = family.describe(config);
  model.model_type = family.model_type;
  for (const char* field : {"attn_logit_softcapping", "final_logit_softcapping"})
    if (config.has(field))
      throw config.error(field, "nothing",
                         "caps of scores and logits are not supported; if it is removed, the numbers differ");
  config.expect_nothing_else();
  return model;
}

std::vector<std::string> task_names() {
  std::vector<std::string> names;
  for (const TaskName& task : tasks()) names.emplace_back(task.name);
  return names;
}

std::string task_name(const ModelDescription& model) {
  const auto* const pictures = model.source && model.source->pictures ? &*model.source->pictures : nullptr;
  const std::string medium = pictures == nullptr ? "text" : pictures->frames > 0 ? "video" : "image";
  std::string first;
  for (const TaskName& task : tasks()) {
    if (task.task != model.task) continue;
    const std::string name = task.name;
    if (starts_with(name, medium) && (name == "text2text-generation") == (model.decoder && model.encoder)) return name;
    if (first.empty()) first = name;
  }
  return first;
}

namespace {

/// The model with the head of the class with that end of its name if it has the task; else nothing, and in `fix` what
/// it has.
std::optional<ModelDescription> described_for(const TaskName& task, const char* ending, const Settings& config,
                                              std::string& fix) {
  try {
    ModelDescription model =
        describe_model(config.with("architectures", {family_of(config).classes + std::string(ending)}));
    const bool continues = model.task == Task::generate && !model.encoder;  // a decoder that reads the text itself
    if (continues && task.task == Task::score_tokens && model.is_causal()) model.task = Task::score_tokens;
    const bool sees = model.source && model.source->pictures;
    if (model.task == task.task && (sees || std::string(task.name) != "image-feature-extraction")) return model;
    if (continues && task.task == Task::score_tokens) fix = "its tokens see those that follow them";
  } catch (const Error& error) {
    if (!starts_with(error.detail(), "architectures ")) throw;
    fix = "architectures can be: " + error.detail().substr(error.detail().find("expected ") + 9);
  }
  return std::nullopt;
}

/// Heads that a description can have and transformers has not.
constexpr std::string_view not_in_transformers[] = {"RobertaForNextSentencePrediction",
                                                    "XLMRobertaForNextSentencePrediction",
                                                    "CamembertForNextSentencePrediction",
                                                    "MPNetForNextSentencePrediction",
                                                    "ElectraForNextSentencePrediction",
                                                    "AlbertForNextSentencePrediction",
                                                    "Data2VecTextForNextSentencePrediction",
                                                    "Gemma3ForTokenClassification",
                                                    "Gemma3ForQuestionAnswering",
                                                    "BartForMaskedLM",
                                                    "MarianForMaskedLM",
                                                    "MarianForSequenceClassification",
                                                    "MarianForQuestionAnswering"};

bool sees(const std::optional<ModelDescription>& model) { return model && model->source && model->source->pictures; }

}  // namespace

ModelDescription describe_model(const Settings& config, const std::string& word) {
  const std::string name = word == "ner"                  ? "token-classification"
                           : word == "sentiment-analysis" ? "text-classification"
                                                          : word;  // what pipelines are called, too
  std::vector<std::string> known;
  for (const TaskName& task : tasks()) {
    known.emplace_back(task.name);
    if (name != task.name) continue;
    std::string fix;
    for (const char* architecture : task.architectures)
      if (const auto model = described_for(task, architecture, config, fix)) return *model;
    throw Error(ErrorKind::usage, "--task",
                "a model of type " + std::string(family_of(config).model_type) + " has no head for " + name, fix);
  }
  throw Error(ErrorKind::usage, "--task", "'" + name + "' is not known", "there are: " + listed_near(name, known));
}

std::vector<FamilyTask> family_tasks() {
  std::vector<FamilyTask> all;
  for (const Family& family : all_families()) {
    const std::string type = family.model_type, classes = family.classes;
    const Settings config(family.required, "the family " + type);
    config.assume("{\"model_type\": \"" + type + "\"}");
    std::string none;
    for (const TaskName& task : tasks()) {
      const bool generates = task.task == Task::generate || task.task == Task::score_tokens;
      for (const char* ending : task.architectures) {
        const std::optional<ModelDescription> model = described_for(task, ending, config, none);
        // The model of a vision family is listed as such, and CLIP's has a class of its own beside that of texts.
        if (!model || (sees(model) && std::string(task.name) == "feature-extraction")) continue;
        const bool answers = model->encoder && model->decoder;
        if (generates && answers != (std::string(task.name) == "text2text-generation")) continue;
        const bool is_plain = std::string(ending) == "VisionModel" && sees(described_for(task, "Model", config, none));
        const std::string name = classes + (generates  ? answers ? family.answers : family.continues
                                            : is_plain ? "Model"
                                                       : ending);
        const bool is_known = std::find(std::begin(not_in_transformers), std::end(not_in_transformers), name) ==
                              std::end(not_in_transformers);
        if (is_known) all.push_back({type, task.name, classes.empty() ? "" : name});
        if (generates) break;
      }
    }
  }
  return all;
}

std::vector<TensorInfo> tensor_table(const ModelDescription& model) {
  std::vector<TensorInfo> tensors;
  std::set<std::string> names;  // a module has the tensors of those inside, and tied ones are named twice
  for (const ModelPart& part : parts_of(model))
    for (const TensorInfo& tensor : part.tensors)
      if (names.insert(tensor.name).second) tensors.push_back(tensor);
  return tensors;
}

RotaryEncoding rotary_of(const Settings& config, std::size_t head_width) {
  return rotary_of_layers(config, head_width, "rope_theta", "full_attention", false,
                          {"rope_parameters", "rope_scaling"});
}

RotaryEncoding whole_rotary_of(const Settings& config, std::size_t head_width, const std::string& theta) {
  return turning_whole_heads(
      config, head_width,
      rotary_of_layers(config, head_width, theta, "full_attention", true, {"rope_parameters", "rope_scaling"}));
}

RotaryEncoding local_rotary_of(const Settings& config, std::size_t head_width, const std::string& theta,
                               bool scales_too) {
  RotaryEncoding rotary =
      rotary_of_layers(config, head_width, theta, "sliding_attention", true, {scales_too ? "rope_scaling" : ""});
  if (rotary.stretching && follows_length(*rotary.stretching))
    throw config.error("rope_parameters", "default, linear, yarn or llama3 as rope_type of sliding_attention");
  return turning_whole_heads(config, head_width, std::move(rotary));
}

ScoreScaling score_scaling_of(const Settings& config) {
  ScoreScaling scaling;
  if (!config.flag("scale_attn_weights", true)) scaling.scale = 1;
  scaling.by_layer = config.flag("scale_attn_by_inverse_layer_idx", false);
  return scaling;
}

}  // namespace attn
