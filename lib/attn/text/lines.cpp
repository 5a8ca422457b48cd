#include <attn/core/memory.hpp>
#include <attn/json/node.hpp>
#include <attn/text/lines.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <memory>

namespace attn::text {
namespace {

void append_number(std::string& line, std::int64_t number) {
  char digits[24];
  line.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

bool is_separator(char c) { return c == ' ' || c == '\t' || c == ',' || c == '\r'; }

std::vector<TokenId> ids_from_text(std::string_view line) {
  std::vector<TokenId> ids;
  const char* const end = line.data() + line.size();
  for (const char* at = line.data(); at != end;) {
    if (is_separator(*at)) {
      ++at;
      continue;
    }
    const char* const word_end = std::find_if(at, end, is_separator);
    TokenId id = 0;
    const auto [stop, error] = std::from_chars(at, word_end, id);
    if (error != std::errc{} || stop != word_end)
      throw Error(ErrorKind::data, "ids",
                  "\"" + std::string(at, std::min(word_end, at + 40)) + "\" is not a whole number",
                  "give ids with spaces between");
    ids.push_back(id);
    at = word_end;
  }
  return ids;
}

std::vector<TokenId> ids_from_json(std::string_view line) {
  const JsonNode root(line, "JSON");
  const JsonNode list = root.is_object() ? root.at("ids") : root;
  std::vector<TokenId> ids;
  for (std::size_t i = 0; i < list.size(); ++i) ids.push_back(list[i].integer());
  return ids;
}

std::string encoding_to_json(const Encoding& encoding, const TextInput& input, const Tokenizer& tokenizer, bool offsets,
                             bool with_text = false, std::optional<std::size_t> line = std::nullopt) {
  std::vector<int> special;
  for (const Origin origin : encoding.origins) special.push_back(origin == Origin::added ? 1 : 0);
  nlohmann::ordered_json out;
  if (line) out["line"] = *line;
  out["ids"] = encoding.ids;
  out["tokens"] = tokenizer.tokens(encoding);
  out["type_ids"] = encoding.type_ids;
  out["special_tokens_mask"] = std::move(special);
  if (with_text) out["text"] = input.first;
  if (offsets) {
    auto& spans = out["offsets"] = nlohmann::ordered_json::array();
    for (const Span& span : in_code_points(encoding, input.first, input.second.value_or("")))
      spans.push_back({span.begin, span.end});
  }
  return out.dump();
}

std::string text_to_json(const std::string& text) { return nlohmann::json{{"text", text}}.dump(); }

/// Largest memory for a long line, with its output: every byte may be a token. Short lines come a megabyte at a time
/// and are not counted.
std::uint64_t memory_of_line(std::size_t bytes, const LineOptions& options) {
  constexpr std::size_t longest_short_line = std::size_t{64} << 10;
  if (bytes <= longest_short_line) return 0;
  constexpr std::uint64_t plain = 96, with_offsets = 160, shown_with_names = 256;  // for each byte
  const bool names = options.view == View::tokens || options.view == View::json;
  const std::size_t most = options.encode.truncation.max_length, shared = options.overlap.value_or(0);
  const std::size_t times =
      shared > 0 && shared < most ? 1 + most / (most - shared) : 1;  // that a token is in a window
  return bytes * times * ((options.encode.offsets ? with_offsets : plain) + (names ? shown_with_names : 0));
}

void process(const std::string& line, std::size_t number, const Tokenizer& tokenizer, const LineOptions& options,
             LineResult& result) {
  if (options.decode) {
    const auto ids = parse_ids(line, options.format);
    result.shown = show(tokenizer.decode(ids, options.skip_special_tokens), options.view.value_or(View::ids));
    return;
  }
  const TextInput input =
      options.chat ? TextInput{(*options.chat)(line), std::nullopt} : parse_text(line, options.format);
  if (options.overlap)
    result.encodings = tokenizer.windows(input.first, input.second, *options.overlap, options.encode);
  else
    result.encodings.push_back(input.second ? tokenizer.encode(input.first, *input.second, options.encode)
                                            : tokenizer.encode(input.first, options.encode));
  if (!options.view) return;
  for (const Encoding& encoding : result.encodings) {
    if (&encoding != &result.encodings.front()) result.shown += '\n';
    if (*options.view == View::json)
      result.shown += encoding_to_json(encoding, input, tokenizer, options.encode.offsets, options.chat.has_value(),
                                       options.overlap ? std::optional(number) : std::nullopt);
    else
      result.shown += show(encoding, input, tokenizer, *options.view, options.encode.offsets);
  }
}

}  // namespace

namespace {

/// As question answering calls a text and a second one, or as transformers does.
std::vector<std::string> fields_of_texts(const JsonNode& object) {
  if (object.has("question") || object.is_null("question")) return {"question", "context"};
  return {"text", "pair", "text_pair"};
}

/// The texts of an object. A question without a context is no text to be read alone, and null is none at all.
std::vector<std::string> texts_of_object(const JsonNode& object) {
  const std::vector<std::string> names = fields_of_texts(object);
  std::vector<std::string> texts;
  for (const std::string& name : names) {
    if (object.is_null(name)) throw object.error(name, "a text", "leave out what has no text");
    if (texts.empty() || names.front() == "question")
      texts.push_back(object.at(name).string());
    else if (const auto second = object.find(name))
      texts.push_back(second->string());
  }
  return texts;
}

std::vector<std::string> texts_of_node(const JsonNode& node) {
  std::vector<std::string> texts;
  if (node.is_string()) {
    texts.push_back(node.string());
  } else if (node.is_object()) {
    texts = texts_of_object(node);
  } else if (node.is_array() && node.size() >= 2) {
    for (std::size_t i = 0; i < node.size(); ++i) texts.push_back(node[i].string());
  } else {
    node.fail("expected a string, two strings in brackets, or an object with \"text\" and \"pair\"");
  }
  return texts;
}

}  // namespace

std::vector<std::string> texts_from_json(std::string_view line) { return texts_of_node(JsonNode(line, "JSON")); }

std::vector<std::string> unread_fields(std::string_view line) {
  if (line.empty() || line[std::min(line.find_first_not_of(" \t"), line.size() - 1)] != '{') return {};
  std::vector<std::string> unread;
  try {
    const JsonNode node(line, "JSON");
    texts_of_node(node);  // else the line is an error
    const std::vector<std::string> read = fields_of_texts(node);
    for (const auto& [name, value] : node.items())
      if (node.has(name) && std::find(read.begin(), read.end(), name) == read.end()) unread.push_back(name);
  } catch (const Error&) {  // which who reads the text says
  }
  return unread;
}

std::string text_from_json(std::string_view line) {
  std::vector<std::string> texts = texts_from_json(line);
  if (texts.size() > 1)
    throw Error(ErrorKind::data, "JSON", "has " + std::to_string(texts.size()) + " texts, expected one");
  return std::move(texts.front());
}

TextInput parse_text(std::string_view line, LineFormat format) {
  if (format == LineFormat::json) {
    std::vector<std::string> texts = texts_from_json(line);
    if (texts.size() > 2)
      throw Error(ErrorKind::data, "JSON", "has " + std::to_string(texts.size()) + " texts, expected one or two");
    TextInput input{std::move(texts.front()), std::nullopt};
    if (texts.size() == 2) input.second = std::move(texts.back());
    return input;
  }
  if (format == LineFormat::text) return {std::string(line), std::nullopt};
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos) throw Error(ErrorKind::data, "pair", "a tab between the two texts is missing");
  return {std::string(line.substr(0, tab)), std::string(line.substr(tab + 1))};
}

std::vector<TokenId> parse_ids(std::string_view line, LineFormat format) {
  return format == LineFormat::json ? ids_from_json(line) : ids_from_text(line);
}

std::string show(const Encoding& encoding, const TextInput& input, const Tokenizer& tokenizer, View view,
                 bool with_offsets) {
  if (view == View::json) return encoding_to_json(encoding, input, tokenizer, with_offsets);
  const auto offsets = in_code_points(encoding, input.first, input.second.value_or(""));
  const auto tokens = view == View::tokens ? tokenizer.tokens(encoding) : std::vector<std::string>();
  std::string line;
  line.reserve(6 * encoding.size());
  for (std::size_t i = 0; i < encoding.size(); ++i) {
    if (i > 0) line += view == View::tokens ? '\t' : ' ';
    if (view == View::tokens) {
      line += one_line(tokens[i], true);
    } else {
      append_number(line, encoding.ids[i]);
    }
    if (offsets.empty()) continue;
    line += ':';
    append_number(line, static_cast<std::int64_t>(offsets[i].begin));
    line += '-';
    append_number(line, static_cast<std::int64_t>(offsets[i].end));
  }
  return line;
}

std::string show(const std::string& text, View view) {
  return view == View::json ? text_to_json(text) : one_line(text);
}

std::string one_line(const std::string& text, bool is_field) {
  std::string line;
  line.reserve(text.size());
  for (const char c : text) {
    if (c == '\n')
      line += "\\n";
    else if (c == '\r')
      line += "\\r";
    else if (c == '\t' && is_field)
      line += "\\t";
    else
      line += c;
  }
  return line;
}

std::vector<LineResult> process_lines(const std::vector<std::string>& lines, const Tokenizer& tokenizer,
                                      const LineOptions& options, const Execution& execution) {
  const std::size_t lines_a_task = std::clamp<std::size_t>(lines.size() / (4 * execution.threads()), 1, 16);
  std::vector<LineResult> results(lines.size());
  execution.parallel((lines.size() + lines_a_task - 1) / lines_a_task, [&](std::size_t task, std::size_t) {
    const std::size_t end = std::min(lines.size(), (task + 1) * lines_a_task);
    for (std::size_t i = task * lines_a_task; i < end; ++i) {
      try {
        const auto counted = memory_account().take(memory_of_line(lines[i].size(), options), "a long line");
        process(lines[i], options.first_line + i, tokenizer, options, results[i]);
      } catch (const Error& error) {
        results[i].error = error;
      }
    }
  });
  return results;
}

}  // namespace attn::text
