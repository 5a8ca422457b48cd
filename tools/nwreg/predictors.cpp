#include "nwreg/predictors.hpp"

#include "cli/numbers.hpp"

#include <attn/core/error.hpp>
#include <attn/core/text_as_number.hpp>
#include <attn/core/values.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace nwreg {
namespace {

using attn::DType;
using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

TensorView as_table(const TensorView& x) {
  if (x.rank() == 2) return x;
  return attn::reshaped(attn::contiguous(x), {x.size(), 1});
}

/// One column of predictors, as numbers or as words.
struct Column {
  std::vector<double> numbers;
  std::vector<std::string> words;
  const TensorView* tensor;

  bool is_text() const noexcept { return tensor->dtype == DType::string; }
  std::size_t rows() const noexcept { return is_text() ? words.size() : numbers.size(); }
  bool is_missing(std::size_t i) const { return is_text() ? attn::is_missing(words[i]) : std::isnan(numbers[i]); }
  std::string word(std::size_t i) const { return is_text() ? words[i] : cli::to_text(numbers[i]); }
};

std::vector<Column> columns_of(const Predictors& predictors) {
  std::vector<Column> columns;
  for (const TensorView& part : predictors.parts) {
    const TensorView table = as_table(part);
    for (std::size_t j = 0; j < table.shape[1]; ++j) {
      Column column;
      column.tensor = &part;
      if (column.is_text()) {
        const auto words = table.as<std::string, 2>();
        for (std::size_t i = 0; i < table.shape[0]; ++i) column.words.push_back(words(i, j));
      } else {
        const TensorView numbers = attn::cast(table, DType::f64);
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
std::vector<std::string> levels_of(const Column& column) {
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
    std::transform(numbers.begin(), numbers.end(), std::back_inserter(levels), cli::to_text);
  }
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  return levels;
}

/// Where ordered levels are: at their numbers if all are numbers, else at their ranks.
std::vector<double> positions_of(const std::vector<std::string>& levels) {
  std::vector<double> positions;
  for (const std::string& level : levels) {
    const auto number = cli::parse_numbers(level);
    if (!number || number->size() != 1) {
      positions.resize(levels.size());
      std::iota(positions.begin(), positions.end(), 0.0);
      return positions;
    }
    positions.push_back(number->front());
  }
  return positions;
}

/// Dates and other texts that are meant as numbers are categories only if --categorical says so.
void expect_words(const Column& column, const std::vector<std::string>& levels) {
  for (const std::string& level : levels)
    if (attn::is_foreign_missing(level) ||
        (level.find_first_of("0123456789") != std::string::npos && !attn::way_to_number(level).empty()))
      throw attn::text_for_numbers(*column.tensor, "--categorical makes categories of them");
}

std::string option_of(const std::string& column, const CategoryOptions& options) {
  const bool is_ordered = std::any_of(options.ordered.begin(), options.ordered.end(),
                                      [&](const OrderedColumn& ordered) { return ordered.name == column; });
  return is_ordered ? "--ordered" : "--categorical";
}

}  // namespace

OrderedColumn parse_ordered(const std::string& word) {
  OrderedColumn ordered;
  const std::size_t equals = word.find('=');
  ordered.name = word.substr(0, equals);
  for (std::size_t begin = equals; begin != std::string::npos && begin < word.size();) {
    const std::size_t end = word.find(',', ++begin);
    ordered.levels.push_back(word.substr(begin, end - begin));
    begin = end;
  }
  std::vector<std::string> levels = ordered.levels;
  std::sort(levels.begin(), levels.end());
  const auto twice = std::adjacent_find(levels.begin(), levels.end());
  if (ordered.name.empty() || (!levels.empty() && levels.front().empty()) || twice != levels.end())
    throw Error(ErrorKind::usage, "--ordered", "'" + word + "' is no name with different levels",
                "give NAME=LOW,...,HIGH, or for numbers NAME");
  return ordered;
}

std::string axis_label(const cli::Input& input, const cli::Names& names) {
  const std::string& name = names.columns.empty() ? names.tensor : names.columns.front();
  return name.empty() ? input.defaults.front() : name;
}

Predictors read_predictors(const cli::Input& input, cli::Inputs& inputs) {
  Predictors predictors;
  for (const cli::Input& column : inputs.columns_by_kind(input)) {
    predictors.parts.push_back(inputs.read(column));
    const cli::Names names = cli::names_of(column, predictors.parts.back(), inputs);
    predictors.names.insert(predictors.names.end(), names.columns.begin(), names.columns.end());
    const bool is_text = predictors.parts.back().dtype == DType::string;
    if (predictors.label.empty() && !is_text) predictors.label = axis_label(column, names);
  }
  return predictors;
}

Categories::Categories(const Predictors& x, const CategoryOptions& options) {
  std::vector<std::string> unknown = options.categorical;
  for (const OrderedColumn& ordered : options.ordered) unknown.push_back(ordered.name);
  const bool has_words =
      std::any_of(x.parts.begin(), x.parts.end(), [](const TensorView& part) { return part.dtype == DType::string; });
  if (!has_words && unknown.empty()) return;
  const std::vector<Column> columns = columns_of(x);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const std::string number = std::to_string(j);
    names_.push_back(x.names.size() == columns.size() ? x.names[j] : "column " + number);
    const auto is_meant = [&](const std::string& name) { return name == names_[j] || name == number; };
    const auto ordered = std::find_if(options.ordered.begin(), options.ordered.end(),
                                      [&](const OrderedColumn& one) { return is_meant(one.name); });
    const bool is_named = std::any_of(unknown.begin(), unknown.end(), is_meant);
    unknown.erase(std::remove_if(unknown.begin(), unknown.end(), is_meant), unknown.end());
    const Column& column = columns[j];
    if (!is_named && !column.is_text()) continue;
    std::vector<std::string> levels = levels_of(column);
    if (!is_named) expect_words(column, levels);
    attn::Category category;
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

const attn::Category* Categories::at(std::size_t column) const {
  const auto found = std::find_if(columns_.begin(), columns_.end(),
                                  [&](const attn::Category& category) { return category.column == column; });
  return found == columns_.end() ? nullptr : &*found;
}

TensorView Categories::encode(const Predictors& predictors) const {
  const std::vector<Column> columns = columns_of(predictors);
  const std::size_t rows = columns.empty() ? 0 : columns.front().rows();
  if (columns.size() != names_.size())
    throw Error(ErrorKind::data, predictors.parts.front().name,
                "has " + std::to_string(columns.size()) + (columns.size() == 1 ? " column" : " columns") +
                    ", expected those of x: " + list_of(names_));
  attn::Tensor out(DType::f64, {rows, columns.size()});
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const Column& column = columns[j];
    double* to = out.data_as<double>() + j;
    const attn::Category* category = at(j);
    if (category == nullptr) {
      if (column.is_text()) throw attn::text_for_numbers(*column.tensor);
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
                    "row " + std::to_string(i) + " has " + attn::shown_text(column.word(i)) + " in " + names_[j] +
                        ", a category that the samples do not have",
                    "they have " + list_of(levels));
      to[i * columns.size()] = level->second;
    }
  }
  return out.view(predictors.parts.front().name);
}

}  // namespace nwreg
