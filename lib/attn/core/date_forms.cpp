#include <attn/core/date_forms.hpp>

#include <attn/core/characters.hpp>
#include <attn/core/shell.hpp>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <regex>
#include <system_error>

namespace attn {
namespace {

/// A form of dates, in which @Y and @y are years of four and two digits, @m, @b and @d a month, its name and a day, and
/// @t is the time that may follow.
struct DateForm {
  bool is_perl;  ///< the replacement is an expression of perl, else one of sed
  std::string form, replacement;
  std::string said;  ///< what else the result is
};

/// The form as a regular expression of std::regex, sed -E and perl alike. Strict for texts that may be anything; short
/// for those of a column that has the form.
std::string pattern_of(const DateForm& of, bool is_strict) {
  constexpr const char* signs[][3] = {
      {"@Y", "([0-9]{4})", "([0-9]{4})"},
      {"@y", "([0-9]{2})", "([0-9]{2})"},
      {"@m", "(0?[1-9]|1[0-2])", "([0-9]+)"},
      {"@b", "(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[.]?", "([a-z]{3})[a-z]*[.]?"},
      {"@d", "(0?[1-9]|[12][0-9]|3[01])", "([0-9]+)"},
      {"@t", "([ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.,][0-9]{1,9})?)?Z?)?", ""}};
  std::string pattern = of.form;
  for (const auto& [sign, strict, brief] : signs)
    for (std::size_t at; (at = pattern.find(sign)) != std::string::npos;)
      pattern.replace(at, 2, is_strict ? strict : brief);
  return pattern;
}

std::vector<DateForm> date_forms() {
  const std::string iso = "([0-9]{4}-[0-9]{2}-[0-9]{2})", two = "([0-9]{2})", week_day = "(?:[a-z]+,? )?";
  const std::string first = ", the first day";
  std::vector<DateForm> forms;
  const auto sed = [&](const std::string& from, const std::string& to, const std::string& said = "") {
    forms.push_back({false, from, to, said});
  };
  const auto perl = [&](const std::string& from, const std::string& to, const std::string& said = "") {
    forms.push_back({true, from, to, said});
  };
  // In the hundred years that date(1) takes too.
  const auto century = [](const std::string& of) { return "(" + of + "<69?2000:1900)+" + of; };
  const auto number = [](const std::string& of) {
    return "index(\"janfebmaraprmayjunjulaugsepoctnovdec\",lc " + of + ")/3+1";
  };
  const std::string full = "sprintf(\"%d-%02d-%02d\",", said_century = " with 69 to 99 as 1969 to 1999";
  for (const std::string mark : {"/", "[.]", "-"}) {
    if (mark != "-") sed("@Y" + mark + "@m" + mark + "@d@t", "\\1-\\2-\\3");
    sed("@d" + mark + "@m" + mark + "@Y@t", "\\3-\\2-\\1");
    sed("@m" + mark + "@d" + mark + "@Y@t", "\\3-\\1-\\2");
    if (mark == "-") continue;  // 21-03-04 may begin with the year
    perl("@d" + mark + "@m" + mark + "@y@t", full + century("$3") + ",$2,$1)", said_century);
    perl("@m" + mark + "@d" + mark + "@y@t", full + century("$3") + ",$1,$2)", said_century);
  }
  sed("@Y[/-]@m", "\\1-\\2-01", first);
  perl("@Y-?m@m", "sprintf(\"%d-%02d-01\",$1,$2)", first);
  perl("@Y[- ]?q([1-4])", "sprintf(\"%d-%02d-01\",$1,3*$2-2)", first);
  perl("q([1-4])[- /]?@Y", "sprintf(\"%d-%02d-01\",$2,3*$1-2)", first);
  perl("@Y[- ]?h([12])", "sprintf(\"%d-%02d-01\",$1,6*$2-5)", first);
  perl("h([12])[- /]?@Y", "sprintf(\"%d-%02d-01\",$2,6*$1-5)", first);
  // A week or a day that the year has not is left as it is.
  const auto if_there = [](const std::string& year_format, const std::string& place) {
    return "($d,$y)=split(/ /,strftime(\"%F " + year_format + "\",0,0,0," + place + ",$1-1900));$y==$1?$d:$&";
  };
  perl("@Y-?w([0-9]{2})(-?([1-7]))?", if_there("%G", "7*$2-3+($4||1)-strftime(\"%u\",0,0,0,4,0,$1-1900),0"),
       ", the Monday of a week without a day");
  perl("@Y-([0-9]{3})", if_there("%Y", "$2,0"));
  perl(week_day + "@d[- ./]@b[- ./,]+@Y@t", full + "$3," + number("$2") + ",$1)");
  perl(week_day + "@b @d,? @Y@t", full + "$3," + number("$1") + ",$2)");
  perl("@d[- ./]@b[- ./]@y", full + century("$3") + "," + number("$2") + ",$1)", said_century);
  perl("@b[- ./,]+@Y", "sprintf(\"%d-%02d-01\",$2," + number("$1") + ")", first);
  sed(iso + "[_T -]" + two + "[-.]" + two + "[-.]" + two, "\\1T\\2:\\3:\\4");
  sed(iso + "[_T ]([0-9]{2}:[0-9]{2}:[0-9]{2}):([0-9]{3})", "\\1T\\2.\\3");
  sed(iso + "(Z|[+-][0-9]{2}:?[0-9]{2})", "\\1T00:00\\2");
  return forms;
}

std::regex regex_of(const std::string& pattern) {
  return std::regex(pattern, std::regex::icase | std::regex::optimize);
}

bool is_iso_date(const std::string& text) {
  static const std::regex form = regex_of(
      "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
      "([T _] *([0-9]{4}|[0-9]{6}|[0-9]{1,2}(:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?)?) *"
      "(Z|UTC|GMT|[+-][0-9]{1,2}(:?[0-9]{2})?)?)?");
  return std::regex_match(text, form);
}

bool is_like_date(const std::string& text) {
  static const std::regex forms[] = {
      regex_of("([0-9]{4}[-/.: ][0-9]{1,2}[-/.: ][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.]([0-9]{4}|[0-9]{2}))"
               "([^0-9].*)?"),
      regex_of("[12][0-9]{7}[ T_][0-9].*"),
      regex_of("[0-9]{1,2}[-/][0-9]{4}|[0-9]{4}[-/][0-9]{1,2}"),
      regex_of("[0-9]{4}[- ]?(w[0-9]{2}|m[0-9]{1,2}|q[1-4]|h[12])(-.*)?|[0-9]{4}-[0-9]{3}|[qh][1-4][- /]?[0-9]{4}"),
      regex_of("([a-z]{3,9}[,.]* )?([0-9]{1,2}[- ./])?(jan|january|feb|february|mar|march|apr|april|may|jun|june|jul|"
               "july|aug|august|sep|sept|september|oct|october|nov|november|dec|december)[- ./,]+[0-9].*"),
      regex_of("[0-9]{1,2}[- ./](jan|january|feb|february|mar|march|apr|april|may|jun|june|jul|july|aug|august|sep|"
               "sept|september|oct|october|nov|november|dec|december)")};
  return std::any_of(std::begin(forms), std::end(forms),
                     [&](const std::regex& form) { return std::regex_match(text, form); });
}

/// Each cell of a column is a line, so that no part of another cell changes. The comment of a tensor goes, which would
/// keep the texts.
std::string command_of(const DateForm& form) {
  const std::string replaced = "s#" + pattern_of(form, false) + "#" + form.replacement + "#";
  if (!form.is_perl) return " | sed -E '/^# /d; " + replaced + "'";
  const bool has_calendar = form.replacement.find("strftime") != std::string::npos;
  return std::string(" | perl ") + (has_calendar ? "-MPOSIX " : "") + "-ne '" + replaced + "ie; print unless /^# /'";
}

/// The operand of a command that reads the same column; empty if no file has the name.
std::string operand_of(const std::string& name) {
  constexpr std::string_view standard_input = "standard input";
  if (starts_with(name, standard_input)) return shell_quoted("-" + name.substr(standard_input.size()));
  std::error_code ignored;
  return std::filesystem::exists(name.substr(0, name.find(":/")), ignored) ? shell_quoted(name) : "";
}

}  // namespace

std::string way_of_dates(const std::vector<std::string_view>& texts, const std::string& name) {
  constexpr std::size_t longest = 60;
  static const std::vector<DateForm> all = date_forms();
  static const std::string write =
      "write dates as 2021-03-04 or 2021-03-04T05:06:07, with four digits of the year, which are read as numbers";
  if (texts.empty() || texts.front().size() > longest) return {};
  const std::string first(texts.front());
  if (!is_like_date(first)) return {};
  const auto have_form = [&](const std::regex& form) {
    return std::all_of(texts.begin(), texts.end(), [&](std::string_view text) {
      return text.size() <= longest &&
             (std::regex_match(text.begin(), text.end(), form) || is_iso_date(std::string(text)));  // which stay
    });
  };
  const std::string operand = operand_of(name);
  const std::string column = "tconv " + operand + " -O csv";
  if (is_iso_date(first))
    return operand.empty() ? "write dates alone, as in 2021-03-04, or in a table, which are read as numbers"
                           : column + " | grep -v '^# ' writes a table, and dates in tables are read as numbers";
  if (operand.empty()) return write;
  std::vector<const DateForm*> fitting;
  for (const DateForm& form : all) {
    const std::string pattern = pattern_of(form, true);
    if (have_form(form.is_perl ? regex_of(pattern) : std::regex(pattern))) fitting.push_back(&form);
  }
  if (fitting.empty()) return write;
  const DateForm& form = *fitting.front();
  const bool is_open = fitting.size() > 1;
  return column + command_of(form) + " writes YEAR-MONTH-DAY" + form.said +
         (is_open ? " if the day is first, or" + command_of(*fitting[1]) + " if the month is" : "") +
         ", and such dates are read as numbers";
}

}  // namespace attn
