#include <attn/regression/predictors.hpp>

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/from_chars.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/shape.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/regression/samples/samples.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace attn {
namespace {

/// The shortest text that reads back as the same number.
std::string text_of_number(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::optional<double> number_of(const std::string& text) {
  double value = 0;
  const auto [end, error] = from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

TensorView one_table(const TensorView& x) {
  if (x.rank() == 2) return x;
  return reshaped(contiguous(x), {x.size(), 1});
}

/// One column of predictors, as numbers or as words.
struct Predictor {
  std::vector<double> numbers;
  std::vector<std::string> words;
  const TensorView* tensor;

  bool is_text() const noexcept { return tensor->dtype == DType::string; }
  std::size_t rows() const noexcept { return is_text() ? words.size() : numbers.size(); }
  bool is_missing(std::size_t i) const { return is_text() ? attn::is_missing(words[i]) : std::isnan(numbers[i]); }
  std::string word(std::size_t i) const { return is_text() ? words[i] : text_of_number(numbers[i]); }
};

std::vector<Predictor> columns_of(const Predictors& predictors) {
  std::vector<Predictor> columns;
  for (const TensorView& part : predictors.parts) {
    const TensorView table = one_table(part);
    for (std::size_t j = 0; j < table.shape[1]; ++j) {
      Predictor column;
      column.tensor = &part;
      if (column.is_text()) {
        const auto words = table.as<std::string, 2>();
        for (std::size_t i = 0; i < table.shape[0]; ++i) column.words.push_back(composed(words(i, j)));
      } else {
        const TensorView numbers = cast(table, DType::f64);
        const auto values = numbers.as<double, 2>();
        for (std::size_t i = 0; i < table.shape[0]; ++i) column.numbers.push_back(values(i, j));
      }
      columns.push_back(std::move(column));
    }
  }
  return columns;
}

std::string list_of(const std::vector<std::string>& words) {
  constexpr std::size_t most = 20;
  std::string list;
  for (std::size_t i = 0; i < std::min(words.size(), most); ++i) list += (i > 0 ? "," : "") + words[i];
  return list + (words.size() > most ? ",..." : "");
}

/// The levels that a column has: numbers by size, words by their bytes.
std::vector<std::string> levels_of(const Predictor& column) {
  std::vector<std::string> levels;
  if (column.is_text()) {
    for (std::size_t i = 0; i < column.rows(); ++i)
      if (!column.is_missing(i)) levels.push_back(column.words[i]);
    std::sort(levels.begin(), levels.end());
  } else {
    std::vector<double> numbers = column.numbers;
    numbers.erase(std::remove_if(numbers.begin(), numbers.end(), [](double x) { return std::isnan(x); }),
                  numbers.end());
    std::sort(numbers.begin(), numbers.end());
    std::transform(numbers.begin(), numbers.end(), std::back_inserter(levels), text_of_number);
  }
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  return levels;
}

/// Where ordered levels are: at their numbers if all are numbers, else at their ranks.
std::vector<double> positions_of(const std::vector<std::string>& levels) {
  std::vector<double> positions;
  for (const std::string& level : levels) {
    const auto number = number_of(level);
    if (!number) {
      positions.resize(levels.size());
      std::iota(positions.begin(), positions.end(), 0.0);
      return positions;
    }
    positions.push_back(*number);
  }
  return positions;
}

/// Dates and other texts that are meant as numbers are categories only if --categorical says so.
void expect_words(const Predictor& column, const std::vector<std::string>& levels) {
  for (const std::string& level : levels)
    if (is_foreign_missing(level) ||
        (level.find_first_of("0123456789") != std::string::npos && !way_to_number(level).empty()))
      throw text_for_numbers(*column.tensor, "--categorical makes categories of them");
}

std::string option_of(const std::string& column, const CategoryOptions& options) {
  const bool is_ordered = std::any_of(options.ordered.begin(), options.ordered.end(),
                                      [&](const OrderedColumn& ordered) { return ordered.name == column; });
  return is_ordered ? "--ordered" : "--categorical";
}

TensorView as_table(const TensorView& x) { return x.rank() == 1 ? reshaped(contiguous(x), {x.shape[0], 1}) : x; }

/// Marks rows with a NaN or a missing label.
void mark_missing(const TensorView& tensor, std::vector<bool>& missing) {
  const bool is_text = tensor.dtype == DType::string;
  if (!(is_text || is_floating(tensor.dtype)) || tensor.rank() == 0 || tensor.rank() > 2) return;
  const TensorView table = is_text ? as_table(tensor) : cast(as_table(tensor), DType::f64);
  const auto mark = [&](const auto& rows, const auto& is_absent) {
    for (std::size_t i = 0; i < std::min(rows.shape[0], missing.size()); ++i)
      for (std::size_t j = 0; j < rows.shape[1]; ++j)
        if (is_absent(rows(i, j))) missing[i] = true;
  };
  if (is_text)
    mark(table.as<std::string, 2>(), [](const std::string& label) { return is_missing(label); });
  else
    mark(table.as<double, 2>(), [](double value) { return std::isnan(value); });
}

}  // namespace

CategoryCodes::CategoryCodes(const Predictors& x, const CategoryOptions& options) {
  std::vector<std::string> unknown = options.categorical;
  for (const OrderedColumn& ordered : options.ordered) unknown.push_back(ordered.name);
  const bool has_words =
      std::any_of(x.parts.begin(), x.parts.end(), [](const TensorView& part) { return part.dtype == DType::string; });
  if (!has_words && unknown.empty()) return;
  const std::vector<Predictor> columns = columns_of(x);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const std::string number = std::to_string(j);
    names_.push_back(x.names.size() == columns.size() ? x.names[j] : "column " + number);
    const auto is_meant = [&](const std::string& name) { return is_same_name(name, names_[j]) || name == number; };
    const auto ordered = std::find_if(options.ordered.begin(), options.ordered.end(),
                                      [&](const OrderedColumn& one) { return is_meant(one.name); });
    const bool is_named = std::any_of(unknown.begin(), unknown.end(), is_meant);
    unknown.erase(std::remove_if(unknown.begin(), unknown.end(), is_meant), unknown.end());
    const Predictor& column = columns[j];
    if (!is_named && !column.is_text()) continue;
    std::vector<std::string> levels = levels_of(column);
    if (!is_named) expect_words(column, levels);
    Category category;
    category.column = j;
    if (ordered != options.ordered.end()) {
      if (ordered->levels.empty() && column.is_text())
        throw Error(ErrorKind::usage, "--ordered " + ordered->name, "is a column of words, which have no order",
                    "give it as --ordered " + ordered->name + "=" + list_of(levels));
      std::vector<std::string> given;
      for (const std::string& level : ordered->levels) given.push_back(composed(level));
      for (const std::string& level : levels)
        if (!given.empty() && std::find(given.begin(), given.end(), level) == given.end())
          throw Error(ErrorKind::data, column.tensor->name,
                      "has '" + level + "' in " + names_[j] + ", which --ordered does not list",
                      "list all of " + listed_near(level, levels));
      if (!given.empty()) levels = given;
      category.positions = positions_of(levels);
    }
    category.levels = levels.size();
    columns_.push_back(category);
    levels_.push_back(std::move(levels));
  }
  if (!unknown.empty())
    throw Error(ErrorKind::usage, option_of(unknown.front(), options),
                "'" + unknown.front() + "' is no column of " + (x.parts.empty() ? "x" : x.parts.front().name),
                "it has " + listed_near(unknown.front(), names_));
}

const Category* CategoryCodes::at(std::size_t column) const {
  const auto found = std::find_if(columns_.begin(), columns_.end(),
                                  [&](const Category& category) { return category.column == column; });
  return found == columns_.end() ? nullptr : &*found;
}

TensorView CategoryCodes::encode(const Predictors& predictors) const {
  const std::vector<Predictor> columns = columns_of(predictors);
  const std::size_t rows = columns.empty() ? 0 : columns.front().rows();
  if (columns.size() != names_.size())
    throw Error(ErrorKind::data, predictors.parts.front().name,
                "has " + std::to_string(columns.size()) + (columns.size() == 1 ? " column" : " columns") +
                    ", expected those of x: " + listed_near("", names_));
  Tensor out(DType::f64, {rows, columns.size()});
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const Predictor& column = columns[j];
    double* to = out.data_as<double>() + j;
    const Category* category = at(j);
    if (category == nullptr) {
      if (column.is_text()) throw text_for_numbers(*column.tensor);
      for (std::size_t i = 0; i < rows; ++i) to[i * columns.size()] = column.numbers[i];
      continue;
    }
    const std::vector<std::string>& levels = levels_[static_cast<std::size_t>(category - columns_.data())];
    std::unordered_map<std::string, double> code;
    for (const std::string& level : levels) code.emplace(level, static_cast<double>(code.size()));
    for (std::size_t i = 0; i < rows; ++i) {
      if (column.is_missing(i)) {
        to[i * columns.size()] = std::numeric_limits<double>::quiet_NaN();
        continue;
      }
      const auto level = code.find(column.word(i));
      if (level == code.end())
        throw Error(ErrorKind::data, column.tensor->name,
                    "row " + std::to_string(i) + " has " + shown_text(column.word(i)) + " in " + names_[j] +
                        ", a category that the samples do not have",
                    "they have " + listed_near(column.word(i), levels));
      to[i * columns.size()] = level->second;
    }
  }
  return out.view(predictors.parts.front().name);
}

void refuse_missing(const TensorView& tensor, const char* fallback) {
  std::vector<bool> missing(tensor.rank() > 0 ? tensor.shape[0] : 0, false);
  mark_missing(tensor, missing);
  const auto first = std::find(missing.begin(), missing.end(), true);
  if (first != missing.end())
    throw Error(ErrorKind::data, name_or(tensor, fallback),
                "row " + std::to_string(first - missing.begin()) +
                    (tensor.dtype == DType::string ? " has no label" : " is NaN"),
                "--missing omit drops such rows");
}

std::vector<std::size_t> complete_rows(const Samples& samples, MissingValues missing) {
  const std::size_t n = samples.x.rank() > 0 ? samples.x.shape[0] : 0;
  if (missing != MissingValues::omit) {
    refuse_missing(samples.x, "x");
    if (missing == MissingValues::error) refuse_missing(samples.y, "y");
    if (samples.weights) refuse_missing(*samples.weights, "weights");
  }
  const auto expect_rows = [&](const TensorView& tensor, const char* fallback) {
    if (tensor.rank() == 0 || tensor.shape[0] != n)
      throw shape_error(name_or(tensor, fallback), tensor.shape,
                        std::to_string(n) + " rows as " + name_or(samples.x, "x"));
  };
  expect_rows(samples.y, "y");
  if (samples.weights) expect_rows(*samples.weights, "weights");
  std::vector<bool> left_out(n, false);
  if (missing == MissingValues::omit) {
    mark_missing(samples.x, left_out);
    mark_missing(samples.y, left_out);
    if (samples.weights) mark_missing(*samples.weights, left_out);
  }
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < n; ++i)
    if (!left_out[i]) rows.push_back(i);
  return rows;
}

