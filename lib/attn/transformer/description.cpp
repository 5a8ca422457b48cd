#include <attn/core/characters.hpp>
#include <attn/transformer/description.hpp>

#include <attn/core/error.hpp>
#include <attn/transformer/families/family.hpp>
#include <attn/transformer/model_parts.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace attn {
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
  config.expect_nothing_else();
  return model;
}

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

}  // namespace

std::vector<std::string> task_names() {
  std::vector<std::string> names;
  for (const TaskName& task : tasks()) names.emplace_back(task.name);
  return names;
}

ModelDescription describe_model(const Settings& config, const std::string& word) {
  const std::string name = word == "ner"                  ? "token-classification"
                           : word == "sentiment-analysis" ? "text-classification"
                                                          : word;  // what pipelines are called, too
  std::string known;
  for (const TaskName& task : tasks()) {
    known += (known.empty() ? "" : ", ") + std::string(task.name);
    if (name != task.name) continue;
    std::string fix;
    for (const char* architecture : task.architectures) {
      try {
        ModelDescription model = describe_model(config.with("architectures", {architecture}));
        const bool continues = model.task == Task::generate && !model.encoder;  // a decoder that reads the text itself
        if (continues && task.task == Task::score_tokens && model.is_causal()) model.task = Task::score_tokens;
        const bool sees = model.source && model.source->pictures;
        if (model.task == task.task && (sees || name != "image-feature-extraction")) return model;
        if (continues && task.task == Task::score_tokens) fix = "its tokens see those that follow them";
      } catch (const Error& error) {
        if (!starts_with(error.detail(), "architectures ")) throw;
        fix = "architectures can be: " + error.detail().substr(error.detail().find("expected ") + 9);
      }
    }
    throw Error(ErrorKind::usage, "--task",
                "a model of type " + std::string(family_of(config).model_type) + " has no head for " + name, fix);
  }
  throw Error(ErrorKind::usage, "--task", "'" + name + "' is not known", "there are: " + known);
}

std::vector<TensorInfo> tensor_table(const ModelDescription& model) {
  std::vector<TensorInfo> tensors;
  std::set<std::string> names;  // a module has the tensors of those inside, and tied ones are named twice
  for (const ModelPart& part : parts_of(model))
    for (const TensorInfo& tensor : part.tensors)
      if (names.insert(tensor.name).second) tensors.push_back(tensor);
  return tensors;
}

}  // namespace attn
