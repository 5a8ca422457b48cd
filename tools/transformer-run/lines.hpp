#pragma once
// What every run of lines has in common, whatever it says of them.

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

/// The texts of the command line, or the lines of standard input; notes a text that is the name of a file, too.
cli::TextLines texts_of(const Options& options, cli::Session& session);

/// The lines of a run, at most `most` at a time; for a trace, which is of one batch, all of them, read at the start.
class LineWindows {
 public:
  /// Throws Error(input) for a trace of no line at all.
  LineWindows(const Options& options, std::size_t most, const Traced& traced, cli::Session& session);

  /// What is computed next; none when there are no more.
  std::vector<std::string> next();

 private:
  cli::TextLines source_;
  std::size_t most_;
  bool is_traced_;
  std::vector<std::string> lines_;  ///< of a trace
};

/// What a line's error does: throws, or with --on-error skip says it and goes on, to end with exit code 1.
void handle(const attn::Error& cause, std::size_t line, const Options& options, cli::Report& report);

/// A trace is there before anything is said of its lines, and only where none of them has an error.
template <class Line>
void commit(Traced& traced, const std::vector<Line>& lines, const Options& options, cli::Report& report) {
  if (!traced.is_traced()) return;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].error) handle(*lines[i].error, i + 1, options, report);
  traced.commit();
}

/// `digits` significant ones; 0: as many as read back as x.
std::string number_text(double x, int digits);
std::string number_text(float x, int digits);

}  // namespace transformer_run
