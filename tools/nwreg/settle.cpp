#include "cli/numbers.hpp"
#include "nwreg/smoother.hpp"

#include <attn/core/error.hpp>
#include <attn/core/values.hpp>

#include <charconv>
#include <filesystem>

namespace nwreg {
namespace {

using attn::Bandwidth;
using attn::Error;
using attn::ErrorKind;

std::string text(double x, int digits) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::general, digits).ptr};
}

// A missing y would be in the predictions of all around it: it has no say.
attn::Selection select_by_complete_samples(const PreparedSamples& data, const attn::KernelRegression& regression,
                                           const attn::Smoother& smoother, const attn::SelectionParameters& parameters,
                                           cli::Session& session) {
  const std::vector<std::size_t> rows = attn::complete_rows(data.samples, attn::MissingValues::omit);
  if (rows.size() == regression.size())
    return attn::select_bandwidth(regression, smoother, parameters, session.execution());
  session.detail(std::to_string(regression.size() - rows.size()) +
                 " rows with missing values have no say in the bandwidth");
  const attn::KernelRegression complete(attn::rows_of(data.samples, rows), session.execution());
  return attn::select_bandwidth(complete, smoother, parameters, session.execution());
}

// The word that differs in nothing but capitals; empty for what may be an operand.
std::string meant_bandwidth(const std::string& word) {
  std::string lower;
  for (const char c : word) lower += 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower == "cv" || lower == "aicc" || lower == "rot" || lower.compare(0, 4, "knn:") == 0 ? lower : "";
}

attn::TensorView bandwidth_value(const Bandwidth& bandwidth) {
  if (bandwidth.kind == Bandwidth::Kind::neighbours) return attn::scalar_of(attn::to_string(bandwidth));
  if (bandwidth.values.size() == 1) return attn::scalar_of(bandwidth.values[0]);
  return attn::vector_of(bandwidth.values);
}

attn::SelectionParameters selection_parameters(const SmootherOptions& o, const PreparedSamples& data) {
  attn::SelectionParameters parameters;
  parameters.criterion = o.bandwidth == "aicc" ? attn::Criterion::aicc : attn::Criterion::leave_one_out;
  parameters.loss = o.loss.value_or(data.classes ? attn::Loss::log : attn::Loss::squared);
  parameters.isotropic = o.isotropic;
  return parameters;
}

/// The width that the criterion prefers, said to the user and in the attributes.
void choose(const SmootherOptions& o, const std::string& word, const PreparedSamples& data,
            const attn::KernelRegression& regression, bool wants_curve, SettledSmoother& settled,
            cli::Session& session) {
  attn::SelectionParameters parameters = selection_parameters(o, data);
  parameters.curve = wants_curve;
  settled.selection = select_by_complete_samples(data, regression, settled.smoother, parameters, session);
  const attn::Selection& chosen = *settled.selection;
  settled.smoother.bandwidth = chosen.bandwidth;
  std::string widths;
  for (const double h : chosen.bandwidth.values) widths += (widths.empty() ? "" : ",") + text(h, 9);
  // Where squares of y would be too large or too small for a number, y is divided by a power of two.
  const double unit = attn::unit_of_criterion(regression, parameters.criterion, parameters.loss);
  session.note("bandwidth " + widths + (o.bandwidth ? " chosen by " + word : " chosen by cv, as none was given") +
               " (" + word + " = " + text(chosen.criterion, 8) + (unit == 1 ? "" : " of y / " + text(unit, 17)) + ")");
  session.detail(std::to_string(chosen.evaluations) + " bandwidths tried");
  if (chosen.is_constant)
    session.note("y is constant: every bandwidth predicts it");
  else if (chosen.at_border)
    session.note(
        "no bandwidth is better than one at the end of the range searched: the data do not say how much to "
        "smooth");
  if (!chosen.smoothed_away.empty()) {
    std::string columns;
    for (const std::size_t j : chosen.smoothed_away) columns += (columns.empty() ? "" : ",") + std::to_string(j);
    session.note("x, column " + columns + ": tells " + word +
                 " nothing, the width is beyond the range searched and as good as infinite");
  }
  settled.attributes["bandwidth-criterion"] = attn::scalar_of(chosen.criterion);
  if (unit != 1) settled.attributes["bandwidth-criterion-unit"] = attn::scalar_of(unit);
  settled.attributes["bandwidth-chosen-by"] = attn::scalar_of(word);
}

}  // namespace

