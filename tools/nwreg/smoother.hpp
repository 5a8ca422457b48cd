#pragma once
// The options that say what kernel regression computes. The parameter structs are the library's.

#include "nwreg/samples.hpp"

#include <attn/regression/selection.hpp>

#include <optional>
#include <string>

namespace nwreg {

/// Kernel, bandwidth, polynomial, time.
struct SmootherOptions {
  attn::Smoother smoother;
  std::optional<std::string> bandwidth;  ///< as given; none: chosen
  std::optional<attn::Loss> loss;
  bool isotropic = false;
};
void add_smoother_options(cli::Command& command, SmootherOptions& options);
/// Whether cv or aicc chooses the bandwidth; of the constant kernel, which has none, nothing does.
bool is_searched(const SmootherOptions& options);
/// Throws Error(usage) for a loss of labels where there are none.
void check_smoother(const SmootherOptions& options, bool classify);
cli::Choices<attn::Kernel> kernel_choices();

/// The smoother with its bandwidth, read, computed or chosen as the options say.
struct SettledSmoother {
  attn::Smoother smoother;
  std::optional<attn::Selection> selection;
  attn::Attributes attributes;  ///< what the results should say of it
};
/// With the curve of all that a search tried, where that is wanted.
SettledSmoother settle_smoother(const SmootherOptions& options, const PreparedSamples& data,
                                const attn::KernelRegression& regression, bool wants_curve, cli::Session& session);
/// The names of the columns of the curve that was searched.
std::vector<std::string> curve_columns(const SettledSmoother& settled);

}  // namespace nwreg
