#pragma once
// Lines through a tokenizer: formats of input and output, and the result of each line.

#include <attn/core/error.hpp>
#include <attn/core/execution.hpp>
#include <attn/text/chat_template.hpp>
#include <attn/text/tokenizer.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ATTN_API attn {
namespace text {

/// Format of a line of input.
enum class LineFormat {
  text,  ///< plain text; ids separated by white space or commas
  pair,  ///< two texts separated by a tab
  json   ///< see texts_from_json(); [1, 2] or {"ids": [1, 2]}
};

/// Format of the result.
enum class View {
  ids,     ///< 101 7592 102; with offsets 101:0-0 7592:0-5
  tokens,  ///< the same with tokens, separated by tabs since a token may be a space
  json  ///< {"ids": [...], "tokens": [...], "type_ids": [...], "special_tokens_mask": [...], "offsets": [[b, e], ...]}
};

/// A text, or a pair of texts.
struct TextInput {
  std::string first;
  std::optional<std::string> second;
};

/// Throw Error(data) if a line does not have this format.
TextInput parse_text(std::string_view line, LineFormat format);
std::vector<TokenId> parse_ids(std::string_view line, LineFormat format);
/// The texts of a line of JSON: "text", ["text", "second"], where brackets may have any number of them, {"text": ...,
/// "pair": ...} or {"question": ..., "context": ...}.
std::vector<std::string> texts_from_json(std::string_view line);
/// The only one of them. Throws Error(data) if there are several.
std::string text_from_json(std::string_view line);
/// The fields of an object that texts_from_json() does not read.
std::vector<std::string> unread_fields(std::string_view line);

/// One line, offsets in code points. offsets: show them; without tokens, JSON has an empty list.
std::string show(const Encoding& encoding, const TextInput& input, const Tokenizer& tokenizer, View view,
                 bool offsets = false);
/// The text as one line (see one_line), or {"text": "..."}.
std::string show(const std::string& text, View view);

/// The text with its line breaks written \n and \r, so that it stays one line; for a field also tabs as \t.
std::string one_line(const std::string& text, bool is_field = false);

/// The result of a line: its encoding or its windows, each as a line to show, or the decoded text as one, or its error.
struct LineResult {
  std::vector<Encoding> encodings;
  std::string shown;
  std::optional<Error> error;
};

struct LineOptions {
  LineFormat format = LineFormat::text;
  std::optional<View> view = View::ids;  ///< none: only encodings are wanted
  std::optional<ChatTemplate> chat =
      std::nullopt;                 ///< lines are chats, whatever the format; JSON shows their text, too
  bool decode = false;              ///< from ids to text
  bool skip_special_tokens = true;  ///< when decoding
  EncodeOptions encode;
  std::optional<std::size_t> overlap = std::nullopt;  ///< windows that share so many tokens; JSON shows their line, too
  std::size_t first_line = 0;                         ///< number of the first of the lines
};

/// The results of all lines in order, computed by several threads. The error of a line is in its result. Memory of long
/// lines is counted in memory_account().
std::vector<LineResult> process_lines(const std::vector<std::string>& lines, const Tokenizer& tokenizer,
                                      const LineOptions& options, const Execution& execution = {});

}  // namespace text
}  // namespace attn
