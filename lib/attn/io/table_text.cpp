#include <attn/core/error.hpp>
#include <attn/core/missing.hpp>
#include <attn/core/utf8.hpp>
#include <attn/io/number_text.hpp>
#include <attn/io/table_text.hpp>

#include <algorithm>
#include <cstring>
#include <functional>

namespace attn::io {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20;

bool ends_with(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

const char* line_end(const char* at, const char* end) {
  const void* found = at < end ? std::memchr(at, '\n', static_cast<std::size_t>(end - at)) : nullptr;
  return found != nullptr ? static_cast<const char*>(found) : end;
}

struct LineCounts {
  std::size_t lines = 0;
  bool has_odd_lines = false;  ///< some may be blank or comments: they begin with a character up to '#'
  bool has_quotes = false;
};

/// Counts bytes by the 128, in loops that the compiler turns into vector code.
LineCounts count_lines(const char* begin, const char* end) noexcept {
  using Byte = unsigned char;
  constexpr Byte last_odd = '#';
  LineCounts counts;
  Byte odd = static_cast<Byte>(*begin) <= last_odd, quotes = 0;
  const char* at = begin;
  constexpr std::ptrdiff_t step = 128;
  for (; end - at > step; at += step) {
    Byte lines = 0, odd_starts = 0, quote_signs = 0;
    for (std::ptrdiff_t k = 0; k < step; ++k) {
      const Byte ends = at[k] == '\n';
      lines = static_cast<Byte>(lines + ends);
      odd_starts = static_cast<Byte>(odd_starts | (ends & (static_cast<Byte>(at[k + 1]) <= last_odd)));
      quote_signs = static_cast<Byte>(quote_signs | (at[k] == '"'));
    }
    counts.lines += lines;
    odd |= odd_starts;
    quotes |= quote_signs;
  }
  for (; at < end; ++at) {
    quotes |= *at == '"';
    if (*at != '\n') continue;
    ++counts.lines;
    odd |= at + 1 < end && static_cast<Byte>(at[1]) <= last_odd;
  }
  counts.lines += end[-1] != '\n';  // the last line may lack its end
  counts.has_odd_lines = odd != 0;
  counts.has_quotes = quotes != 0;
  return counts;
}

/// At the end of a line, which may be \r\n.
bool is_line_end(const char* at, const char* end) noexcept {
  return at == end || *at == '\n' || (*at == '\r' && (at + 1 == end || at[1] == '\n'));
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
    : text_(text), label_(std::move(label)), missing_(options.missing), dtype_(options.numbers) {
  const bool named_tsv = ends_with(label_, ".tsv") || ends_with(label_, ".tsv.gz");
  delimiter_ = options.delimiter != 0 ? options.delimiter : named_tsv ? '\t' : ',';
  const std::string_view start = text.substr(0, 4096);
  if (start.find('\0') != std::string_view::npos)
    throw Error(ErrorKind::data, label_, "is neither HDF5, NPY, safetensors nor text");
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (start.substr(0, 3) == byte_order_mark) text_.remove_prefix(3);
  // Lines of old Macintoshes, which would be one line, unless a quote tells that the first cell has a line end in it.
  const std::size_t line_end_alone = start.find('\r');
  if (line_end_alone < start.size() - 1 && start.find_first_of("\n\"") == start.npos)
    refuse(start.data() + line_end_alone, "a line that ends in CR alone, expected LF or CRLF",
           "convert it, for example with tr '\\r' '\\n'");
  const char* at = text_.data();
  const char* const end = at + text_.size();
  const TableOptions::Missing missing = missing_;
  missing_ = TableOptions::Missing::error;  // no row is left out before the number of columns is known
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
  missing_ = missing;
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
    line = trimmed(line.substr(stop));
  }
  if (shape) shape_ = shape;
  if (dtype) dtype_ = *dtype;
}

void TableText::read_header(const char*& at, TableOptions::Header header) {
  const char* const end = text_.data() + text_.size();
  const char* behind = at;
  const std::vector<Cell> first = take_row(behind, end);
  columns_ = first.size();
  const auto numbers = static_cast<std::size_t>(
      std::count_if(first.begin(), first.end(), [](const Cell& cell) { return is_number(cell.text); }));
  if (header == TableOptions::Header::automatic && numbers > 0 && numbers < first.size()) {
    const bool starts_with_number = is_number(first.front().text);
    const auto other = std::find_if(first.begin(), first.end(),
                                    [&](const Cell& cell) { return is_number(cell.text) != starts_with_number; });
    // Missing cells among numbers are data once the caller has said so.
    const bool only_missing = std::all_of(first.begin(), first.end(),
                                          [](const Cell& cell) { return is_number(cell.text) || cell.is_missing(); });
    if (only_missing) return;
    refuse(other->begin, "the first row has both words and numbers", "say what it is with --header or --no-header");
  }
  if (header == TableOptions::Header::automatic && first.size() == 1 && !first.front().quoted &&
      holds_numbers(first.front().text))
    refuse(first.front().begin, "the first row has numbers with blanks between",
           "say with --delim what lies between, or --header where they are a name");
  const bool is_header =
      header == TableOptions::Header::yes || (header == TableOptions::Header::automatic && numbers == 0);
  if (!is_header) return;
  for (const Cell& cell : first) {
    require_text(cell);
    std::string name = cell.unescaped();
    // A dataset whose name reads as a number is written with a slash in front.
    const bool is_guarded = name.size() > 1 && name.front() == '/' && is_number(std::string_view(name).substr(1));
    names_.push_back(is_guarded ? name.substr(1) : name);
  }
  at = behind;
}

void TableText::find_rows(const char* begin, ThreadPool* pool) {
  const char* const end = columns_ == 1 ? end_of_rows(begin) : text_.data() + text_.size();
  for (const char* at = begin; at < end;) {
    const char* stop = static_cast<std::size_t>(end - at) <= block_bytes ? end : line_end(at + block_bytes, end);
    if (stop < end) ++stop;
    blocks_.push_back({at, stop});
    at = stop;
  }
  std::vector<LineCounts> counts(blocks_.size());
  const auto for_each_block = [&](const std::function<void(std::size_t)>& body) {
    if (pool != nullptr) return pool->run(blocks_.size(), [&](std::size_t i, std::size_t) { body(i); });
    for (std::size_t i = 0; i < blocks_.size(); ++i) body(i);
  };
  for_each_block([&](std::size_t i) { counts[i] = count_lines(blocks_[i].begin, blocks_[i].end); });
  const bool has_quotes = std::any_of(counts.begin(), counts.end(), [](const LineCounts& c) { return c.has_quotes; });
  // A line end inside quotes ends no row, so a text with quotes is one block.
  if (has_quotes) {
    blocks_ = {{begin, end}};
    counts.resize(1);
  }
  for_each_block([&](std::size_t i) {
    if (!has_quotes && !counts[i].has_odd_lines && missing_ != TableOptions::Missing::omit) return;
    // Exactly as rows will be read: a quote inside a cell that does not begin with one is a character like any other.
    std::size_t rows = 0;
    for (const char* at = blocks_[i].begin; find_row(at, blocks_[i].end); ++rows) skip_row(at, blocks_[i].end);
    counts[i].lines = rows;
  });
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    blocks_[i].first_row = rows_;
    rows_ += counts[i].lines;
  }
}

/// The end of the last line that is neither blank nor a comment.
const char* TableText::end_of_rows(const char* begin) const {
  for (const char* end = text_.data() + text_.size(); end > begin;) {
    const char* line = end - 1;
    while (line > begin && line[-1] != '\n') --line;
    const std::string_view text(line, static_cast<std::size_t>(end - line));
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    // A line with a quote may be the end of a cell that began before.
    const bool is_comment = first != std::string_view::npos && text[first] == '#' && text.find('"') == text.npos;
    if (first != std::string_view::npos && !is_comment) return end;
    end = line;
  }
  return begin;
}

bool TableText::find_row(const char*& at, const char* end) const {
  while (at < end) {
    const char* start = at;
    while (start < end && (*start == ' ' || (*start == '\t' && delimiter_ != '\t'))) ++start;
    const bool is_blank = is_line_end(start, end);
    // Where a row is one cell, a line of nothing is a row whose cell is empty.
    if (is_blank ? columns_ != 1 : *start == '#') {
      const char* stop = line_end(start, end);
      at = stop < end ? stop + 1 : end;
      continue;
    }
    if (missing_ != TableOptions::Missing::omit) return true;
    const char* behind = at;
    const std::vector<Cell> row = take_row(behind, end);
    if (std::none_of(row.begin(), row.end(), [](const Cell& cell) { return cell.is_missing(); })) return true;
    if (row.size() != columns_) return true;  // for the reader to refuse
    at = behind;
  }
  return false;
}

Cell TableText::take_cell(const char*& at, const char* end) const {
  const auto is_blank = [this](char c) { return c == ' ' || (c == '\t' && delimiter_ != '\t'); };
  while (at < end && is_blank(*at)) ++at;
  Cell cell;
  cell.begin = at;
  if (at < end && *at == '"') {
    cell.quoted = true;
    const char* start = ++at;
    for (;; ++at) {
      if (at == end) refuse(cell.begin, "a quote is opened and never closed");
      if (*at != '"') continue;
      if (at + 1 == end || at[1] != '"') break;
      ++at;
    }
    cell.text = {start, static_cast<std::size_t>(at - start)};
    ++at;
    while (at < end && is_blank(*at)) ++at;
    if (!is_line_end(at, end) && *at != delimiter_) refuse(at, "text behind a closing quote");
    return cell;
  }
  while (at < end && *at != delimiter_ && !is_line_end(at, end)) ++at;
  const char* stop = at;
  while (stop > cell.begin && is_blank(stop[-1])) --stop;
  cell.text = {cell.begin, static_cast<std::size_t>(stop - cell.begin)};
  return cell;
}

void TableText::take_separator(const char*& at, const char* end, std::size_t column) const {
  const bool is_last = column + 1 == columns_;
  if (!is_line_end(at, end)) {
    if (!is_last) {
      ++at;
      return;
    }
    const char* behind = at;
    std::size_t cells = columns_;
    while (!is_line_end(behind, end)) {
      ++behind;
      take_cell(behind, end);
      ++cells;
    }
    refuse(at, "the row has " + std::to_string(cells) + " cells, expected " + std::to_string(columns_));
  }
  if (!is_last)
    refuse(at, "the row has " + std::to_string(column + 1) + " cells, expected " + std::to_string(columns_));
  if (at < end && *at == '\r') ++at;
  if (at < end) ++at;
}

std::vector<Cell> TableText::take_row(const char*& at, const char* end) const {
  std::vector<Cell> cells;
  do cells.push_back(take_cell(at, end));
  while (take_delimiter(at, end));
  return cells;
}

void TableText::skip_row(const char*& at, const char* end) const {
  do take_cell(at, end);
  while (take_delimiter(at, end));
}

/// Moves over a delimiter, or over the end of the line and says that it was one.
bool TableText::take_delimiter(const char*& at, const char* end) const {
  const bool goes_on = !is_line_end(at, end);
  if (!goes_on && at < end && *at == '\r') ++at;
  if (at < end) ++at;
  return goes_on;
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
