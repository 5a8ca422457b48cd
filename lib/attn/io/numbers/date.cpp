#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/dates.hpp>
#include <attn/io/numbers/date.hpp>
#include <attn/io/numbers/numbers.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <tuple>

namespace attn::io {
namespace {

constexpr std::int64_t of_second = 1000, of_minute = 60 * of_second, of_hour = 60 * of_minute, of_day = 24 * of_hour;
constexpr std::int64_t of_nanosecond = 1000000;  // nanoseconds in a millisecond

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

/// Takes two digits off the front of more.
std::int64_t take_two(std::string_view& digits) {
  std::int64_t number = 0;
  for (const char digit : digits.substr(0, 2)) number = 10 * number + (digit - '0');
  digits.remove_prefix(2);
  return number;
}

/// "06", "06:00", "06:00:30.5", and in the basic format "0600", "060030.5"
bool take_clock(std::string_view& text, Date& date) {
  using Precision = Date::Precision;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const bool is_basic = digits == 4 || digits == 6;
  const auto take_part = [&](std::int64_t& part) {
    if (!is_basic) return take_digits(text, 2, part);
    part = take_two(text);
    return true;
  };
  const auto goes_on = [&](std::size_t from) { return is_basic ? digits > from : take(text, ':'); };
  if (!take_part(date.hour)) return false;
  date.precision = Precision::hour;
  if (!goes_on(2)) return true;
  if (!take_part(date.minute)) return false;
  date.precision = Precision::minute;
  if (!goes_on(4)) return true;
  std::int64_t second = 0, fraction = 0;
  if (!take_part(second)) return false;
  date.millisecond = second * of_second;
  date.precision = Precision::second;
  if (!take(text, '.') && !take(text, ',')) return true;
  const std::size_t before = text.size();
  if (!take_digits(text, 9, fraction)) return false;
  for (std::size_t digits = before - text.size(); digits < 9; ++digits) fraction *= 10;
  date.millisecond += fraction / of_nanosecond;
  date.nanosecond = fraction % of_nanosecond;
  date.precision = Precision::millisecond;
  return true;
}

/// "Z", "z", "UTC", "+02:00", "-6", "+0530" or nothing.
bool take_zone(std::string_view& text, std::int64_t& minutes) {
  for (const std::string_view utc : {"Z", "z", "UTC", "GMT"}) {
    if (text.substr(0, utc.size()) != utc) continue;
    text.remove_prefix(utc.size());
    return true;
  }
  constexpr std::string_view minus = "\u2212";
  const bool is_minus = starts_with(text, minus);
  if (is_minus) text.remove_prefix(minus.size());
  const bool is_behind = is_minus || take(text, '-');
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
  return hours < 24 && rest < 60;
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
  constexpr std::size_t basic_digits = 8;  // 20240103T0600: without a time it is a number
  if (text.size() > basic_digits && text.find_first_not_of("0123456789") == basic_digits &&
      (text[basic_digits] == 'T' || text[basic_digits] == 't')) {
    date.year_digits = 4;
    date.year = 100 * take_two(text);
    date.year += take_two(text);
    date.month = take_two(text);
    date.day = take_two(text);
  } else {
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
  }
  date.precision = Precision::day;
  const bool needs_clock = take(text, 'T') || take(text, 't') || take(text, '_');  // _ in files of WRF
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

// Dates as days.

namespace {

constexpr const char* units_of_dates = "days since 1970-01-01";
constexpr const char* calendar_of_dates = "proleptic_gregorian";

std::optional<Date> full_date(std::string_view text) {
  text = trimmed(text);
  std::optional<Date> date = is_date(text) ? parse_date(text) : std::nullopt;
  if (!date || date->precision < Date::Precision::day) return std::nullopt;
  // Only a time has a zone: 2021-03-04-05 may be the name of anything.
  const bool is_day = date->precision == Date::Precision::day;
  if (is_day && (text.find_first_not_of("0123456789-") != text.npos || std::count(text.begin(), text.end(), '-') != 2))
    return std::nullopt;
  return date;
}

/// "T05:06:07.25", down to a unit in microseconds.
std::string clock_text(std::int64_t microseconds, std::int64_t unit) {
  const std::int64_t seconds = microseconds / 1000000;
  char text[60];
  int length = std::snprintf(text, sizeof text, "T%02d:%02d:%02d.%06d", static_cast<int>(seconds / 3600),
                             static_cast<int>(seconds / 60 % 60), static_cast<int>(seconds % 60),
                             static_cast<int>(microseconds % 1000000));
  if (unit >= 60000000) return std::string(text, 6);
  if (unit >= 1000000) return std::string(text, 9);
  for (std::int64_t digit = 1; digit < unit; digit *= 10) --length;
  return std::string(text, static_cast<std::size_t>(length));
}

}  // namespace

bool is_full_date(std::string_view text) { return full_date(text).has_value(); }

std::optional<double> days_of_date(std::string_view text) {
  const std::optional<Date> date = full_date(text);
  if (!date || !exists(*date, true)) return std::nullopt;
  // In microseconds, which a double holds exactly.
  const std::int64_t whole = start_of(*date, true) * 1000 + date->nanosecond / 1000;
  return (static_cast<double>(whole) + static_cast<double>(date->nanosecond % 1000) / 1000) / (of_day * 1000.0);
}

std::string fault_of_date(std::string_view text) {
  std::optional<Date> date = full_date(text);
  if (!date) return "is not a date (YEAR-MONTH-DAY, with four digits of the year)";
  if (date->millisecond / of_second == 60) return "is a leap second, which is not read,";
  date->hour = date->minute = date->millisecond = 0;
  return exists(*date, true) ? "is not a time of day" : "is not a day of the calendar";
}

std::vector<std::string> dates_of(const std::vector<double>& days) {
  constexpr std::int64_t of_whole_day = of_day * 1000;
  constexpr std::int64_t units[] = {of_whole_day, 60000000, 1000000, 100000, 10000, 1000, 100, 10, 1};
  const auto is_known = [](double day) { return std::abs(day) < 1e8; };
  const auto microseconds = [](double day) {
    // Far from 1970, doubles are further apart than microseconds.
    const double whole = std::floor(day), apart = (std::nextafter(std::abs(day), 1e9) - std::abs(day)) * of_whole_day;
    std::int64_t grain = 1;
    while (static_cast<double>(grain) < apart) grain *= 10;
    return static_cast<std::int64_t>(whole) * of_whole_day +
           std::llround((day - whole) * of_whole_day / static_cast<double>(grain)) * grain;
  };
  const auto clock_of = [](std::int64_t time) { return (time % of_whole_day + of_whole_day) % of_whole_day; };
  const std::int64_t* unit = units;
  for (const double day : days)
    while (is_known(day) && clock_of(microseconds(day)) % *unit != 0) ++unit;
  std::vector<std::string> texts;
  for (const double day : days) {
    texts.emplace_back();
    if (!is_known(day)) continue;
    const std::int64_t time = microseconds(day), clock = clock_of(time);
    const CalendarDay date = calendar_day((time - clock) / of_whole_day);
    char text[60];
    std::snprintf(text, sizeof text, "%s%04d-%02d-%02d", date.year < 0 ? "-" : "",
                  static_cast<int>(std::abs(date.year)), static_cast<int>(date.month), static_cast<int>(date.day));
    texts.back() = text + (unit == units ? "" : clock_text(clock, *unit));
  }
  return texts;
}

Attributes attributes_of_dates(const std::vector<bool>& are_dates) {
  const auto dates = std::count(are_dates.begin(), are_dates.end(), true);
  if (dates == 0) return {};
  std::vector<std::string> units(are_dates.size());
  for (std::size_t i = 0; i < units.size(); ++i) units[i] = are_dates[i] ? units_of_dates : "";
  const bool are_all = static_cast<std::size_t>(dates) == units.size();
  return {{"units", are_all ? scalar_of(std::string(units_of_dates)) : vector_of(units)},
          {"calendar", scalar_of(std::string(calendar_of_dates))}};
}

std::vector<bool> columns_of_dates(const Attributes& attributes, std::size_t count) {
  const std::vector<std::string> units = texts_of(attributes, "units");
  const std::string calendar = lower_case(attn::listed(texts_of(attributes, "calendar")));
  const bool is_known =
      calendar.empty() || calendar == "standard" || calendar == "gregorian" || calendar == calendar_of_dates;
  const bool is_ours = is_known && std::find(units.begin(), units.end(), units_of_dates) != units.end();
  if (!is_ours || (units.size() != 1 && units.size() != count)) return {};
  std::vector<bool> are_dates(count);
  for (std::size_t i = 0; i < count; ++i) are_dates[i] = units[units.size() == 1 ? 0 : i] == units_of_dates;
  return are_dates;
}

std::optional<DayScale> day_scale(const Attributes& attributes) {
  try {
    const std::optional<TimeUnits> time = time_units(attributes, "");
    if (!time) return std::nullopt;
    return DayScale{time->milliseconds / static_cast<double>(of_day),
                    static_cast<double>(time->origin) / static_cast<double>(of_day)};
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// source  Hinnant, chrono-compatible low-level date algorithms, civil_from_days
CalendarDay calendar_day(std::int64_t days) noexcept {
  constexpr std::int64_t of_era = 146097;  // days in 400 years
  days += 719468;                          // since 0000-03-01
  const std::int64_t era = (days >= 0 ? days : days - of_era + 1) / of_era, of_this = days - era * of_era;
  const std::int64_t year = (of_this - of_this / 1460 + of_this / 36524 - of_this / (of_era - 1)) / 365;
  const std::int64_t of_year = of_this - (365 * year + year / 4 - year / 100), month = (5 * of_year + 2) / 153;
  return {year + 400 * era + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9,
          of_year - (153 * month + 2) / 5 + 1};
}

std::int64_t days_of_calendar(const CalendarDay& day) noexcept {
  const std::int64_t months = day.month - 1;
  // Far years are moved by whole cycles of the calendar, so that those before -4800 have a day too.
  const std::int64_t year = day.year + months / 12, cycles = year < 0 ? (year - 399) / 400 : 0;
  return days_of(year - 400 * cycles, months % 12 + 1, day.day, true) + 146097 * cycles;
}

}  // namespace attn::io
