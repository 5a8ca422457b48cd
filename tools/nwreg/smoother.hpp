#pragma once
// The smoother: its options, with the parameter structs of the library, its bandwidth, which is read, computed by a
// rule or chosen by a search, and notes on both and on a result.

#include "cli/report.hpp"
#include "nwreg/samples.hpp"

#include <attn/regression/bandwidth_selection.hpp>
#include <attn/regression/nadaraya_watson.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace nwreg {

/// Kernel, bandwidth, polynomial, time.
struct SmootherOptions {
  attn::Smoother smoother;
  std::optional<std::string> bandwidth;  ///< as given; none: to be chosen
  std::optional<attn::Loss> loss;
  bool isotropic = false;
  bool is_common = false;         ///< one width for all columns of y
  std::vector<double> quantiles;  ///< ascending; the first is that of the smoother
  std::size_t robust = 0;         ///< robust fits after the first
};
void add_smoother_options(cli::Command& command, SmootherOptions& options);
/// L of cv:block=L; none for another word. Throws Error(usage) for an L that is no number from 1 on.
std::optional<std::size_t> block_of(const std::string& word);
/// Is the bandwidth chosen from the widths of cv:LOW,HIGH,N?
bool has_grid(const SmootherOptions& options);
/// The name of each result of one column of y: those of several quantiles, else "".
std::vector<std::string> quantile_names(const SmootherOptions& options);
/// Does cv, aicc, gcv or knn:cv choose the bandwidth? Not for the constant kernel, which has none.
bool is_searched(const SmootherOptions& options);
/// Throws Error(usage) for a loss of labels without labels.
void check_smoother(const SmootherOptions& options, bool classify);

struct SettledSmoother {
  attn::Smoother smoother;
  std::optional<attn::Selection> selection;
  attn::Attributes attributes;  ///< for the results
};
/// Passes on the regression without samples whose y is missing, by which a bandwidth is chosen: a missing y would
/// spoil the predictions around it.
void with_complete_samples(const PreparedSamples& data, const attn::KernelRegression& regression, cli::Session& session,
                           const std::function<void(const attn::KernelRegression&)>& use);
/// What the search, or the grid, goes by.
attn::SelectionParameters selection_parameters(const SmootherOptions& options, const PreparedSamples& data);
/// What a result says of its smoother.
attn::Attributes attributes_of(const attn::Smoother& smoother);
/// Includes the curve of the search if that is wanted.
SettledSmoother settle_smoother(const SmootherOptions& options, const PreparedSamples& data,
                                const attn::KernelRegression& regression, bool wants_curve, cli::Session& session);
/// Names of the columns of the curve.
std::vector<std::string> curve_columns(const SettledSmoother& settled);

/// Notes on queries that are not finite, on windows that were empty or too small for the degree, and on the method.
void note_result(const attn::RegressionResult& result, const PreparedSamples& data, const attn::Smoother& smoother,
                 cli::Report& report);

}  // namespace nwreg
