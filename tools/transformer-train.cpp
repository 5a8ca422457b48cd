// transformer-train: lets a model learn from lines of text or from pictures, and keeps the best of what it became.

#include "cli/exit_codes.hpp"
#include "cli/numbers.hpp"
#include "cli/options/text_lines.hpp"
#include "cli/part.hpp"
#include "cli/signals.hpp"
#include "cli/tool.hpp"
#include "transformer-train/checkpoint.hpp"
#include "transformer-train/examples.hpp"
#include "transformer-train/options.hpp"

#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/byte_output.hpp>
#include <attn/io/operand.hpp>
#include <attn/io/output.hpp>
#include <attn/transformer/parameter_gradients.hpp>
#include <attn/transformer/training_text.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

namespace transformer_train {
namespace {

using attn::TrainingScore;

/// Throws Error(usage) for options that change no gradient.
void check_gradients(const Options& o, const cli::Session& session) {
  if (!o.gradients) {
    if (o.shard) throw attn::Error(attn::ErrorKind::usage, "--shard", "needs --emit gradients");
    return;
  }
  const attn::io::Operand output = attn::io::parse_operand(o.output);
  if (!output.dataset.empty() ||
      attn::io::format_from_path(output.source).value_or(attn::io::Format::hdf5) != attn::io::Format::hdf5)
    throw attn::Error(attn::ErrorKind::usage, "--output",
                      "gradients are an HDF5 file, which keeps the options of the part",
                      "give a file alone, as in -o gradients.h5");
  std::error_code none;  // then it is another folder
  const auto folder = std::filesystem::absolute(output.source, none).parent_path();
  const bool is_of_model =
      std::filesystem::exists(output.source, none) && std::filesystem::equivalent(folder, o.model, none);
  if (is_of_model || attn::io::is_one_output(output.source, o.data))
    throw attn::Error(attn::ErrorKind::usage, "--output", o.output + " is read by this run", "give another file");
  for (const char* option : {"--valid", "--resume"})
    if (session.was_given(option))
      throw attn::Error(attn::ErrorKind::usage, option, "changes no gradients", "leave it out with --emit gradients");
}

/// Writes the gradients of the first update of a training with all rows in one batch.
void write_gradients(const Options& o, const Examples& examples, attn::Trainer& trainer, cli::Session& session) {
  const attn::Execution& execution = session.execution();
  attn::io::OutputOptions options;
  options.format = attn::io::Format::hdf5;
  options.overwrite = o.overwrite;
  std::unique_ptr<attn::Sink> sink;
  if (execution.dry_run == nullptr) sink = attn::io::create_sink(o.output, options);

  const std::size_t lines = examples.lengths().size();
  cli::PartHead head(cli::PartKind::add, "lines", attn::leaf_lines, lines, o.shard.value_or(cli::Shard{}));
  const std::vector<std::size_t> rows = attn::batches_of_epoch(examples.lengths(), lines, o.seed, 0).front();
  const attn::Trainer::LeafGradients made =
      trainer.differentiate(examples.batch(rows, o.seed, 0), {head.first, head.end}, execution);
  session.results.end_dry_run();

  attn::TensorMap weights = trainer.parameters();
  settle_hash("the weights", hash_of_weights(weights), session);
  std::vector<cli::Result> results{{"part/loss", attn::vector_of(made.losses)}};
  cli::set_row_axis(results.front(), 0);
  std::map<std::string, std::vector<attn::TensorView>> stacks;
  for (const attn::GradientNode& node : made.nodes) {
    head.nodes.push_back(node.place);
    for (const auto& [name, gradient] : node.gradients.tensors()) stacks[name].push_back(gradient);
  }
  for (const auto& [name, stack] : stacks) {
    attn::Shape shape = stack.front().shape;
    shape.insert(shape.begin(), stack.size());
    const auto produce = [stack = stack](const attn::ByteConsumer& consume) {
      for (const attn::TensorView& x : stack) consume(x.data, x.bytes());
    };
    results.push_back({"part/d/" + name, {}, {}, attn::TensorProducer{stack.front().dtype, shape, produce}});
  }
  cli::add_part(*sink, std::move(head), std::move(results), session);
  session.results.add_file(std::move(sink));
}

std::string count_of(std::size_t count, const std::string& unit) {
  return std::to_string(count) + ' ' + unit + (count == 1 ? "" : "s");
}

/// Numbers of parameters.
struct Size {
  std::size_t all = 0, trained = 0;

