#pragma once
// Options of kernel regression. The parameter structs are the library's.

#include "nwreg/samples.hpp"

#include <attn/regression/bandwidth_selection.hpp>

#include <optional>
#include <string>

namespace nwreg {

/// Kernel, bandwidth, polynomial, time.
struct SmootherOptions {
  attn::Smoother smoother;
  std::optional<std::string> bandwidth;  ///< as given; none: to be chosen
  std::optional<attn::Loss> loss;
  bool isotropic = false;
  std::size_t robust = 0;  ///< robust fits after the first
};
void add_smoother_options(cli::Command& command, SmootherOptions& options);
/// Is the bandwidth chosen from the widths of cv:LOW,HIGH,N?
bool has_grid(const SmootherOptions& options);
/// Does cv, aicc or knn:cv choose the bandwidth? Not for the constant kernel, which has none.
bool is_searched(const SmootherOptions& options);
/// Throws Error(usage) for a loss of labels without labels.
void check_smoother(const SmootherOptions& options, bool classify);
cli::Choices<attn::Kernel> kernel_choices();
cli::Choices<attn::Loss> loss_choices();

}  // namespace nwreg
