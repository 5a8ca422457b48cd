#include <attn/core/error.hpp>

#include <attn/core/characters.hpp>
#include <attn/core/from_chars.hpp>
#include <attn/core/tensor.hpp>

#include <poll.h>
#include <utf8proc.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iterator>
#include <numeric>
#include <utility>

namespace attn {
namespace {

/// The start of a text, whole characters of it.
std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0u) == 0x80u) --most;
  return std::string(text.substr(0, most)) + "...";
}

/// Both ends of a text that is too long for a screen, such as an operand with thousands of columns.
std::string abridged(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t last = text.size() - most / 4;
  while ((static_cast<unsigned char>(text[last]) & 0xc0u) == 0x80u && last + 1 < text.size()) ++last;
  return shortened(text, most - most / 4) + text.substr(last);
}

std::string one_line(const std::string& subject, const std::string& detail, const std::string& fix) {
  constexpr std::size_t most_subject = 300, most_detail = 600;
  std::string line = abridged(subject, most_subject);
  if (!line.empty() && !detail.empty()) line += ": ";
  line += abridged(detail, most_detail);
  if (!fix.empty()) line += "; " + fix;
  return line;
}

/// The start of the character after the one at `at`.
std::size_t next_character(std::string_view text, std::size_t at) {
  do ++at;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0u) == 0x80u);
  return at;
}

std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = next_character(text, at);
    parts.push_back(text.substr(at, next - at));
    at = next;
  }
  return parts;
}

/// "U+00A0"
std::string code_point(std::string_view character) {
  utf8proc_int32_t value = 0xFFFD;  // of bytes that are no character
  utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(character.data()),
                   static_cast<utf8proc_ssize_t>(character.size()), &value);
  char text[16];
  std::snprintf(text, sizeof text, "U+%04X", static_cast<unsigned>(value));
  return text;
}

bool has_part(std::string_view text, std::string_view part) noexcept {
  constexpr std::size_t shortest = 3;  // a word that says something
  return part.size() >= shortest && text.find(part) != text.npos;
}

/// For ASCII letters.
bool is_same_but_for_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

bool has(std::string_view text, std::string_view any) noexcept {
  return text.find_first_of(any) != std::string_view::npos;
}

/// Groups of digits and of letters, and what is between them.
struct TextParts {
  std::vector<std::string_view> words;
  std::vector<std::string_view> between;  ///< one fewer
};

