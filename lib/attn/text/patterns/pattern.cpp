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

/// Finds matches in a text and bounds their work: each search may go back a few thousand times, and some as often as
/// long texts require.
class Search {
 public:
  Search(OnigRegex code, std::string_view text) : code_(code), begin_(bytes(text.data())), end_(begin_ + text.size()) {
    if (region == nullptr || limits_ == nullptr) throw std::bad_alloc();
    onig_initialize_match_param(limits_);
  }
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;
  ~Search() {
    onig_free_match_param(limits_);
    onig_region_free(region, 1);
  }

  int from(std::size_t at) {
    const int status = within(4096, at);
    if (status != ONIGERR_RETRY_LIMIT_IN_SEARCH_OVER || long_searches_++ == 100) return status;
    return within(1'000'000 + 16 * static_cast<unsigned long>(end_ - begin_), at);
  }

  OnigRegion* const region = onig_region_new();

 private:
  int within(unsigned long retries, std::size_t at) {
    onig_set_retry_limit_in_search_of_match_param(limits_, retries);
    return onig_search_with_param(code_, begin_, end_, begin_ + at, end_, region, ONIG_OPTION_NONE, limits_);
  }

  OnigRegex code_;
  const OnigUChar *begin_, *end_;
  OnigMatchParam* const limits_ = onig_new_match_param();
  std::size_t long_searches_ = 0;
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
  Search search(compiled_->code, text);
  std::optional<std::size_t> end_before;  // end of the previous match
  for (std::size_t at = 0; at <= text.size();) {
    const int status = search.from(at);
    if (status == ONIG_MISMATCH) return;
    if (status < 0) refuse(source_, status);
    const Span span{static_cast<std::size_t>(search.region->beg[0]), static_cast<std::size_t>(search.region->end[0])};
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
