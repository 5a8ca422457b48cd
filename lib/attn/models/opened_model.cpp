#include <attn/models/opened_model.hpp>

#include <attn/core/api.hpp>
#include <attn/transformer/generation_config.hpp>

namespace ATTN_API attn {

namespace {

std::optional<SentenceSettings> sentences_of(const std::string& path) {
  const ModelFolder folder(path);
  return read_sentence_settings([&](const std::string& name) { return folder.read(name); }, folder.path());
}

ModelFolder folder_of(const std::string& path, const std::optional<SentenceSettings>& sentences) {
  const bool is_below = sentences && !sentences->transformer.empty();
  return ModelFolder(is_below ? path + "/" + sentences->transformer : path);
}

bool pools_texts(const std::optional<SentenceSettings>& sentences) { return sentences && !sentences->poolings.empty(); }

VectorStep step_of(const SentenceModule& module, const std::string& folder, DType compute) {
  if (module.path.empty()) return {};
  const std::unique_ptr<Source> source = ModelFolder(folder + "/" + module.path).open_weights();
  const Weights weights(*source);
  if (!module.bias && weights.has("linear.bias"))
    throw Error(ErrorKind::data, weights.subject() + ": linear.bias",
                "has no place in the map that config.json describes");
  if (module.bias) weights.get("linear.bias", {module.outputs}, "out_features of config.json");
  return {Linear::load(weights.scoped("linear"), module.outputs, module.inputs, compute), module.activation};
}

/// A folder that says how vectors are pooled is for vectors, whatever head its weights have.
ModelDescription described(const Settings& config, const std::string& task, bool pools) {
  if (!task.empty()) return describe_model(config, task);
  ModelDescription model = describe_model(config);
  return pools && model.task != Task::embed ? describe_model(config, "feature-extraction") : model;
}

}  // namespace

OpenedModel::OpenedModel(const std::string& path, const std::string& task)
    : sentences(sentences_of(path)),
      folder(folder_of(path, sentences)),
      source(folder.open_weights()),
      config(folder.require("config.json"), folder.file("config.json")),
      description(described(config, task, pools_texts(sentences))),
      weights(checked_weights(description, *source)) {}

void OpenedModel::read_generation() {
  const std::size_t vocabulary = description.target->vocabulary;
  expect_known_tokens(config, vocabulary, description.source ? description.source->vocabulary : vocabulary);
  if (const auto text = folder.read("generation_config.json")) {
    const JsonNode fields(*text, folder.file("generation_config.json"));
    expect_cache(fields, description);
    read_generation_config(fields, vocabulary, generation, description.tokens);
  } else {
    expect_cache(config, description);
    read_generation_fields(config, vocabulary, generation);
  }
}

bool OpenedModel::makes_vectors() const {
  const bool by_head = description.head && description.head->is_vector;
  return description.task == Task::embed && (by_head || pools_texts(sentences));
}

TextTaskParameters OpenedModel::text_parameters(DType compute, std::optional<Pooling> pooling,
                                                const std::string& prompt) const {
  TextTaskParameters parameters;
  TextVectorParameters& vectors = parameters.vectors;
  if (pooling) vectors.poolings = {*pooling};
  if (description.head && description.head->has_length_1) vectors.steps.emplace_back();
  if (!pools_texts(sentences) || description.task != Task::embed) {
    if (!prompt.empty())
      throw Error(ErrorKind::usage, "--prompt",
                  "is not read: " + folder.path() + " does not set how texts become vectors",
                  "a folder of sentence-transformers does");
    return parameters;
  }
  if (!pooling) vectors.poolings = sentences->poolings;
  for (const SentenceModule& module : sentences->modules)
    vectors.steps.push_back(step_of(module, sentences->folder, compute));
  vectors.prompt = prompt_of(*sentences, prompt);
  vectors.pools_prompt = sentences->pools_prompt;
  vectors.is_lower_case = sentences->is_lower_case;
  parameters.max_length = sentences->max_length;
  return parameters;
}

Model OpenedModel::load(std::optional<DType> dtype) const {
  if (dtype == DType::bf16) return Model(description, *source, *dtype);
  return Model(description, *source, dtype ? compute_dtype(*dtype) : weights.compute_dtype());
}

text::Tokenizer OpenedModel::tokenizer() const {
  return text::load_tokenizer([this](const std::string& name) { return folder.read(name); }, folder.path());
}

text::ChatTemplate OpenedModel::chat_template() const {
  return text::load_chat_template([this](const std::string& name) { return folder.read(name); }, folder.path());
}

}  // namespace attn
