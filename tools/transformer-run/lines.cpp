#include "transformer-run/lines.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

namespace transformer_run {
namespace {

template <class T>
std::string text_of(T x, int digits) {
  char text[32];
  const auto end = digits > 0 ? std::to_chars(text, text + sizeof text, x, std::chars_format::general, digits)
                              : std::to_chars(text, text + sizeof text, x);
  return {text, end.ptr};
}

}  // namespace

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

std::string number_text(double x, int digits) { return text_of(x, digits); }
std::string number_text(float x, int digits) { return text_of(x, digits); }

}  // namespace transformer_run
