// Where the rows of a table are, and its cells.

#include <attn/core/memory.hpp>
#include <attn/io/bytes/mapped_files.hpp>
#include <attn/io/numbers/numbers.hpp>
#include <attn/io/table/parser.hpp>

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

namespace attn::io {
namespace {

constexpr const char* way_to_quotes =
    "write a quote inside quotes as two, one alone as \"\"\"\"; --no-quotes reads quotes as characters";
constexpr std::size_t block_bytes = std::size_t{1} << 20;

struct LineCounts {
  std::size_t lines = 0;
  bool has_odd_lines = false;  ///< some may be blank or comments
  bool has_quotes = false;
  bool has_signs = false;  ///< of comments, anywhere
  DoubtfulComments comments;
  const char* row = nullptr;  ///< the first that might be a comment
};

/// Counts bytes by the 128, in loops that the compiler turns into vector code. Blank lines and comments begin with a
/// character up to `last_odd`.
LineCounts count_lines(const char* begin, const char* end, unsigned char last_odd) noexcept {
  using Byte = unsigned char;
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

}  // namespace

const char* line_end(const char* at, const char* end) noexcept {
  const void* found = at < end ? std::memchr(at, '\n', static_cast<std::size_t>(end - at)) : nullptr;
  return found != nullptr ? static_cast<const char*>(found) : end;
}

void TableBlock::passed() const noexcept { give_back_copied(begin, static_cast<std::size_t>(end - begin)); }

void TableText::omit_missing(std::vector<bool> are_text, std::vector<bool> are_empty, ThreadPool* pool) {
  if (blocks_.empty()) return;
  omits_missing_ = true;
  are_text_ = std::move(are_text);
  are_empty_ = std::move(are_empty);
  const DoubtfulComments counted = comments_;
  sought_ = blocks_.front().begin;
  blocks_.clear();
  rows_ = 0;
  find_rows(pool);
  comments_ = counted;
}

void TableText::extend(std::string_view text, bool is_all, ThreadPool* pool) {
  text_ = text.substr(static_cast<std::size_t>(text_.data() - text.data()));
  is_all_ = is_all;
  find_rows(pool);
  note_comments();
}

std::string_view TableText::give_back(std::size_t row) {
  const auto behind = std::upper_bound(blocks_.begin(), blocks_.end(), row,
                                       [](std::size_t at, const TableBlock& block) { return at < block.first_row; });
  const char* const first = row >= rows_ ? sought_ : behind == blocks_.begin() ? kept_ : behind[-1].begin;
  const std::string_view passed(kept_, static_cast<std::size_t>(std::max(first, kept_) - kept_));
  lines_ += static_cast<std::size_t>(std::count(passed.begin(), passed.end(), '\n'));
  kept_ += passed.size();
  return passed;
}

bool TableText::has_missing(const std::vector<Cell>& row) const {
  for (std::size_t column = 0; column < row.size(); ++column) {
    if (are_empty_[column]) continue;
    const Cell& cell = row[column];
    if (are_text_[column] ? cell.is_missing() && !cell.quoted : cell.is_missing() || is_nan(cell.text)) return true;
  }
  return false;
}

/// From where they were sought up to the end of the text, or of its last complete line.
void TableText::find_rows(ThreadPool* pool) {
  DoubtfulComments behind;
  const char* end = text_.data() + text_.size();
  while (!is_all_ && end > sought_ && end[-1] != '\n') --end;
  if (columns_ == 1) end = end_of_rows(end, behind);
  if (!is_all_) behind = {};  // they are found again
  const std::size_t known = blocks_.size();
  for (const char* at = sought_; at < end;) {
    const char* stop = static_cast<std::size_t>(end - at) <= block_bytes ? end : line_end(at + block_bytes, end);
    if (stop < end) ++stop;
    blocks_.push_back({at, stop});
    at = stop;
  }
  TableBlock* const blocks = blocks_.data() + known;
  // Pages that will be read again are released only under a memory limit: mapping them again takes 5 % of the time.
  const bool gives_back = memory_account().is_limited();
  std::vector<LineCounts> counts(blocks_.size() - known);
  const auto for_each_block = [&](const std::function<void(std::size_t)>& body) {
    if (pool != nullptr) return pool->run(counts.size(), [&](std::size_t i, std::size_t) { body(i); });
    for (std::size_t i = 0; i < counts.size(); ++i) body(i);
  };
  auto last_odd = static_cast<unsigned char>('#');
  for (const char sign : comment_signs_) last_odd = std::max(last_odd, static_cast<unsigned char>(sign));
  for_each_block([&](std::size_t i) {
    counts[i] = count_lines(blocks[i].begin, blocks[i].end, last_odd);
    const auto bytes = static_cast<std::size_t>(blocks[i].end - blocks[i].begin);
    for (const char sign : comment_signs_) counts[i].has_signs |= std::memchr(blocks[i].begin, sign, bytes) != nullptr;
    if (gives_back) blocks[i].passed();
  });
  const bool has_signs = std::any_of(counts.begin(), counts.end(), [](const LineCounts& c) { return c.has_signs; });
  has_signs_ = has_signs || (known > 0 && has_signs_);
  const auto has_quotes = [](const LineCounts& c) { return c.has_quotes; };
  if (has_quotes_ && std::any_of(counts.begin(), counts.end(), has_quotes)) {
    std::size_t lines = 0;
    for (const LineCounts& count : counts) lines += count.lines;
    blocks_.resize(known);
    sought_ = find_quoted_rows(end, lines);
    return comments_.add(behind.first, behind.count);
  }
  for_each_block([&](std::size_t i) {
    if (!counts[i].has_odd_lines && !omits_missing_) return;
    std::size_t rows = 0;
    for (const char* at = blocks[i].begin; find_row(at, blocks[i].end, &counts[i].comments); ++rows) {
      if (counts[i].row == nullptr && *at == '#') counts[i].row = at;
      skip_row(at, blocks[i].end);
    }
    counts[i].lines = rows;
    if (gives_back) blocks[i].passed();
  });
  for (std::size_t i = 0; i < counts.size(); ++i) {
    blocks[i].first_row = rows_;
    rows_ += counts[i].lines;
    comments_.add(counts[i].comments.first, counts[i].comments.count);
    note_doubtful(counts[i].row);
  }
  comments_.add(behind.first, behind.count);
  sought_ = end;
}

/// Says it once.
void TableText::note_doubtful(const char* row) {
  if (!has_default_comment_) return;
  if (row != nullptr && !std::exchange(has_noted_row_, true))
    note(row, "a line that begins with '#' is read as a row; --comment '#' leaves such lines out");
}

/// A line end inside quotes does not end a row, so blocks are cut sequentially at row ends. Quotes are treated exactly
/// as in reading rows: a quote inside a cell that does not begin with one is a plain character.
const char* TableText::find_quoted_rows(const char* end, std::size_t lines) {
  const std::size_t known = rows_;
  const char* doubtful = nullptr;
  const char* at = sought_;
  blocks_.push_back({at, end, rows_});
  for (; find_row(at, end, &comments_) && !is_cut(at, end); ++rows_) {
    if (doubtful == nullptr && *at == '#') doubtful = at;
    TableBlock& last = blocks_.back();
    if (static_cast<std::size_t>(at - last.begin) > block_bytes) {
      last.end = at;
      last.passed();
      blocks_.push_back({at, end, rows_});
    }
    skip_row(at, end);
  }
  blocks_.back().end = at;
  blocks_.back().passed();
  note_doubtful(doubtful);
  if (rows_ - known == lines || omits_missing_) return at;
  for (const char* next = sought_; find_row(next, at);) {
    const char* const row = next;
    skip_row(next, at);
    expect_one_row(row, next);
  }
  return at;
}

/// Does the row have a cell in quotes that goes on behind the end, in a text of which more comes?
bool TableText::is_cut(const char* at, const char* end) const {
  while (!is_all_ && at < end) {
    while (at < end && is_blank(*at)) ++at;
    if (at < end && *at == '"' && has_quotes_) at = end_of_quotes(at + 1, end);
    if (at == nullptr) return true;
    while (at < end && !is_delimiter(*at) && *at != '\n') ++at;
    if (at == end || *at == '\n') return false;
    ++at;
  }
  return false;
}

/// A row of several lines, each of which is a row if its quotes are characters like any others: a quote that stands for
/// itself, such as a token or a ditto mark, would swallow rows. Throws Error(data) if the quotes stand alone in their
/// cells; other rows, such as an address with a comma and a line end, get a note. Other lines need no note: as rows
/// they would have too few cells or too many.
void TableText::expect_one_row(const char* row, const char* behind) {
  if (line_end(row, behind) + 1 >= behind || !are_plain_rows(row, behind)) return;
  const char* at = row;
  Cell cell;
  std::size_t column = 0;
  do cell = take_cell(at, behind, column++);
  while (cell.text.find('\n') == std::string_view::npos && take_delimiter(at, behind));
  const char* last = cell.text.data() + cell.text.size();
  const std::string what = "a cell in quotes goes on to line " + std::to_string(line_of(last));
  while (!is_delimiter(last[-1]) && is_blank(last[-1])) --last;
  const char* first = cell.begin;
  if (columns_ > 1 && take_plain_cell(first, behind, column).text == "\"" &&
      (is_delimiter(last[-1]) || last[-1] == '\n'))
    refuse(cell.begin, what + ", and without quotes each line is a row", "--no-quotes reads quotes as characters");
  if (!std::exchange(has_noted_lines_, true)) note(cell.begin, what + "; --no-quotes makes a row of each line");
}

/// Do lines that are neither blank nor comments have the cells of a row, if quotes are plain characters?
bool TableText::are_plain_rows(const char* at, const char* end) const {
  while (find_row(at, end)) {
    std::size_t cells = 0;
    do {
      take_plain_cell(at, end, cells++);
    } while (take_delimiter(at, end));
    if (cells != columns_) return false;
  }
  return true;
}

/// The end of the last line that is neither blank nor a comment.
const char* TableText::end_of_rows(const char* end, DoubtfulComments& behind) const {
  while (end > sought_) {
    const char* line = end - 1;
    while (line > sought_ && line[-1] != '\n') --line;
    const std::string_view text(line, static_cast<std::size_t>(end - line));
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    // A line with a quote may be the end of a cell that began before.
    const bool may_end_cell = has_quotes_ && text.find('"') != text.npos;
    const bool is_skipped = first == std::string_view::npos || (is_comment(line + first, end) && !may_end_cell);
    if (!is_skipped) return end;
    if (first != std::string_view::npos && may_be_row(line + first, end)) behind = {line + first, behind.count + 1};
    end = line;
  }
  return sought_;
}

/// By default: any line with # before the first row, and after it one with a blank after the #.
bool TableText::is_comment(const char* at, const char* end) const noexcept {
  if (!is_sign(*at)) return false;
  return !has_default_comment_ || is_in_front_ || at + 1 == end || at[1] == ' ' || at[1] == '\t' ||
         is_line_end(at + 1, end);
}

/// Has a comment as many cells as a row, and is it none of ours?
bool TableText::may_be_row(const char* comment, const char* end) const noexcept {
  const std::string_view line(comment, static_cast<std::size_t>(line_end(comment, end) - comment));
  const std::string_view word = trimmed(line.substr(1)).substr(0, 6);
  const auto delimiters = static_cast<std::size_t>(std::count(line.begin(), line.end(), delimiter_));
  return word != "shape=" && word != "dtype=" && (columns_ == 1 || delimiters + 1 == columns_);
}

bool TableText::find_row(const char*& at, const char* end, DoubtfulComments* comments) const {
  while (at < end) {
    const char* start = at;
    while (start < end && is_blank(*start)) ++start;
    const bool is_blank = is_line_end(start, end);
    // Where a row is one cell, a line of nothing is a row whose cell is empty.
    if (is_blank ? columns_ != 1 : is_comment(start, end)) {
      const char* stop = line_end(start, end);
      if (comments != nullptr && !is_blank && may_be_row(start, stop)) comments->add(start);
      at = stop < end ? stop + 1 : end;
      continue;
    }
    if (!omits_missing_) return true;
    const char* behind = at;
    const std::vector<Cell> row = take_row(behind, end);
    if (row.size() != columns_ || !has_missing(row)) return true;  // unlike rows are for the reader to refuse
    at = behind;
  }
  return false;
}

Cell TableText::take_plain_cell(const char*& at, const char* end, std::size_t column) const noexcept {
  const char* behind = at;  // stays in a register
  while (behind < end && is_blank(*behind)) ++behind;
  Cell cell;
  cell.begin = behind;
  const char delimiter = delimiter_;
  while (behind < end && *behind != delimiter && !is_line_end(behind, end)) ++behind;
  at = behind;
  while (behind > cell.begin && is_blank(behind[-1])) --behind;
  cell.text = {cell.begin, static_cast<std::size_t>(behind - cell.begin)};
  if ((has_signs_ && column + 1 >= columns_) || delimiter == ' ') cut_cell(cell, at, end, column);
  return cell;
}

/// Ends a cell before a tab, if blanks are delimiters, or before a comment.
void TableText::cut_cell(Cell& cell, const char*& at, const char* end, std::size_t column) const noexcept {
  for (const char *stop = cell.begin, *const last = at; stop < last; ++stop) {
    const bool is_tab = *stop == '\t' && delimiter_ == ' ';
    if (!is_tab && !is_sign(*stop)) continue;
    const std::string_view text = trimmed({cell.begin, static_cast<std::size_t>(stop - cell.begin)});
    if (!is_tab && !begins_comment(text, stop, end, column)) continue;
    cell.text = text;
    at = stop;
    break;
  }
  if (!is_line_end(at, end)) pass_rest(cell.text, at, end, column);
}

/// Is there a comment behind this cell, if it is of numbers, or missing, and the last of its row? In the first row,
/// their number is not known yet.
bool TableText::begins_comment(std::string_view cell, const char* at, const char* end,
                               std::size_t column) const noexcept {
  if (at == end || cell.empty() || is_delimiter(*at) || !is_comment(at, end)) return false;
  if (!is_blank(at[-1]) && !is_delimiter(at[-1])) return false;
  if (columns_ > 0 && column + 1 != columns_) return false;
  return is_number(cell) || attn::is_missing(cell) || delimiter_of_numbers(cell) != 0 ||
         (delimiter_ == ';' && has_decimal_comma(cell));
}

/// The quote that closes a cell; null if none does.
const char* TableText::end_of_quotes(const char* at, const char* end) const noexcept {
  for (; at < end; ++at) {
    if (*at != '"') continue;
    if (at + 1 == end || at[1] != '"') return at;
    ++at;
  }
  return nullptr;
}

Cell TableText::take_cell(const char*& at, const char* end, std::size_t column) const {
  while (at < end && is_blank(*at)) ++at;
  if (at == end || *at != '"' || !has_quotes_) return take_plain_cell(at, end, column);
  Cell cell;
  cell.begin = at;
  cell.quoted = true;
  const char* const start = at + 1;
  const char* const closed = end_of_quotes(start, end);
  const std::string_view rest(at, static_cast<std::size_t>(end - at));
  if (closed == nullptr && rest == cut_short)
    refuse(cell.begin, "the table is cut short: what wrote it has failed", "see what it says");
  if (closed == nullptr)
    refuse(cell.begin, "a quote is opened and never closed", std::string("close it, or ") + way_to_quotes);
  cell.text = {start, static_cast<std::size_t>(closed - start)};
  at = closed + 1;
  while (at < end && is_blank(*at) && !is_delimiter(*at)) ++at;
  if (!is_line_end(at, end) && *at == '\r') refuse_line_end(at);
  if (!is_line_end(at, end) && !is_delimiter(*at) && !begins_comment(cell.text, at, end, column)) {
    const std::string hint = hint_of_delimiter();
    refuse(at, "text after a closing quote", hint.empty() ? way_to_quotes : hint);
  }
  pass_rest(cell.text, at, end, column);
  return cell;
}

/// Moves over a comment behind a cell to the end of the line, and with blanks as delimiters over those at its end,
/// which separate nothing.
void TableText::pass_rest(std::string_view cell, const char*& at, const char* end, std::size_t column) const noexcept {
  const char* rest = at;
  while (delimiter_ == ' ' && rest < end && is_blank(*rest)) ++rest;
  if (is_line_end(rest, end)) {
    at = rest;
    return;
  }
  // A delimiter may be in front of the comment. In the first row, it could begin a cell.
  if (is_delimiter(*rest) && (columns_ > 0 || !has_default_comment_)) {
    ++rest;
    while (rest < end && is_blank(*rest)) ++rest;
  }
  if (begins_comment(cell, rest, end, column)) at = line_end(rest, end);
}

std::string TableText::way_to_comments(const char* at, const char* what) const {
  if (std::string_view("#%!;/*@&").find(*at) == std::string_view::npos || is_delimiter(*at)) return {};
  // Those that are left out already.
  std::string signs = has_default_comment_ && !has_comments_in_front_ ? "" : comment_signs_;
  const bool is_new = signs.find(*at) == std::string::npos;
  if (!is_new && !has_default_comment_) return {};
  if (is_new) signs += *at;
  return "--comment '" + signs + "' leaves out " + what + " with " + *at;
}

void TableText::refuse_row(const char* at, std::size_t cells, const std::string& hint) const {
  const char* line = at;
  while (line > kept_ && line[-1] != '\n') --line;
  const char* rest = at;
  while (!is_line_end(rest, text_.data() + text_.size()) && (is_blank(*rest) || is_delimiter(*rest))) ++rest;
  std::string of_line = way_to_comments(line), of_rest = way_to_comments(rest, "what begins");
  if (of_line.empty() && !names_.empty()) of_line = way_to_comments(names_.front().c_str());
  refuse(at,
         "the row has " + std::to_string(cells) + (cells == 1 ? " cell" : " cells") + ", expected " +
             std::to_string(columns_),
         !of_line.empty()   ? of_line
         : !hint.empty()    ? hint
         : !of_rest.empty() ? of_rest
         : cells < columns_ ? "add the missing cells, or empty ones with --missing nan"
                            : "remove the extra cells, or put quotes around a cell that contains a delimiter");
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
    bool is_empty = false;
    while (!is_line_end(behind, end)) {
      ++behind;
      const Cell cell = take_cell(behind, end, cells);
      is_empty = cell.text.empty() && !cell.quoted;
      ++cells;
    }
    const bool ends_in_delimiter = is_empty && cells == columns_ + 1;
    refuse_row(at, cells, ends_in_delimiter ? "remove the delimiter at its end" : hint_of_delimiter());
  }
  if (!is_last) refuse_row(at, column + 1, "");
  if (at < end && *at == '\r') ++at;
  if (at < end) ++at;
}

std::vector<Cell> TableText::take_row(const char*& at, const char* end) const {
  std::vector<Cell> cells;
  do {
    // The room for twice as many, and the row beside it.
    if (cells.size() == cells.capacity()) memory_account().expect(5 * sizeof(Cell) * cells.size(), label());
    cells.push_back(take_cell(at, end, cells.size()));
  } while (take_delimiter(at, end));
  return cells;
}

void TableText::skip_row(const char*& at, const char* end) const {
  std::size_t column = 0;
  do take_cell(at, end, column++);
  while (take_delimiter(at, end));
}

std::string TableText::hint_of_delimiter() const {
  if (columns_ > 1 || !has_default_delimiter_) return {};
  for (const char other : {';', '\t', '|'})
    if (!names_.empty() && names_.front().find(other) != std::string::npos)
      return "--delim " + shown_delimiter(other) + " separates the cells of the first row";
  return "if another character separates the cells, give it with --delim";
}

/// Moves over a delimiter or the end of the line; true for a delimiter.
bool TableText::take_delimiter(const char*& at, const char* end) const {
  const bool goes_on = !is_line_end(at, end);
  if (!goes_on && at < end && *at == '\r') ++at;
  if (at < end) ++at;
  return goes_on;
}

}  // namespace attn::io
