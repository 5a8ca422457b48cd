#include "transformer-run/lines.hpp"

#include <attn/core/memory.hpp>

#include <charconv>

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

std::size_t memory_limit(const cli::Session& session) {
  return session.max_memory() > 0 ? session.max_memory() : attn::usable_memory();
}

std::vector<std::string> next_lines(cli::TextLines& source, std::size_t most, const attn::Execution& execution) {
  return execution.trace ? source.all() : source.next(most);
}

void handle(const attn::Error& cause, std::size_t line, const Options& options, cli::Session& session) {
  const attn::Error error(cause.kind(), "line " + std::to_string(line), cause.what());
  if (options.on_error == OnError::stop) throw error;
  session.note(error.what());
  session.say_no();
}

std::string number_text(double x, int digits) { return text_of(x, digits); }
std::string number_text(float x, int digits) { return text_of(x, digits); }

}  // namespace transformer_run
