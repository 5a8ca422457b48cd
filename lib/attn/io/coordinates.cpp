// Coordinates: the datasets that say where the elements of others are, and parts of tensors by their values, which are
// numbers, times or words.

#include <attn/core/characters.hpp>
#include <attn/core/constants.hpp>
#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/dates.hpp>
#include <attn/io/formats/decoded_source.hpp>
#include <attn/io/hdf5/metadata.hpp>
#include <attn/io/input.hpp>
#include <attn/io/numbers/date.hpp>
#include <attn/io/numbers/numbers.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace attn::io {
namespace {

constexpr const char* give_indices = "give indices, as in [start:stop]";

std::string coordinate_text(double value) {
  char buffer[longest_number];
  return {buffer, write_number(buffer, value)};
}

/// The coordinates of an axis. Texts that are all dates are times.
struct Coordinates {
  std::string name;
  Attributes attributes;
  TensorView values;
  std::vector<std::string> words;
  std::vector<double> numbers;
  double tolerance = 0;  ///< by which computed coordinates, such as multiples of 0.1, may differ from those written

  Coordinates(TensorView row, Attributes of_row)
      : name(row.name), attributes(std::move(of_row)), values(std::move(row)) {
    if (values.rank() != 1) throw Error(ErrorKind::data, name, "has coordinates along several axes", give_indices);
    if (values.dtype == DType::string) {
      for (const std::string& text : elements_of<std::string>(values)) words.emplace_back(trimmed(text));
      if (words.empty() || !std::all_of(words.begin(), words.end(), is_date)) return;
      for (const std::string& text : words)
        numbers.push_back(static_cast<double>(time()->period_of(*parse_date(text), text).first));
      return;
    }
    numbers = elements_of<double>(cast(values, DType::f64));
    if (std::any_of(numbers.begin(), numbers.end(), [](double value) { return std::isnan(value); }))
      throw Error(ErrorKind::data, name, "has NaN among its coordinates", give_indices);
    double largest = 0, step = infinity;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      largest = std::max(largest, std::abs(numbers[i]));
      if (i > 0 && numbers[i] != numbers[i - 1]) step = std::min(step, std::abs(numbers[i] - numbers[i - 1]));
    }
    const double rounding =
        values.dtype == DType::f32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
    tolerance = std::min(static_cast<double>(numbers.size()) * rounding * largest, step / 1000);
    if (!(tolerance < infinity)) tolerance = 0;
  }

  bool are_words() const { return numbers.empty() && !words.empty(); }
  bool is_falling() const { return numbers.size() > 1 && numbers.front() > numbers.back(); }
  std::optional<TimeUnits> time() const {
    if (words.empty()) return time_units(attributes, name);
    TimeUnits of_dates;
    of_dates.is_proleptic = true;
    return of_dates;
  }
  std::string units() const { return attn::listed(texts_of(attributes, "units")); }
};

/// The ends of a range as coordinates, or with dates as milliseconds since 1970.
struct Ends {
  double low = -infinity, high = infinity;
  std::optional<TimeUnits> time;
  bool is_period = false;  ///< a single date, such as a year
};

[[noreturn]] void refuse_word(const std::string& text, const Coordinates& coordinates) {
  const std::string units = coordinates.units();
  const auto is_place = [](const std::string& part) {
    double number = 0;
    return part.empty() || is_date(part) || parse_number(part, number);
  };
  const std::size_t last = text.rfind(':'), first = last == text.npos ? last : text.rfind(':', last - 1);
  if (last != text.npos && last > 0 && first != text.npos && is_place(text.substr(0, first)) &&
      is_place(text.substr(first + 1, last - first - 1)) && is_place(text.substr(last + 1)))
    throw Error(ErrorKind::usage, coordinates.name,
                "has parts from one coordinate to another, and '" + text + "' has a step too",
                "leave the step out, or give indices, as in [start:stop:step]");
  if (!coordinates.words.empty())
    throw Error(ErrorKind::input, coordinates.name, "has dates as coordinates, and '" + text + "' is none",
                "write YEAR-MONTH-DAY, as in 2024-01-31");
  if (lower_case(units).find(" since ") != units.npos && !is_date(text))
    throw Error(ErrorKind::input, coordinates.name,
                "has times as coordinates, " + units + ", and '" + text + "' is no date and no number",
                "write YEAR-MONTH-DAY, as in 2024-01-31");
  throw Error(ErrorKind::input, coordinates.name,
              "has numbers as coordinates, " + (units.empty() ? "without units" : "in " + units) + ", and " +
                  (is_date(text) ? text + " is a date" : "'" + text + "' is no number"),
              "give numbers, or indices as in [start:stop]");
}

