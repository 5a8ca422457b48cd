#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/numbers/date.hpp>
#include <attn/io/numbers/numbers.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

namespace attn::io {
namespace {

constexpr std::int64_t of_second = 1000, of_minute = 60 * of_second, of_hour = 60 * of_minute, of_day = 24 * of_hour;

/// Takes digits off the front of the text.
bool take_digits(std::string_view& text, std::size_t most, std::int64_t& number) {
  const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
  if (count == 0 || count > most) return false;
  number = 0;
  for (const char digit : text.substr(0, count)) number = 10 * number + (digit - '0');
  text.remove_prefix(count);
  return true;
}

bool take(std::string_view& text, char wanted) {
  if (text.empty() || text.front() != wanted) return false;
  text.remove_prefix(1);
  return true;
}

void skip_blanks(std::string_view& text) { text.remove_prefix(std::min(text.find_first_not_of(' '), text.size())); }

/// "06", "06:00", "06:00:30.5"
bool take_clock(std::string_view& text, Date& date) {
  using Precision = Date::Precision;
  if (!take_digits(text, 2, date.hour)) return false;
  date.precision = Precision::hour;
  if (!take(text, ':')) return true;
  if (!take_digits(text, 2, date.minute)) return false;
  date.precision = Precision::minute;
  if (!take(text, ':')) return true;
  std::int64_t second = 0, fraction = 0;
  if (!take_digits(text, 2, second)) return false;
  date.millisecond = second * of_second;
  date.precision = Precision::second;
  if (!take(text, '.')) return true;
  const std::size_t before = text.size();
  if (!take_digits(text, 9, fraction)) return false;
  date.millisecond +=
      std::llround(static_cast<double>(fraction) * std::pow(10, 3 - static_cast<double>(before - text.size())));
  date.precision = Precision::millisecond;
  return true;
}

/// "Z", "UTC", "+02:00", "-6", "+0530" or nothing.
bool take_zone(std::string_view& text, std::int64_t& minutes) {
  for (const std::string_view utc : {"Z", "UTC", "GMT"}) {
    if (text.substr(0, utc.size()) != utc) continue;
    text.remove_prefix(utc.size());
    return true;
  }
  const bool is_behind = take(text, '-');
  if (!is_behind && !take(text, '+')) return true;
  std::int64_t hours = 0, rest = 0;
  if (!take_digits(text, 4, hours)) return false;
  if (hours > 99) {
    rest = hours % 100;
    hours /= 100;
  } else if (take(text, ':') && !take_digits(text, 2, rest)) {
    return false;
  }
  minutes = (is_behind ? -1 : 1) * (60 * hours + rest);
  return true;
}

/// Days since 1970-01-01.
/// source  Richards 2013, Calendars, in the Explanatory Supplement to the Astronomical Almanac, section 15.11
std::int64_t days_of(std::int64_t year, std::int64_t month, std::int64_t day, bool is_proleptic) {
  constexpr std::int64_t first_year = -4800, julian_day_of_1970 = 2440588;
  const std::int64_t before_march = (14 - month) / 12;
  const std::int64_t y = year - first_year - before_march, m = month + 12 * before_march - 3;
  const bool is_julian = !is_proleptic && std::make_tuple(year, month, day) < std::make_tuple(1582, 10, 15);
  const std::int64_t leap_days = is_julian ? y / 4 - 32083 : y / 4 - y / 100 + y / 400 - 32045;
  return day + (153 * m + 2) / 5 + 365 * y + leap_days - julian_day_of_1970;
}

bool exists(const Date& date, bool is_proleptic) {
  constexpr std::int64_t lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (date.month < 1 || date.month > 12 || date.year < -4799 || date.year > 99999) return false;
  const bool is_julian = !is_proleptic && date.year <= 1582;
  const bool is_leap = date.year % 4 == 0 && (is_julian || date.year % 100 != 0 || date.year % 400 == 0);
  const std::int64_t days = lengths[date.month - 1] + (date.month == 2 && is_leap);
  return date.day >= 1 && date.day <= days && date.hour < 24 && date.minute < 60 && date.millisecond < of_minute;
}

std::int64_t start_of(const Date& date, bool is_proleptic) {
  return days_of(date.year, date.month, date.day, is_proleptic) * of_day + date.hour * of_hour +
         (date.minute - date.zone) * of_minute + date.millisecond;
}

}  // namespace

std::optional<Date> parse_date(std::string_view text) {
  using Precision = Date::Precision;
  Date date;
  const bool is_negative = take(text, '-');
  const std::size_t before = text.size();
  if (!take_digits(text, 5, date.year)) return std::nullopt;
  date.year_digits = before - text.size();
  if (is_negative) date.year = -date.year;
  if (text.empty()) return date;
  if (!take(text, '-') || !take_digits(text, 2, date.month)) return std::nullopt;
  date.precision = Precision::month;
  if (text.empty()) return date;
  if (!take(text, '-') || !take_digits(text, 2, date.day)) return std::nullopt;
  date.precision = Precision::day;
  const bool needs_clock = take(text, 'T') || take(text, 't');
  skip_blanks(text);
  const bool has_clock = !text.empty() && text.front() >= '0' && text.front() <= '9';
  if (has_clock ? !take_clock(text, date) : needs_clock) return std::nullopt;
  skip_blanks(text);
  if (!take_zone(text, date.zone) || !text.empty()) return std::nullopt;
  return date;
}

bool is_date(std::string_view text) {
  const std::optional<Date> date = parse_date(text);
  return date && date->year_digits == 4 && date->year >= 0;
}

double TimeUnits::instant_of(double coordinate) const noexcept {
  return std::round(coordinate * milliseconds) + static_cast<double>(origin);
}

std::pair<std::int64_t, std::int64_t> TimeUnits::period_of(const Date& date, std::string_view text) const {
  using Precision = Date::Precision;
  if (!exists(date, is_proleptic))
    throw Error(ErrorKind::usage, std::string(text), "is no date", "write YEAR-MONTH-DAY, as in 2024-01-31");
  Date next = date;
  std::int64_t length = 1;
  switch (date.precision) {
    case Precision::year: next.year += 1; break;
    case Precision::month:
      next.year += date.month / 12;
      next.month = date.month % 12 + 1;
      break;
    case Precision::day: length = of_day; break;
    case Precision::hour: length = of_hour; break;
    case Precision::minute: length = of_minute; break;
    case Precision::second: length = of_second; break;
    case Precision::millisecond: break;
  }
  const std::int64_t first = start_of(date, is_proleptic), after = start_of(next, is_proleptic);
  return {first, std::max(first + length, after) - 1};
}

std::optional<TimeUnits> time_units(const Attributes& attributes, const std::string& name) {
  const auto text_of = [&](const char* attribute) {
    const std::vector<std::string> texts = texts_of(attributes, attribute);
    return texts.size() == 1 ? texts.front() : std::string();
  };
  const std::string units = text_of("units"), lower = lower_case(units);
  constexpr std::string_view since = " since ";
  const std::size_t at = lower.find(since);
  if (at == std::string::npos) return std::nullopt;
  constexpr const char* way = "give indices, as in [start:stop]";
  const std::string calendar = lower_case(text_of("calendar"));
  TimeUnits time;
  time.is_proleptic = calendar == "proleptic_gregorian";
  if (!time.is_proleptic && !calendar.empty() && calendar != "standard" && calendar != "gregorian")
    throw Error(ErrorKind::data, name,
                "has the calendar " + calendar +
                    ", and dates are read in the calendars standard "
                    "and proleptic_gregorian",
                way);
  constexpr std::pair<std::string_view, double> lengths[] = {
      {"week", 7 * of_day},  {"day", of_day},       {"d", of_day},        {"hour", of_hour},     {"hr", of_hour},
      {"h", of_hour},        {"minute", of_minute}, {"min", of_minute},   {"second", of_second}, {"sec", of_second},
      {"s", of_second},      {"millisecond", 1},    {"millisec", 1},      {"msec", 1},           {"ms", 1},
      {"microsecond", 1e-3}, {"us", 1e-3},          {"nanosecond", 1e-6}, {"ns", 1e-6}};
  const std::string_view unit = trimmed(std::string_view(lower).substr(0, at));
  const auto found = std::find_if(std::begin(lengths), std::end(lengths), [&](const auto& length) {
    return unit == length.first || (unit.size() > 1 && unit == std::string(length.first) + "s");
  });
  std::optional<Date> origin = parse_date(trimmed(std::string_view(units).substr(at + since.size())));
  if (found == std::end(lengths) || !origin || !exists(*origin, time.is_proleptic))
    throw Error(ErrorKind::data, name, "has the units '" + units + "', which are no fixed time since a date", way);
  time.milliseconds = found->second;
  time.origin = start_of(*origin, time.is_proleptic);
  return time;
}

}  // namespace attn::io
