#include "nwreg/samples.hpp"

#include "cli/numbers.hpp"
#include "cli/options/names.hpp"
#include "cli/plots/picture.hpp"
#include "cli/result.hpp"

#include <attn/core/error.hpp>

#include <algorithm>
#include <cmath>

namespace nwreg {
namespace {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

/// A single number is one row.
std::optional<TensorView> as_rows(std::optional<TensorView> x) {
  if (x && x->rank() == 0) {
    const std::string name = x->name;
    x = attn::reshaped(attn::contiguous(*x), {1});
    x->name = name;
  }
  return x;
}

/// Reads the word of --ordered, NAME or NAME=LOW,...,HIGH. Throws Error(usage).
attn::OrderedColumn parse_ordered(const std::string& word) {
  attn::OrderedColumn ordered;
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

/// Reads the word of --period, NAME=P or P. Throws Error(usage).
std::pair<std::string, std::string> parse_period(const std::string& word) {
  const std::size_t equals = word.find('=');
  const std::string length = equals == std::string::npos ? word : word.substr(equals + 1);
  const auto lengths = parse_lengths(length);
  if (equals == 0 || !lengths || lengths->size() != 1 || !(lengths->front().value > 0) ||
      !std::isfinite(lengths->front().value))
    throw Error(ErrorKind::usage, "--period", "'" + word + "' is not NAME=P with P above 0",
                "as in hour=24, or P alone if x has one column");
  return {equals == std::string::npos ? "" : word.substr(0, equals), length};
}

/// The columns of x that come round.
std::vector<double> periods_of(const SampleOptions& o, const PreparedSamples& data) {
  if (o.periods.empty()) return {};
  if (o.standardize)
    throw Error(ErrorKind::usage, "--period", "is in the units of x, and --standardize changes them",
                "omit one of them");
  std::vector<double> periods(data.columns(), 0.0);
  for (const auto& [name, length] : o.periods) {
    std::size_t column = 0;
    if (name.empty() && periods.size() > 1)
      throw Error(ErrorKind::usage, "--period",
                  "does not say of which of the " + std::to_string(periods.size()) + " columns of x",
                  "give NAME=" + length);
    if (!name.empty()) {
      const auto found = std::find(data.x_names.begin(), data.x_names.end(), name);
      column = static_cast<std::size_t>(found - data.x_names.begin());
      if (found == data.x_names.end()) {
        const auto number = cli::parse_numbers(name);
        if (!number || number->size() != 1 || !(number->front() >= 0) ||
            number->front() != std::floor(number->front()) || number->front() >= static_cast<double>(periods.size()))
          throw Error(ErrorKind::usage, "--period", "x has no column '" + name + "'",
                      data.x_names.empty() ? "give the number of a column, from 0"
                                           : "its columns are " + attn::listed_near(name, data.x_names));
        column = static_cast<std::size_t>(number->front());
      }
    }
    if (data.is_category(column))
      throw Error(ErrorKind::usage, "--period", "is of a column of numbers, and '" + name + "' has categories",
                  "omit it");
    periods[column] = data.in_units_of(column, parse_lengths(length)->front(), "--period");
  }
  return periods;
}

/// The name of the first column, else of the tensor, else of the option.
std::string axis_label(const cli::Input& input, const cli::Names& names) {
  const std::string& name = names.columns.empty() ? names.tensor : names.columns.front();
  return name.empty() ? input.defaults.front() : name;
}

struct NamedPredictors : attn::Predictors {
  std::string label;            ///< of the first column of numbers, in pictures
  std::vector<bool> are_dates;  ///< of all columns
};

/// Dates that are categories stay text.
NamedPredictors read_predictors(cli::Input input, const attn::CategoryOptions& options, cli::Inputs& inputs) {
  std::vector<std::string> categories = options.categorical;
  for (const attn::OrderedColumn& ordered : options.ordered) categories.push_back(ordered.name);
  const auto is_category = [&](const std::string& column) {
    return std::find(categories.begin(), categories.end(), column) != categories.end();
  };
  if (!categories.empty()) input.keeps_dates = [] { return true; };
  NamedPredictors predictors;
  for (cli::Input& part : inputs.columns_by_kind(input)) {
    const attn::Shape shape = inputs.shape(part);
    const std::size_t first = predictors.are_dates.size(), columns = shape.size() < 2 ? 1 : shape.back();
    const attn::TensorView like = cli::unread({"", attn::DType::f64, shape});
    cli::Names names = cli::names_of(part, like, inputs);
    bool has_category = false;
    for (std::size_t i = 0; part.keeps_dates && i < columns; ++i)
      has_category |=
          is_category(std::to_string(first + i)) || (i < names.columns.size() && is_category(names.columns[i]));
    if (part.keeps_dates && !has_category) {
      part.keeps_dates = {};
      names = cli::names_of(part, like, inputs);
    }
    predictors.parts.push_back(inputs.read(part));
    predictors.names.insert(predictors.names.end(), names.columns.begin(), names.columns.end());
    names.are_dates.resize(columns);
    predictors.are_dates.insert(predictors.are_dates.end(), names.are_dates.begin(), names.are_dates.end());
    const bool is_text = predictors.parts.back().dtype == attn::DType::string;
    if (predictors.label.empty() && !is_text) predictors.label = axis_label(part, names);
  }
  return predictors;
}

}  // namespace

void add_sample_options(cli::Command& command, SampleOptions& o) {
  command.group("Samples and queries");
  command.input("-x,--key|-k,--keys", o.x, "positions of the samples, (n) or (n, d)");
  command.input("-y,--value|-v,--values", o.y,
                "values of the samples, (n) or (n, C); with --classify labels, text or numbers");
  o.y.keeps_dates = [&o] { return o.classify; };
  o.queries.takes_no_rows = true;
  command.input("-q,--query|--queries", o.queries, "positions of the queries, (m) or (m, d) (default the samples)");
  command.input("--sample-weights|--weights", o.weights, "weight of each sample, (n), 0 or more (default 1)");
  command.option("--categorical", o.categories.categorical,
                 "NAME,...: columns of numbers in x that are categories, as columns of words are");
  command.repeatable("--ordered", "NAME=LOW,...,HIGH: column of x with ordered categories, or NAME alone for numbers",
                     [&o](const std::string& word) { o.categories.ordered.push_back(parse_ordered(word)); });
  command.repeatable("--period", "NAME=P: column of x that comes round after P, such as hour=24",
                     [&o](const std::string& word) { o.periods.push_back(parse_period(word)); });
  command.flag("--classify", o.classify, "read values as labels; the result is the most probable label");
  command.flag("--standardize", o.standardize, "scale each column of x to mean 0 and standard deviation 1");
  command.rows_belong_together(o.missing);
}

attn::MissingValues missing_values(const SampleOptions& o) {
  using Missing = attn::io::TableOptions::Missing;
  return o.missing == Missing::omit  ? attn::MissingValues::omit
         : o.missing == Missing::nan ? attn::MissingValues::nan
                                     : attn::MissingValues::error;
}

std::optional<std::vector<Length>> parse_lengths(const std::string& word) {
  constexpr std::pair<const char*, double> units[] = {
      {"min", 1.0 / 1440}, {"s", 1.0 / 86400}, {"h", 1.0 / 24}, {"d", 1}, {"w", 7}};
  std::vector<Length> lengths;
  for (std::size_t begin = 0; begin <= word.size();) {
    const std::size_t end = std::min(word.find(',', begin), word.size());
    std::string number = word.substr(begin, end - begin);
    Length length{1, false};
    for (const auto& [unit, days] : units) {
      const std::string_view suffix = unit;
      if (number.size() <= suffix.size() || number.substr(number.size() - suffix.size()) != suffix) continue;
      number.resize(number.size() - suffix.size());
      length = {days, true};
      break;
    }
    const auto value = cli::parse_numbers(number);
    if (!value || value->size() != 1) return std::nullopt;
    length.value *= value->front();
    lengths.push_back(length);
    begin = end + 1;
  }
  return lengths;
}

double PreparedSamples::in_units_of(std::size_t column, const Length& length, const std::string& option) const {
  if (length.is_time && !has_dates(column))
    throw Error(ErrorKind::usage, option,
                "has a unit of time, and x" +
                    (columns() > 1 ? ", column " + std::to_string(column) + "," : std::string()) + " has no dates",
                "give a number in the units of x");
  return length.value;
}

bool PreparedSamples::is_category(std::size_t column) const noexcept {
  return std::any_of(samples.categories.begin(), samples.categories.end(),
                     [&](const attn::Category& category) { return category.column == column; });
}

std::vector<std::string> PreparedSamples::column_names() const {
  if (classes) return cli::labels_of(classes->names);
  const std::size_t outputs = value_columns();
  if (outputs == 1) return {""};
  if (value_names.size() == outputs) return value_names;
  std::vector<std::string> names;
  for (std::size_t c = 0; c < outputs; ++c) names.push_back(std::to_string(c));
  return names;
}

std::vector<std::string> PreparedSamples::output_names() const {
  std::vector<std::string> names;
  for (const std::string& name : column_names())
    for (const std::string& quantile : quantiles)
      names.push_back(quantile.empty() || name.empty() ? quantile + name : quantile + "-" + name);
  return names;
}

PreparedSamples read_samples(const SampleOptions& o, cli::Session& session) {
  PreparedSamples data;
  const NamedPredictors predictors = read_predictors(o.x, o.categories, session.inputs);
  attn::CategoryCodes categories(predictors, o.categories);
  if (!categories.empty()) data.categories = std::move(categories);
  data.samples = {data.categories ? data.categories->encode(predictors) : *as_rows(predictors.parts.front()),
                  *as_rows(session.read(static_cast<const cli::Input&>(o.y))), as_rows(session.read(o.weights)),
                  data.categories ? data.categories->columns() : std::vector<attn::Category>{}};
  const std::size_t given = data.samples.x.rank() > 0 ? data.samples.x.shape[0] : 0;
  const std::vector<std::size_t> rows = attn::complete_rows(data.samples, missing_values(o));
  if (rows.empty() && given > 0)
    throw Error(ErrorKind::data, data.samples.x.name, "and the values have no row without missing values",
                "choose columns that have some");
  if (rows.size() < given) {
    data.samples = attn::rows_of(data.samples, rows);
    data.omitted = given - rows.size();
    session.report.detail(std::to_string(data.omitted) + " rows with missing values omitted");
  }
  data.x_label = predictors.label;
  data.x_names = predictors.names;
  const cli::Names y = cli::names_of(o.y, data.samples.y, session.inputs);
  data.y_label = axis_label(o.y, y);
  data.value_names = y.columns;
  data.shown_queries = predictors;
  data.x_dates = data.query_dates = predictors.are_dates;
  if (o.queries.given()) {
    cli::require_one_time(o.x, o.queries, session);
    const bool has_names = predictors.names.size() == (data.samples.x.rank() == 2 ? data.samples.x.shape[1] : 1);
    const cli::Input queries =
        cli::columns_beside(has_names ? predictors.names : std::vector<std::string>{}, "x", o.queries, session);
    const NamedPredictors shown = read_predictors(queries, o.categories, session.inputs);
    data.shown_queries = shown;
    data.query_dates = shown.are_dates;
    // Words and numbers together are an error if x is numbers alone.
    data.queries = data.categories                        ? data.categories->encode(data.shown_queries)
                   : data.shown_queries.parts.size() == 1 ? data.shown_queries.parts.front()
                                                          : session.read(queries);
  } else if (rows.size() < given) {
    for (TensorView& part : data.shown_queries.parts) part = attn::rows_of(*as_rows(part), rows);
  }
  data.samples.periods = periods_of(o, data);
  if (o.classify) {
    data.classes = attn::encode_classes(data.samples.y);
    data.samples.y = data.classes->one_hot;
  } else if (data.samples.y.dtype == attn::DType::string) {
    throw attn::text_for_numbers(data.samples.y, "--classify takes labels");
  } else if (attn::is_floating(data.samples.y.dtype) && !session.dtype()) {
    data.dtype = data.samples.y.dtype;
  }
  if (o.standardize) {
    data.scales = attn::standardisation_of(data.samples.x, data.samples.categories);
    data.samples.x = data.scales->apply(data.samples.x);
    if (data.queries) data.queries = data.scales->apply(*data.queries);
  }
  return data;
}

}  // namespace nwreg
