#pragma once
// Options of generation: how a model chooses the next token.

#include "cli/command.hpp"

#include <attn/transformer/generation.hpp>

#include <functional>
#include <string>
#include <vector>

namespace transformer_run {

/// The generation options of the command line, in order; they override generation_config.json.
struct GenerationOptions {
  struct Given {
    std::string option;
    std::function<void(attn::GenerationParameters&)> apply;
  };
  std::vector<Given> given;

  /// Does the text contain the name of an option that was given?
  bool speaks_of(const std::string& text) const;

  /// The parameters of the model's files, overridden by the command line. Parameters of sampling or beams that only the
  /// files set are dropped if the run has neither. Throws Error(usage) as validate() does.
  attn::GenerationParameters over(attn::GenerationParameters parameters) const;
};

void add_generation_options(cli::Command& command, GenerationOptions& options);

}  // namespace transformer_run
