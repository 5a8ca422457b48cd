#include "transformer-train/options.hpp"

#include "cli/numbers.hpp"
#include "cli/selection.hpp"
#include "cli/standard_text.hpp"
#include "transformer-train/examples.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/hash.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/input.hpp>
#include <attn/io/operand.hpp>
#include <attn/json/node.hpp>
#include <attn/transformer/checkpoint.hpp>
#include <attn/transformer/new_head.hpp>
#include <attn/transformer/training.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace transformer_train {
namespace fs = std::filesystem;

namespace {

using attn::Error;
using attn::ErrorKind;
using attn::ScheduleKind;

/// The number and the unit, e or u, of --after.
std::pair<std::size_t, char> parse_after(const std::string& word) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
  if (error != std::errc() || count == 0 || end + 1 != word.data() + word.size() || (*end != 'e' && *end != 'u'))
    throw Error(ErrorKind::usage, "--after", "'" + word + "' is not a number of epochs or updates, at least 1",
                "such as 20e or 5000u");
  return {count, *end};
}

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

/// Random weights, of these parameters or of all, beside the weights of the folder.
attn::TensorMap initial_weights(const attn::ModelDescription& model, attn::Source* given, double scale,
                                const std::vector<std::string>& names, std::size_t seed) {
  attn::TensorMap weights = attn::initial_parameters(model, scale, seed, names);
  if (given == nullptr) return weights;
  for (const attn::TensorInfo& tensor : given->tensors())
    if (weights.find(tensor.name) == nullptr) weights.add(tensor.name, given->read(tensor.name));
  return weights;
}

/// Are the last words of a table labels of whole texts? Other models learn answers, or the labels of words, of which
/// ELECTRA's discriminator has a single one.
bool has_classes(const attn::ModelDescription& model, const TextTable& table) {
  const bool answers = model.encoder && model.decoder;
  const bool labels_words = model.task == attn::Task::label_tokens && model.head->outputs > 1;
  return table.columns() > 1 && (model.task == attn::Task::classify || (!labels_words && !answers));
}

/// A model with another head needs one for labels, and so does a classifier that has none of them. Where it has some of
/// them, the others are errors.
bool needs_head(const attn::ModelDescription& model, const std::vector<std::string>& labels) {
  if (model.task != attn::Task::classify) return true;
  return !attn::has_labels(model, labels) && std::none_of(labels.begin(), labels.end(), [&](const auto& label) {
    const std::vector<std::string>& own = model.head->labels;
    return std::find(own.begin(), own.end(), label) != own.end();
  });
}

}  // namespace

std::optional<double> held_out_share(const Options& o) {
  std::error_code none;
  if (o.valid.empty() || fs::exists(o.valid, none)) return std::nullopt;
  if (o.valid.find_first_not_of("0123456789.") == std::string::npos)
    throw Error(ErrorKind::usage, "--valid", o.valid + " is neither a file nor a share of --data",
                "a share has its sign, as in --valid 10%");
  if (o.valid.back() != '%') return std::nullopt;
  const double percent = cli::parse_double("--valid", o.valid.substr(0, o.valid.size() - 1));
  if (!(percent > 0 && percent < 100)) throw Error(ErrorKind::usage, "--valid", "must be between 0% and 100%");
  return percent / 100;
}

