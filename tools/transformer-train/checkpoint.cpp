#include "transformer-train/checkpoint.hpp"

#include <attn/core/ascii.hpp>
#include <attn/core/error.hpp>
#include <attn/core/values.hpp>
#include <attn/io/input.hpp>
#include <attn/io/output.hpp>
#include <attn/json/node.hpp>
#include <attn/transformer/checkpoint.hpp>

#include <algorithm>
#include <filesystem>

namespace transformer_train {

namespace fs = std::filesystem;
using attn::DType;
using attn::Error;
using attn::ErrorKind;
using attn::Tensor;

namespace {

constexpr std::array<const char*, 8> columns{"update",   "epoch",       "loss", "valid_loss",
                                             "accuracy", "exact_match", "lr",   "grad_norm"};

std::string state_file(const std::string& folder) { return folder + "/training.h5"; }

std::unique_ptr<attn::Sink> replacing(const std::string& path) {
  attn::io::OutputOptions options;
  options.overwrite = true;
  return attn::io::create_sink(path, options);
}

/// Removes the unfinished files of a run that was killed.
void remove_unfinished(const std::string& folder) {
  std::error_code ignored;
  for (const auto& file : fs::directory_iterator(folder)) {
    const std::string name = file.path().filename().string();
    for (const char* of : {".model.safetensors.", ".log.csv.", ".training.h5."})
      if (attn::starts_with(name, of) && attn::ends_with(name, ".tmp")) fs::remove(file.path(), ignored);
  }
}

/// Files that belong to a model but not to its weights.
bool is_copied(const fs::path& file) {
  const std::string suffix = file.extension().string();
  for (const char* known : {".json", ".txt", ".model", ".spm", ".jinja"})
    if (suffix == known) return file.stem().extension() != ".safetensors" && file.stem().extension() != ".bin";
  return false;
}

attn::TensorMap parameters_of(attn::Source& state) {
  const std::string group = "parameters/";
  attn::TensorMap parameters(state.label());
  for (const attn::TensorInfo& tensor : state.tensors())
    if (attn::starts_with(tensor.name, group))
      parameters.add(tensor.name.substr(group.size()), state.read(tensor.name));
  return parameters;
}

/// Random weights; with --train only for what is trained, beside the weights of the folder.
attn::TensorMap initial_weights(const Start& start, double deviation, const Options& o) {
  attn::TensorMap weights =
      attn::initial_parameters(start.description, deviation, o.seed, trained_parameters(o, start.description));
  if (o.train.empty()) return weights;
  const std::unique_ptr<attn::Source> stored = start.folder.open_weights();
  for (const attn::TensorInfo& tensor : stored->tensors())
    if (weights.find(tensor.name) == nullptr) weights.add(tensor.name, stored->read(tensor.name));
  return weights;
}

/// What is left of two lists of options without those that both begin or end with.
void keep_difference(std::string& a, std::string& b) {
  const auto first = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  const std::size_t begin = a.rfind("--", first);
  const auto last =
      static_cast<std::size_t>(std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend()).first - a.rbegin());
  const std::size_t end = std::min(a.find(" --", a.size() - last), a.size());
  const std::size_t same = begin < end ? a.size() - end : 0;
  a = a.substr(begin, a.size() - same - begin);
  b = b.substr(begin, b.size() - same - begin);
}

attn::TensorView table_of(const std::vector<LogRow>& log) {
  Tensor table(DType::f64, {log.size(), columns.size()});
  double* to = table.data_as<double>();
  for (const LogRow& row : log) to = std::copy(row.begin(), row.end(), to);
  return table.view();
}

}  // namespace

attn::text::Tokenizer Start::tokenizer() const {
  return attn::text::load_tokenizer([this](const std::string& name) { return folder.read(name); }, folder.path());
}

Start begin(const Options& o) {
  std::error_code none;
  if (!o.gradients && fs::exists(o.output, none) && !fs::is_directory(o.output, none))
    throw Error(ErrorKind::create, o.output, "is a file, not a folder", "give a new folder");
  if (!o.resume && fs::exists(o.output, none))
    throw Error(ErrorKind::create, o.output, "exists",
                o.gradients ? "give another file" : "go on with --resume, or give another folder");
  if (o.resume && fs::exists(o.output + "/model.safetensors", none) && !fs::exists(state_file(o.output), none))
    throw Error(ErrorKind::create, o.output, "has weights and no training.h5: it is not a training that can go on",
                "give another folder");
  attn::ModelFolder folder(o.model);
  const attn::Settings config(folder.require("config.json"), folder.file("config.json"));
  const double deviation = config.find("initializer_range") ? config.number("initializer_range", 0, 10) : 0.02;
  Start start{std::move(folder), attn::describe_model(config), nullptr, nullptr, std::nullopt};
  if (o.resume && fs::exists(state_file(o.output), none)) start.state = attn::io::open_source(state_file(o.output));
  if (start.state != nullptr)
    start.source = std::make_unique<attn::TensorMap>(parameters_of(*start.state));
  else if (!o.init)
    start.source = start.folder.open_weights();
  else
    start.source = std::make_unique<attn::TensorMap>(initial_weights(start, deviation, o));
  start.weights = attn::checked_weights(start.description, *start.source);
  start.compute = start.weights->compute_dtype();
  return start;
}

