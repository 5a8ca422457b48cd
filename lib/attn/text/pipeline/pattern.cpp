#include <attn/core/error.hpp>
#include <attn/text/pipeline/pattern.hpp>
#include <attn/text/unicode.hpp>

#include <oniguruma.h>

#include <limits>
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

/// For messages: its first bytes, to a whole character.
std::string beginning(const std::string& expression) {
  std::size_t most = 60;
  if (expression.size() <= most) return expression;
  while (is_continuation_byte(expression[most])) --most;
  return expression.substr(0, most) + "...";
}

[[noreturn]] void refuse(const std::string& expression, int status, OnigErrorInfo* details = nullptr) {
  OnigUChar message[ONIG_MAX_ERROR_MESSAGE_LEN];
  const int length = onig_error_code_to_str(message, status, details);
  throw Error(status == ONIGERR_MEMORY ? ErrorKind::memory : ErrorKind::data,
              "regular expression " + beginning(expression), std::string(message, message + length));
}

/// The expression with [:punct:] in the words that every version of Oniguruma takes for what the tokenizers package
/// means: punctuation and symbols. Before 6.9.10 it is punctuation alone.
std::string with_plain_punctuation(const std::string& expression) {
  std::string plain;
  std::size_t depth = 0;  // of classes, which may lie in each other
  for (std::size_t i = 0; i < expression.size();) {
    const auto is = [&](std::string_view word) { return expression.compare(i, word.size(), word) == 0; };
    std::size_t length = 1;
    if (is("\\")) {
      length = 2;
    } else if (depth > 0 && (is("[:punct:]") || is("[:^punct:]"))) {
      plain += is("[:^") ? "[^\\p{P}\\p{S}]" : "[\\p{P}\\p{S}]";
      i = expression.find(']', i) + 1;
      continue;
    } else if (depth > 0 && is("[:") && expression.find(":]", i) < expression.find_first_of("[]", i + 1)) {
      length = expression.find(":]", i) + 2 - i;  // another such class
    } else if (is("[")) {
      ++depth;
      if (expression.compare(i + length, 1, "^") == 0) ++length;
      if (expression.compare(i + length, 1, "]") == 0) ++length;  // there it is a character
    } else if (is("]") && depth > 0) {
      --depth;
    }
    plain += expression.substr(i, length);
    i += length;
  }
  return plain;
}

/// Finds matches in a text and bounds their work: a search may go back a few hundred times for nothing; the budget pays
/// for more.
class Search {
 public:
  Search(OnigRegex code, std::string_view text, Pattern::Budget& budget)
      : code_(code), begin_(bytes(text.data())), end_(begin_ + text.size()), budget_(budget) {
    if (region == nullptr || limits_ == nullptr) throw std::bad_alloc();
    onig_initialize_match_param(limits_);
    onig_set_retry_limit_in_match_of_match_param(limits_, std::numeric_limits<unsigned long>::max());
  }
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;
  ~Search() {
    onig_free_match_param(limits_);
    onig_region_free(region, 1);
  }

  int from(std::size_t at) {
    for (unsigned long retries = 256;; retries *= 4) {
      const int status = within(retries, at);
      if (status != ONIGERR_RETRY_LIMIT_IN_SEARCH_OVER || budget_.steps < retries) return status;
      budget_.steps -= retries;
    }
  }

  OnigRegion* const region = onig_region_new();

 private:
  int within(unsigned long retries, std::size_t at) {
    onig_set_retry_limit_in_search_of_match_param(limits_, retries);
    return onig_search_with_param(code_, begin_, end_, begin_ + at, end_, region, ONIG_OPTION_NONE, limits_);
  }

  OnigRegex code_;
  const OnigUChar *begin_, *end_;
  Pattern::Budget& budget_;
  OnigMatchParam* const limits_ = onig_new_match_param();
};

}  // namespace

Pattern Pattern::literal(std::string text) {
  if (text.empty()) throw Error(ErrorKind::data, "pattern", "is empty");
  Pattern pattern;
  pattern.source_ = std::move(text);
  return pattern;
}

Pattern Pattern::regex(const std::string& expression, std::string file) {
  OnigEncoding encoding = ONIG_ENCODING_UTF8;
  // Once, before threads may compile at the same time.
  static const int initialised = onig_initialize(&encoding, 1);
  if (initialised != ONIG_NORMAL) refuse(expression, initialised);
  auto compiled = std::make_shared<Compiled>();
  OnigErrorInfo details{};
  const std::string plain = with_plain_punctuation(expression);
  const int status = onig_new(&compiled->code, bytes(plain.data()), bytes(plain.data() + plain.size()),
                              ONIG_OPTION_NONE, encoding, ONIG_SYNTAX_ONIGURUMA, &details);
  if (status != ONIG_NORMAL) refuse(expression, status, &details);
  Pattern pattern;
  pattern.source_ = expression;
  pattern.file_ = std::move(file);
  pattern.compiled_ = std::move(compiled);
  return pattern;
}

void Pattern::each(std::string_view text, Budget& budget, const std::function<void(Span)>& found) const {
  if (!compiled_) {
    for (std::size_t at = text.find(source_); at != std::string_view::npos;
         at = text.find(source_, at + source_.size()))
      found({at, at + source_.size()});
    return;
  }
  Search search(compiled_->code, text, budget);
  std::optional<std::size_t> end_before;  // end of the previous match
  for (std::size_t at = 0; at <= text.size();) {
    const int status = search.from(at);
    if (status == ONIG_MISMATCH) return;
    if (status == ONIGERR_RETRY_LIMIT_IN_SEARCH_OVER)
      throw Error(ErrorKind::data, "text",
                  "takes too long to search for the regular expression " + beginning(source_) +
                      (file_.empty() ? "" : " of " + file_),
                  "break the text into shorter lines, or change the expression");
    if (status < 0) refuse(source_, status);
    const Span span{static_cast<std::size_t>(search.region->beg[0]), static_cast<std::size_t>(search.region->end[0])};
    // An empty match does not follow another at once, as in the tokenizers package.
    if (span.size() > 0 || end_before != span.end) found(span);
    end_before = at = span.end;
    if (span.size() == 0) {  // an empty match: continue after the next code point
      do ++at;
      while (at < text.size() && is_continuation_byte(text[at]));
    }
  }
}

}  // namespace attn::text