void declare(cli::Command& command, Options& o) {
  command.usage("-m FOLDER --data FILE -o FOLDER [OPTION]...");
  command.example("transformer-train -m dates --data more.tsv --after 5e --lr 1e-4 -o more-dates");
  command.example("transformer-train -m bert --data reviews.csv:/text,label --valid 10% --lr 5e-5 -o classifier");
  command.example(
      "transformer-train -m new --init --data train.tsv --valid valid.tsv --after 20e --dropout 0.1 --patience 3 -o "
      "model");
  command.changes(cli::Effect::form);
  command.option("-m,--model", o.model, "FOLDER: model to start from: config.json, a tokenizer, and weights");
  command.changes(cli::Effect::numbers);
  command.flag("--init", o.init, "start from random weights, with --train of these parameters alone");
  command.changes(cli::Effect::form);
  command.option("--data", o.data,
                 "OPERAND: file to learn from: lines of text, tab, answer or label; columns of a table, as in "
                 "FILE.csv:/text,label; or pictures and labels");
  command.option("--valid", o.valid,
                 "OPERAND: the same, not learned; or a share of --data to hold out, such as 10%; the weights with the "
                 "lowest loss on it are kept");
  command.changes(cli::Effect::nothing);
  command.option("-o,--output", o.output, "FOLDER: trained model, its log.csv and training.h5");
  command.changes(cli::Effect::form);
  command.option("--emit", o.gradients, cli::Choices<bool>{{"model", false}, {"gradients", true}},
                 "result: a trained model, or the gradients of one batch of all lines, a file for tmerge");
  command.changes(cli::Effect::nothing);
  command.flag("-f,--overwrite", o.overwrite, "with --emit gradients, replace an existing file");
  command.changes(cli::Effect::numbers);
  cli::add_shard(command, o.shard, "of the gradients; tmerge adds up the parts");
  command.group("Training");
  command.option("--after", o.after, "NUMBER: end after so many epochs (20e) or updates (5000u)");
  command.changes(cli::Effect::numbers);
  command.option("--batch", o.batch, "N: number of lines of an update");
  command.option("--max-length", o.max_length,
                 "N: largest number of tokens of a text, special ones included; longer texts are cut, and language "
                 "models read all lines as one text in blocks of N; 0 makes a text longer than the model an error "
                 "(default the model's positions)");
  command.option("--lr", o.optimizer.learning_rate, "RATE: learning rate of AdamW after the warm-up");
  command.option("--schedule", o.schedule,
                 cli::Choices<ScheduleKind>{{"constant", ScheduleKind::constant},
                                            {"linear", ScheduleKind::linear},
                                            {"cosine", ScheduleKind::cosine},
                                            {"inverse-sqrt", ScheduleKind::inverse_sqrt}},
                 "course of the learning rate; linear and cosine fall to 0");
  command.option("--warmup", o.warmup, "N: updates in which the learning rate rises to RATE");
  command.option("--weight-decay", o.optimizer.weight_decay, "NUMBER: weight decay");
  command.flag("--decay-matrices-only", o.optimizer.decays_matrices_only,
               "do not decay parameters of one axis: biases and the gains of norms");
  command.option("--clip-norm", o.clip_norm,
                 "NORM: largest norm of all gradients together; longer ones are scaled down");
  command.option("--dropout", o.dropout, "P: part of the hidden states that each update drops, from 0 to below 1");
  command.option("--label-smoothing", o.label_smoothing, "E: part of a label to spread over all tokens, 0 to 1");
  command.changes(cli::Effect::form);
  command.option("--patience", o.patience, "N: end after N epochs without a lower loss of --valid; 0 never");
  command.changes(cli::Effect::numbers);
  command.option("--train", o.train, "GLOB: train only the parameters with such names, as 'classifier.*'");
  command.option("--seed", o.seed, "N: seed of the initial weights, of the order of lines, of masks and of dropout");
  command.changes(cli::Effect::form);
  command.flag("--resume", o.resume, "go on where an earlier run with the same options stopped");
}

void check(const Options& o) {
  const auto expect = [](bool is_good, const char* option, const char* detail) {
    if (!is_good) throw Error(ErrorKind::usage, option, detail);
  };
  expect(!o.model.empty(), "--model", "is required: give -m FOLDER");
  expect(!o.data.empty(), "--data", "is required: give a file with lines of text or pictures");
  expect(!o.output.empty(), "--output", "is required: give -o FOLDER");
  expect(o.gradients || o.output != "-", "--output", "is standard output, and a model is a folder: give -o FOLDER");
  expect(o.data != "-" || o.valid != "-", "--valid", "is standard input, which --data has read");
  expect(o.batch > 0, "--batch", "must be above 0");
  expect(!o.clip_norm || *o.clip_norm > 0, "--clip-norm", "must be above 0");
  expect(o.dropout >= 0 && o.dropout < 1, "--dropout", "must be from 0 to below 1");
  expect(o.label_smoothing >= 0 && o.label_smoothing <= 1, "--label-smoothing", "must be from 0 to 1");
  expect(o.patience == 0 || !o.valid.empty(), "--patience", "needs --valid");
  parse_after(o.after);
  held_out_share(o);
}

std::size_t updates_of(const Options& o, std::size_t batches_of_epoch) {
  const auto [count, unit] = parse_after(o.after);
  return unit == 'e' ? count * batches_of_epoch : count;
}

std::vector<std::string> trained_parameters(const Options& o, const attn::ModelDescription& model) {
  const std::vector<std::string> all = trainable_parameters(model);
  std::vector<std::string> chosen;
  for (const std::string& glob : o.train) {
    const std::size_t before = chosen.size();
    std::copy_if(all.begin(), all.end(), std::back_inserter(chosen),
                 [&](const std::string& name) { return cli::matches_glob(glob, name); });
    if (chosen.size() == before)
      throw Error(ErrorKind::usage, "--train", "no parameter has a name like " + glob,
                  "it has " + attn::listed_near(glob, all));
  }
  return chosen;
}

attn::TrainerParameters trainer_parameters(const Options& o, const attn::ModelDescription& model, std::size_t updates) {
  attn::TrainerParameters parameters;
  parameters.optimizer = o.optimizer;
  parameters.schedule = {o.schedule, o.warmup, updates};
  parameters.loss.label_smoothing = o.label_smoothing;
  parameters.dropout = {o.dropout, o.seed};
  parameters.clip_norm = o.clip_norm;
  parameters.trained = trained_parameters(o, model);
  return parameters;
}

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

