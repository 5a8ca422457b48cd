#include <attn/api/opened_model.hpp>

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

bool pools_texts(const std::optional<SentenceSettings>& sentences) {
  return sentences && (sentences->pooling || !sentences->unknown_pooling.empty());
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

bool OpenedModel::makes_vectors() const { return description.task == Task::embed && pools_texts(sentences); }

TextTaskParameters OpenedModel::text_parameters(std::optional<Pooling> pooling) const {
  TextTaskParameters parameters;
  if (pooling) parameters.pooling = *pooling;
  if (!sentences || description.task != Task::embed) return parameters;
  if (!pooling && !sentences->unknown_pooling.empty())
    throw Error(ErrorKind::data, folder.path(),
                "pools vectors by " + sentences->unknown_pooling + ", which is not supported", "give --pool");
  if (!pooling && sentences->pooling) parameters.pooling = *sentences->pooling;
  parameters.normalize = sentences->normalize;
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

}  // namespace attn
