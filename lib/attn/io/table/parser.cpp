#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/column_names.hpp>
#include <attn/io/dates.hpp>
#include <attn/io/formats/stored_elements.hpp>
#include <attn/io/numbers/numbers.hpp>
#include <attn/io/output.hpp>
#include <attn/io/table/parser.hpp>

#include <algorithm>
#include <set>

namespace attn::io {
namespace {

constexpr const char* say_header = "say what it is with --header or --no-header";

bool is_empty(const Cell& cell) noexcept { return cell.text.empty() && !cell.quoted; }

/// 0, 1, 2, or an empty cell and these: the header that pandas writes of columns without names, and of an index.
bool counts_columns(const std::vector<Cell>& row) {
  const std::size_t index = row.front().text.empty() ? 1 : 0;
  for (std::size_t i = index; i < row.size(); ++i)
    if (row[i].text != std::to_string(i - index)) return false;
  return row.size() > 1;
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

/// The fields between delimiters, in sequence; several blanks, with tabs among them, count as one.
class Fields {
 public:
  Fields(std::string_view text, char delimiter) : rest_(text), delimiter_(delimiter), is_blank_(delimiter == ' ') {
    if (is_blank_) rest_ = trimmed(rest_);
  }

  bool next(std::string_view& field) {
    if (is_at_end_) return false;
    const std::size_t end = is_blank_ ? rest_.find_first_of(" \t") : rest_.find(delimiter_);
    field = rest_.substr(0, end);
    is_at_end_ = end == std::string_view::npos;
    if (!is_at_end_) rest_.remove_prefix(end + 1);
    if (is_blank_) rest_ = trimmed(rest_);
    return true;
  }

 private:
  std::string_view rest_;
  char delimiter_;
  bool is_blank_, is_at_end_ = false;
};

bool are_numbers(std::string_view text, char delimiter) {
  std::size_t count = 0;
  Fields fields(text, delimiter);
  for (std::string_view field; fields.next(field); ++count)
    if (!is_number(field)) return false;
  return count > 1;
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

TableText::TableText(std::string_view text, std::string label, const TableOptions& options, ThreadPool* pool,
                     bool is_all)
    : text_(text),
      is_all_(is_all),
      label_(std::move(label)),
      has_default_delimiter_(options.delimiter == 0),
      comment_signs_(options.comment.value_or("#")),
      has_default_comment_(!options.comment),
      has_quotes_(options.has_quotes),
      missing_(options.missing),
      dtype_(options.numbers) {
  const std::string uncompressed = label_.substr(0, label_.size() - (ends_with(label_, ".gz") ? 3 : 0));
  const bool named_tsv = format_from_path(uncompressed) == Format::tsv;
  delimiter_ = options.delimiter != 0 ? options.delimiter : named_tsv ? '\t' : ',';
  for (const char sign : comment_signs_) are_signs_[static_cast<unsigned char>(sign)] = true;
  const std::string_view start = text.substr(0, 4096);
  // Some programs add a second one.
  while (text_.substr(0, byte_order_mark.size()) == byte_order_mark) text_.remove_prefix(byte_order_mark.size());
  kept_ = sought_ = text_.data();
  // Line ends of old Macintoshes, which would give one line, unless a quote shows that the first cell contains a line
  // end.
  const std::size_t line_end_alone = start.find('\r');
  if (line_end_alone < start.size() - 1 && start.find_first_of("\n\"") == start.npos)
    refuse_line_end(start.data() + line_end_alone);
  const char* at = text_.data();
  const char* const end = at + text_.size();
  std::vector<const char*> comments;
  const char* blank = nullptr;
  while (at < end) {
    const char* stop = line_end(at, end);
    std::string_view whole(at, static_cast<std::size_t>(stop - at));
    if (!whole.empty() && whole.back() == '\r') whole.remove_suffix(1);
    const std::string_view line = trimmed(whole);
    if (!line.empty() && is_comment(line.data(), end)) {
      if (line.front() == '#') read_comment(line.substr(1));
      comments.push_back(line.data());
    } else if (!line.empty() && !read_delimiter(whole)) {
      break;
    } else if (line.empty() && blank == nullptr) {
      blank = at;
    }
    at = stop < end ? stop + 1 : end;
  }
  if (at == end && !shape_)
    throw Error(ErrorKind::input, label_, "has no rows",
                comments.empty() ? ""
                                 : std::string("its lines begin with '") + *comments.front() +
                                       "': --comment none reads them as rows");
  is_in_front_ = false;
  has_comments_in_front_ = !comments.empty();
  if (at < end) read_header(at, options.header, comments);
  for (const char* comment : comments)
    if (may_be_row(comment, end)) comments_.add(comment);
  if (blank != nullptr && columns_ == 1)
    note(blank, "a blank line in front of the first row is left out; NA makes a missing value of it");
  sought_ = at;
  find_rows(pool);
  note_comments();
}

/// At the end of the text, when they are counted.
void TableText::note_comments() {
  if (comments_.first != nullptr && comments_line_ == 0) comments_line_ = line_of(comments_.first);
  if (!is_all_ || !has_default_comment_ || comments_.count == 0) return;
  notes_.push_back(label_ + ":" + std::to_string(comments_line_) + ": " +
                   (comments_.count == 1
                        ? "a line that begins with '#' is left out as a comment; --comment none makes it a row"
                        : "this line and " + std::to_string(comments_.count - 1) +
                              " more that begin with '#' are left out as comments; --comment none reads them as rows"));
}

/// The first line of Excel: sep=; or "sep=;".
bool TableText::read_delimiter(std::string_view line) {
  if (line.size() == 7 && line.front() == '"' && line.back() == '"') line = line.substr(1, 5);
  const bool is_told = line.size() == 5 && (line.substr(0, 4) == "sep=" || line.substr(0, 4) == "SEP=");
  if (is_told && has_default_delimiter_) delimiter_ = line.back();
  return is_told;
}

std::string TableText::name(std::size_t column) const {
  return column < names_.size() && !names_[column].empty() ? names_[column] : std::to_string(column);
}

/// " shape=2,8,64 dtype=f32", both or one of them; any other comment is ignored. A comment that only begins like this
/// is an error: ignoring it would read a different tensor.
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
      refuse(word.data(), "'" + std::string(word.substr(0, 40)) + "' in a comment is neither a shape nor a dtype",
             "write it as # shape=2,8,64 dtype=f32, or begin the comment with another word");
    if (shape && shape->size() > most_axes)
      refuse(word.data(), "a shape of more than " + std::to_string(most_axes) + " axes");
    line = trimmed(line.substr(stop));
  }
  if (shape) shape_ = shape;
  if (dtype) dtype_ = dtype;
}

void TableText::read_header(const char*& at, TableOptions::Header header, std::vector<const char*>& comments) {
  const char* const end = text_.data() + text_.size();
  const char* behind = at;
  const std::vector<Cell> first = take_row(behind, end);
  columns_ = first.size();
  const bool guesses = header == TableOptions::Header::automatic;
  if (guesses) expect_delimiter_of(first);
  const auto is_missing = [](const Cell& cell) { return cell.is_missing() && !cell.quoted; };
  std::vector<std::string> names;
  if (guesses && (std::any_of(first.begin(), first.end(), [&](const Cell& cell) { return is_plain_number(cell); }) ||
                  std::all_of(first.begin(), first.end(), is_missing)))
    for (std::size_t i = comments.size(); names.empty() && i-- > 0;) {
      names = names_in(comments[i]);
      if (names.empty()) continue;
      note(comments[i], "the names of the columns are read from this comment; --no-header reads none");
      comments.erase(comments.begin() + static_cast<std::ptrdiff_t>(i));
    }
  const bool names_columns = guesses && names.empty() ? is_header(first, behind) : header == TableOptions::Header::yes;
  if (names_columns) {
    for (const Cell& cell : first) {
      require_text(cell);
      const std::string name = cell.unescaped();
      names_.push_back(header == TableOptions::Header::yes ? name : unmarked_name(name));
    }
  }
  expect_width(at, behind);
  if (!names.empty()) names_ = std::move(names);
  if (!names_columns) return;
  expect_one_row(at, behind);
  at = behind;
}

/// The names in a comment in front of the rows, as NumPy writes them: a word for each column, with any delimiter
/// between. Nothing for other text.
std::vector<std::string> TableText::names_in(const char* comment) const {
  const char* const end = text_.data() + text_.size();
  std::string_view line(comment, static_cast<std::size_t>(line_end(comment, end) - comment));
  line.remove_prefix(std::min(line.find_first_not_of(comment_signs_ + " \t"), line.size()));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (find_invalid_utf8(line) || find_control(line) < line.size()) return {};
  const auto is_name = [](std::string_view text) {
    return !is_number(text) && !attn::is_missing(text) && text.find('=') == text.npos && text.back() != ':';
  };
  for (const char separator : {delimiter_, ',', ';', '\t', '|'}) {
    if (columns_ == 1 && (line.find(separator) != line.npos || line.find(' ') != line.npos)) return {};  // a sentence
    std::vector<std::string> names;
    std::set<std::string_view> known;
    Fields fields(line, separator);
    for (std::string_view name; fields.next(name); names.emplace_back(name)) {
      name = trimmed(name);
      if (name.size() > 2 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
      if (!is_name(name) || !known.insert(name).second || known.size() > columns_) break;
    }
    if (names.size() == columns_ && known.size() == columns_) return names;
  }
  return {};
}

bool TableText::is_plain_number(const Cell& cell) const {
  const std::string_view text = has_default_comment_ ? before_comment(cell.text) : cell.text;
  return !cell.quoted && (is_number(text) || (reads_decimal_commas() && has_decimal_comma(text)));
}

/// Is the first row one of names? It has words and no number; numbers in quotes and empty cells are not numbers.
/// Without words the cells do not decide.
bool TableText::is_header(const std::vector<Cell>& first, const char* behind) {
  const char* const end = text_.data() + text_.size();
  const char* at = behind;
  const std::vector<Cell> second = find_row(at, end) ? take_row(at, end) : std::vector<Cell>{};
  // A date above a date is data, and so is one alone; above numbers, dates are names.
  for (std::size_t i = 0; i < first.size(); ++i)
    if (is_full_date(first[i].text) && (i < second.size() ? is_full_date(second[i].text) : first.size() == 1))
      return false;
  const auto is_plain = [this](const Cell& cell) { return is_plain_number(cell); };
  const auto is_word = [&](const Cell& cell) {
    return !is_plain(cell) && !is_number(cell.text) && !cell.is_missing() &&
           (cell.quoted || !is_foreign_missing(cell.text));
  };
  const auto is_missing = [](const Cell& cell) { return cell.is_missing() || !cell.quoted; };
  const bool are_missing = std::all_of(first.begin(), first.end(), is_missing);
  const bool are_plain = std::none_of(first.begin(), first.end(), [](const Cell& cell) { return cell.quoted; });
  const auto number = std::find_if(first.begin(), first.end(), is_plain);
  const auto word = std::find_if(first.begin(), first.end(), is_word);
  const auto none = first.end();
  if (number != none && word != none) {
    for (const Cell& cell : first) require_text(cell);
    const std::string comment = way_to_comments(word->begin, "what begins");
    refuse(std::max(number, word)->begin, "the first row has both words and numbers",
           comment.empty() ? say_header : comment + ", or " + say_header);
  }
  if (word != none) {
    const auto is_alone = [&](const Cell& cell) { return &cell == &*word ? is_word(cell) : is_empty(cell); };
    const std::vector<Cell> third = !second.empty() && find_row(at, end) ? take_row(at, end) : std::vector<Cell>{};
    if (first.size() > 1 && std::all_of(first.begin(), first.end(), is_alone) && second.size() == first.size() &&
        third.size() == first.size() && std::all_of(second.begin(), second.end(), is_word) &&
        std::any_of(third.begin(), third.end(), is_plain))
      refuse(word->begin, shown_text(word->text) + " is alone in its row, and the row below is of words too",
             "if it is a title, remove it, as sed " + std::to_string(line_of(word->begin)) +
                 "d does; else say that it is a name with --header");
    for (std::size_t i = 0; i < first.size(); ++i)
      if (is_nearly_number(first[i].text) && is_like_column(first[i], i, behind))
        refuse(first[i].begin, shown_text(first[i].text) + " in the first row is like the cell below it", say_header);
    return true;
  }
  if (number != none) {
    const bool counts = counts_columns(first);
    if (counts && first.front().text.empty())
      refuse(first.front().begin,
             "the first row is an empty cell and the numbers from 0, like the column names of pandas", say_header);
    if (counts)
      note(first.front().begin,
           "the first row is the numbers from 0, as pandas names columns, and is read as data; --header makes it the "
           "names");
    return false;
  }
  // pandas puts quotes around an empty cell that is alone in its row.
  if (are_missing && (are_plain || missing_ != TableOptions::Missing::error)) {
    note(first.front().begin,
         "the first row has missing values alone and is read as data; --header makes it the names");
    return false;
  }
  const bool tells =
      std::any_of(second.begin(), second.end(), [&](const Cell& cell) { return is_plain(cell) || is_word(cell); });
  if (!tells) refuse(first.front().begin, "the first row has numbers in quotes, which may be names", say_header);
  note(first.front().begin, std::string(are_missing ? "missing values" : "numbers") +
                                " in quotes are read as the names of columns; --no-header makes them data");
  return true;
}

/// Is a first cell that is nearly a number like the cell below it? T, f, yes and the like are names unless all cells
/// below are truth values too.
bool TableText::is_like_column(const Cell& first, std::size_t column, const char* behind) const {
  const char* const end = text_.data() + text_.size();
  const bool may_be_truth = is_truth(first.text);
  bool is_like = false;
  for (std::size_t row = 0; row < (may_be_truth ? looked_at_rows : 1) && find_row(behind, end); ++row) {
    const std::vector<Cell> cells = take_row(behind, end);
    if (column >= cells.size() || cells[column].is_missing()) continue;
    const std::string_view text = cells[column].text;
    is_like = is_nearly_number(text) && is_truth(text) == may_be_truth;
    if (!is_like) break;
  }
  return is_like;
}

/// If the next rows have one cell more than there are names, the first column has no name. If they agree on any other
/// number of cells, the first line is not a row of this table.
void TableText::expect_width(const char* at, const char* behind) {
  const char* const end = text_.data() + text_.size();
  if (!names_.empty()) expect_no_titles(behind);
  if (!find_row(behind, end)) return;
  const std::vector<Cell> second = take_row(behind, end);
  const bool has_one_more = second.size() == columns_ + 1, ends_in_delimiter = is_empty(second.back());
  if (second.size() == columns_ || (has_one_more && ends_in_delimiter)) return;
  const bool has_third = find_row(behind, end);
  const std::vector<Cell> third = has_third ? take_row(behind, end) : second;
  if (third.size() != second.size()) return;
  // Above two columns a single word is rather a title.
  const auto is_name = [&](const Cell& cell) { return cell.quoted || (columns_ > 1 && !is_number(cell.text)); };
  const bool have_names = is_name(second.front()) && is_name(third.front());
  const std::string hint = hint_of_delimiter(), comments = way_to_comments(at);
  if (has_one_more && !names_.empty() && have_names) {
    note(at, "the header has one name fewer than the rows have cells: the first column has none");
    names_.insert(names_.begin(), "");
    ++columns_;
    return;
  }
  if (has_one_more && columns_ > 1 && !names_.empty())
    refuse(at, "the header has one name fewer than the rows have cells",
           "name the first column (perhaps the names of the rows) or the last one");
  if (!has_third) return;
  const auto cells = [](std::size_t count) { return std::to_string(count) + (count == 1 ? " cell" : " cells"); };
  refuse(at, "the first row has " + cells(columns_) + ", the next ones have " + std::to_string(second.size()),
         (hint.empty() ? "" : hint + "; ") + (comments.empty() ? "" : comments + "; ") +
             "remove a line that is not a row, as sed " + std::to_string(line_of(at)) + "d does");
}

/// Rows of titles, or of facts about the table, in front of its header, which has more cells, as have all rows below.
void TableText::expect_no_titles(const char* behind) const {
  constexpr std::size_t most_titles = 30, looked_at = 5;
  const char* const end = text_.data() + text_.size();
  const char* header = nullptr;
  std::size_t width = columns_, titles = 1, rows = 0;
  while (rows < looked_at && titles <= most_titles && find_row(behind, end)) {
    const char* const row = behind;
    const std::vector<Cell> cells = take_row(behind, end);
    const bool is_blank_line = cells.size() == 1 && is_empty(cells.front());
    if (is_blank_line && header != nullptr) continue;
    if (cells.size() > width && !is_empty(cells.back())) {
      titles += rows;
      header = row;
      width = cells.size();
      rows = 1;
    } else if (header == nullptr) {
      ++titles;
    } else if (cells.size() == width) {
      ++rows;
    } else {
      return;
    }
  }
  if (header == nullptr || titles < 2 || rows < 2) return;
  refuse(header,
         "the row has " + std::to_string(width) + " cells, and those in front of it have " +
             (columns_ == 1 ? "one" : std::to_string(columns_)),
         "if they are titles, remove them, as sed 1," + std::to_string(line_of(header) - 1) + "d does");
}

void TableText::note(const char* at, const std::string& what) {
  notes_.push_back(label_ + ":" + std::to_string(line_of(at)) + ": " + what);
}

/// Numbers of a first row that something else separates, or whose decimal sign is another, would be a header of words.
void TableText::expect_delimiter_of(const std::vector<Cell>& first) const {
  const auto holds_numbers = [](const Cell& cell) {
    return is_number(cell.text) || (!cell.quoted && delimiter_of_numbers(cell.text) != 0);
  };
  if (!std::all_of(first.begin(), first.end(), holds_numbers)) return;
  for (const Cell& cell : first) {
    if (cell.quoted) continue;
    // A blank as delimiter stands for tabs too.
    if (char other = delimiter_of_numbers(cell.text);
        other != 0 && (has_default_delimiter_ || (delimiter_ == '\t' && other == ' '))) {
      // Later rows may have blanks in place of tabs.
      if (other == '\t' && columns_ == 1 && delimiter_of_rows(cell.begin) == ' ') other = ' ';
      refuse(cell.begin, "the first row has numbers separated by " + shown_delimiter(other),
             "--delim " + shown_delimiter(other) + " makes cells of them, " +
                 (has_default_delimiter_ ? "--delim " + shown_delimiter(delimiter_) : "--no-header") + " one text");
    }
    if (delimiter_ != ',' && !reads_decimal_commas()) refuse_decimal_comma(cell);
  }
}

char TableText::delimiter_of_rows(const char* at) const {
  const char* const end = text_.data() + text_.size();
  OtherDelimiter other;
  for (std::size_t row = 0; row < looked_at_rows && find_row(at, end); ++row) other.see(take_row(at, end).front());
  return other.found();
}

void TableText::refuse_decimal_comma(const Cell& cell) const {
  if (!cell.quoted && has_decimal_comma(cell.text))
    refuse(cell.begin, "'" + std::string(cell.text.substr(0, 40)) + "' has a decimal comma",
           std::string(columns_ == 1 && delimiter_ == ';' ? "--delim , makes cells of it; else " : "") +
               "write a point, or, if it is text, put it in quotes");
}

void TableText::require_text(const Cell& cell) const {
  if (const std::size_t at = cell.text.find('\r'); !cell.quoted && at != std::string_view::npos)
    refuse_line_end(cell.text.data() + at);
  if (find_invalid_utf8(cell.text))
    refuse(cell.begin, "text that is not UTF-8", "convert it, for example with iconv -f ISO-8859-1 -t UTF-8");
  if (const std::size_t at = find_control(cell.text); at < cell.text.size())
    refuse(cell.text.data() + at, "a control character, which is not text",
           "remove it, for example with tr -d '\\000-\\010\\013\\014\\016-\\037'");
}

void TableText::refuse_line_end(const char* at) const {
  refuse(at, "a line that ends in CR alone, expected LF or CRLF", "convert it, for example with tr '\\r' '\\n'");
}

void TableText::refuse(const char* at, const std::string& detail, const std::string& fix) const {
  const char* line = at;
  while (line > kept_ && line[-1] != '\n') --line;
  throw Error(ErrorKind::data, label_ + ":" + std::to_string(line_of(at)) + ":" + std::to_string(at - line + 1), detail,
              fix);
}

std::size_t TableText::line_of(const char* at) const noexcept {
  return lines_ + static_cast<std::size_t>(std::count(kept_, at, '\n')) + 1;
}

char delimiter_of_numbers(std::string_view text) {
  for (const char delimiter : {';', '\t', '|', ',', ' '})
    if (are_numbers(text, delimiter)) return delimiter;
  return 0;
}

std::string with_decimal_point(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos || comma == 0 || comma + 1 == text.size()) return {};
  if (!is_digit(text[comma - 1]) || !is_digit(text[comma + 1])) return {};
  // Only characters of numbers: avoids copying a long text.
  if (text.find_first_not_of("0123456789.,+-eE \t") != std::string_view::npos) return {};
  std::string number(text);
  number[comma] = '.';
  // Points before it separate thousands: 1.000,5.
  const std::size_t first = text.find('.');
  for (std::size_t point = comma; first < comma && point > first;) {
    if (point < first + 4 || text[point - 4] != '.') return {};
    number.erase(point -= 4, 1);
  }
  return is_number(number) ? number : std::string();
}

std::string_view before_comment(std::string_view text) noexcept {
  const std::size_t sign = text.find('#');
  return sign == 0 || sign == text.npos || text[sign - 1] != ' ' ? text : trimmed(text.substr(0, sign));
}

std::string shown_delimiter(char delimiter) { return delimiter == '\t' ? "'\\t'" : std::string("'") + delimiter + "'"; }

void OtherDelimiter::see(const Cell& cell) {
  if (cell.is_missing() && !cell.quoted) return;
  for (Candidate& candidate : candidates_) {
    if (!candidate.is_possible) continue;
    if (cell.quoted) {
      candidate.is_possible = false;
      continue;
    }
    const bool is_first = candidate.is_number.empty();
    std::size_t count = 0, numbers = 0;
    Fields fields(cell.text, candidate.character);
    for (std::string_view field; fields.next(field); ++count) {
      if (is_first) candidate.is_number.push_back(true);
      if (count >= candidate.is_number.size()) continue;
      candidate.is_number[count] = candidate.is_number[count] && is_number(field);
      numbers += candidate.is_number[count] ? 1 : 0;
    }
    candidate.is_number.resize(std::min(candidate.is_number.size(), count));
    candidate.is_possible =
        count > 1 && numbers > 0 && (candidate.character != ' ' || are_numbers(cell.text, candidate.character));
  }
}

char OtherDelimiter::found() const noexcept {
  const bool may_be_blanks = candidates_.back().is_possible;
  for (const Candidate& candidate : candidates_) {
    if (!candidate.is_possible || candidate.is_number.empty()) continue;
    // Between tabs, there may be numbers with blanks between.
    const bool are_all =
        std::all_of(candidate.is_number.begin(), candidate.is_number.end(), [](bool is) { return is; });
    if (candidate.character != '\t' || are_all || !may_be_blanks) return candidate.character;
  }
  return 0;
}

}  // namespace attn::io
