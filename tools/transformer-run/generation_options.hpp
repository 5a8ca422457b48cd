#pragma once
// The options of generation: how a model chooses the next token.

#include "cli/command.hpp"

#include <attn/transformer/generation.hpp>

#include <functional>
#include <string>
#include <vector>

namespace transformer_run {

/// What the command line says of generation, in its order: it speaks last, after generation_config.json.
struct GenerationOptions {
  struct Given {
    std::string option;
    std::function<void(attn::GenerationParameters&)> apply;
  };
  std::vector<Given> given;

  /// Does the text name an option that was given?
  bool speaks_of(const std::string& text) const;

  /// The parameters of the model's files with those of the command line in their place. What only matters to sampling
  /// or to beams is dropped where a file alone asks for it and there is none of either. Throws Error(usage) as
  /// validate().
  attn::GenerationParameters over(attn::GenerationParameters parameters) const;
};

void add_generation_options(cli::Command& command, GenerationOptions& options);

}  // namespace transformer_run