/// Four digits are a year where coordinates are times, and a number elsewhere.
Ends ends_of(const CoordinateRange& range, const Coordinates& coordinates) {
  Ends ends;
  if (is_date(range.first) || is_date(range.last) || !coordinates.words.empty()) ends.time = coordinates.time();
  const auto is_year = [](const std::string& text) { return is_date(text) && text.size() == 4; };
  const auto mixes = [&](const std::string& a, const std::string& b) {
    return is_year(a) && !b.empty() && !is_date(b);
  };
  if (ends.time && (mixes(range.first, range.last) || mixes(range.last, range.first)))
    throw Error(ErrorKind::usage, coordinates.name,
                "has no range from " + range.first + " to " + range.last + ", a year and a number",
                "give two dates, or two numbers that are no years of four digits, such as 2000.0");
  const auto take = [&](const std::string& text, bool is_last, double& end) {
    const std::optional<Date> date = is_date(text) ? parse_date(text) : std::nullopt;
    if (ends.time && date) {
      const auto [first, last] = ends.time->period_of(*date, text);
      end = static_cast<double>(is_last ? last : first);
    } else if (double number = 0; parse_number(text, number)) {
      // As the file stores the coordinates, so that 0.1 finds the float 0.1.
      end = coordinates.values.dtype == DType::f32 ? static_cast<float>(number) : number;
      if (ends.time) end = ends.time->instant_of(end);
    } else if (!text.empty()) {
      refuse_word(text, coordinates);
    }
  };
  ends.is_period = ends.time && range.is_value;
  take(range.first, false, ends.low);
  take(ends.is_period ? range.first : range.last, true, ends.high);
  if (range.is_value && !ends.is_period) ends.high = ends.low;
  return ends;
}

AxisSlab between(std::size_t first, std::size_t last) {
  AxisSlab slab;
  slab.start = static_cast<std::int64_t>(first);
  slab.stop = static_cast<std::int64_t>(last) + 1;
  return slab;
}

AxisSlab only(std::size_t index) {
  AxisSlab slab;
  slab.start = static_cast<std::int64_t>(index);
  slab.is_index = true;
  return slab;
}

[[noreturn]] void refuse_several(const Coordinates& coordinates, const std::string& text) {
  throw Error(ErrorKind::input, coordinates.name, "has the coordinate " + text + " several times", give_indices);
}

/// A word, or from one word to another in the order of the axis. A colon may be part of a word.
AxisSlab part_by_words(const std::string& wanted, const Coordinates& coordinates) {
  const std::vector<std::string>& words = coordinates.words;
  const auto place = [&](std::string_view word) -> std::optional<std::size_t> {
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end()) return std::nullopt;
    if (std::find(found + 1, words.end(), word) != words.end()) refuse_several(coordinates, "'" + *found + "'");
    return static_cast<std::size_t>(found - words.begin());
  };
  if (const auto index = place(wanted)) return only(*index);
  for (std::size_t colon = 0; (colon = wanted.find(':', colon)) != wanted.npos; ++colon) {
    const std::string first = wanted.substr(0, colon), last = wanted.substr(colon + 1);
    const auto begin = first.empty() ? 0 : place(first), end = last.empty() ? words.size() - 1 : place(last);
    if (begin && end) return between(std::min(*begin, *end), std::max(*begin, *end));
  }
  const std::string near = nearest_word(wanted, words);
  throw Error(ErrorKind::input, coordinates.name, "has no coordinate '" + wanted + "'",
              near.empty() ? "it has " + listed_near(wanted, words) : "did you mean " + near + "?");
}

/// The first and the last, as far as it counts.
std::vector<std::string> dates_between(const std::vector<double>& row, const TimeUnits& time) {
  constexpr double of_day = 86400000;  // milliseconds
  return dates_of({time.instant_of(row.front()) / of_day, time.instant_of(row.back()) / of_day});
}

[[noreturn]] void refuse_part(const CoordinateRange& range, const Coordinates& coordinates, const Ends& ends) {
  const auto shown = [](const std::string& text, const char* open) { return text.empty() ? open : text; };
  const std::vector<double>& row = coordinates.numbers;
  std::string fix;
  if (!range.is_value && ends.low > ends.high)
    fix = "its coordinates increase: write " + range.last + ":" + range.first;
  else if (!coordinates.words.empty())
    fix = "it has " + coordinates.words.front() + " to " + coordinates.words.back();
  else if (range.is_value && !ends.is_period && !row.empty())
    fix = "the nearest is " + coordinate_text(*std::min_element(row.begin(), row.end(), [&](double a, double b) {
            return std::abs(a - ends.low) < std::abs(b - ends.low);
          }));
  else if (!row.empty() && ends.time)
    fix = "it has " + listed(dates_between(row, *ends.time), " to ");
  else if (!row.empty())
    fix = "it has " + coordinate_text(row.front()) + " to " + coordinate_text(row.back());
  throw Error(ErrorKind::input, coordinates.name,
              range.is_value
                  ? "has no coordinate " + range.first
                  : "has no coordinates from " + shown(range.first, "-inf") + " to " + shown(range.last, "inf"),
              fix);
}

