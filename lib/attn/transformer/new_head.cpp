#include <attn/transformer/new_head.hpp>

#include <attn/core/error.hpp>
#include <attn/transformer/checkpoint.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace attn {
namespace {

constexpr const char* task_name = "text-classification";

bool is_number_below(const std::string& text, std::size_t limit) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number < limit;
}

/// BertForSequenceClassification.
std::string classifier_of(const std::string& model_type) {
  std::vector<std::string> known;
  for (const FamilyTask& each : family_tasks()) {
    if (each.task != task_name) continue;
    if (each.model_type == model_type) return each.architecture;
    known.push_back(each.model_type);
  }
  throw Error(ErrorKind::usage, "the model", "is of type " + model_type + ", which has no classifier of texts",
              "these have one: " + listed_near(model_type, known));
}

}  // namespace

bool has_labels(const ModelDescription& model, const std::vector<std::string>& labels) {
  if (model.task != Task::classify) return false;
  const std::vector<std::string>& own = model.head->labels;
  return std::all_of(labels.begin(), labels.end(), [&](const std::string& label) {
    return std::find(own.begin(), own.end(), label) != own.end() || is_number_below(label, model.head->outputs);
  });
}

std::string classifier_config(const std::string& config, const std::string& subject,
                              const std::vector<std::string>& labels) {
  const std::string architecture = classifier_of(describe_model(Settings(config, subject)).model_type);
  nlohmann::json document = nlohmann::json::parse(config);
  document["architectures"] = {architecture};
  nlohmann::json names = nlohmann::json::object(), numbers = nlohmann::json::object();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    names[std::to_string(i)] = labels[i];
    numbers[labels[i]] = i;
  }
  document["id2label"] = names;
  document["label2id"] = numbers;
  document["problem_type"] = "single_label_classification";
  for (const char* other : {"num_labels", "sentence_transformers", "sbert_ce_default_activation_function"})
    document.erase(other);
  return document.dump(2) + '\n';
}

std::vector<std::string> parameters_to_begin(const ModelDescription& classifier, Source& source) {
  ModelDescription body = classifier;
  body.head.reset();
  const std::vector<TensorInfo> of_body = tensor_table(body);
  std::vector<std::string> names = missing_tensors(classifier, source);
  const auto is_of_body = [&](const std::string& name) {
    return std::any_of(of_body.begin(), of_body.end(), [&](const TensorInfo& tensor) { return tensor.name == name; });
  };
  names.erase(std::remove_if(names.begin(), names.end(), is_of_body), names.end());
  for (const std::string& name : {classifier.head->projection, classifier.head->projection_bias})
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

}  // namespace attn
