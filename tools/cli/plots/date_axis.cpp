// Axes of dates: tics at whole days, weeks, months and years, and at even times of a day.
#include "cli/numbers.hpp"
#include "cli/plots/gnuplot.hpp"

#include <attn/core/shape.hpp>
#include <attn/io/dates.hpp>

#include <algorithm>
#include <cmath>

namespace cli {
namespace {

constexpr double of_day = 86400;  // seconds

/// From tic to tic; one of them is not 0.
struct Step {
  double seconds = 0;
  std::int64_t days = 0, months = 0;
  double length() const { return seconds / of_day + static_cast<double>(days) + 30.4 * static_cast<double>(months); }
};

/// Ascending.
std::vector<Step> steps() {
  std::vector<Step> all;
  for (const double power : {1e-3, 1e-2, 1e-1})
    for (const double digit : {1., 2., 5.}) all.push_back({digit * power});
  for (const double unit : {1., 60.})
    for (const double count : {1., 2., 5., 10., 15., 30.}) all.push_back({unit * count});
  for (const double hours : {1., 2., 3., 6., 12.}) all.push_back({3600 * hours});
  for (const std::int64_t days : {1, 2, 7, 14}) all.push_back({0, days});
  for (const std::int64_t months : {1, 2, 3, 6}) all.push_back({0, 0, months});
  for (std::int64_t power = 12; power < 12000000; power *= 10)
    for (const std::int64_t digit : {1, 2, 5}) all.push_back({0, 0, digit * power});
  return all;
}

struct Tic {
  double at;  ///< in days since 1970
  std::string label;
};

/// A line for the time of the day, and one for the date where it is another than that of the tic before.
std::string label_of(const std::string& date, const Step& step, std::string& latest) {
  if (step.months > 0) return date.substr(0, date.size() - (step.months % 12 == 0 ? 6 : 3));
  const std::size_t clock = date.find('T');
  if (clock == std::string::npos) return date;
  const std::string day = date.substr(0, clock), time = date.substr(clock + 1);
  return day == std::exchange(latest, day) ? time : time + "\\n" + day;
}

std::vector<Tic> tics_at(const Step& step, double low, double high) {
  std::vector<double> places;
  if (step.months > 0) {
    const attn::io::CalendarDay day = attn::io::calendar_day(static_cast<std::int64_t>(std::floor(low)));
    const double since = static_cast<double>(12 * day.year + day.month - 1), length = static_cast<double>(step.months);
    for (auto month = static_cast<std::int64_t>(std::floor(since / length)) * step.months;; month += step.months) {
      const std::int64_t year = (month - (month % 12 + 12) % 12) / 12;
      places.push_back(static_cast<double>(attn::io::days_of_calendar({year, month - 12 * year + 1, 1})));
      if (places.back() > high) break;
    }
  } else {
    // Weeks begin with Monday, as 1970-01-05 is one.
    const double length = step.days > 0 ? of_day * static_cast<double>(step.days) : step.seconds;
    const double monday = step.days % 7 == 0 && step.days > 0 ? 4 * of_day : 0;
    for (double at = std::ceil((low * of_day - monday) / length); at * length + monday <= high * of_day; ++at)
      places.push_back((at * length + monday) / of_day);
  }
  places.erase(std::remove_if(places.begin(), places.end(), [&](double at) { return at < low || at > high; }),
               places.end());
  const std::vector<std::string> dates = attn::io::dates_of(places);
  std::vector<Tic> tics;
  std::string latest;
  for (std::size_t i = 0; i < places.size(); ++i) tics.push_back({places[i], label_of(dates[i], step, latest)});
  return tics;
}

/// Characters along the x axis, or lines along the y axis.
std::size_t taken_by(const std::vector<Tic>& tics, bool is_across) {
  std::size_t taken = 0;
  for (const Tic& tic : tics) {
    const std::size_t line = std::min(tic.label.find('\\'), tic.label.size());
    const std::size_t behind = tic.label.size() - line;
    taken += is_across ? std::max(line, behind > 2 ? behind - 2 : 0) + 2 : behind > 2 ? 3 : 2;
  }
  return taken;
}

/// The most that fit.
std::vector<Tic> tics_of(double low, double high, std::size_t room, bool is_across) {
  constexpr std::size_t most = 10;
  std::vector<Tic> denser;
  for (const Step& step : steps()) {
    if ((high - low) / step.length() > 4 * most) continue;
    std::vector<Tic> tics = tics_at(step, low, high);
    if (tics.size() > most || taken_by(tics, is_across) > room) {
      denser = std::move(tics);
      continue;
    }
    if (tics.size() >= 2 || denser.empty()) return tics;
    break;
  }
  // The next longer step has one at most.
  const std::vector<Tic> all = denser;
  for (std::size_t each = 2; denser.size() > 1 && taken_by(denser, is_across) > room; ++each) {
    denser.clear();
    for (std::size_t i = 0; i < all.size(); i += each) denser.push_back(all[i]);
  }
  return denser;
}

}  // namespace

std::string date_axis(const std::string& axis, double low, double high, std::size_t room) {
  constexpr double farthest = 1e8;  // milliseconds of these days are exact
  if (!(std::max(std::abs(low), std::abs(high)) < farthest)) return "";
  const std::vector<Tic> tics = tics_of(low, high, room, axis == "x");
  const std::string list =
      attn::listed(tics, ", ", [](const Tic& tic) { return '"' + tic.label + "\" " + gnuplot_number(tic.at); });
  // gnuplot leaves room for one line between the axis and its name.
  const bool has_lines = axis == "x" && list.find('\\') != std::string::npos;
  return "set " + axis + "range [" + to_text(low) + ":" + to_text(high) + "]\nset " + axis + "tics (" + list + ")\n" +
         (has_lines ? "set xlabel offset 0,-1\nset bmargin 5\n" : "");
}

}  // namespace cli