/// None for a text that begins or ends otherwise.
TextParts parts_of(std::string_view text) {
  constexpr std::size_t longest = 40;
  if (text.size() > longest) return {};
  const auto kind = [](char c) { return is_digit(c) ? 1 : (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ? 2 : 0; };
  TextParts parts;
  for (std::size_t begin = 0, at = 0; begin < text.size(); begin = at) {
    while (at < text.size() && kind(text[at]) == kind(text[begin])) ++at;
    const std::string_view run = text.substr(begin, at - begin);
    if (kind(text[begin]) == 0)
      parts.between.push_back(run);
    else if (parts.between.size() < parts.words.size())
      parts.between.push_back(""), parts.words.push_back(run);
    else
      parts.words.push_back(run);
  }
  return parts.between.size() + 1 == parts.words.size() ? parts : TextParts{};
}

/// Is it one of these words, or its first three or four letters?
template <std::size_t N>
bool is_one_of(std::string_view word, const std::string_view (&words)[N]) {
  const std::string lower = lower_case(std::string(word));
  return std::any_of(std::begin(words), std::end(words), [&](std::string_view known) {
    return lower == known || (lower.size() >= 3 && lower.size() <= 4 && known.substr(0, lower.size()) == lower);
  });
}

constexpr const char* then_numbers = ", and such dates are read as numbers";

/// GNU date, which reads most forms in English.
std::string by_date(const std::string& before, const std::string& format) {
  // The date of an empty text is today.
  return "tconv FILE:/COLUMN -O csv | sed 1d | tr -d '\"' | " + before + "while read -r d; do date -u -d \"${d:-?}\" " +
         format + " || echo; done writes YEAR-MONTH-DAY" + then_numbers;
}

/// 3 March 2021, Mar 3, 2021, March 2021 and the like.
std::string way_of_named_month(const TextParts& text) {
  constexpr std::string_view months[] = {"january", "february", "march",     "april",   "may",      "june",
                                         "july",    "august",   "september", "october", "november", "december"};
  constexpr std::string_view days[] = {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"};
  std::size_t named = 0, numbers = 0, years = 0, others = 0;
  for (const std::string_view word : text.words) {
    if (is_digit(word.front()))
      ++numbers, years += word.size() == 4;
    else if (is_one_of(word, months))
      ++named;
    else if (!is_one_of(word, days))
      ++others;
  }
  if (named != 1 || numbers == 0 || others > 0) return {};
  if (numbers == 1 && years == 0) {
    const bool may_be_year = is_digit(text.words.back().front()) && text.words.back().size() == 2;
    if (!may_be_year) return "write dates as YEAR-MONTH-DAY, which are read as numbers";
    return by_date("sed 's/^/1-/; s/ /-/' | ", "+%F") + ", if " + std::string(text.words.back()) + " is a year";
  }
  return by_date(numbers == 1 ? "sed 's/^/1 /' | " : "", numbers > 3 ? "+%FT%T" : "+%F");
}

/// 2021Q1, 2021-Q1, Q1 2021, 2021H2, 2021M01 and the like.
std::string way_of_part_of_year(const TextParts& text) {
  if (text.words.size() != 3) return {};
  const bool is_year_first = is_digit(text.words[0].front());
  const std::string_view year = text.words[is_year_first ? 0 : 2], number = text.words[is_year_first ? 2 : 1];
  const std::string unit = lower_case(std::string(text.words[is_year_first ? 1 : 0]));
  const bool is_month = unit == "m", is_quarter = unit == "q", is_half = unit == "h";
  if (year.size() != 4 || !is_digit(year.front()) || !is_digit(number.front()) || number.size() > (is_month ? 2 : 1) ||
      !(is_month || is_quarter || is_half))
    return {};
  const std::string letter = is_month     ? "[Mm]"
                             : is_quarter ? "[Qq]"
                                          : "[Hh]",
                    digits = is_month     ? "(\\d\\d?)"
                             : is_quarter ? "([1-4])"
                                          : "([12])",
                    which = is_year_first ? "$2" : "$1",
                    month = is_month     ? which
                            : is_quarter ? "3*" + which + "-2"
                                         : "6*" + which + "-5";
  return "perl -pe 's/" + (is_year_first ? "(\\d{4})[- ]?" + letter + digits : letter + digits + "[-\\/ ]?(\\d{4})") +
         "/sprintf \"%d-%02d-01\"," + (is_year_first ? "$1" : "$2") + "," + month +
         "/ge' FILE writes the first day of " +
         (is_month     ? "a month"
          : is_quarter ? "a quarter"
                       : "half a year") +
         " as a date" + then_numbers;
}

/// A date of ISO 8601, which only a table makes a number of?
bool is_iso_date(const TextParts& text) {
  // Digits as one 9, as in 9-9-9T9:9:9.9+9:9.
  std::string form;
  for (std::size_t i = 0; i < text.words.size(); ++i) {
    form += is_digit(text.words[i].front()) ? "9" : lower_case(std::string(text.words[i]));
    if (i < text.between.size()) form += text.between[i];
  }
  const auto take = [&form](std::initializer_list<std::string_view> starts) {
    for (const std::string_view start : starts)
      if (form.compare(0, start.size(), start) == 0) return form.erase(0, start.size()), true;
    return false;
  };
  if (!take({"9-9-9", "9"})) return false;
  if (take({"t9", " 9", "_9"}) && take({":9"}) && take({":9"})) take({".9", ",9"});
  take({" "});
  take({"z", "utc", "gmt", "+9:9", "-9:9", "+9", "-9"});
  return form.empty();
}

/// 2021-03-04_05-06-07, 2021-03-04 05:06:07:123 and the like.
std::string way_of_odd_clock(const TextParts& text) {
  const auto is_number = [](std::string_view word) { return is_digit(word.front()); };
  const auto numbers = std::count_if(text.words.begin(), text.words.end(), is_number);
  if (numbers < 5 || numbers > 7) return "write dates as 2021-03-04 or 2021-03-04T05:06:07, which are read as numbers";
  std::string from = "([0-9]{4})-([0-9]+)-([0-9]+)", to = "\\1-\\2-\\3";
  for (long i = 3; i < numbers; ++i) {
    from += "[^0-9]+([0-9]+)";
    to += std::string(i == 3 ? "T" : i == 6 ? "." : ":") + '\\' + std::to_string(i + 1);
  }
  return "sed -E 's#" + from + "#" + to + "#g' FILE writes 2021-03-04T05:06:07" + then_numbers;
}

/// For a date or a time in a form that is not read as a number: the command that writes one that is.
std::string way_of_date(std::string_view text) {
  const TextParts parts = parts_of(text);
  for (const auto& way : {way_of_named_month(parts), way_of_part_of_year(parts)})
    if (!way.empty()) return way;
  if (parts.words.size() < 2) return {};
  const std::string_view mark = parts.between[0];
  const auto digits = [&](std::size_t i, std::size_t least, std::size_t most) {
    return i < parts.words.size() && is_digit(parts.words[i].front()) && parts.words[i].size() >= least &&
           parts.words[i].size() <= most;
  };
  // No part of a longer number or date: what is around it is the first and the last group.
  const auto whole = [](std::string from, std::string to) {
    const auto groups = std::count(from.begin(), from.end(), '(');
    for (std::size_t at = to.find('\\'); at != to.npos; at = to.find('\\', at + 1)) ++to[at + 1];
    return std::pair("(^|[^0-9./-])" + from + "([^0-9./-]|$)", "\\1" + to + "\\" + std::to_string(groups + 2));
  };
  const auto sed = [&](const std::string& from, const std::string& to) {
    const auto [all, changed] = whole(from, to);
    return "sed -E 's#" + all + "#" + changed + "#g' FILE";
  };
  if (digits(0, 1, 2) && digits(1, 2, 2) && mark == ":")
    return "turn times into numbers first, such as hours or seconds";
  if (digits(0, 4, 4) && lower_case(std::string(parts.words[1])) == "w" && digits(2, 2, 2))
    return "perl -MPOSIX -pe 's/(\\d{4})-?W(\\d\\d)(-\\d)?/strftime "
           "\"%F\",0,0,0,7*$2-2-strftime(\"%u\",0,0,0,4,0,$1-1900),0,$1-1900/ge' FILE writes the Monday of a week as a "
           "date" +
           std::string(then_numbers);
  if (mark != "-" && mark != "/" && mark != ".") return {};
  const std::string point = mark == "." ? "\\." : std::string(mark), number = "([0-9]+)", year = "([0-9]{4})";
  if (digits(0, 4, 4) && digits(1, 3, 3) && mark == "-")
    return "perl -MPOSIX -pe 's/(\\d{4})-(\\d{3})/strftime \"%F\",0,0,0,$2,0,$1-1900/ge' FILE writes a day of the year "
           "as "
           "YEAR-MONTH-DAY" +
           std::string(then_numbers);
  const bool are_three = digits(1, 1, 2) && parts.between.size() > 1 && parts.between[1] == mark;
  const auto is_of_clock = [](std::string_view word) {
    return is_digit(word.front()) || word == "T" || word == "Z" || word == "UTC" || word == "GMT";
  };
  if (digits(0, 4, 4) && are_three && digits(2, 1, 2))
    return !std::all_of(parts.words.begin(), parts.words.end(), is_of_clock) ? by_date("", "+%FT%T")
           : mark == "-"
               ? is_iso_date(parts)
                     ? "tconv FILE:/COLUMN -O csv writes a table, and dates in tables are read as numbers"
                     : way_of_odd_clock(parts)
               : sed(year + point + number + point + number, "\\1-\\2-\\3") + " writes YEAR-MONTH-DAY" + then_numbers;
  if (digits(0, 4, 4) && digits(1, 1, 2) && parts.words.size() == 2 && mark != ".")
    return sed(year + point + number, "\\1-\\2-01") + " writes the first day of a month as a date" + then_numbers;
  const bool is_short = digits(2, 2, 2);
  if (!digits(0, 1, 2) || !are_three || !(is_short || digits(2, 4, 4))) return {};
  const std::string from = number + point + number + point + (is_short ? "([0-9]{2})" : year);
  const std::string century = is_short ? "20" : "", day_first = century + "\\3-\\2-\\1",
                    month_first = century + "\\3-\\1-\\2";
  const auto is_day = [&](std::size_t i) { return parts.words[i].size() == 2 && parts.words[i] > "12"; };
  if (is_day(1)) return sed(from, month_first) + " writes YEAR-MONTH-DAY" + then_numbers;
  return sed(from, day_first) + " writes YEAR-MONTH-DAY" +
         (is_day(0) ? "" : " if the day is first, " + whole(from, month_first).second + " if the month is") +
         then_numbers;
}

/// For text in a known form.
std::string known_way(std::string_view text) {
  const std::string_view digits = text.substr(std::min(text.find_first_not_of("+-"), text.size()));
  if (text.empty()) return {};
  if (is_foreign_missing(text)) return "write NA for a missing value, and give --missing omit or nan";
  for (const std::string_view minus : {"\u2212", "\u2013"})
    if (text.substr(0, minus.size()) == minus) return "write the minus sign as -";
  if (const std::string way = way_of_date(text); !way.empty()) return way;
  if (is_truth(text)) return "write 1 for true and 0 for false";
  // As written by older C and Fortran.
  if (text.find("#IN") != text.npos || text.find("#Q") != text.npos) return "write inf, -inf or nan";
  if (const std::size_t mark = text.find_first_of("dD"); mark != text.npos && mark > 0 && mark + 1 < text.size() &&
                                                         text.find_first_not_of("0123456789+-.dD") == text.npos &&
                                                         is_digit(text.back()))
    return "write the exponent with e";
  if (digits.substr(0, 2) == "0x" || digits.substr(0, 2) == "0X") return "write it as a decimal number";
  if (text.back() == '%' && has(text, "0123456789")) return "leave out the percent sign";
  if (has(text, "$") || text.find("\u20ac") != text.npos || text.find("\u00a3") != text.npos)
    return "leave out the currency sign";
  if (digits.empty() || !(is_digit(digits.front()) || digits.front() == '.')) return {};
  if (!has(text, ",'_ ") || has(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")) return {};
  const std::size_t comma = text.rfind(',');
  const bool is_decimal = comma != std::string_view::npos && text.size() - comma != 4;
  return is_decimal ? "the decimal sign is a point"
                    : "leave out what separates thousands, and write the decimal sign as a point";
}

bool is_plain_number(const std::string& text) {
  double value = 0;
  const auto result = from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

}  // namespace

Error::Error(ErrorKind kind, std::string subject, std::string detail, std::string fix)
    : std::runtime_error(one_line(subject, detail, fix)),
      kind_(kind),
      subject_(std::move(subject)),
      detail_(std::move(detail)),
      fix_(std::move(fix)) {}

Error shape_error(std::string_view tensor, const Shape& actual, std::string_view expected, std::string fix) {
  return Error(ErrorKind::data, std::string(tensor),
               "has shape " + to_string(actual) + ", expected " + std::string(expected), std::move(fix));
}

std::size_t edit_distance(std::string_view a_text, std::string_view b_text, Swaps swaps) {
  const auto a = characters(a_text), b = characters(b_text);
  const bool count_swaps = swaps == Swaps::one_edit;
  // Rows i - 2, i - 1 and i of the distances between the first i and the first j characters.
  std::vector<std::size_t> before, above(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (count_swaps && i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& known) {
  for (const std::string& name : known)
    if (is_same_but_for_case(word, name)) return name;
  std::string best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 4) + 1;
  for (const std::string& name : known)
    if (const std::size_t distance = edit_distance(word, name, Swaps::one_edit);
        distance < std::min(least, (std::max(name.size(), word.size()) + 1) / 2)) {
      least = distance;
      best = name;
    }
  return best;
}

std::string listed_near(std::string_view word, const std::vector<std::string>& names,
                        const std::function<std::string(std::size_t i)>& text) {
  constexpr std::size_t most = 12, fewer = 10, longest_name = 80, longest_compared = 200;
  std::vector<std::size_t> shown(names.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  if (names.size() > most && !word.empty()) {
    const std::string wanted = lower_case(composed(word.substr(0, longest_compared)));
    // A name that contains the word may be meant, however long it is.
    std::vector<std::pair<std::size_t, std::size_t>> ranks;
    for (const std::string& each : names) {
      const std::string name = lower_case(composed(each.substr(0, longest_compared)));
      const std::size_t distance = edit_distance(wanted, name, Swaps::one_edit);
      ranks.emplace_back(has_part(name, wanted) ? std::min<std::size_t>(distance, 2) : distance, distance);
    }
    std::stable_sort(shown.begin(), shown.end(), [&](std::size_t a, std::size_t b) { return ranks[a] < ranks[b]; });
  }
  if (names.size() > most) shown.resize(fewer);
  const std::string list = listed(shown, ", ", [&](std::size_t i) {
    return (text ? text(i) : shortened(names[i], longest_name)) + shown_difference(names[i], word);
  });
  return names.size() > most ? list + " and " + std::to_string(names.size() - fewer) + " more" : list;
}

std::string shown_difference(std::string_view name, std::string_view other) {
  constexpr std::size_t near = 2, longest = 200;
  if (other.empty() || name.size() > longest || other.size() > longest) return {};
  const std::string a = composed(name), b = composed(other);
  if (a == b || edit_distance(a, b) > near) return {};
  const auto beyond = [](const std::string& text, const std::string& without) {
    std::string points;
    for (const std::string_view c : characters(text))
      if (static_cast<unsigned char>(c.front()) >= 0x80 && without.find(c) == without.npos)
        points += (points.empty() ? "" : ", ") + code_point(c);
    return points;
  };
  const std::string with = beyond(a, b), without = beyond(b, a);
  return !with.empty() ? " (with " + with + ")" : !without.empty() ? " (without " + without + ")" : "";
}

bool is_foreign_missing(std::string_view text) noexcept {
  constexpr std::string_view known[] = {"NULL", "null", "None", "N/A", "n/a", "#N/A",
                                        "na",   "NaT",  "?",    "-",   "--",  "\\N"};
  return std::find(std::begin(known), std::end(known), text) != std::end(known);
}

bool is_truth(std::string_view text) {
  const std::string lower = lower_case(std::string(text.substr(0, 6)));
  return lower == "true" || lower == "false" || lower == "t" || lower == "f" || lower == "yes" || lower == "no";
}

bool is_nearly_number(std::string_view text) { return !known_way(text).empty(); }

std::string way_to_number(std::string_view text, const std::string& operand) {
  if (text.size() == 1 && is_truth(text)) return {};  // F may be a sex, T a base
  const std::size_t first = text.find_first_not_of("+-.");
  const bool begins_so = first != std::string_view::npos && is_digit(text[first]);
  std::string known = known_way(text);
  const std::size_t end = operand.find(":/");
  const bool is_plain = std::all_of(operand.begin(), operand.end(), [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || has({&c, 1}, "_./:,-+");
  });
  for (const auto& [name, value] :
       {std::pair{std::string("FILE:/COLUMN"), operand}, {" FILE ", ' ' + operand.substr(0, end) + ' '}})
    if (const std::size_t at = known.find(name); at != std::string::npos && is_plain && end != std::string::npos)
      known.replace(at, name.size(), value);
  return known.empty() && begins_so ? "leave out what is no part of the number" : known;
}

std::string shown_text(std::string_view text) { return "'" + shortened(text, 40) + "'"; }

std::string such_as(const TensorView& texts) {
  if (texts.dtype != DType::string || texts.size() == 0 || texts.data == nullptr) return {};
  return " such as " + shown_text(*static_cast<const std::string*>(texts.data));
}

Error text_for_numbers(const TensorView& x, const std::string& other_way) {
  const std::string example = such_as(x);
  std::string way = example.empty() ? "" : way_to_number(*static_cast<const std::string*>(x.data), x.name);
  if (!example.empty() && is_plain_number(*static_cast<const std::string*>(x.data)))
    way = "numbers in quotes are text: write them without";
  if (way.empty()) way = "code words as numbers first, such as 0, 1, 2";
  return Error(ErrorKind::data, x.name, "has text" + example + ", expected numbers",
               other_way.empty() ? way : way + "; " + other_way);
}

bool is_to_be_repeated(int descriptor, short events) noexcept {
  const int why = errno;
  if (why != EAGAIN) return why == EINTR;
  pollfd ready{descriptor, events, 0};
  poll(&ready, 1, -1);
  errno = why;
  return true;
}

}  // namespace attn
