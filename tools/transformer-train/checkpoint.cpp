#include "transformer-train/checkpoint.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/byte_output.hpp>
#include <attn/io/output.hpp>

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

std::unique_ptr<attn::Sink> replacing(const std::string& path) {
  attn::io::OutputOptions options;
  options.overwrite = true;
  return attn::io::create_sink(path, options);
}

/// Removes the unfinished files of a run that was killed.
void remove_unfinished(const std::string& folder) {
  std::error_code ignored;
  for (const auto& file : fs::directory_iterator(folder, ignored)) {
    const std::string name = file.path().filename().string();
    for (const char* of : {".model.safetensors.", ".log.csv.", ".training.h5."})
      if (attn::starts_with(name, of) && attn::ends_with(name, ".tmp")) fs::remove(file.path(), ignored);
  }
}

/// Files that belong to a model but not to its weights.
bool is_copied(const fs::path& file) {
  const std::string suffix = file.extension().string();
  for (const char* known : {".json", ".txt", ".model", ".spm", ".jinja"})
    if (suffix == known) return file.stem().extension() != ".index";
  return false;
}

/// Is it in its folder itself, or a blob of a hub's cache, where snapshots/COMMIT has links to blobs/? What other links
/// lead to is none of the model's.
bool belongs_to(const fs::path& file, const fs::path& model) {
  std::error_code none;  // then it does not
  const fs::path place = fs::canonical(file, none).parent_path();
  return !place.empty() &&
         (fs::equivalent(place, file.parent_path(), none) || fs::equivalent(place, model / "../../blobs", none));
}

/// Does it say how a folder of sentence-transformers makes vectors? A classifier on its layers makes none.
bool is_of_sentences(const fs::path& file) {
  const std::string name = file.filename().string();
  for (const char* known : {"modules.json", "config_sentence_transformers.json", "sentence_bert_config.json"})
    if (name == known) return true;
  return false;
}

/// Copies what belongs to a model beside its weights: also the modules of sentence-transformers after it, with their
/// weights, unless it has a new head, and further chat templates.
void copy_files(const Start& start, const fs::path& to) {
  const fs::path from = start.whole.path();
  const bool has_new_head = !start.begun.empty();
  std::error_code failed;
  const auto copy = [&](const fs::path& file, const fs::path& folder) {
    if (!fs::is_regular_file(file) || !belongs_to(file, from)) return;
    fs::create_directories(folder, failed);
    if (!failed) fs::copy_file(file, folder / file.filename(), fs::copy_options::overwrite_existing, failed);
    if (failed) throw Error(ErrorKind::io, file.string(), "cannot be copied: " + failed.message());
  };
  for (const auto& file : fs::directory_iterator(from))
    if (is_copied(file.path()) && !(has_new_head && is_of_sentences(file.path()))) copy(file.path(), to);
  std::vector<std::string> folders;
  if (!has_new_head) folders = modules_of(start.whole);
  folders.push_back((fs::path(start.inside) / "additional_chat_templates").string());
  for (const std::string& name : folders)
    if (!name.empty() && fs::is_directory(from / name) && !fs::is_symlink(from / name))
      for (const auto& file : fs::directory_iterator(from / name))
        if (name != start.inside || is_copied(file.path())) copy(file.path(), to / name);
}

attn::TensorView table_of(const std::vector<LogRow>& log) {
  Tensor table(DType::f64, {log.size(), columns.size()});
  double* to = table.data_as<double>();
  for (const LogRow& row : log) to = std::copy(row.begin(), row.end(), to);
  return table.view();
}

}  // namespace

void restore(attn::Source& state, attn::Trainer& trainer, Progress& progress) {
  trainer.read_state(state);
  const auto number = [&](const char* name) { return attn::to_scalar(state.read(name)); };
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

Checkpoint::Checkpoint(const Options& o, const Start& start, cli::RunRecord record)
    : folder_(o.output),
      weights_((fs::path(o.output) / start.inside / "model.safetensors").string()),
      record_(std::move(record)) {
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (failed) throw Error(ErrorKind::create, folder_, "cannot be made: " + failed.message());
  remove_unfinished(folder_);
  if (!start.inside.empty()) remove_unfinished((fs::path(folder_) / start.inside).string());
  if (!fs::equivalent(start.whole.path(), folder_)) copy_files(start, folder_);
  if (start.begun.empty()) return;
  attn::io::ByteOutput config(folder_ + "/config.json", true);
  config.write(start.config.data(), start.config.size());
  config.commit();
}

void Checkpoint::save(const attn::Trainer& trainer, Progress& progress, const LogRow& row, bool has_valid,
                      bool ends_epoch) const {
  const double loss = row[3];
  const bool is_best = !has_valid || loss < progress.best;
  std::vector<LogRow> log = progress.log;
  log.push_back(row);
  if (is_best) {
    const auto sink = replacing(weights_);
    for (const attn::TensorInfo& tensor : trainer.parameters().tensors())
      sink->add(tensor.name, trainer.parameters().at(tensor.name));
    sink->commit();
  }
  const auto sink = replacing(folder_ + "/log.csv");
  for (std::size_t column = 0; column < columns.size(); ++column) {
    if (!has_valid && column >= 3 && column <= 5) continue;
    Tensor values(DType::f64, {log.size()});
    std::transform(log.begin(), log.end(), values.data_as<double>(), [&](const LogRow& of) { return of[column]; });
    sink->add(columns[column], values.view());
  }
  sink->commit();
  if (ends_epoch) {
    if (is_best) progress.best = loss;
    progress.epochs_without_gain = is_best ? 0 : progress.epochs_without_gain + 1;
    progress.log = std::move(log);
    progress.loss_sum = 0;
    progress.losses = 0;
  }
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
  sink->add("record",
            attn::vector_of(std::vector<std::string>{record_.version, record_.instruction_set, record_.text()}));
  sink->add("log", table_of(progress.log));
  sink->commit();
}

}  // namespace transformer_train
