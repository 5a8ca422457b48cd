#pragma once
// What all runs over lines have in common: length of texts and pooling of their vectors, from the options, else from
// the files of the folder, the file of --trace, and --resume.

#include "cli/options/text_lines.hpp"
#include "cli/report.hpp"
#include "cli/session.hpp"
#include "transformer-run/options.hpp"

#include <attn/core/error.hpp>
#include <attn/core/execution.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/models/model_folder.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace transformer_run {

/// Is the result of a text one vector, by the folder's files or --pool?
bool wants_vectors(const Options& options, const attn::OpenedModel& opened);

/// The parameters of the folder with the options over them, for a model that computes in `compute`.
attn::TextTaskParameters vector_rules(const Options& options, const attn::OpenedModel& opened, attn::DType compute);

/// How many coordinates a vector has. Throws Error(usage) for --dimensions above them.
std::size_t width_of_vectors(const attn::OpenedModel& opened, attn::DType compute,
                             const attn::TextVectorParameters& vectors);

/// Largest number of tokens of a text; 0: no limit; none: the positions of the model.
std::optional<std::size_t> max_length_of(const Options& options, const attn::OpenedModel& opened);

/// Counts the lines that were cut and those with text that the tokenizer does not know, for a note of each.
class LineNotes {
 public:
  void count(std::size_t line, bool is_cut, bool has_unknown);
  void say(const Options& options, const attn::OpenedModel& opened, cli::Report& report) const;

 private:
  cli::CountedLines cut_, unknown_;
};

/// The session's execution, with the hook of --trace if that is given.
class Traced {
 public:
  /// Overwrites the file or appends to it as the result does. Throws Error(create) if it exists and neither option is
  /// given.
  Traced(const Options& options, const attn::Execution& execution);
  Traced(const Traced&) = delete;  // the hook refers to it
  Traced& operator=(const Traced&) = delete;
  ~Traced() = default;

  const attn::Execution& execution() const noexcept { return execution_; }
  bool is_traced() const noexcept { return sink_ != nullptr; }

  /// Makes the trace, if there is one, visible: after all is computed and before anything is printed. Throws
  /// Error(usage) if no name matched the filter.
  void commit();

 private:
  attn::Execution execution_;
  std::string group_;
  std::vector<std::string> filter_;  ///< patterns of names
  std::unique_ptr<attn::Sink> sink_;
  std::size_t tensors_ = 0;
};

/// Lines that are sorted by length before they are cut into batches.
inline constexpr std::size_t line_window = 4096;

/// The texts of the command line, or the lines of standard input; a note warns if a text is also the name of a file.
cli::TextLines texts_of(const Options& options, cli::Session& session);

/// What a run makes of a line.
struct LineResult {
  std::string text;          ///< to be printed, or the bytes of a vector
  bool is_cut = false;       ///< the line was cut
  bool has_unknown = false;  ///< the tokenizer does not know all of the line
  std::optional<attn::Error> error;
};

class FinishedLines;

/// The lines of a run, in windows; for a trace, which is one batch, all lines, read at the start. With --resume, a
/// window is what the threads compute at once, and lines that an earlier run has finished are not computed again.
class LineRun {
 public:
  /// most: lines of a window without --resume. Throws Error(input) for a trace without lines, and the errors of
  /// FinishedLines.
  LineRun(const Options& options, const attn::OpenedModel& opened, std::size_t most, const Traced& traced,
          cli::Session& session);

  /// The results of lines, which have these numbers in the input, from 1.
  using Compute = std::function<std::vector<LineResult>(const std::vector<std::string>& lines,
                                                        const std::vector<std::size_t>& numbers)>;
  /// Passes the result of each line on, in order. A line with an error ends the run, or with --on-error skip gets an
  /// empty result and a note. At the end, the notes of LineNotes. A signal ends a run with --resume after
  /// the window.
  void each(const Compute& compute, const std::function<void(const std::string& result)>& take);

 private:
  std::vector<std::string> next();
  std::vector<LineResult> results_of(const std::vector<std::string>& lines, const Compute& compute);

  const Options& options_;
  const attn::OpenedModel& opened_;
  cli::Session& session_;
  cli::TextLines source_;
  bool is_traced_;
  std::size_t most_;
  std::vector<std::string> lines_;  ///< for a trace
  std::size_t done_ = 0, known_ = 0;
  LineNotes notes_;
  std::shared_ptr<FinishedLines> finished_;  ///< with --resume; removed when the output is visible
};

/// Handles the error of a line: throws, or with --on-error skip prints a note and continues, with exit code 1 at the
/// end.
void handle(const attn::Error& cause, std::size_t line, const Options& options, cli::Report& report);

/// Completes the trace before any line is printed, and only if no line has an error.
template <class Line>
void commit(Traced& traced, const std::vector<Line>& lines, const Options& options, cli::Report& report) {
  if (!traced.is_traced()) return;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].error) handle(*lines[i].error, i + 1, options, report);
  traced.commit();
}

}  // namespace transformer_run
