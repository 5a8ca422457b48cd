#include "transformer-train/start.hpp"

#include <attn/core/ascii.hpp>
#include <attn/core/error.hpp>
#include <attn/core/hash.hpp>
#include <attn/core/values.hpp>
#include <attn/io/input.hpp>
#include <attn/json/node.hpp>
#include <attn/transformer/checkpoint.hpp>
#include <attn/transformer/trainer.hpp>

#include <algorithm>
#include <filesystem>

namespace transformer_train {

namespace fs = std::filesystem;
using attn::Error;
using attn::ErrorKind;

namespace {

attn::TensorMap parameters_of(attn::Source& state) {
  const std::string group = "parameters/";
  attn::TensorMap parameters(state.label());
  for (const attn::TensorInfo& tensor : state.tensors())
    if (attn::starts_with(tensor.name, group))
      parameters.add(tensor.name.substr(group.size()), state.read(tensor.name));
  return parameters;
}

/// The options of one training that another one lacks.
std::string difference(const std::vector<std::string>& options, const std::vector<std::string>& others) {
  std::string text;
  for (const std::string& option : options)
    if (std::find(others.begin(), others.end(), option) == others.end()) text += (text.empty() ? "" : " ") + option;
  return text;
}

/// Throws Error(data) for a state of other options.
void expect_options(attn::Source& state, const Options& o) {
  const auto then = attn::elements_of<std::string>(state.read("options")), now = decisive_options(o);
  const std::string lost = difference(then, now), added = difference(now, then);
  if (!lost.empty() || !added.empty())
    throw Error(ErrorKind::data, state.label(),
                "is of a training " + (lost.empty()    ? "without " + added
                                       : added.empty() ? "with " + lost
                                                       : "with " + lost + ", this one has " + added),
                "give the same options");
}

/// What initial_parameters() takes from config.json.
double initial_scale(const attn::Settings& config, const attn::ModelDescription& model) {
  const bool is_t5 = model.model_type == "t5";
  const char* const field = is_t5 ? "initializer_factor" : "initializer_range";
  return config.find(field) ? config.number(field, 0, 10) : is_t5 ? 1 : 0.02;
}

/// Random weights; with --train only for what is trained, beside the weights of the folder.
attn::TensorMap initial_weights(const attn::ModelDescription& model, attn::Source* given, double scale,
                                const Options& o) {
  attn::TensorMap weights = attn::initial_parameters(model, scale, o.seed, trained_parameters(o, model));
  if (given == nullptr) return weights;
  for (const attn::TensorInfo& tensor : given->tensors())
    if (weights.find(tensor.name) == nullptr) weights.add(tensor.name, given->read(tensor.name));
  return weights;
}

}  // namespace

void expect_origins(attn::Source& state, const Origins& origins) {
  for (const auto& [name, hash] : origins)
    if (attn::elements_of<std::string>(state.read("hash/" + name)).front() != hash)
      throw Error(ErrorKind::data, state.label(), "is of a training with another " + name,
                  "give the same, or another -o for a new training");
}

std::string hash_of_weights(attn::Source& weights) {
  attn::Hash hash;
  for (const attn::TensorInfo& tensor : weights.tensors()) {
    hash.add(tensor.name);
    hash.add(weights.read(tensor.name));
  }
  return hash.value().hex();
}

std::string state_file(const std::string& folder) { return folder + "/training.h5"; }

attn::TrainingText Start::texts() {
  attn::Hash files;
  const auto read = [&](const std::string& name) {
    const std::optional<std::string> text = folder.read(name);
    if (text) files.add(*text);
    return text;
  };
  const attn::text::Tokenizer tokenizer = attn::text::load_tokenizer(read, folder.path());
  const bool answers = description.encoder && description.decoder;
  attn::TrainingText texts(description, tokenizer,
                           answers ? attn::text::load_answer_tokenizer(read, folder.path()) : std::nullopt);
  origins.emplace_back("tokenizer", files.value().hex());
  return texts;
}

Start begin(const Options& o) {
  std::error_code none;
  if (!o.gradients && fs::exists(o.output, none) && !fs::is_directory(o.output, none))
    throw Error(ErrorKind::create, o.output, "is a file, not a folder", "give a new folder");
  if (!o.resume && !o.overwrite && fs::exists(o.output, none))
    throw Error(ErrorKind::create, o.output, "exists",
                o.gradients ? "give -f to overwrite it" : "go on with --resume, or give another folder");
  if (o.resume && fs::exists(o.output + "/model.safetensors", none) && !fs::exists(state_file(o.output), none))
    throw Error(ErrorKind::create, o.output, "has weights and no training.h5: it is not a training that can go on",
                "give another folder");
  attn::ModelFolder folder(o.model);
  const std::string text = folder.require("config.json");
  const attn::Settings config(text, folder.file("config.json"));
  attn::Hash hash;
  hash.add(text);
  Start start{std::move(folder),
              attn::describe_model(config),
              nullptr,
              nullptr,
              std::nullopt,
              {},
              {{"config.json", hash.value().hex()}}};
  if (o.resume && fs::exists(state_file(o.output), none)) {
    start.state = attn::io::open_source(state_file(o.output));
    expect_options(*start.state, o);
  }
  std::unique_ptr<attn::Source> given;
  if (!o.init || !o.train.empty()) {
    given = start.folder.open_weights();
    start.origins.emplace_back("--model", hash_of_weights(*given));
  }
  if (start.state != nullptr) {
    expect_origins(*start.state, start.origins);
    start.source = std::make_unique<attn::TensorMap>(parameters_of(*start.state));
  } else if (o.init) {
    start.source = std::make_unique<attn::TensorMap>(
        initial_weights(start.description, given.get(), initial_scale(config, start.description), o));
  } else {
    start.source = std::move(given);
  }
  start.weights = attn::checked_weights(start.description, *start.source);
  start.compute = start.weights->compute_dtype();
  return start;
}

}  // namespace transformer_train
