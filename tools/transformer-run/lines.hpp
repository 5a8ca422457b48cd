#pragma once
// Common parts of all runs over lines.

#include "cli/options/text_lines.hpp"
#include "cli/session.hpp"
#include "transformer-run/options.hpp"
#include "transformer-run/trace_file.hpp"

#include <attn/core/error.hpp>

#include <string>
#include <vector>

namespace transformer_run {

/// Lines that are sorted by length before they are cut into batches.
inline constexpr std::size_t line_window = 4096;

/// The texts of the command line, or the lines of standard input; a note warns if a text is also the name of a file.
cli::TextLines texts_of(const Options& options, cli::Session& session);

/// The lines of a run, at most `most` at a time; for a trace, which is one batch, all lines, read at the start.
class LineWindows {
 public:
  /// Throws Error(input) for a trace without lines.
  LineWindows(const Options& options, std::size_t most, const Traced& traced, cli::Session& session);

  /// The next lines to compute; empty at the end.
  std::vector<std::string> next();

 private:
  cli::TextLines source_;
  std::size_t most_;
  bool is_traced_;
  std::vector<std::string> lines_;  ///< for a trace
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
