#include <attn/core/error.hpp>
#include <attn/core/missing.hpp>
#include <attn/core/utf8.hpp>
#include <attn/io/column_names.hpp>
#include <attn/io/elements.hpp>
#include <attn/io/number_text.hpp>
#include <attn/io/other_delimiter.hpp>
#include <attn/io/output.hpp>
#include <attn/io/table_text.hpp>

#include <algorithm>

namespace attn::io {
namespace {

bool ends_with(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

/// "2,8,64"; of a scalar, nothing.
bool parse_extents(std::string_view list, Shape& shape) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    std::uint64_t extent = 0;
    if (!parse_number(list.substr(0, comma), extent)) return false;
    shape.push_back(extent);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return true;
}

bool parse_dtype(std::string_view name, DType& dtype) {
  try {
    dtype = dtype_from_name(name);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::size_t find_control(std::string_view text) noexcept {
  const auto is_control = [](unsigned char c) { return c < 0x20 && c != '\t' && c != '\n' && c != '\r'; };
  return static_cast<std::size_t>(std::find_if(text.begin(), text.end(), is_control) - text.begin());
}

std::string Cell::unescaped() const {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    plain += text[i];
    if (quoted && text[i] == '"') ++i;  // the second of two
  }
  return plain;
}

bool Cell::is_missing() const noexcept { return attn::is_missing(text); }

TableText::TableText(std::string_view text, std::string label, const TableOptions& options, ThreadPool* pool)
    : text_(text),
      label_(std::move(label)),
      has_default_delimiter_(options.delimiter == 0),
      missing_(options.missing),
      dtype_(options.numbers) {
  const std::string uncompressed = label_.substr(0, label_.size() - (ends_with(label_, ".gz") ? 3 : 0));
  const bool named_tsv = format_from_path(uncompressed) == Format::tsv;
  delimiter_ = options.delimiter != 0 ? options.delimiter : named_tsv ? '\t' : ',';
  const std::string_view start = text.substr(0, 4096);
  // Programs put one in front of what has one.
  while (text_.substr(0, byte_order_mark.size()) == byte_order_mark) text_.remove_prefix(byte_order_mark.size());
  // Lines of old Macintoshes, which would be one line, unless a quote tells that the first cell has a line end in it.
  const std::size_t line_end_alone = start.find('\r');
  if (line_end_alone < start.size() - 1 && start.find_first_of("\n\"") == start.npos)
    refuse(start.data() + line_end_alone, "a line that ends in CR alone, expected LF or CRLF",
           "convert it, for example with tr '\\r' '\\n'");
  const char* at = text_.data();
  const char* const end = at + text_.size();
  while (at < end) {
    const char* stop = line_end(at, end);
    const std::string_view line = trimmed({at, static_cast<std::size_t>(stop - at)});
    if (!line.empty() && line.front() == '#')
      read_comment(line.substr(1));
    else if (!line.empty() && line != "\r")
      break;
    at = stop < end ? stop + 1 : end;
  }
  if (at < end)
    read_header(at, options.header);
  else if (!shape_)
    throw Error(ErrorKind::input, label_, "has no rows");
  find_rows(at, pool);
}

std::string TableText::name(std::size_t column) const {
  return column < names_.size() && !names_[column].empty() ? names_[column] : std::to_string(column);
}

/// " shape=2,8,64 dtype=f32", both or one of them; any other comment is a comment. One that begins like this and goes
/// on otherwise is a mistake: to pass over it would read another tensor than was meant.
void TableText::read_comment(std::string_view line) {
  const auto key_of = [](std::string_view word) { return word.substr(0, 6); };
  line = trimmed(line);
  if (key_of(line) != "shape=" && key_of(line) != "dtype=") return;
  std::optional<Shape> shape;
  std::optional<DType> dtype;
  while (!line.empty() && line != "\r") {
    const std::size_t stop = std::min(line.find_first_of(" \t\r"), line.size());
    const std::string_view word = line.substr(0, stop), key = key_of(word);
    const bool understood = (key == "shape=" && !shape && parse_extents(word.substr(6), shape.emplace())) ||
                            (key == "dtype=" && !dtype && parse_dtype(word.substr(6), dtype.emplace()));
    if (!understood)
      refuse(word.data(), "'" + std::string(word.substr(0, 40)) + "' in a comment says neither a shape nor a dtype",
             "write it as # shape=2,8,64 dtype=f32, or put another word in front");
    if (shape && shape->size() > most_axes)
      refuse(word.data(), "a shape of more than " + std::to_string(most_axes) + " axes");
    line = trimmed(line.substr(stop));
  }
  if (shape) shape_ = shape;
  if (dtype) dtype_ = dtype;
}

void TableText::read_header(const char*& at, TableOptions::Header header) {
  const char* const end = text_.data() + text_.size();
  const char* behind = at;
  const std::vector<Cell> first = take_row(behind, end);
  columns_ = first.size();
  const auto numbers = static_cast<std::size_t>(
      std::count_if(first.begin(), first.end(), [](const Cell& cell) { return is_number(cell.text); }));
  if (header == TableOptions::Header::automatic) expect_delimiter_of(first);
  if (header == TableOptions::Header::automatic && numbers > 0 && numbers < first.size()) {
    const bool starts_with_number = is_number(first.front().text);
    const auto other = std::find_if(first.begin(), first.end(),
                                    [&](const Cell& cell) { return is_number(cell.text) != starts_with_number; });
    // Missing cells among numbers are data once the caller has said so.
    const bool only_missing = std::all_of(first.begin(), first.end(),
                                          [](const Cell& cell) { return is_number(cell.text) || cell.is_missing(); });
    if (only_missing) return;
    for (const Cell& cell : first) require_text(cell);
    refuse(other->begin, "the first row has both words and numbers", "say what it is with --header or --no-header");
  }
  const bool is_header =
      header == TableOptions::Header::yes || (header == TableOptions::Header::automatic && numbers == 0);
  if (!is_header) return;
  for (const Cell& cell : first) {
    require_text(cell);
    const std::string name = cell.unescaped();
    names_.push_back(header == TableOptions::Header::yes ? name : unmarked_name(name));
  }
  at = behind;
}

/// Numbers of a first row that something else separates, or whose decimal sign is another, would be a header of words.
void TableText::expect_delimiter_of(const std::vector<Cell>& first) const {
  const auto holds_numbers = [](const Cell& cell) {
    return is_number(cell.text) || (!cell.quoted && delimiter_of_numbers(cell.text) != 0);
  };
  if (!std::all_of(first.begin(), first.end(), holds_numbers)) return;
  for (const Cell& cell : first) {
    if (cell.quoted) continue;
    if (const char other = delimiter_of_numbers(cell.text); other != 0 && has_default_delimiter_)
      refuse(cell.begin, "the first row has numbers with " + shown_delimiter(other) + " between",
             "--delim " + shown_delimiter(other) + " makes cells of them, --delim " + shown_delimiter(delimiter_) +
                 " one text");
    if (delimiter_ != ',') refuse_decimal_comma(cell);
  }
}

void TableText::refuse_decimal_comma(const Cell& cell) const {
  if (!cell.quoted && has_decimal_comma(cell.text))
    refuse(cell.begin, "'" + std::string(cell.text.substr(0, 40)) + "' has a decimal comma",
           "write a point, or put it in quotes where it is text");
}

void TableText::require_text(const Cell& cell) const {
  if (find_invalid_utf8(cell.text))
    refuse(cell.begin, "text that is not UTF-8", "convert it, for example with iconv -t UTF-8");
  if (const std::size_t at = find_control(cell.text); at < cell.text.size())
    refuse(cell.text.data() + at, "a control character, which is no text",
           "take it out, for example with tr -d '\\000-\\010\\013\\014\\016-\\037'");
}

void TableText::refuse(const char* at, const std::string& detail, const std::string& fix) const {
  const char* const begin = text_.data();
  const auto lines = std::count(begin, at, '\n');
  const char* line = at;
  while (line > begin && line[-1] != '\n') --line;
  throw Error(ErrorKind::data, label_ + ":" + std::to_string(lines + 1) + ":" + std::to_string(at - line + 1), detail,
              fix);
}

}  // namespace attn::io
