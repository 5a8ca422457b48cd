#include <doctest/doctest.h>

#include <attn/core/source_sink.hpp>
#include <attn/io/dates.hpp>

#include <cmath>
#include <string>
#include <vector>

using attn::io::days_of_date;

TEST_CASE("dates as days since 1970-01-01") {
  CHECK(days_of_date("1970-01-01") == 0.0);
  CHECK(days_of_date("1969-12-31") == -1.0);
  CHECK(days_of_date("2021-03-04") == 18690.0);
  CHECK(days_of_date("2021-3-4") == 18690.0);
  CHECK(days_of_date("0001-01-01") == -719162.0);  // datetime.date.toordinal(), proleptic
  CHECK(days_of_date("9999-12-31") == 2932896.0);
  CHECK(days_of_date("1900-03-01") == days_of_date("1900-02-28").value() + 1);
  CHECK(days_of_date("2000-03-01") == days_of_date("2000-02-28").value() + 2);
}

TEST_CASE("times are fractions of a day, in UTC") {
  for (const char* text : {"2021-03-04T06:00", "2021-03-04 06:00", "2021-03-04T06:00Z", "2021-03-04T06:00:00.000 UTC",
                           "2021-03-04T08:00+02:00", "2021-03-04T08:00:00+0200", "2021-03-04T02:30-03:30",
                           "2021-03-03T23:00-07", "2021-03-04T06:00:00,0", "2021-03-04t06", "20210304T06",
                           "20210304T0600Z", "20210304t080000.0+0200", "2021-03-04T060000", "2021-03-04 0600z"})
    CHECK_MESSAGE(days_of_date(text) == 18690.25, text);
  CHECK(days_of_date("1969-12-31T18:00") == -0.25);
  CHECK(days_of_date("1970-01-01T00:00:00.000001") == 1e-6 / 86400);
  CHECK(days_of_date("2021-03-04T23:59:59.9996").value() < 18691);
}

TEST_CASE("what is no date, or none that exists") {
  for (const char* text : {"2021",
                           "2021-03",
                           "2021-W09",
                           "2021-064",
                           "20210304",
                           "03/04/2021",
                           "2021/03/04",
                           "4 March 2021",
                           "12021-03-04",
                           "-2021-03-04",
                           "21-03-04",
                           "2021-03-04-05",
                           "2021-03-04Z",
                           "2021-03-04+02:00",
                           "2021-03-04T",
                           "2021-03-04T05:06 PM",
                           "2021-03-04T05:06+25:00",
                           "2021-03-04x",
                           "20210304T",
                           "20210304 0600",
                           "2021-03-04T060",
                           "210304T0600",
                           ""}) {
    CHECK_MESSAGE(!attn::io::is_full_date(text), text);
    CHECK_MESSAGE(!days_of_date(text), text);
  }
  for (const char* text : {"2021-02-30", "2021-13-01", "2021-00-01", "2021-01-00", "0000-00-00", "2100-02-29",
                           "2021-03-04T24:00", "2021-03-04T05:60", "2016-12-31T23:59:60Z"}) {
    CHECK_MESSAGE(attn::io::is_full_date(text), text);
    CHECK_MESSAGE(!days_of_date(text), text);
  }
  CHECK(attn::io::fault_of_date("2021-02-30") == "is not a day of the calendar");
  CHECK(attn::io::fault_of_date("2021-03-04T24:00") == "is not a time of day");
  CHECK(attn::io::fault_of_date("2016-12-31T23:59:60Z") == "is a leap second, which is not read,");
  CHECK(attn::io::fault_of_date("soon") == "is not a date (YEAR-MONTH-DAY, with four digits of the year)");
}

TEST_CASE("days are written as short as all of them allow, and read back as they were") {
  using Texts = std::vector<std::string>;
  CHECK(attn::io::dates_of({18690, -1, NAN}) == Texts{"2021-03-04", "1969-12-31", ""});
  CHECK(attn::io::dates_of({18690, 18690.25}) == Texts{"2021-03-04T00:00", "2021-03-04T06:00"});
  for (const char* text : {"0000-02-29", "1582-10-10", "2021-03-04T05:06:07", "2021-03-04T05:06:07.5",
                           "2021-03-04T05:06:07.123456", "1969-12-31T23:59:59.999", "9999-12-31T23:59"}) {
    CHECK_MESSAGE(attn::io::dates_of({days_of_date(text).value()}) == Texts{text}, text);
  }
}

TEST_CASE("the calendar, in both directions") {
  for (std::int64_t day = -3000000; day < 3000000; day += 997) {
    const attn::io::CalendarDay date = attn::io::calendar_day(day);
    CHECK(attn::io::days_of_calendar(date) == day);
  }
}

TEST_CASE("the units of columns of dates") {
  const attn::Attributes one = attn::io::attributes_of_dates({true}),
                         some = attn::io::attributes_of_dates({true, false});
  CHECK(attn::texts_of(one, "units") == std::vector<std::string>{"days since 1970-01-01"});
  CHECK(attn::texts_of(some, "units") == std::vector<std::string>{"days since 1970-01-01", ""});
  CHECK(attn::io::columns_of_dates(one, 2) == std::vector<bool>{true, true});
  CHECK(attn::io::columns_of_dates(some, 2) == std::vector<bool>{true, false});
  CHECK(attn::io::attributes_of_dates({false}).empty());
  const auto hours = attn::io::day_scale({{"units", attn::scalar_of("hours since 1970-01-02")}});
  REQUIRE(hours);
  CHECK(12 * hours->factor + hours->offset == 1.5);
  CHECK(!attn::io::day_scale({{"units", attn::scalar_of("km")}}));
}
