#include "nwreg/bandwidth.hpp"

#include "cli/numbers.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>

#include <algorithm>
#include <cmath>

namespace nwreg {
namespace {

using attn::Bandwidth;
using attn::Error;
using attn::ErrorKind;

/// A share of the samples, as in loess: 0.3 for "30%", "span=0.3", "knn:0.3".
std::optional<double> share_of(const std::string& word) {
  std::string number = word.substr(word.find_first_of(":=") + 1);  // the whole word if there is none
  const bool is_percentage = !number.empty() && number.back() == '%';
  if (is_percentage) number.pop_back();
  const auto share = cli::parse_numbers(number);
  if (!share || share->size() != 1 || !(share->front() > 0)) return std::nullopt;
  return is_percentage ? share->front() / 100 : share->front();
}

/// Is the word neither a file nor another kind of operand?
bool is_only_word(const std::string& word) {
  const bool is_path =
      word.find('/') != std::string::npos && word.find_first_not_of("0123456789./") != std::string::npos;
  return !is_path && attn::io::has_no_file(attn::io::parse_operand(word)) && !attn::io::format_from_path(word) &&
         attn::io::operand_hint(word).empty();
}

Error unknown_bandwidth(const std::string& word) {
  std::string lower, neighbours = "knn:K or knn:P%";
  for (const char c : word) lower += 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c == '=' ? ':' : c;
  bool is_known =
      lower != word && (lower == "cv" || lower == "aicc" || lower == "rot" || attn::starts_with(lower, "knn:"));
  if (const auto share = share_of(word); share && *share <= 1) {
    neighbours = "knn:" + cli::number_text(100 * *share, 4) + "% (that share of the samples)";
    is_known &= *share == 1;
  }
  return {ErrorKind::usage, "--bandwidth", "'" + word + "' is not known",
          is_known ? "did you mean " + lower + "?"
                   : "give cv, aicc or knn:cv to search, rot for the rule of thumb, " + neighbours +
                         ", a number or an operand"};
}

/// The number of samples of knn:30%, rounded down as loess does.
std::size_t count_of_share(const std::string& word, std::size_t samples) {
  const auto share = share_of(word);
  if (!share || *share > 1)
    throw Error(ErrorKind::usage, "--bandwidth", "'" + word + "' is no share of the samples",
                "give a percentage from 0 to 100, as knn:30%");
  return std::max<std::size_t>(1, static_cast<std::size_t>(*share * static_cast<double>(samples) + 1e-5));
}

}  // namespace

std::vector<double> grid_of(const std::string& word) {
  const auto numbers = cli::parse_numbers(word.substr(3));
  constexpr double most = 10000;
  if (!numbers || numbers->size() != 3 || !((*numbers)[0] > 0 && (*numbers)[0] < (*numbers)[1]) ||
      !((*numbers)[2] >= 2 && (*numbers)[2] <= most) || (*numbers)[2] != std::floor((*numbers)[2]))
    throw Error(ErrorKind::usage, "--bandwidth", "'" + word + "' is not cv:LOW,HIGH,N with 0 < LOW < HIGH and N from 2",
                "as in cv:0.1,10,41");
  return attn::width_grid((*numbers)[0], (*numbers)[1], static_cast<std::size_t>((*numbers)[2]));
}

Bandwidth given_bandwidth(const std::string& word, const attn::KernelRegression& regression, cli::Inputs& inputs) {
  if (attn::starts_with(word, "knn:")) {
    if (word.back() == '%') return Bandwidth::nearest(count_of_share(word, regression.size()));
    const auto count = cli::parse_numbers(word.substr(4));
    if (!count || count->size() != 1 || count->front() != std::floor(count->front())) throw unknown_bandwidth(word);
    return Bandwidth::nearest(cli::parse_size("--bandwidth knn", word.substr(4)));
  }
  cli::Input operand(std::vector<std::string>{"bandwidth", "h"});
  operand.names = "--bandwidth";
  operand.text = operand.option = word;
  if (const auto numbers = cli::parse_numbers(word)) {
    operand.text = std::to_string(numbers->size()) + "=" + word;
    const attn::TensorView h = attn::cast(inputs.read(operand), attn::DType::f64);
    const auto* const value = h.contiguous_data<double>();
    return h.size() == 1 ? Bandwidth::number(*value) : Bandwidth::per_coordinate({value, value + h.size()});
  }
  if (is_only_word(word)) throw unknown_bandwidth(word);
  return attn::bandwidth_from_tensor(inputs.read(operand), regression.dimensions());
}

}  // namespace nwreg
