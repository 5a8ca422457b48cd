#pragma once
// Many lines through a tokenizer: what a line may be, what is shown of it, and what became of each.

#include <attn/core/error.hpp>
#include <attn/core/execution.hpp>
#include <attn/text/tokenizer.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ATTN_API attn {
namespace text {

/// What a line of input is.
enum class LineFormat {
  text,  ///< the text as it stands; ids with white space or commas between
  pair,  ///< two texts with a tab between
  json   ///< "text", ["text", "second"] or {"text": ..., "pair": ...}; [1, 2] or {"ids": [1, 2]}
};

/// What is shown of the result.
enum class View {
  ids,     ///< 101 7592 102; with offsets 101:0-0 7592:0-5
  tokens,  ///< the same with tokens and tabs, as a token may be a space
  json  ///< {"ids": [...], "tokens": [...], "type_ids": [...], "special_tokens_mask": [...], "offsets": [[b, e], ...]}
};

/// A text, or two that belong together.
struct TextInput {
  std::string first;
  std::optional<std::string> second;
};

/// Throw Error(data) where a line is not what the format says.
TextInput parse_text(std::string_view line, LineFormat format);
std::vector<TokenId> parse_ids(std::string_view line, LineFormat format);

/// One line, offsets in code points. offsets: they were asked for; without tokens, JSON has an empty list of them.
std::string show(const Encoding& encoding, const TextInput& input, const Tokenizer& tokenizer, View view,
                 bool offsets = false);
/// The text as one line (see one_line), or {"text": "..."}.
std::string show(const std::string& text, View view);

/// The text with its line breaks written \n and \r, so that it stays one line; as a field among others, tabs \t.
std::string one_line(const std::string& text, bool is_field = false);

/// What became of a line: the encoding or the decoded text, as one line to show, or the error it caused.
struct LineResult {
  Encoding encoding;
  std::string shown;
  std::optional<Error> error;
};

struct LineOptions {
  LineFormat format = LineFormat::text;
  std::optional<View> view = View::ids;  ///< none: encodings are all that is wanted
  bool decode = false;                   ///< from ids to text
  bool skip_special_tokens = true;       ///< when decoding
  EncodeOptions encode;
};

/// The results of all lines in their order; threads share them. Errors that a line causes stand in its result. What
/// long lines take is asked for in memory_account().
std::vector<LineResult> process_lines(const std::vector<std::string>& lines, const Tokenizer& tokenizer,
                                      const LineOptions& options, const Execution& execution = {});

}  // namespace text
}  // namespace attn
