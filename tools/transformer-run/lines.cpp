#include "transformer-run/lines.hpp"

#include "cli/exit_codes.hpp"
#include "cli/signals.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace transformer_run {

cli::TextLines texts_of(const Options& options, cli::Session& session) {
  std::error_code none;
  for (const std::string& text : options.text)
    if (std::filesystem::is_regular_file(text, none))
      session.report.note(text + " is taken as the text, not as the file of that name; < " + text + " gives its lines");
  std::vector<std::string> texts = options.text;
  if (const auto pipe = std::find(texts.begin(), texts.end(), "-"); pipe != texts.end()) {
    if (std::find(pipe + 1, texts.end(), "-") != texts.end())
      throw attn::Error(attn::ErrorKind::usage, "-", "is given twice: standard input can be read once");
    std::vector<std::string> behind(pipe + 1, texts.end());
    texts.erase(pipe, texts.end());
    if (!texts.empty() || !behind.empty()) {  // else they are read as they arrive
      for (std::string& line : cli::TextLines(std::vector<std::string>(), session.inputs).all()) texts.push_back(std::move(line));
      texts.insert(texts.end(), behind.begin(), behind.end());
    }
  }
  cli::TextLines lines(std::move(texts), session.inputs);
  if (options.shard) lines.take(*options.shard);
  return lines;
}

LineRun::LineRun(const Options& options, const attn::OpenedModel& opened, std::size_t most, const Traced& traced,
                 cli::Session& session)
    : options_(options),
      opened_(opened),
      session_(session),
      source_(texts_of(options, session)),
      is_traced_(traced.is_traced()),
      most_(most) {
  if (is_traced_) {
    lines_ = source_.all();
    if (lines_.empty()) throw attn::Error(attn::ErrorKind::input, "standard input", "has no line to trace");
  }
  if (!options.resume || session.execution().dry_run != nullptr) return;
  most_ = std::min(most, options.parameters.batch_rows * session.execution().threads());
  const cli::RunRecord record = session.record();
  finished_ = std::make_shared<FinishedLines>(
      options.output.operand.source,
      record.version + '\n' + record.instruction_set + '\n' + record.text() + identity_of_folder(opened.folder.path()));
  cli::stop_at_signals();
}

std::vector<std::string> LineRun::next() { return is_traced_ ? std::exchange(lines_, {}) : source_.next(most_); }

std::vector<LineResult> LineRun::results_of(const std::vector<std::string>& lines, const Compute& compute) {
  std::vector<LineResult> results(lines.size());
  std::vector<std::string> fresh;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto known = finished_ ? finished_->find(lines[i]) : std::nullopt;
    if (known) {
      results[i].text = *known;
      if (finished_->is_earlier(lines[i])) ++known_;
    } else {
      fresh.push_back(lines[i]);
      numbers.push_back(source_.skipped() + done_ + i + 1);
    }
  }
  if (fresh.empty()) return results;
  std::vector<LineResult> computed = compute(fresh, numbers);
  std::vector<FinishedLines::Entry> entries;
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    if (finished_ && !computed[i].error) entries.emplace_back(fresh[i], computed[i].text);
    results[numbers[i] - source_.skipped() - done_ - 1] = std::move(computed[i]);
  }
  if (finished_) finished_->add(entries);
  return results;
}

void LineRun::each(const Compute& compute, const std::function<void(const std::string& result)>& take) {
  for (auto lines = next(); !lines.empty(); lines = next()) {
    for (const LineResult& result : results_of(lines, compute)) {
      const std::size_t number = source_.skipped() + ++done_;
      notes_.count(number, result.is_cut, result.has_unknown);
      if (result.error) handle(*result.error, number, options_, session_.report);
      take(result.text);
    }
    if (!finished_ || !cli::is_asked_to_stop()) continue;
    session_.report.note("stopped after line " + std::to_string(done_) + "; the same command goes on from there");
    throw cli::Finished{cli::stopped};
  }
  notes_.say(options_, opened_, session_.report);
  if (!finished_) return;
  if (known_ > 0)
    session_.report.note(std::to_string(known_) + " of " + std::to_string(done_) + " lines were finished before");
  session_.results.when_visible([finished = finished_] { finished->remove(); });
}

void handle(const attn::Error& cause, std::size_t line, const Options& options, cli::Report& report) {
  const attn::Error error(cause.kind(), "line " + std::to_string(line), cause.what());
  if (options.on_error == OnError::stop) throw error;
  report.note(error.what());
  report.say_no();
}

}  // namespace transformer_run
