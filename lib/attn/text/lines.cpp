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

TextInput text_from_json(std::string_view line) {
  const JsonNode node(line, "JSON");
  if (node.is_string()) return {node.string(), std::nullopt};
  if (node.is_object()) {
    TextInput input{node.at("text").string(), std::nullopt};
    if (const auto pair = node.find("pair")) input.second = pair->string();
    return input;
  }
  if (!node.is_array() || node.size() != 2)
    node.fail("expected a string, two strings in brackets, or an object with \"text\" and \"pair\"");
  return {node[0].string(), node[1].string()};
}

std::vector<TokenId> ids_from_json(std::string_view line) {
  const JsonNode root(line, "JSON");
  const JsonNode list = root.is_object() ? root.at("ids") : root;
  std::vector<TokenId> ids;
  for (std::size_t i = 0; i < list.size(); ++i) ids.push_back(list[i].integer());
  return ids;
}

std::string encoding_to_json(const Encoding& encoding, const TextInput& input, const Tokenizer& tokenizer, bool offsets,
                             bool with_text = false) {
  std::vector<int> special;
  for (const Origin origin : encoding.origins) special.push_back(origin == Origin::added ? 1 : 0);
  nlohmann::ordered_json out{{"ids", encoding.ids},
                             {"tokens", tokenizer.tokens(encoding)},
                             {"type_ids", encoding.type_ids},
                             {"special_tokens_mask", std::move(special)}};
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
  return bytes * ((options.encode.offsets ? with_offsets : plain) + (names ? shown_with_names : 0));
}

void process(const std::string& line, const Tokenizer& tokenizer, const LineOptions& options, LineResult& result) {
  if (options.decode) {
    const auto ids = parse_ids(line, options.format);
    result.shown = show(tokenizer.decode(ids, options.skip_special_tokens), options.view.value_or(View::ids));
    return;
  }
  const TextInput input =
      options.chat ? TextInput{(*options.chat)(line), std::nullopt} : parse_text(line, options.format);
  result.encoding = input.second ? tokenizer.encode(input.first, *input.second, options.encode)
                                 : tokenizer.encode(input.first, options.encode);
  if (options.chat && options.view == View::json)
    result.shown = encoding_to_json(result.encoding, input, tokenizer, options.encode.offsets, true);
  else if (options.view)
    result.shown = show(result.encoding, input, tokenizer, *options.view, options.encode.offsets);
}

}  // namespace

TextInput parse_text(std::string_view line, LineFormat format) {
  if (format == LineFormat::json) return text_from_json(line);
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
        process(lines[i], tokenizer, options, results[i]);
      } catch (const Error& error) {
        results[i].error = error;
      }
    }
  });
  return results;
}

}  // namespace attn::text
