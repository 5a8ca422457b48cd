// Axes of numbers: tics at round steps, as many as fit.
#include "cli/numbers.hpp"
#include "cli/plots/gnuplot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace cli {
namespace {

constexpr std::size_t most_in_characters = 11, most_in_pixels = 9;

/// outward: with the next one on either side.
std::vector<double> multiples(double step, double low, double high, bool outward) {
  constexpr double rounding = 1e-9;
  const double first = outward ? std::floor(low / step) : std::ceil(low / step - rounding);
  const double last = outward ? std::ceil(high / step) : std::floor(high / step + rounding);
  std::vector<double> all;
  for (double at = first; at <= last && all.size() <= most_in_characters; ++at)
    all.push_back(at * step + 0.0);  // not -0
  return all;
}

/// 1, 2 or 5 times a power of ten, from `smallest` on, until choose(step) is true.
template <class Choose>
void for_each_step(double smallest, Choose choose) {
  for (double power = smallest;; power *= 10)
    for (const double step : {power, 2 * power, 5 * power})
      if (choose(step)) return;
}

/// These multiples of the powers of ten, without those that are not normal numbers.
std::vector<double> in_decades(std::initializer_list<double> digits, const std::vector<double>& decades, double low,
                               double high) {
  std::vector<double> all;
  for (const double decade : decades)
    for (const double digit : digits)
      if (const double value = digit * std::pow(10, decade); std::isnormal(value) && low <= value && value <= high)
        all.push_back(value);
  return all;
}

std::string label_of(double value, const std::string& format) {
  char text[400];
  std::snprintf(text, sizeof text, format.c_str(), value);
  return text;
}

}  // namespace

std::string far_format(double low, double high) {
  const double span = high - low, farthest = std::max(std::abs(low), std::abs(high));
  if (!(span > 0) || farthest < 1e4 * span || farthest >= 1e15) return "";
  return "%." + std::to_string(static_cast<int>(std::clamp(-std::floor(std::log10(span / 5)), 0.0, 15.0))) + "f";
}

std::string number_axis(const NumberAxis& axis, std::size_t* widest) {
  const double low = std::min(axis.low, axis.high), high = std::max(axis.low, axis.high);
  const std::string far = axis.is_log ? "" : far_format(low, high), format = far.empty() ? "%g" : far;
  const auto fit = [&](const std::vector<double>& tics) {
    double taken = 0;
    for (const double at : tics) taken += axis.name == "x" ? static_cast<double>(label_of(at, format).size()) + 2 : 2;
    return taken <= axis.room;
  };
  const std::size_t most = axis.is_text ? most_in_characters : most_in_pixels;
  std::vector<double> tics;
  double step = 0;
  const auto choose_linear = [&] {
    if (!(high - low > 1e-12 * std::max(std::abs(low), std::abs(high)))) return;  // too close
    for_each_step(std::pow(10, std::floor(std::log10((high - low) / 10))), [&](double next) {
      std::vector<double> wider = multiples(next, low, high, axis.is_text);
      if (wider.size() > most) return false;
      const bool is_last = wider.size() <= 2 || next >= high - low;
      if (wider.empty() && !tics.empty()) return true;
      tics = std::move(wider);
      step = next;
      return is_last || fit(tics);
    });
  };
  std::vector<double> small;  // without a number
  if (axis.is_log) {
    const double first = std::log10(low), last = std::log10(high);
    if (!(last - first > 1e-12 * std::max(std::abs(first), std::abs(last)))) return "";
    const double infinity = std::numeric_limits<double>::infinity();
    const auto within = [&](std::initializer_list<double> digits, const std::vector<double>& decades) {
      return axis.is_text ? in_decades(digits, decades, 0, infinity) : in_decades(digits, decades, low, high);
    };
    for_each_step(std::max(std::pow(10, std::floor(std::log10((last - first) / 10))), 1.0), [&](double next) {
      const std::vector<double> decades = multiples(next, first, last, true);
      if (decades.size() > most_in_characters) return false;
      if (next == 1 && !axis.is_text) {
        tics = within({1, 2, 5}, decades);
        if (tics.size() <= most / 2 + 1 && fit(tics)) return true;
      }
      small = next == 1 ? within({2, 3, 4, 5, 6, 7, 8, 9}, decades) : std::vector<double>{};
      tics = within({1}, decades);
      return decades.size() <= 2 || next >= last - first || fit(tics);
    });
    if (tics.size() < 2 && !axis.is_text) choose_linear(), small.clear();
  } else {
    choose_linear();
    // gnuplot extends the axis to multiples of the step, not to listed tics.
    if (axis.is_text) return step > 0 ? "set " + axis.name + "tics " + to_text(step) + "\n" : "";
  }
  if (tics.empty()) return "";
  std::string list;
  for (const double at : tics) {
    const std::string label = label_of(at, format);
    if (widest != nullptr) *widest = std::max(*widest, label.size());
    list += (list.empty() ? "'" : ", '") + label + "' " + to_text(at);
  }
  for (const double at : small) list += ", '' " + to_text(at) + " 1";
  return "set " + axis.name + "tics (" + list + ")\n";
}

}  // namespace cli