Samples rows_of(const Samples& samples, const std::vector<std::size_t>& rows) {
  Samples chosen{rows_of(samples.x, rows), rows_of(samples.y, rows), std::nullopt, samples.categories};
  if (samples.weights) chosen.weights = rows_of(*samples.weights, rows);
  if (samples.robustness) chosen.robustness = rows_of(*samples.robustness, rows);
  chosen.periods = samples.periods;
  return chosen;
}

TensorView Standardisation::apply(const TensorView& x) const {
  const std::size_t d = origin.size();
  TensorView q = x;
  if (q.rank() == 0) q = reshaped(contiguous(q), {1});
  if (q.rank() == 1 && d > 1 && q.shape[0] == d) q = reshaped(contiguous(q), {1, d});
  const TensorView table = cast(as_table(q), DType::f64);
  if (table.shape[1] != d) throw shape_error(name_or(x, "q"), x.shape, std::to_string(d) + " columns");
  const auto from = table.as<double, 2>();
  Tensor out(DType::f64, table.shape);
  const auto to = out.as<double, 2>();
  for (std::size_t i = 0; i < from.shape[0]; ++i)
    for (std::size_t j = 0; j < d; ++j) to(i, j) = ((from(i, j) - origin[j]) - offset[j]) / deviation[j];
  return out.view(x.name);
}