SettledSmoother settle_smoother(const SmootherOptions& o, const PreparedSamples& data,
                                const attn::KernelRegression& regression, bool wants_curve, cli::Session& session) {
  SettledSmoother settled{o.smoother, std::nullopt, {}};
  attn::Smoother& smoother = settled.smoother;
  if (smoother.kernel == attn::Kernel::epanechnikov)
    session.note(
        "epanechnikov is max(0, 1 - u), as the literature on attention has it; --kernel parabolic is the textbooks' "
        "max(0, 1 - u^2)");
  settled.attributes["kernel"] = attn::scalar_of(attn::name_of(smoother.kernel));
  settled.attributes["degree"] = attn::scalar_of(static_cast<std::int64_t>(smoother.degree));
  if (smoother.kernel == attn::Kernel::constant) return settled;  // has no bandwidth
  const std::string word = o.bandwidth.value_or("cv");
  if (is_searched(o)) {
    choose(o, word, data, regression, wants_curve, settled, session);
  } else if (word == "rot") {
    smoother.bandwidth = attn::rule_of_thumb(data.samples.x, smoother.kernel, smoother.scale_convention);
    session.note("bandwidth " + attn::to_string(smoother.bandwidth) + " by the rule of thumb");
    settled.attributes["bandwidth-chosen-by"] = attn::scalar_of(word);
  } else if (word.compare(0, 4, "knn:") == 0) {
    smoother.bandwidth = Bandwidth::nearest(cli::parse_size("--bandwidth knn", word.substr(4)));
  } else if (const auto numbers = cli::parse_numbers(word)) {
    smoother.bandwidth =
        numbers->size() == 1 ? Bandwidth::number(numbers->front()) : Bandwidth::per_coordinate(*numbers);
  } else {
    std::error_code ignored;  // of a name that no file can have
    if (const std::string meant = meant_bandwidth(word); !meant.empty() && !std::filesystem::exists(word, ignored))
      throw Error(ErrorKind::usage, "--bandwidth", "'" + word + "' is not known", "did you mean " + meant + "?");
    smoother.bandwidth = attn::bandwidth_from_tensor(session.read(word, {"bandwidth", "h"}), regression.dimensions());
  }
  settled.attributes["scale-convention"] = attn::scalar_of(attn::name_of(smoother.scale_convention));
  settled.attributes["bandwidth"] = bandwidth_value(smoother.bandwidth);
  return settled;
}

std::size_t most_bytes_of_curve(const SmootherOptions& o, const PreparedSamples& data,
                                const attn::KernelRegression& regression) {
  const std::size_t columns = (o.isotropic ? 1 : regression.dimensions()) + 2;
  const std::size_t rows = attn::most_evaluations(regression, o.smoother, selection_parameters(o, data));
  return rows * columns * sizeof(double);
}

std::size_t most_memory_of_search(const SmootherOptions& o, const PreparedSamples& data,
                                  const attn::KernelRegression& regression) {
  const std::size_t in_order = (data.samples.x.size() + data.samples.y.size()) * sizeof(double);
  return in_order + attn::most_memory_of_search(regression, o.smoother, selection_parameters(o, data));
}

std::vector<std::string> curve_columns(const SettledSmoother& settled) {
  const std::size_t widths = settled.smoother.bandwidth.values.size();
  std::vector<std::string> names;
  for (std::size_t j = 0; j < widths; ++j)
    names.push_back(widths == 1 ? "bandwidth" : "bandwidth-" + std::to_string(j));
  names.push_back(attn::texts_of(settled.attributes, "bandwidth-chosen-by").front());
  names.emplace_back("exact");
  return names;
}

}  // namespace nwreg
