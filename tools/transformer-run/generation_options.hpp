#pragma once
// The options of generation: how a model chooses the next token.

#include "cli/command.hpp"

#include <attn/transformer/generation.hpp>

#include <string>

namespace transformer_run {

void add_generation_options(cli::Command& command, attn::GenerationParameters& parameters);

/// The first of these options that does not stand at its default; empty where all do.
std::string generation_option_in_use(const attn::GenerationParameters& parameters);

}  // namespace transformer_run
