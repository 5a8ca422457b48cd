#include "nwreg/predictors.hpp"

#include <attn/core/error.hpp>

#include <algorithm>

namespace nwreg {

using attn::Error;
using attn::ErrorKind;

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

std::string axis_label(const cli::Input& input, const cli::Names& names) {
  const std::string& name = names.columns.empty() ? names.tensor : names.columns.front();
  return name.empty() ? input.defaults.front() : name;
}

NamedPredictors read_predictors(const cli::Input& input, cli::Inputs& inputs) {
  NamedPredictors predictors;
  for (const cli::Input& column : inputs.columns_by_kind(input)) {
    predictors.parts.push_back(inputs.read(column));
    const cli::Names names = cli::names_of(column, predictors.parts.back(), inputs);
    predictors.names.insert(predictors.names.end(), names.columns.begin(), names.columns.end());
    const bool is_text = predictors.parts.back().dtype == attn::DType::string;
    if (predictors.label.empty() && !is_text) predictors.label = axis_label(column, names);
  }
  return predictors;
}

}  // namespace nwreg