TensorView Standardisation::slopes(const TensorView& derivative) const {
  Tensor result(DType::f64, derivative.shape);
  const TensorView given = contiguous(cast(derivative, DType::f64));
  const double* in = given.contiguous_data<double>();
  double* out = result.data_as<double>();
  for (std::size_t i = 0; i < result.size(); ++i) out[i] = in[i] / deviation[numbers[i % numbers.size()]];
  return result.view(derivative.name);
}

Standardisation standardisation_of(const TensorView& x, const std::vector<Category>& categories) {
  const TensorView table = cast(as_table(x), DType::f64);
  const auto rows = table.as<double, 2>();
  const std::size_t count = rows.shape[0];
  const auto n = static_cast<double>(count);
  Standardisation s;
  for (std::size_t j = 0; j < rows.shape[1]; ++j) {
    if (std::any_of(categories.begin(), categories.end(), [&](const Category& c) { return c.column == j; })) {
      s.origin.push_back(0);
      s.offset.push_back(0);
      s.deviation.push_back(1);
      continue;
    }
    s.numbers.push_back(j);
    const double origin = count > 0 ? rows(0, j) : 0;
    double farthest = 0, offset = 0, rest = 0, square = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!std::isfinite(rows(i, j) - origin))
        throw Error(ErrorKind::data, name_or(x, "x"),
                    "row " + std::to_string(i) + ", column " + std::to_string(j) + " is not finite", "drop such rows");
      farthest = std::max(farthest, std::abs(rows(i, j) - origin));
    }
    if (!(farthest > 0))
      throw Error(ErrorKind::data, name_or(x, "x"), "column " + std::to_string(j) + " is constant and has no scale",
                  "drop the column");
    // In shares of the farthest, so that squares neither underflow nor overflow; the rounding error of the mean is the
    // sum of the steps from it.
    const auto step = [&](std::size_t i) { return (rows(i, j) - origin) / farthest; };
    for (std::size_t i = 0; i < count; ++i) offset += step(i) / n;
    for (std::size_t i = 0; i < count; ++i) rest += (step(i) - offset) / n;
    offset += rest;
    for (std::size_t i = 0; i < count; ++i) square += (step(i) - offset) * (step(i) - offset);
    s.origin.push_back(origin);
    s.offset.push_back(offset * farthest);
    s.deviation.push_back(std::sqrt(square / (n - 1)) * farthest);
  }
  return s;
}

