#pragma once
// Options of tokenize.

#include "cli/results.hpp"
#include "cli/session.hpp"

#include <attn/text/lines.hpp>

#include <optional>
#include <string>

namespace tokenize {

enum class OnError { stop, skip };

struct Options {
  cli::Input input{std::vector<std::string>{}};
  std::string model;
  attn::text::LineOptions lines;
  cli::OptionalInput ids{std::vector<std::string>{"ids", "y"}};
  bool chat = false, no_special = false, keep_special = false, list = false;
  OnError on_error = OnError::stop;
  std::optional<std::size_t> max_length;
  std::optional<attn::text::Truncation> truncation;
  std::optional<attn::text::Side> truncation_side, padding_side;
  std::size_t pad_to = 0;
  cli::Output output;

  /// Is the result tensors instead of lines of text?
  bool to_tensors() const { return !lines.decode && !list && cli::names_tensors(output); }
};

void declare(cli::Command& command, Options& options);

/// Throws Error(usage) for options that exclude each other.
void check(const Options& options, const cli::Session& session);

}  // namespace tokenize