/// One coordinate, which needs no order: as it is written, or else but for rounding.
std::optional<AxisSlab> part_at(double wanted, const std::string& text, const Coordinates& coordinates) {
  const std::vector<double>& row = coordinates.numbers;
  for (const double tolerance : {0.0, coordinates.tolerance}) {
    const auto is_it = [&](double value) { return std::abs(value - wanted) <= tolerance; };
    const auto found = std::find_if(row.begin(), row.end(), is_it);
    if (found == row.end()) continue;
    if (std::find_if(found + 1, row.end(), is_it) != row.end()) refuse_several(coordinates, text);
    return only(static_cast<std::size_t>(found - row.begin()));
  }
  return std::nullopt;
}

/// The part of an axis with coordinates in a range.
AxisSlab part_of(CoordinateRange range, const Coordinates& coordinates) {
  if (coordinates.are_words())
    return part_by_words(range.is_value ? range.first : range.first + ":" + range.last, coordinates);
  const std::vector<double>& row = coordinates.numbers;
  Ends ends = ends_of(range, coordinates);
  if (range.is_value && !ends.is_period) {
    if (const std::optional<AxisSlab> slab = part_at(ends.low, range.first, coordinates)) return *slab;
    refuse_part(range, coordinates, ends);
  }
  if (!std::is_sorted(row.begin(), row.end()) && !std::is_sorted(row.begin(), row.end(), std::greater<>()))
    throw Error(ErrorKind::data, coordinates.name, "has coordinates that neither increase nor decrease", give_indices);
  if (ends.low > ends.high && coordinates.is_falling()) {  // in the order of the axis
    std::swap(range.first, range.last);
    ends = ends_of(range, coordinates);
  }
  const double tolerance = ends.time ? 0 : coordinates.tolerance;
  const auto is_inside = [&](double value) {
    if (ends.time && coordinates.words.empty()) value = ends.time->instant_of(value);
    return ends.low - tolerance <= value && value <= ends.high + tolerance;
  };
  const auto begin = std::find_if(row.begin(), row.end(), is_inside);
  if (begin == row.end()) refuse_part(range, coordinates, ends);
  const auto end = std::find_if_not(begin, row.end(), is_inside);
  return between(static_cast<std::size_t>(begin - row.begin()), static_cast<std::size_t>(end - row.begin()) - 1);
}

std::string own_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }
std::string group_with_slash(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

/// Other coordinates along one of the axes, by the name of their dataset, as labels of stations are.
std::optional<std::pair<std::string, std::size_t>> other_coordinates(const std::string& name, const Operand& operand,
                                                                     const Source& source,
                                                                     const std::vector<std::string>& axes) {
  for (const std::string& path : {group_with_slash(operand.dataset) + name, name}) {
    if (source.find(path) == nullptr) continue;
    const std::vector<std::string> own = axes_of(path, source.attributes(path));
    const auto axis =
        own.empty() || own.front().empty() ? axes.end() : std::find(axes.begin(), axes.end(), own.front());
    if (axis != axes.end()) return std::pair(path, static_cast<std::size_t>(axis - axes.begin()));
  }
  return std::nullopt;
}

bool are_equal(const AxisSlab& a, const AxisSlab& b) {
  return a.start == b.start && a.stop == b.stop && a.step == b.step && a.is_index == b.is_index;
}

}  // namespace

bool is_scale(const Attributes& attributes) {
  return texts_of(attributes, "CLASS") == std::vector<std::string>{"DIMENSION_SCALE"};
}

std::vector<std::string> named_coordinates(const std::string& dataset, const Attributes& attributes) {
  std::vector<std::string> names;
  for (const char* role : {"coordinates", "bounds", "climatology", "grid_mapping"})
    for (const std::string& text : texts_of(attributes, role)) {
      std::istringstream words(text);
      for (std::string word; words >> word;) names.push_back(group_with_slash(dataset) + word);
    }
  return names;
}

std::vector<std::string> axes_of(const std::string& dataset, const Attributes& attributes) {
  const std::vector<std::string> axes = texts_of(attributes, "DIMENSION_LIST");
  return is_scale(attributes) && axes.size() < 2 ? std::vector<std::string>{dataset} : axes;
}

