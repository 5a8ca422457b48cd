#include "nwreg/settled_smoother.hpp"

#include "cli/numbers.hpp"
#include "nwreg/bandwidth.hpp"
#include "nwreg/notes.hpp"

#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>

#include <algorithm>

namespace nwreg {
namespace {

using attn::Bandwidth;
using attn::Error;
using attn::ErrorKind;

attn::TensorView bandwidth_value(const Bandwidth& bandwidth) {
  if (bandwidth.kind == Bandwidth::Kind::neighbours) return attn::scalar_of(attn::to_string(bandwidth));
  if (bandwidth.values.size() == 1) return attn::scalar_of(bandwidth.values[0]);
  return attn::vector_of(bandwidth.values);
}

/// The width that the criterion prefers, reported to the user and in the attributes.
void choose(const SmootherOptions& o, std::string word, const PreparedSamples& data,
            const attn::KernelRegression& regression, bool wants_curve, SettledSmoother& settled,
            cli::Session& session) {
  attn::SelectionParameters parameters = selection_parameters(o, data);
  parameters.curve = wants_curve;
  with_complete_samples(data, regression, session, [&](const attn::KernelRegression& complete) {
    settled.selection = word == "knn:cv"
                            ? attn::select_neighbours(complete, settled.smoother, parameters.loss, session.execution())
                            : attn::select_bandwidth(complete, settled.smoother, parameters, session.execution());
  });
  if (!wants_curve) settled.selection->curve.reset();
  if (has_grid(o)) word = "cv";
  const attn::Selection& chosen = *settled.selection;
  settled.smoother.bandwidth = chosen.bandwidth;
  // If squares of y would overflow or underflow, y is divided by a power of two.
  const double unit = attn::unit_of_criterion(regression, parameters.criterion, parameters.loss);
  note_selection(settled, word, o.bandwidth.has_value(), unit, data, session.report);
  settled.attributes["bandwidth-criterion"] = attn::scalar_of(chosen.criterion);
  if (unit != 1) settled.attributes["bandwidth-criterion-unit"] = attn::scalar_of(unit);
  settled.attributes["bandwidth-chosen-by"] = attn::scalar_of(word);
}

/// Throws Error(usage) for a bandwidth without a lambda for each category.
void expect_lambdas(const attn::Smoother& smoother, const std::string& word) {
  if (smoother.kernel == attn::Kernel::constant)
    throw Error(ErrorKind::usage, "--kernel constant", "has no bandwidth, and categories need their lambdas",
                "take another kernel");
  if (word != "cv" && word != "aicc" && !cli::parse_numbers(word))
    throw Error(ErrorKind::usage, "--bandwidth", "'" + word + "' has no lambda for the categories in x",
                "give cv or aicc, or H1,H2,... with a width or a lambda for each column");
}

/// Any bandwidth that is possible.
Bandwidth any_bandwidth(const attn::Samples& samples, std::size_t columns) {
  if (samples.categories.empty()) return Bandwidth::number(1);
  std::vector<double> values(columns, 1);
  for (const attn::Category& category : samples.categories) values[category.column] = 0;
  return Bandwidth::per_coordinate(std::move(values));
}

}  // namespace

void with_complete_samples(const PreparedSamples& data, const attn::KernelRegression& regression, cli::Session& session,
                           const std::function<void(const attn::KernelRegression&)>& use) {
  const std::vector<std::size_t> rows = attn::complete_rows(data.samples, attn::MissingValues::omit);
  if (rows.size() == regression.size()) return use(regression);
  session.report.detail(std::to_string(regression.size() - rows.size()) +
                        " rows with missing values are ignored in the search for a bandwidth");
  use(attn::KernelRegression(attn::rows_of(data.samples, rows), session.execution()));
}

attn::SelectionParameters selection_parameters(const SmootherOptions& o, const PreparedSamples& data) {
  attn::SelectionParameters parameters;
  parameters.criterion = o.bandwidth == "aicc" ? attn::Criterion::aicc : attn::Criterion::leave_one_out;
  parameters.loss = o.loss.value_or(data.classes ? attn::Loss::log : attn::Loss::squared);
  parameters.isotropic = o.isotropic;
  if (has_grid(o)) parameters.grid = grid_of(*o.bandwidth);
  return parameters;
}

attn::Attributes attributes_of(const attn::Smoother& s) {
  attn::Attributes all{{"kernel", attn::scalar_of(attn::name_of(s.kernel))},
                       {"degree", attn::scalar_of(static_cast<std::int64_t>(s.degree))}};
  if (s.kernel == attn::Kernel::constant) return all;
  all["scale-convention"] = attn::scalar_of(attn::name_of(s.scale_convention));
  all["bandwidth"] = bandwidth_value(s.bandwidth);
  return all;
}

SettledSmoother settle_smoother(const SmootherOptions& o, const PreparedSamples& data,
                                const attn::KernelRegression& regression, bool wants_curve, cli::Session& session) {
  SettledSmoother settled{o.smoother, std::nullopt, {}};
  attn::Smoother& smoother = settled.smoother;
  if (smoother.kernel == attn::Kernel::epanechnikov)
    session.report.note(
        "epanechnikov is max(0, 1 - u), as the literature on attention has it; --kernel parabolic is the textbooks' "
        "max(0, 1 - u^2)");
  const std::string word = o.bandwidth.value_or("cv");
  if (data.categories) {
    settled.attributes["category-kernel"] = attn::scalar_of(attn::name_of(smoother.category_kernel));
    expect_lambdas(smoother, word);
  }
  const bool is_rule = word == "cv" || word == "aicc" || word == "rot" || word == "knn:cv";
  if (smoother.kernel == attn::Kernel::constant) {  // it has no bandwidth, but an invalid one is still an error
    if (!is_rule)
      attn::check_bandwidth(given_bandwidth(word, regression, session.inputs), regression.dimensions(),
                            regression.size());
    settled.attributes.merge(attributes_of(smoother));
    return settled;
  }
  if (is_searched(o) && session.execution().dry_run != nullptr) {
    smoother.bandwidth = any_bandwidth(data.samples, regression.dimensions());
  } else if (is_searched(o)) {
    choose(o, word, data, regression, wants_curve, settled, session);
  } else if (is_rule) {
    smoother.bandwidth = attn::rule_of_thumb(data.samples.x, smoother.kernel, smoother.scale_convention);
    session.report.note("bandwidth " + attn::to_string(smoother.bandwidth) + " by the rule of thumb");
    settled.attributes["bandwidth-chosen-by"] = attn::scalar_of(word);
  } else {
    smoother.bandwidth = given_bandwidth(word, regression, session.inputs);
  }
  settled.attributes.merge(attributes_of(smoother));
  return settled;
}

std::vector<std::string> curve_columns(const SettledSmoother& settled) {
  const std::size_t widths = std::max<std::size_t>(1, settled.smoother.bandwidth.values.size());
  std::vector<std::string> names;
  for (std::size_t j = 0; j < widths; ++j)
    names.push_back(widths == 1 ? "bandwidth" : "bandwidth-" + std::to_string(j));
  names.push_back(attn::texts_of(settled.attributes, "bandwidth-chosen-by").front());
  names.emplace_back("exact");
  return names;
}

}  // namespace nwreg
