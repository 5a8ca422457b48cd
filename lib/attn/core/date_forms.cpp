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

/// A form of dates. The pattern is one for std::regex, sed -E and perl alike.
struct DateForm {
  bool is_perl;  ///< the replacement is an expression of perl, else one of sed
  std::string pattern, replacement;
  std::string said;  ///< what else the result is
};

std::vector<DateForm> date_forms() {
  const std::string year = "([0-9]{4})", short_year = "([0-9]{2})", month = "(0?[1-9]|1[0-2])",
                    day = "(0?[1-9]|[12][0-9]|3[01])";
  const std::string time = "([ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.,][0-9]{1,9})?)?Z?)?";
  const std::string iso = "([0-9]{4}-[0-9]{2}-[0-9]{2})", two = "([0-9]{2})";
  const std::string name = "(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[.]?", week_day = "([a-z]+,? )?";
  const std::string first = ", the first day";
  std::vector<DateForm> forms;
  const auto sed = [&](const std::string& from, const std::string& to, const std::string& said = "") {
    forms.push_back({false, from, to, said});
  };
  const auto perl = [&](const std::string& from, const std::string& to, const std::string& said = "") {
    forms.push_back({true, from, to, said});
  };
  // Of the hundred years that date(1) takes too.
  const auto century = [](const std::string& of) { return "(" + of + "<69?2000:1900)+" + of; };
  const auto number = [](const std::string& of) {
    return "index(\"janfebmaraprmayjunjulaugsepoctnovdec\",lc substr(" + of + ",0,3))/3+1";
  };
  const std::string full = "sprintf(\"%d-%02d-%02d%s\",", said_century = " with 69 to 99 as 1969 to 1999";
  for (const std::string mark : {"/", "[.]", "-"}) {
    if (mark != "-") sed(year + mark + month + mark + day + time, "\\1-\\2-\\3\\4");
    sed(day + mark + month + mark + year + time, "\\3-\\2-\\1\\4");
    sed(month + mark + day + mark + year + time, "\\3-\\1-\\2\\4");
    if (mark == "-") continue;  // 21-03-04 may begin with the year
    perl(day + mark + month + mark + short_year + time, full + century("$3") + ",$2,$1,$4)", said_century);
    perl(month + mark + day + mark + short_year + time, full + century("$3") + ",$1,$2,$4)", said_century);
  }
  sed(year + "[/-]" + month, "\\1-\\2-01", first);
  perl(year + "-?m" + month, "sprintf(\"%d-%02d-01\",$1,$2)", first);
  perl(year + "[- ]?q([1-4])", "sprintf(\"%d-%02d-01\",$1,3*$2-2)", first);
  perl("q([1-4])[- /]?" + year, "sprintf(\"%d-%02d-01\",$2,3*$1-2)", first);
  perl(year + "[- ]?h([12])", "sprintf(\"%d-%02d-01\",$1,6*$2-5)", first);
  perl("h([12])[- /]?" + year, "sprintf(\"%d-%02d-01\",$2,6*$1-5)", first);
  // A week or a day that the year has not is left as it is.
  const auto if_there = [](const std::string& year_format, const std::string& place) {
    return "($d,$y)=split(/ /,strftime(\"%F " + year_format + "\",0,0,0," + place + ",$1-1900));$y==$1?$d:$&";
  };
  perl(year + "-?w([0-9]{2})(-?([1-7]))?", if_there("%G", "7*$2-3+($4||1)-strftime(\"%u\",0,0,0,4,0,$1-1900),0"),
       ", the Monday of a week without a day");
  perl(year + "-([0-9]{3})", if_there("%Y", "$2,0"));
  perl(week_day + day + "[- ./]" + name + "[- ./,]+" + year + time, full + "$4," + number("$3") + ",$2,$5)");
  perl(week_day + name + " " + day + ",? " + year + time, full + "$4," + number("$2") + ",$3,$5)");
  perl(day + "[- ./]" + name + "[- ./]" + short_year,
       "sprintf(\"%d-%02d-%02d\"," + century("$3") + "," + number("$2") + ",$1)", said_century);
  perl(name + "[- ./,]+" + year, "sprintf(\"%d-%02d-01\",$2," + number("$1") + ")", first);
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

/// Each cell of a column is a line, so that no part of another cell changes, and text in another form stays.
std::string command_of(const DateForm& form, const std::string& column) {
  const std::string line = "^\"?" + form.pattern + "\"?$";
  return column + (form.is_perl ? " | perl -MPOSIX -pe 's#" : " | sed -E 's#") + line + "#" + form.replacement +
         (form.is_perl ? "#ie'" : "#'");
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
  // The comment of a tensor would keep the texts.
  const std::string column = "tconv " + operand + " -O csv | grep -v '^# shape='";
  if (is_iso_date(first))
    return operand.empty() ? "write dates alone, as in 2021-03-04, or in a table, which are read as numbers"
                           : column + " writes a table, and dates in tables are read as numbers";
  if (operand.empty()) return write;
  std::vector<const DateForm*> fitting;
  for (const DateForm& form : all)
    if (have_form(form.is_perl ? regex_of(form.pattern) : std::regex(form.pattern))) fitting.push_back(&form);
  if (fitting.empty()) return write;
  const DateForm& form = *fitting.front();
  const bool is_open = fitting.size() > 1;
  return command_of(form, column) + " writes YEAR-MONTH-DAY" + form.said +
         (is_open ? " if the day is first, or" + command_of(*fitting[1], "") + " if the month is" : "") +
         ", and such dates are read as numbers";
}

}  // namespace attn
