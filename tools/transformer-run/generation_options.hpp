#pragma once
// The options of generation: how a model chooses the next token.

#include "cli/command.hpp"

#include <attn/transformer/generation.hpp>

namespace transformer_run {

void add_generation_options(cli::Command& command, attn::GenerationParameters& parameters);

}  // namespace transformer_run
