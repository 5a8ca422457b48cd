#pragma once
// The options that say what kernel regression computes. The parameter structs are the library's.

#include "cli/command.hpp"
#include "cli/session.hpp"

#include <attn/regression/preparation.hpp>
#include <attn/regression/selection.hpp>

#include <optional>
#include <string>

namespace cli {

/// Samples, queries and what happens to them on the way in.
struct SampleOptions {
  OptionalInput x{"x"}, y{"y"};  ///< needed, but where only kernels are drawn
  OptionalInput queries{"q"}, weights{"w"};
  bool classify = false, standardize = false;
  attn::io::TableOptions::Missing missing = attn::io::TableOptions::Missing::error;
};
void add_sample_options(Command& command, SampleOptions& options);

struct PreparedSamples {
  attn::Samples samples;                        ///< complete rows, classes as columns, x standardised
  std::optional<attn::TensorView> queries;      ///< standardised like x; none: the samples
  attn::TensorView shown_queries;               ///< as they were given
  std::vector<std::string> query_names;         ///< columns of the table they came from; may be empty
  std::vector<std::string> value_names;         ///< those of y, likewise
  std::optional<attn::Standardisation> scales;  ///< of --standardize
  std::optional<attn::Classes> classes;
  attn::DType dtype = attn::DType::f64;  ///< of the results
};
PreparedSamples read_samples(const SampleOptions& options, Session& session);

/// Kernel, bandwidth, polynomial, time.
struct SmootherOptions {
  attn::Smoother smoother;
  std::optional<std::string> bandwidth;  ///< as given; none: chosen
  std::optional<attn::Loss> loss;
  bool isotropic = false;
};
void add_smoother_options(Command& command, SmootherOptions& options);
/// Whether cv or aicc chooses the bandwidth.
bool is_searched(const SmootherOptions& options);
/// Throws Error(usage) for options that would do nothing.
void check_smoother(const SmootherOptions& options, bool classify);
Choices<attn::Kernel> kernel_choices();

/// The smoother with its bandwidth, read, computed or chosen as the options say.
struct SettledSmoother {
  attn::Smoother smoother;
  std::optional<attn::Selection> selection;
  attn::Attributes attributes;  ///< what the results should say of it
};
SettledSmoother settle_smoother(const SmootherOptions& options, const PreparedSamples& data,
                                const attn::KernelRegression& regression, Session& session);

/// The names of the columns of the curve that was searched.
std::vector<std::string> curve_columns(const SettledSmoother& settled);

/// Notes on windows that were empty or could not carry the degree.
void note_windows(const attn::RegressionResult& result, const PreparedSamples& data, const attn::Smoother& smoother,
                  Session& session);

}  // namespace cli
