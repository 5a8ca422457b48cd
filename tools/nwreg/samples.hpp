#pragma once
// Samples and queries as they are read, and what happens to them on the way in.

#include "cli/command.hpp"
#include "cli/session.hpp"

#include <attn/regression/preparation.hpp>

#include <optional>
#include <string>
#include <vector>

namespace nwreg {

struct SampleOptions {
  cli::OptionalInput x{"x"}, y{"y"};  ///< needed, but where only kernels are drawn
  cli::OptionalInput queries{"q"}, weights{"w"};
  bool classify = false, standardize = false;
  attn::io::TableOptions::Missing missing = attn::io::TableOptions::Missing::error;
};
void add_sample_options(cli::Command& command, SampleOptions& options);

struct PreparedSamples {
  attn::Samples samples;                        ///< complete rows, classes as columns, x standardised
  std::optional<attn::TensorView> queries;      ///< standardised like x; none: the samples
  attn::TensorView shown_queries;               ///< as they were given
  std::vector<std::string> query_names;         ///< columns of the table they came from; may be empty
  std::vector<std::string> value_names;         ///< those of y, likewise
  std::string x_label, y_label;                 ///< axes of pictures
  std::optional<attn::Standardisation> scales;  ///< of --standardize
  std::optional<attn::Classes> classes;
  attn::DType dtype = attn::DType::f64;  ///< of the results, before --dtype makes another of it

  /// What the columns of y are called: by label, by name, otherwise by number; a single column has no name.
  std::vector<std::string> output_names() const;
};
PreparedSamples read_samples(const SampleOptions& options, cli::Session& session);

}  // namespace nwreg
