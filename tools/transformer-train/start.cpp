#include "transformer-train/start.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/hash.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/input.hpp>
#include <attn/json/node.hpp>
#include <attn/transformer/checkpoint.hpp>
#include <attn/transformer/training.hpp>

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

const std::string hash_of = "the hash of ";

/// Adds an option as on the command line.
void add(const std::string& name, const std::string& value, std::string& options) {
  if (value != "no" && value != "none")
    options += (options.empty() ? "" : " ") + name + (value == "yes" ? "" : ' ' + value);
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

void settle_hash(const std::string& of, const std::string& hash, cli::Session& session) {
  session.settle(hash_of + of, hash);
}

void expect_same_run(attn::Source& state, const cli::RunRecord& now, cli::Report& report) {
  std::vector<std::string> texts;
  if (state.find("record") != nullptr) texts = attn::elements_of<std::string>(state.read("record"));
  if (texts.size() != 3)
    throw Error(ErrorKind::data, state.label(), "is of an earlier version", "give another -o for a new training");
  const cli::RunRecord then{texts[0], texts[1], cli::entries_of(texts[2])};
  std::string lost, added;
  for (const auto& [name, value] : now.entries) {
    const std::string* const before = then.find(name);
    if (before != nullptr && *before == value) continue;
    if (!attn::starts_with(name, hash_of)) {
      if (before != nullptr) add(name, *before, lost);
      add(name, value, added);
    } else if (before != nullptr && lost.empty() && added.empty()) {
      throw Error(ErrorKind::data, state.label(), "is of a training with another " + name.substr(hash_of.size()),
                  "give the same, or another -o for a new training");
    }
  }
  for (const auto& [name, value] : then.entries)
    if (now.find(name) == nullptr && !attn::starts_with(name, hash_of)) add(name, value, lost);
  if (!lost.empty() || !added.empty())
    throw Error(ErrorKind::data, state.label(),
                "is of a training " + (lost.empty()    ? "without " + added
                                       : added.empty() ? "with " + lost
                                                       : "with " + lost + ", this one has " + added),
                "give the same options");
  if (then.version != now.version || then.instruction_set != now.instruction_set)
    report.note(state.label() + ": was computed by version " + then.version + " with " + then.instruction_set +
                ": the bits are those of no single run");
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

attn::TrainingText Start::texts(cli::Session& session) const {
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
  settle_hash("tokenizer", files.value().hex(), session);
  return texts;
}

Start begin(const Options& o, cli::Session& session) {
  std::error_code none;
  if (!o.gradients && fs::exists(o.output, none) && !fs::is_directory(o.output, none))
    throw Error(ErrorKind::create, o.output, "is a file, not a folder", "give a new folder");
  if (!o.resume && !(o.overwrite && o.gradients) && fs::exists(o.output, none))
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
  settle_hash("config.json", hash.value().hex(), session);
  Start start{std::move(folder), attn::describe_model(config), nullptr, nullptr, std::nullopt, {}};
  if (o.resume && fs::exists(state_file(o.output), none)) start.state = attn::io::open_source(state_file(o.output));
  std::unique_ptr<attn::Source> given;
  if (!o.init || !o.train.empty()) {
    given = start.folder.open_weights();
    settle_hash("--model", hash_of_weights(*given), session);
  }
  if (start.state != nullptr) {
    expect_same_run(*start.state, session.record(), session.report);
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
