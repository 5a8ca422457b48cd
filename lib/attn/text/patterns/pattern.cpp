#include <attn/core/error.hpp>
#include <attn/text/patterns/pattern.hpp>

#include <oniguruma.h>

#include <new>
#include <optional>

namespace attn::text {

struct Pattern::Compiled {
  OnigRegex code = nullptr;

  Compiled() = default;
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;
  ~Compiled() { onig_free(code); }
};

namespace {

const OnigUChar* bytes(const char* at) { return reinterpret_cast<const OnigUChar*>(at); }

[[noreturn]] void refuse(const std::string& expression, int status, OnigErrorInfo* details = nullptr) {
  OnigUChar message[ONIG_MAX_ERROR_MESSAGE_LEN];
  const int length = onig_error_code_to_str(message, status, details);
  throw Error(status == ONIGERR_MEMORY ? ErrorKind::memory : ErrorKind::data, "regular expression " + expression,
              std::string(message, message + length));
}

struct Match {
  OnigRegion* region = onig_region_new();
  Match() {
    if (region == nullptr) throw std::bad_alloc();
  }
  Match(const Match&) = delete;
  Match& operator=(const Match&) = delete;
  ~Match() { onig_region_free(region, 1); }
};

}  // namespace

Pattern Pattern::literal(std::string text) {
  if (text.empty()) throw Error(ErrorKind::data, "pattern", "is empty");
  Pattern pattern;
  pattern.source_ = std::move(text);
  return pattern;
}

Pattern Pattern::regex(const std::string& expression) {
  OnigEncoding encoding = ONIG_ENCODING_UTF8;
  // Once, before threads may compile at the same time.
  static const int initialised = onig_initialize(&encoding, 1);
  if (initialised != ONIG_NORMAL) refuse(expression, initialised);
  auto compiled = std::make_shared<Compiled>();
  OnigErrorInfo details{};
  const int status = onig_new(&compiled->code, bytes(expression.data()), bytes(expression.data() + expression.size()),
                              ONIG_OPTION_NONE, encoding, ONIG_SYNTAX_ONIGURUMA, &details);
  if (status != ONIG_NORMAL) refuse(expression, status, &details);
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
  const Match match;
  const OnigUChar *const begin = bytes(text.data()), *const end = begin + text.size();
  std::optional<std::size_t> end_before;  // end of the previous match
  for (std::size_t at = 0; at <= text.size();) {
    const int status = onig_search(compiled_->code, begin, end, begin + at, end, match.region, ONIG_OPTION_NONE);
    if (status == ONIG_MISMATCH) return;
    if (status < 0) refuse(source_, status);
    const Span span{static_cast<std::size_t>(match.region->beg[0]), static_cast<std::size_t>(match.region->end[0])};
    // An empty match does not follow another at once, as in the tokenizers package.
    if (span.size() > 0 || end_before != span.end) found(span);
    end_before = at = span.end;
    if (span.size() == 0) {  // an empty match: continue after the next code point
      do ++at;
      while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
    }
  }
}

}  // namespace attn::text
