#include "tplot/inputs.hpp"

#include <attn/core/error.hpp>

#include <algorithm>
#include <filesystem>
#include <set>

namespace tplot {
namespace {

using attn::Error;
using attn::ErrorKind;

bool are_apart(const std::vector<std::string>& names) {
  const std::set<std::string> all(names.begin(), names.end());
  return all.size() == names.size() && all.count("") == 0;
}

/// `name` after a distinguishing prefix: nothing, the file, or the whole operand.
std::string told_apart(const Drawn& input, int level, const std::string& name) {
  const std::string& before = level == 0 ? "" : level == 1 ? input.names.file : input.text;
  return before.empty() || before == name ? name : name.empty() ? before : before + " " + name;
}

/// With the shortest prefixes that make all names different.
template <class NamesAt>
std::vector<std::string> names_at_least_level(const std::vector<Drawn>& inputs, NamesAt names_at) {
  std::vector<std::string> names = names_at(0);
  for (int level = 1; level <= 2 && inputs.size() > 1 && !are_apart(names); ++level) names = names_at(level);
  return names;
}

Drawn read_drawn(const cli::Input& input, cli::Inputs& inputs) {
  const attn::TensorView tensor = inputs.read(input);
  return {input.text, tensor, cli::names_of(input, tensor, inputs)};
}

}  // namespace

std::vector<Drawn> read_inputs(const Options& o, cli::Inputs& inputs) {
  std::vector<cli::Input> operands{o.input};
  for (const std::string& word : o.more) {
    operands.push_back(o.input);
    operands.back().text = word;
  }
  for (const cli::Input& input : operands) {
    std::error_code ignored;
    const bool may_be_pixels = &input == &operands.front() && std::filesystem::exists(input.text, ignored);
    if (cli::is_picture_name(input.text) && !may_be_pixels)
      throw Error(ErrorKind::usage, input.text, "is given as an input, and is named as a picture",
                  "-o " + input.text + " draws into it");
  }
  std::vector<Drawn> all;
  for (const cli::Input& input : operands) {
    all.push_back(read_drawn(input, inputs));
    const attn::TensorView& tensor = all.back().tensor;
    if (tensor.dtype == attn::DType::string) throw Error(ErrorKind::data, tensor.name, "is text, which has no picture");
  }
  return all;
}

std::vector<Drawn> read_all(const std::deque<cli::OptionalInput>& given, cli::Inputs& inputs) {
  std::vector<Drawn> all;
  for (const cli::OptionalInput& input : given)
    if (input.given()) all.push_back(read_drawn(input, inputs));
  return all;
}

std::vector<std::string> read_labels(const cli::OptionalInput& input, std::size_t count, const char* of,
                                     cli::Inputs& inputs) {
  const auto x = inputs.read(input);
  if (!x) return {};
  if (x->size() != count)
    throw attn::shape_error(x->name, x->shape, std::to_string(count) + " labels, one for each of the picture's " + of);
  return cli::labels_of(*x);
}

std::vector<std::string> names_apart(const std::vector<Drawn>& inputs) {
  return names_at_least_level(inputs, [&](int level) {
    std::vector<std::string> names;
    for (const Drawn& input : inputs) names.push_back(told_apart(input, level, level < 2 ? input.names.tensor : ""));
    return names;
  });
}

std::vector<std::string> column_names_apart(const std::vector<Drawn>& inputs) {
  return names_at_least_level(inputs, [&](int level) {
    std::vector<std::string> names;
    for (const Drawn& input : inputs)
      for (std::size_t c = 0; c < input.columns(); ++c) {
        const bool is_one = input.columns() == 1, has_names = !input.names.columns.empty();
        const std::string number = std::to_string(c);
        const std::string& tensor = input.names.tensor;
        names.push_back(told_apart(input, level,
                                   is_one                                               ? (level < 2 ? tensor : "")
                                   : has_names                                          ? input.names.columns[c]
                                   : inputs.size() == 1 || tensor.empty() || level == 2 ? number
                                                                                        : tensor + " " + number));
      }
    return names;
  });
}

}  // namespace tplot
