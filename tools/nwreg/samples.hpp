#pragma once
// Reading and preparing samples and queries, whose columns may hold categories.

#include "cli/command.hpp"
#include "cli/inputs.hpp"
#include "cli/options/names.hpp"
#include "cli/session.hpp"

#include <attn/regression/predictors.hpp>

#include <optional>
#include <string>
#include <vector>

namespace nwreg {

struct SampleOptions {
  cli::OptionalInput x{"x"}, y{"y"};  ///< required unless only kernels are drawn
  cli::OptionalInput queries{"q"}, weights{"w"};
  attn::CategoryOptions categories;
  std::vector<std::pair<std::string, std::string>> periods;  ///< column, or none where x has one, and length
  bool classify = false, standardize = false;
  attn::io::TableOptions::Missing missing = attn::io::TableOptions::Missing::error;
};
void add_sample_options(cli::Command& command, SampleOptions& options);
/// The treatment that --missing asks for.
attn::MissingValues missing_values(const SampleOptions& options);

/// A number, or a length of time such as 12h or 2w, in days.
struct Length {
  double value = 0;
  bool is_time = false;
};
/// Numbers and lengths of time between commas; none for anything else.
std::optional<std::vector<Length>> parse_lengths(const std::string& word);

struct PreparedSamples {
  attn::Samples samples;                          ///< complete rows, classes as columns, x standardised
  std::optional<attn::TensorView> queries;        ///< standardised as x; none: the samples
  attn::Predictors shown_queries;                 ///< as given
  std::vector<std::string> value_names;           ///< those of y, likewise
  std::vector<std::string> quantiles{""};         ///< what is fitted to a column of y: names of several, else ""
  std::string note_prefix;                        ///< of notes on one of several fits
  std::size_t omitted = 0;                        ///< rows with missing values
  std::vector<std::string> x_names;               ///< of the columns of x; empty if it has none
  std::vector<bool> x_dates, query_dates;         ///< which columns are days, of x and of shown_queries
  std::string x_label, y_label;                   ///< axes of pictures
  std::optional<attn::CategoryCodes> categories;  ///< columns of x that hold some
  std::optional<attn::Standardisation> scales;    ///< of --standardize
  std::optional<attn::Classes> classes;
  attn::DType dtype = attn::DType::f64;  ///< of the results, unless --dtype changes it

  std::size_t columns() const noexcept { return samples.x.rank() == 2 ? samples.x.shape[1] : 1; }  ///< of x
  bool is_category(std::size_t column) const noexcept;
  /// Is that column of x, as it is fitted, days?
  bool has_dates(std::size_t column) const { return !scales && column < x_dates.size() && x_dates[column]; }
  /// The length in the units of that column. Throws Error(usage) that names the option for a time where there are no
  /// dates.
  double in_units_of(std::size_t column, const Length& length, const std::string& option) const;
  std::size_t value_columns() const { return samples.y.rank() == 2 ? samples.y.shape[1] : 1; }
  /// Names of the columns of y: labels, else names, else numbers; a single column has no name.
  std::vector<std::string> column_names() const;
  /// Names of the columns of the fit: of each of y the quantiles, if there are several.
  std::vector<std::string> output_names() const;
};
PreparedSamples read_samples(const SampleOptions& options, cli::Session& session);

}  // namespace nwreg
