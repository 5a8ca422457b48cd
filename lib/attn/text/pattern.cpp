#include <attn/core/error.hpp>
#include <attn/text/pattern.hpp>
#include <attn/text/pattern_dialect.hpp>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <optional>

namespace attn::text {

struct Pattern::Compiled {
  pcre2_code* code = nullptr;

  Compiled() = default;
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;
  ~Compiled() { pcre2_code_free(code); }
};

namespace {

std::string message_of(int error) {
  PCRE2_UCHAR buffer[256];
  pcre2_get_error_message(error, buffer, sizeof buffer);
  return reinterpret_cast<const char*>(buffer);
}

struct MatchData {
  pcre2_match_data* data;
  explicit MatchData(const pcre2_code* code) : data(pcre2_match_data_create_from_pattern(code, nullptr)) {
    if (data == nullptr) throw Error(ErrorKind::memory, "regular expression", "no memory for matching");
  }
  ~MatchData() { pcre2_match_data_free(data); }
  MatchData(const MatchData&) = delete;
  MatchData& operator=(const MatchData&) = delete;
};

}  // namespace

Pattern Pattern::literal(std::string text) {
  if (text.empty()) throw Error(ErrorKind::data, "pattern", "is empty");
  Pattern pattern;
  pattern.source_ = std::move(text);
  return pattern;
}

Pattern Pattern::regex(const std::string& expression) {
  const PatternTranslation translated = translate_pattern(expression);
  auto compiled = std::make_shared<Compiled>();
  int error = 0;
  PCRE2_SIZE at = 0;
  pcre2_compile_context* context = pcre2_compile_context_create(nullptr);
  pcre2_set_newline(context, PCRE2_NEWLINE_LF);
  // Texts are checked once, when they come in.
  compiled->code =
      pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated.expression.data()), translated.expression.size(),
                    PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE, &error, &at, context);
  pcre2_compile_context_free(context);
  if (compiled->code == nullptr) refuse_pattern(expression, translated.original(at), message_of(error));
  // Where there is no just-in-time compiler, matching is slower and nothing else changes.
  (void)pcre2_jit_compile(compiled->code, PCRE2_JIT_COMPLETE);
  Pattern pattern;
  pattern.source_ = expression;
  pattern.compiled_ = std::move(compiled);
  return pattern;
}

void Pattern::each(std::string_view text, const std::function<void(Span)>& found) const {
  if (!compiled_) {
    for (std::size_t at = text.find(source_); at != std::string_view::npos;
         at = text.find(source_, at + source_.size()))
      found({at, at + source_.size()});
    return;
  }
  MatchData match(compiled_->code);
  const PCRE2_SIZE* range = pcre2_get_ovector_pointer(match.data);
  const auto* subject = reinterpret_cast<PCRE2_SPTR>(text.data());
  std::optional<std::size_t> end_before;  // of the match before
  for (std::size_t at = 0; at <= text.size();) {
    int status = pcre2_match(compiled_->code, subject, text.size(), at, PCRE2_NO_UTF_CHECK, match.data, nullptr);
    if (status == PCRE2_ERROR_JIT_STACKLIMIT)  // the interpreter takes its memory from the heap
      status = pcre2_match(compiled_->code, subject, text.size(), at, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, match.data,
                           nullptr);
    if (status == PCRE2_ERROR_NOMATCH) return;
    if (status < 0) throw Error(ErrorKind::data, "regular expression " + source_, message_of(status));
    const Span span{range[0], range[1]};
    // As in Oniguruma's bindings, an empty match does not follow another at once.
    if (span.size() > 0 || end_before != span.end) found(span);
    end_before = at = span.end;
    if (span.size() == 0) {  // an empty match: go on behind the next code point
      do ++at;
      while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
    }
  }
}

}  // namespace attn::text