void restore(attn::Source& state, attn::Trainer& trainer, Progress& progress, const Options& o, std::uint64_t data) {
  std::string then = *state.read("options").contiguous_data<std::string>(), now = decisive_options(o);
  if (then != now) {
    keep_difference(then, now);
    throw Error(ErrorKind::data, state.label(), "is of a training with " + then + ", this one has " + now,
                "give the same options");
  }
  trainer.read_state(state);
  const auto number = [&](const char* name) { return attn::to_scalar(state.read(name)); };
  if (attn::elements_of<std::uint64_t>(state.read("data")).front() != data)
    throw Error(ErrorKind::data, state.label(), "is of a training with another config.json, --data or --valid",
                "give the same, or another -o for a new training");
  progress.loss_sum = number("loss_sum");
  progress.last_norm = number("last_norm");
  progress.losses = static_cast<std::size_t>(number("losses"));
  progress.best = number("best");
  progress.epochs_without_gain = static_cast<std::size_t>(number("epochs_without_gain"));
  const attn::TensorView log = state.read("log");
  const double* from = log.contiguous_data<double>();
  for (std::size_t i = 0; i < log.shape.at(0); ++i, from += columns.size())
    std::copy_n(from, columns.size(), progress.log.emplace_back().begin());
}

Checkpoint::Checkpoint(const Options& o, const Start& start, std::uint64_t data)
    : folder_(o.output), options_(decisive_options(o)), data_(data) {
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (failed) throw Error(ErrorKind::create, folder_, "cannot be made: " + failed.message());
  remove_unfinished(folder_);
  for (const auto& file : fs::directory_iterator(start.folder.path()))
    if (file.is_regular_file() && is_copied(file.path()) && !fs::equivalent(start.folder.path(), folder_)) {
      fs::copy_file(file.path(), fs::path(folder_) / file.path().filename(), fs::copy_options::overwrite_existing,
                    failed);
      if (failed) throw Error(ErrorKind::io, file.path().string(), "cannot be copied: " + failed.message());
    }
}

void Checkpoint::save(const attn::Trainer& trainer, Progress& progress, const LogRow& row, bool has_valid) const {
  const double loss = row[3];
  const bool is_best = !has_valid || loss < progress.best;
  if (is_best) progress.best = loss;
  progress.epochs_without_gain = is_best ? 0 : progress.epochs_without_gain + 1;
  progress.log.push_back(row);
  progress.loss_sum = 0;
  progress.losses = 0;
  if (is_best) {
    const auto sink = replacing(folder_ + "/model.safetensors");
    for (const attn::TensorInfo& tensor : trainer.parameters().tensors())
      sink->add(tensor.name, trainer.parameters().at(tensor.name));
    sink->commit();
  }
  const auto sink = replacing(folder_ + "/log.csv");
  for (std::size_t column = 0; column < columns.size(); ++column) {
    if (!has_valid && column >= 3 && column <= 5) continue;
    Tensor values(DType::f64, {progress.log.size()});
    std::transform(progress.log.begin(), progress.log.end(), values.data_as<double>(),
                   [&](const LogRow& of) { return of[column]; });
    sink->add(columns[column], values.view());
  }
  sink->commit();
  save_state(trainer, progress);
}

void Checkpoint::save_state(const attn::Trainer& trainer, const Progress& progress) const {
  const auto sink = replacing(state_file(folder_));
  trainer.write_state(*sink);
  for (const attn::TensorInfo& tensor : trainer.parameters().tensors())
    sink->add("parameters/" + tensor.name, trainer.parameters().at(tensor.name));
  for (const auto& [name, value] : {std::pair("loss_sum", progress.loss_sum),
                                    {"last_norm", progress.last_norm},
                                    {"losses", static_cast<double>(progress.losses)},
                                    {"best", progress.best},
                                    {"epochs_without_gain", static_cast<double>(progress.epochs_without_gain)}})
    sink->add(name, attn::scalar_of(value));
  sink->add("data", attn::scalar_of(data_));
  sink->add("options", attn::scalar_of(options_));
  sink->add("log", table_of(progress.log));
  sink->commit();
}

}  // namespace transformer_train