Classes encode_classes(const TensorView& labels) {
  if (labels.rank() == 0 || labels.rank() > 2 || (labels.rank() == 2 && labels.shape[1] != 1))
    throw shape_error(name_or(labels, "y"), labels.shape, "one column of labels");
  refuse_missing(labels, "y");
  const std::size_t n = labels.shape[0];
  const TensorView column = reshaped(contiguous(labels), {n});
  Classes classes;
  visit_dtype(labels.dtype, [&](auto sample) {
    using T = decltype(sample);
    if constexpr (std::is_same_v<T, std::string> || std::is_arithmetic_v<T>) {
      const T* label = column.contiguous_data<T>();
      std::vector<T> known(label, label + n);
      std::sort(known.begin(), known.end());
      known.erase(std::unique(known.begin(), known.end()), known.end());
      Tensor names(labels.dtype, {known.size()}), one_hot = Tensor::zeros(DType::f64, {n, known.size()});
      std::copy(known.begin(), known.end(), names.data_as<T>());
      for (std::size_t i = 0; i < n; ++i) {
        const auto at = std::lower_bound(known.begin(), known.end(), label[i]) - known.begin();
        one_hot.data_as<double>()[i * known.size() + static_cast<std::size_t>(at)] = 1;
      }
      classes = {names.view("classes"), one_hot.view(labels.name)};
    } else {
      throw Error(ErrorKind::data, name_or(labels, "y"), "labels are " + std::string(name_of(labels.dtype)),
                  "give text, f64, f32 or integers");
    }
  });
  return classes;
}

TensorView class_probabilities(const TensorView& fit) {
  Tensor result(DType::f64, fit.shape);
  const auto given = fit.as<double, 2>();
  const auto p = result.as<double, 2>();
  for (std::size_t i = 0; i < p.shape[0]; ++i) {
    bool leaves = false;
    double sum = 0;
    for (std::size_t k = 0; k < p.shape[1]; ++k) {
      leaves = leaves || given(i, k) < 0;
      sum += std::max(given(i, k), 0.0);
    }
    for (std::size_t k = 0; k < p.shape[1]; ++k) p(i, k) = leaves ? std::max(given(i, k), 0.0) / sum : given(i, k);
  }
  return result.view(fit.name);
}

TensorView likeliest_classes(const TensorView& probabilities, const Classes& classes) {
  const auto p = probabilities.as<double, 2>();
  std::vector<std::size_t> best(p.shape[0]);
  std::vector<bool> unknown(p.shape[0], false);
  for (std::size_t i = 0; i < p.shape[0]; ++i) {
    for (std::size_t k = 0; k < p.shape[1]; ++k) {
      if (std::isnan(p(i, k))) unknown[i] = true;
      if (p(i, k) > p(i, best[i])) best[i] = k;
    }
    unknown[i] = unknown[i] || p.shape[1] == 0 || p(i, best[i]) == 0;
  }
  const bool any_unknown = std::find(unknown.begin(), unknown.end(), true) != unknown.end();
  const TensorView names =
      any_unknown && is_integer(classes.names.dtype) ? cast(classes.names, DType::f64) : classes.names;
  Tensor out(names.dtype, {p.shape[0]});
  TextMemory texts("label");
  visit_dtype(names.dtype, [&](auto sample) {
    using T = decltype(sample);
    const T* name = names.contiguous_data<T>();
    T* label = out.data_as<T>();
    for (std::size_t i = 0; i < p.shape[0]; ++i) {
      if constexpr (std::is_same_v<T, std::string>)
        if (!unknown[i]) texts.add_text(name[best[i]].size());
      if (!unknown[i])
        label[i] = name[best[i]];
      else if constexpr (std::is_floating_point_v<T>)
        label[i] = std::numeric_limits<T>::quiet_NaN();
      else
        label[i] = T{};
    }
  });
  return names.dtype == DType::string ? std::move(texts).held_by(out.view("label")) : out.view("label");
}

}  // namespace attn