std::vector<std::string> modules_of(const attn::ModelFolder& folder) {
  std::vector<std::string> folders;
  const auto text = folder.read("modules.json");
  if (!text) return folders;
  const attn::JsonNode modules(*text, folder.file("modules.json"));
  for (std::size_t i = 0; i < modules.size(); ++i)
    folders.push_back(modules[i].has("path") ? modules[i].at("path").path_inside() : "");
  return folders;
}

attn::TrainingText Start::texts(const Options& o, cli::Session& session) const {
  if (!attn::learns_texts(description)) {
    const std::string file = attn::io::parse_operand(o.data).source;
    throw Error(
        ErrorKind::usage, folder.path(),
        "is for " + task_name(description) + ", which is not trained; a classifier needs text and label",
        "name the columns, as in --data " + cli::shell_quoted(file) + ":/text,label, or :/0,1 with --no-header");
  }
  attn::Hash files;
  const auto read = [&](const std::string& name) {
    const std::optional<std::string> text = folder.read(name);
    if (text) files.add(*text);
    return text;
  };
  const attn::text::Tokenizer tokenizer = attn::text::load_tokenizer(read, folder.path());
  for (const std::string& note : tokenizer.notes()) session.report.note(note);
  const bool answers = description.encoder && description.decoder;
  attn::TrainingText texts(description, tokenizer,
                           answers ? attn::text::load_answer_tokenizer(read, folder.path()) : std::nullopt,
                           o.max_length);
  settle_hash("tokenizer", files.value().hex(), session);
  return texts;
}

Start begin(const Options& o, const TextTable* table, cli::Session& session) {
  std::error_code none;
  if (!o.gradients && fs::exists(o.output, none) && !fs::is_directory(o.output, none))
    throw Error(ErrorKind::create, o.output, "is a file, not a folder", "give a new folder");
  if (!o.resume && !(o.overwrite && o.gradients) && fs::exists(o.output, none))
    throw Error(ErrorKind::create, o.output, "exists",
                o.gradients ? "give -f to overwrite it" : "go on with --resume, or give another folder");
  if (o.resume && fs::exists(o.output + "/model.safetensors", none) && !fs::exists(state_file(o.output), none))
    throw Error(ErrorKind::create, o.output, "has weights and no training.h5: it is not a training that can go on",
                "give another folder");
  attn::ModelFolder whole(o.model);
  const std::vector<std::string> modules = modules_of(whole);
  std::string inside = modules.empty() ? "" : modules.front();
  attn::ModelFolder folder(inside.empty() ? whole.path() : whole.file(inside));
  std::string text = folder.require("config.json");
  const std::string subject = folder.file("config.json");
  const attn::ModelDescription described = attn::describe_model({text, subject});
  std::vector<std::string> labels;
  if (table != nullptr && has_classes(described, *table)) labels = table->labels();
  const bool has_new_head = !labels.empty() && needs_head(described, labels);
  if (has_new_head) {
    table->expect_classes();
    text = attn::classifier_config(text, subject, labels);
    whole = folder;  // a classifier has no modules
    inside.clear();
  }
  const attn::Settings config(text, subject);
  attn::Hash hash;
  hash.add(text);
  settle_hash("config.json", hash.value().hex(), session);
  Start start{std::move(whole),
              std::move(inside),
              std::move(folder),
              attn::describe_model(config),
              text,
              {},
              nullptr,
              nullptr,
              std::nullopt,
              {}};
  if (o.resume && fs::exists(state_file(o.output), none)) start.state = attn::io::open_source(state_file(o.output));
  std::unique_ptr<attn::Source> given;
  if (!o.init || !o.train.empty()) {
    given = start.folder.open_weights();
    settle_hash("--model", hash_of_weights(*given), session);
  }
  std::vector<std::string> drawn = trained_parameters(o, start.description);
  if (!o.init) drawn.clear();
  if (has_new_head) {
    start.begun =
        given ? attn::parameters_to_begin(start.description, *given) : trainable_parameters(start.description);
    if (!o.init || !drawn.empty()) drawn.insert(drawn.end(), start.begun.begin(), start.begun.end());
  }
  if (start.state != nullptr) {
    expect_same_run(*start.state, session.record(), session.report);
    start.source = std::make_unique<attn::TensorMap>(parameters_of(*start.state));
  } else if (o.init || !drawn.empty()) {
    start.source = std::make_unique<attn::TensorMap>(
        initial_weights(start.description, given.get(), initial_scale(config, start.description), drawn, o.seed));
    if (has_new_head && !o.init)
      session.report.note(o.model + ": has no head for the labels " + attn::listed_near("", labels) +
                          ", so one begins " + "with random weights: " + attn::listed(start.begun));
  } else {
    start.source = std::move(given);
  }
  start.weights = attn::checked_weights(start.description, *start.source);
  start.compute = start.weights->compute_dtype();
  return start;
}

}  // namespace transformer_train
