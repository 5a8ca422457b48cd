#pragma once
// Reading and preparing samples and queries.

#include "cli/command.hpp"
#include "cli/session.hpp"
#include "nwreg/predictors.hpp"

#include <attn/regression/classes.hpp>
#include <attn/regression/preparation.hpp>

#include <optional>
#include <string>
#include <vector>

namespace nwreg {

struct SampleOptions {
  cli::OptionalInput x{"x"}, y{"y"};  ///< required unless only kernels are drawn
  cli::OptionalInput queries{"q"}, weights{"w"};
  CategoryOptions categories;
  bool classify = false, standardize = false;
  attn::io::TableOptions::Missing missing = attn::io::TableOptions::Missing::error;
};
void add_sample_options(cli::Command& command, SampleOptions& options);

struct PreparedSamples {
  attn::Samples samples;                        ///< complete rows, classes as columns, x standardised
  std::optional<attn::TensorView> queries;      ///< standardised as x; none: the samples
  Predictors shown_queries;                     ///< as given
  std::vector<std::string> value_names;         ///< those of y, likewise
  std::size_t omitted = 0;                      ///< rows with missing values
  std::string x_label, y_label;                 ///< axes of pictures
  std::optional<Categories> categories;         ///< columns of x that hold some
  std::optional<attn::Standardisation> scales;  ///< of --standardize
  std::optional<attn::Classes> classes;
  attn::DType dtype = attn::DType::f64;  ///< of the results, unless --dtype changes it

  /// Names of the columns of y: labels, else names, else numbers; a single column has no name.
  std::vector<std::string> output_names() const;
};
PreparedSamples read_samples(const SampleOptions& options, cli::Session& session);

}  // namespace nwreg
