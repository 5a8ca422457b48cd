#pragma once
// Dates as numbers: the days since 1970-01-01 that a table gives for a column of dates, and back.
// Proleptic Gregorian calendar, UTC, days of 86400 seconds.
// source  ISO 8601; CF conventions 1.11, section 4.4, for the attributes

#include <attn/core/source_sink.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ATTN_API attn {
namespace io {

/// Is it written as a date: year of four digits, month and day, and perhaps a time behind T or a blank, with Z or an
/// offset such as +02:00? There need not be such a day.
bool is_full_date(std::string_view text);

/// Its days since 1970-01-01; without a zone, a time is UTC. None for other text, and if there is no such day or time.
std::optional<double> days_of_date(std::string_view text);

/// Completes "'2021-02-30'" in a message, for a text without days_of_date().
std::string fault_of_date(std::string_view text);

/// 2021-03-04 and, unless all are whole days, 2021-03-04T05:06 down to the fraction of a second that is needed, at most
/// microseconds. "" for what is not finite.
std::vector<std::string> dates_of(const std::vector<double>& days);

/// The units of columns with days: those of all columns, or a list with "" for columns of other numbers. Empty if none
/// has days.
Attributes attributes_of_dates(const std::vector<bool>& are_dates);

/// Which of `count` columns have days, by the attributes above; empty if none has.
std::vector<bool> columns_of_dates(const Attributes& attributes, std::size_t count);

/// days = factor * number + offset
struct DayScale {
  double factor = 1, offset = 0;
};
/// The scale of numbers whose attributes say that they count a time since a date; none if they say no such thing, or
/// another calendar.
std::optional<DayScale> day_scale(const Attributes& attributes);

/// A day of the calendar.
struct CalendarDay {
  std::int64_t year, month, day;
};
CalendarDay calendar_day(std::int64_t days) noexcept;
/// Months beyond 12 are those of later years.
std::int64_t days_of_calendar(const CalendarDay& day) noexcept;

}  // namespace io
}  // namespace attn
