#include <attn/core/error.hpp>
#include <attn/core/text_as_number.hpp>
#include <attn/core/values.hpp>
#include <attn/regression/predictors.hpp>

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
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
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
        for (std::size_t i = 0; i < table.shape[0]; ++i) column.words.push_back(words(i, j));
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
    const auto is_meant = [&](const std::string& name) { return name == names_[j] || name == number; };
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
      for (const std::string& level : levels)
        if (!ordered->levels.empty() &&
            std::find(ordered->levels.begin(), ordered->levels.end(), level) == ordered->levels.end())
          throw Error(ErrorKind::data, column.tensor->name,
                      "has '" + level + "' in " + names_[j] + ", which --ordered does not list",
                      "list all of " + list_of(levels));
      if (!ordered->levels.empty()) levels = ordered->levels;
      category.positions = positions_of(levels);
    }
    category.levels = levels.size();
    columns_.push_back(category);
    levels_.push_back(std::move(levels));
  }
  if (!unknown.empty())
    throw Error(ErrorKind::usage, option_of(unknown.front(), options),
                "'" + unknown.front() + "' is no column of " + (x.parts.empty() ? "x" : x.parts.front().name),
                "it has " + list_of(names_));
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
                    ", expected those of x: " + list_of(names_));
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
                    "they have " + list_of(levels));
      to[i * columns.size()] = level->second;
    }
  }
  return out.view(predictors.parts.front().name);
}

}  // namespace attn