  Size(const attn::ModelDescription& model, const std::vector<std::string>& names) {
    for (const attn::TensorInfo& tensor : tensor_table(model)) {
      const std::size_t count = attn::element_count(tensor.shape);
      all += count;
      if (names.empty() || std::find(names.begin(), names.end(), tensor.name) != names.end()) trained += count;
    }
  }
  std::string text() const {
    return count_of(all, "parameter") + (trained < all ? ", " + std::to_string(trained) + " of them trained" : "");
  }
  /// All values, and for each that is trained its gradient and two moments.
  std::size_t bytes(attn::DType dtype) const { return attn::element_size(dtype) * (all + 3 * trained); }
};

/// The number of batches of an epoch.
std::size_t batches_of(const std::vector<std::size_t>& lengths, const Options& o) {
  return (lengths.size() + o.batch - 1) / o.batch;
}

/// The batch of the first epoch with the longest row.
std::vector<std::size_t> longest_batch(const std::vector<std::size_t>& lengths, const Options& o) {
  const auto batches = attn::batches_of_epoch(lengths, o.batch, o.seed, 0);
  return *std::max_element(batches.begin(), batches.end(),
                           [&](const auto& a, const auto& b) { return lengths[a.back()] < lengths[b.back()]; });
}

/// The score on all rows, in batches of like length.
TrainingScore score_of(const attn::Trainer& trainer, const Examples& valid, const Options& o, cli::Session& session) {
  TrainingScore all;
  for (const std::vector<std::size_t>& rows : attn::batches_of_epoch(valid.lengths(), o.batch, 0, 0))
    all += attn::score(trainer.model(), valid.batch(rows, 0, rows.front()), session.execution().without_progress());
  return all;
}

LogRow log_row(const attn::Trainer& trainer, const Progress& progress, const TrainingScore& valid, std::size_t batches,
               double rate) {
  const auto share = [](std::size_t part, std::size_t all) {
    return static_cast<double>(part) / static_cast<double>(std::max<std::size_t>(all, 1));
  };
  return {static_cast<double>(trainer.steps()),
          static_cast<double>(trainer.steps()) / static_cast<double>(batches),
          progress.loss_sum / static_cast<double>(std::max<std::size_t>(progress.losses, 1)),
          valid.loss / static_cast<double>(std::max<std::size_t>(valid.labels, 1)),
          share(valid.right, valid.labels),
          share(valid.right_rows, valid.rows),
          rate,
          progress.last_norm};
}

/// valid: may be null. Where a row has one label, the share of right rows is the accuracy.
std::string told(const LogRow& row, const Examples* valid) {
  const auto rounded = [](double x) { return cli::number_text(x, 4); };
  std::string text = "update " + std::to_string(static_cast<std::size_t>(row[0])) + ": loss " + rounded(row[2]);
  if (valid != nullptr) text += ", valid loss " + rounded(row[3]) + ", accuracy " + rounded(row[4]);
  if (valid != nullptr && valid->classes().empty()) text += ", exact match " + rounded(row[5]);
  return text;
}

/// Updates up to the last one, the end of patience, or a signal.
void learn(attn::Trainer& trainer, Progress& progress, const Checkpoint& checkpoint, const Examples& data,
           const Examples* valid, std::size_t updates, const Options& o, cli::Session& session) {
  const attn::Execution execution = session.execution().without_progress();
  const std::vector<std::size_t>& lengths = data.lengths();
  const std::size_t batches = batches_of(lengths, o);
  cli::stop_at_signals();
  std::vector<std::vector<std::size_t>> order;
  while (trainer.steps() < updates && !progress.is_patience_over(o.patience)) {
    const std::size_t step = trainer.steps(), epoch = step / batches;
    if (order.empty() || step % batches == 0) order = attn::batches_of_epoch(lengths, o.batch, o.seed, epoch);
    data.expect_unchanged();
    if (valid != nullptr) valid->expect_unchanged();
    const attn::Trainer::Step done = trainer(data.batch(order[step % batches], o.seed, step), execution);
    progress.add(done.loss, done.gradient_norm);
    if (session.execution().progress) session.execution().progress(step + 1, updates);
    const bool ends_epoch = trainer.steps() % batches == 0;
    if (ends_epoch || trainer.steps() == updates) {
      const TrainingScore found = valid != nullptr ? score_of(trainer, *valid, o, session) : TrainingScore();
      const LogRow row = log_row(trainer, progress, found, batches, done.learning_rate);
      session.report.note(told(row, valid));
      checkpoint.save(trainer, progress, row, valid != nullptr, ends_epoch);
    } else if (cli::is_asked_to_stop()) {
      checkpoint.save_state(trainer, progress);
    }
    if (cli::is_asked_to_stop() && trainer.steps() < updates) {
      session.report.note("stopped after update " + std::to_string(trainer.steps()) +
                          "; the same command with --resume goes on");
      throw cli::Finished{cli::stopped};
    }
  }
  if (progress.is_patience_over(o.patience))
    session.report.note("the loss of " + o.valid + " has not fallen for " + count_of(o.patience, "epoch"));
}

/// How often each label of some rows (row) got each prediction (column).
using Confusion = std::vector<std::vector<std::size_t>>;

/// The model is that in the folder of the result, which has the best weights.
Confusion confusion_of(const Start& start, const Examples& examples, const Options& o, cli::Session& session) {
  const std::unique_ptr<attn::Source> source = attn::ModelFolder(o.output).open_weights();
  const attn::Model model(start.description, *source, start.compute);
  const std::size_t labels = start.description.head->outputs;
  Confusion counts(labels, std::vector<std::size_t>(labels, 0));
  for (const std::vector<std::size_t>& rows : attn::batches_of_epoch(examples.lengths(), o.batch, 0, 0)) {
    const attn::TrainingBatch batch = examples.batch(rows, 0, rows.front());
    const std::vector<std::int64_t> predicted =
        attn::predicted_labels(model, batch, session.execution().without_progress());
    for (std::size_t i = 0; i < rows.size(); ++i)
      ++counts.at(static_cast<std::size_t>(examples.classes()[rows[i]])).at(static_cast<std::size_t>(predicted[i]));
  }
  return counts;
}

/// The text is UTF-8, whose bytes but the first of a character begin with the bits 10.
std::size_t characters_in(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

/// Accuracy, and what was taken for what: a table for a few labels, the most frequent errors for many.
void tell(const Confusion& counts, const std::vector<std::string>& labels, const std::string& of, cli::Report& report) {
  constexpr std::size_t most_columns = 10, most_errors = 10;
  std::size_t right = 0, all = 0, width = 0;
  std::vector<std::pair<std::size_t, std::string>> errors;
  for (std::size_t i = 0; i < labels.size(); ++i)
    for (std::size_t j = 0; j < labels.size(); ++j) {
      all += counts[i][j];
      right += i == j ? counts[i][j] : 0;
      if (i != j && counts[i][j] > 0) errors.emplace_back(counts[i][j], labels[i] + " taken for " + labels[j]);
      width = std::max({width, characters_in(labels[i]), std::to_string(counts[i][j]).size()});
    }
  const bool is_table = labels.size() <= most_columns;
  report.note("accuracy " + cli::number_text(static_cast<double>(right) / static_cast<double>(all), 4) + " on " + of +
              (is_table         ? "; rows are labels, columns predictions"
               : errors.empty() ? ""
                                : "; most frequent errors"));
  const auto cell = [&](const std::string& text) { return std::string(2 + width - characters_in(text), ' ') + text; };
  if (is_table) {
    std::string line = cell("");
    for (const std::string& label : labels) line += cell(label);
    report.note(line);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      line = cell(labels[i]);
      for (const std::size_t count : counts[i]) line += cell(std::to_string(count));
      report.note(line);
    }
    return;
  }
  std::stable_sort(errors.begin(), errors.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (std::size_t i = 0; i < std::min(errors.size(), most_errors); ++i)
    report.note("  " + std::to_string(errors[i].first) + "  " + errors[i].second);
}

void train(const Options& o, cli::Session& session) {
  check(o);
  check_gradients(o, session);
  if (o.schedule == attn::ScheduleKind::constant || o.schedule == attn::ScheduleKind::inverse_sqrt)
    session.settle("--after", "none");  // a longer training goes through the same updates
  const std::optional<double> share = held_out_share(o);
  if (!o.valid.empty()) session.settle("--valid", share ? o.valid : "yes");
  const std::string operand = with_columns(o.data);
  std::shared_ptr<const TextTable> table;
  if (names_columns(operand)) table = std::make_shared<TextTable>(operand, session);
  Start start = begin(o, table.get(), session);
  if (o.gradients && !start.begun.empty())
    throw attn::Error(attn::ErrorKind::usage, "--emit", "gradients are of a model that has a head for these labels",
                      "make one without it");
  const bool sees = start.description.source && start.description.source->pictures;
  std::optional<attn::TrainingText> texts;
  if (!sees) texts.emplace(start.texts(o, session));
  if (!sees) cli::note_positions(o.max_length, start.description.max_positions, session.report);
  const auto read = [&](const std::string& path) -> std::unique_ptr<const Examples> {
    if (sees) return std::make_unique<Pictures>(path, start.description);
    auto lines = names_columns(path) ? std::make_unique<Lines>(std::make_shared<TextTable>(path, session), *texts)
                                     : std::make_unique<Lines>(path, *texts);
    lines->say(start.description.max_positions, o.max_length, session.report);
    return lines;
  };
  std::unique_ptr<const Examples> data = read(operand), valid;
  if (share)
    std::tie(data, valid) = hold_out(std::shared_ptr<const Examples>(std::move(data)), *share, o.seed);
  else if (!o.valid.empty())
    valid = read(with_columns(o.valid));
  const std::vector<std::size_t>& lengths = data->lengths();
  const std::size_t updates = updates_of(o, batches_of(lengths, o));

  const Size size(start.description, trained_parameters(o, start.description));
  const attn::Execution execution = session.execution().without_progress();
  attn::Trainer trainer(start.description, *start.weights, trainer_parameters(o, start.description, updates),
                        start.compute);
  Progress progress;
  settle_hash("--data", data->hash(), session);
  if (valid != nullptr) settle_hash("--valid", valid->hash(), session);
  if (o.gradients) return write_gradients(o, *data, trainer, session);
  if (start.state != nullptr) {
    expect_same_run(*start.state, session.record(), session.report);
    restore(*start.state, trainer, progress);
  }
  if (trainer.steps() >= updates && execution.dry_run == nullptr) {
    session.report.note(count_of(trainer.steps(), "update") + " are done, --after " + o.after + " asks for " +
                        std::to_string(updates) + ": nothing is left to do");
    return;
  }
  session.report.note(size.text() + ", " + count_of(lengths.size(), data->unit()) + ", " + count_of(updates, "update") +
                      " of at most " + count_of(o.batch, data->unit()) +
                      (trainer.steps() == 0 ? "" : ", from update " + std::to_string(trainer.steps() + 1) + " on"));
  if (execution.dry_run != nullptr) {
    trainer(data->batch(longest_batch(lengths, o), o.seed, 0), execution);
    session.results.end_dry_run();
  }
  const Checkpoint checkpoint(o, start, session.record());
  if (start.state == nullptr) checkpoint.save_state(trainer, progress);  // so that weights never come without it
  learn(trainer, progress, checkpoint, *data, valid.get(), updates, o, session);
  if (data->classes().empty()) return;
  const Examples& seen = valid != nullptr ? *valid : *data;
  tell(confusion_of(start, seen, o, session), start.description.head->labels,
       count_of(seen.lengths().size(), seen.unit()) +
           (valid == nullptr ? ", which it has learned" : " it has not learned"),
       session.report);
}

void run(const Options& o, cli::Session& session) {
  try {
    train(o, session);
  } catch (const attn::Error& error) {
    if (error.kind() != attn::ErrorKind::memory) throw;
    throw attn::Error(error.kind(), error.subject(), error.detail(),
                      o.gradients ? "allow more, or compute a smaller --shard"
                                  : "allow more, or give a smaller --batch or fewer parameters to --train");
  }
}

}  // namespace
}  // namespace transformer_train

ATTN_TOOL("transformer-train", "train a model on lines of text or pictures", transformer_train::Options,
          transformer_train::declare, transformer_train::run)
