#pragma once
// Dates of ISO 8601, and coordinates of time such as "days since 2000-01-01".
// source  CF conventions 1.11, sections 4.4 and 4.4.2 (calendars)

#include <attn/core/source_sink.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace attn::io {

/// A date as far as it is given: 2024, 2024-01, 2024-01-03, 2024-01-03T06:00, 2024-01-03T06:00:30.5Z; a blank may stand
/// for the T, and there may be no signs in the time, or in all of it: 20240103T0600. It need not exist.
struct Date {
  std::int64_t year = 0, month = 1, day = 1, hour = 0, minute = 0, millisecond = 0;
  std::int64_t nanosecond = 0;  ///< of the millisecond
  enum class Precision { year, month, day, hour, minute, second, millisecond } precision = Precision::year;
  std::int64_t zone = 0;  ///< minutes before UTC that clocks show
  std::size_t year_digits = 0;
};

/// Nothing for any other text.
std::optional<Date> parse_date(std::string_view text);

/// Is it a date whose year has four digits?
bool is_date(std::string_view text);

/// Coordinates that count a unit of time since a date.
struct TimeUnits {
  double milliseconds = 1;    ///< in a unit
  std::int64_t origin = 0;    ///< of the count, in milliseconds since 1970
  bool is_proleptic = false;  ///< Gregorian before 1582-10-15 too, where the standard calendar is Julian

  /// To the millisecond, since 1970: days as floats seldom are exact.
  double instant_of(double coordinate) const noexcept;
  /// The first and the last millisecond of a date since 1970. Throws Error(usage) if there is no such day or time.
  std::pair<std::int64_t, std::int64_t> period_of(const Date& date, std::string_view text) const;
};

/// The units of a tensor `name` with these attributes; nothing if they do not count time since a date. Throws
/// Error(data) for calendars other than standard and proleptic_gregorian, and for units of no fixed length.
std::optional<TimeUnits> time_units(const Attributes& attributes, const std::string& name);

}  // namespace attn::io
