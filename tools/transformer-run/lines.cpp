#include "transformer-run/lines.hpp"

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
  return {options.text, session.inputs};
}

LineWindows::LineWindows(const Options& options, std::size_t most, const Traced& traced, cli::Session& session)
    : source_(texts_of(options, session)), most_(most), is_traced_(traced.is_traced()) {
  if (!is_traced_) return;
  lines_ = source_.all();
  if (lines_.empty()) throw attn::Error(attn::ErrorKind::input, "standard input", "has no line to trace");
}

std::vector<std::string> LineWindows::next() { return is_traced_ ? std::exchange(lines_, {}) : source_.next(most_); }

void handle(const attn::Error& cause, std::size_t line, const Options& options, cli::Report& report) {
  const attn::Error error(cause.kind(), "line " + std::to_string(line), cause.what());
  if (options.on_error == OnError::stop) throw error;
  report.note(error.what());
  report.say_no();
}

}  // namespace transformer_run
