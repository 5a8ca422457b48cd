#include "transformer-run/opened_model.hpp"

#include <attn/transformer/generation_config.hpp>

namespace transformer_run {

namespace {

std::optional<attn::SentenceSettings> sentences_of(const std::string& path) {
  const cli::ModelFolder folder(path);
  return attn::read_sentence_settings([&](const std::string& name) { return folder.read(name); }, folder.path());
}

cli::ModelFolder folder_of(const std::string& path, const std::optional<attn::SentenceSettings>& sentences) {
  const bool is_below = sentences && !sentences->transformer.empty();
  return cli::ModelFolder(is_below ? path + "/" + sentences->transformer : path);
}

bool pools_texts(const std::optional<attn::SentenceSettings>& sentences) {
  return sentences && (sentences->pooling || !sentences->unknown_pooling.empty());
}

/// A folder that sets pooling makes vectors, whatever head its weights have.
attn::ModelDescription described(const attn::Settings& config, const std::string& task, bool pools) {
  if (!task.empty()) return describe_model(config, task);
  attn::ModelDescription model = describe_model(config);
  return pools && model.task != attn::Task::embed ? describe_model(config, "feature-extraction") : model;
}

}  // namespace

OpenedModel::OpenedModel(const std::string& path, const std::string& task)
    : sentences(sentences_of(path)),
      folder(folder_of(path, sentences)),
      source(folder.open_weights()),
      config(folder.require("config.json"), folder.file("config.json")),
      description(described(config, task, pools_texts(sentences))),
      weights(attn::checked_weights(description, *source)) {}

void OpenedModel::read_generation() {
  const std::size_t vocabulary = description.target->vocabulary;
  attn::expect_known_tokens(config, vocabulary, description.source ? description.source->vocabulary : vocabulary);
  if (const auto text = folder.read("generation_config.json")) {
    const attn::JsonNode fields(*text, folder.file("generation_config.json"));
    expect_cache(fields, description);
    read_generation_config(fields, vocabulary, generation, description.tokens);
  } else {
    expect_cache(config, description);
    read_generation_fields(config, vocabulary, generation);
  }
}

bool OpenedModel::makes_vectors() const { return description.task == attn::Task::embed && pools_texts(sentences); }

attn::Model OpenedModel::load(std::optional<attn::DType> dtype) const {
  if (dtype == attn::DType::bf16) return attn::Model(description, *source, *dtype);
  return attn::Model(description, *source, dtype ? attn::compute_dtype(*dtype) : weights.compute_dtype());
}

attn::text::Tokenizer OpenedModel::tokenizer() const {
  return attn::text::load_tokenizer([this](const std::string& name) { return folder.read(name); }, folder.path());
}

}  // namespace transformer_run