std::vector<std::pair<std::string, Slab>> coordinates_of(const Source& source, const std::string& dataset,
                                                         const Slab& part) {
  std::map<std::string, AxisSlab> of_axes;
  std::vector<std::string> wanted;
  const auto add = [&](const std::string& name, const Attributes& attributes) {
    for (const std::string& axis : axes_of(name, attributes)) {
      const auto known = of_axes.find(axis);
      if (!axis.empty() && (known == of_axes.end() || !known->second.is_index)) wanted.push_back(axis);
    }
    const std::vector<std::string> named = named_coordinates(name, attributes);
    wanted.insert(wanted.end(), named.begin(), named.end());
  };
  const Attributes attributes = source.attributes(dataset);
  const std::vector<std::string> axes = axes_of(dataset, attributes);
  for (std::size_t axis = 0; axis < std::min(axes.size(), part.size()); ++axis) of_axes.emplace(axes[axis], part[axis]);
  add(dataset, attributes);
  std::vector<std::pair<std::string, Slab>> found;
  std::set<std::string> seen{dataset};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::string name = wanted[i];
    const TensorInfo* const info = seen.insert(name).second ? source.find(name) : nullptr;
    if (info == nullptr) continue;
    const Attributes own = source.attributes(name);
    Slab slab;
    for (const std::string& axis : axes_of(name, own)) {
      const auto known = of_axes.find(axis);
      slab.push_back(known == of_axes.end() ? AxisSlab{} : known->second);
    }
    if (std::all_of(slab.begin(), slab.end(), [](const AxisSlab& axis) { return are_equal(axis, AxisSlab{}); }))
      slab.clear();
    found.emplace_back(name, std::move(slab));
    add(name, own);
  }
  return found;
}

void resolve_ranges(Operand& operand, Source& source, const std::vector<std::string>& defaults) {
  if (operand.ranges.empty()) return;
  const std::string whole = operand.dataset + operand.text.substr(operand.text.rfind('['));
  if (source.find(whole) != nullptr) {  // a name with brackets
    operand.dataset = whole;
    operand.ranges.clear();
    return;
  }
  if (operand.dataset.empty()) operand.dataset = default_dataset(source, defaults);
  const std::string subject = source.label() + ":/" + operand.dataset;
  const std::vector<std::string> axes = axes_of(operand.dataset, source.attributes(operand.dataset));
  // Also for a copy of stored numbers, coordinates are values.
  const std::unique_ptr<Source> decoded = decoded_source({std::shared_ptr<void>(), &source.stored()}, {});
  operand.slab.resize(axes.size());
  std::vector<bool> is_given(axes.size());
  for (const CoordinateRange& range : operand.ranges) {
    if (range.is_value && range.first.empty())
      throw Error(ErrorKind::usage, subject, "has an empty part by '" + range.name + "'",
                  "write a coordinate, as in [" + range.name + "=30:60] or [" + range.name + "=Oslo]");
    // Two axes with one name, as in a matrix of covariances, have their parts in turn.
    const auto is_axis = [&](const std::string& path) {
      return own_name(path) == range.name && !is_given[static_cast<std::size_t>(&path - axes.data())];
    };
    auto axis = static_cast<std::size_t>(std::find_if(axes.begin(), axes.end(), is_axis) - axes.begin());
    std::string name = axis < axes.size() ? axes[axis] : "";
    if (const auto other = name.empty() ? other_coordinates(range.name, operand, *decoded, axes) : std::nullopt)
      std::tie(name, axis) = *other;
    const auto has_name = [&](const std::string& path) { return own_name(path) == range.name; };
    if (name.empty() ? std::any_of(axes.begin(), axes.end(), has_name) : is_given[axis])
      throw Error(ErrorKind::usage, subject, "has more parts by '" + range.name + "' than such axes",
                  "give each axis one part");
    std::vector<std::string> named;
    std::copy_if(axes.begin(), axes.end(), std::back_inserter(named),
                 [](const std::string& path) { return !path.empty(); });
    if (name.empty())
      throw Error(ErrorKind::input, subject, "has no axis '" + range.name + "'",
                  named.empty() ? "its axes have no dimension scales: give indices, as in [start:stop]"
                                : "it has " + listed_near(range.name, named));
    const Attributes attributes = decoded->attributes(name);
    const std::vector<std::string> titles = texts_of(attributes, "NAME");
    if (!titles.empty() && starts_with(titles.front(), hdf5::name_of_bare_scale))
      throw Error(ErrorKind::input, source.label() + ":/" + name, "is a dimension scale without coordinates",
                  give_indices);
    is_given[axis] = true;
    operand.slab[axis] = part_of(range, {decoded->read(name), attributes});
  }
  operand.ranges.clear();
}

}  // namespace attn::io
