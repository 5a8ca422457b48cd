#pragma once
// What every run of lines has in common, whatever it says of them.

#include "cli/session.hpp"
#include "transformer-run/options.hpp"

#include <attn/core/error.hpp>

#include <string>

namespace transformer_run {

/// Lines that are sorted by length before they are cut into batches.
inline constexpr std::size_t line_window = 4096;

/// What is planned for a line where the model sets no limit.
inline constexpr std::size_t likely_length = 4096;

/// Bytes that a run may take: --max-memory, else what the machine has.
std::size_t memory_limit(const cli::Session& session);

/// What a line's error does: throws, or with --on-error skip says it and goes on, to end with exit code 1.
void handle(const attn::Error& cause, std::size_t line, const Options& options, cli::Session& session);

/// `digits` significant ones; 0: as many as read back as x.
std::string number_text(double x, int digits);
std::string number_text(float x, int digits);

}  // namespace transformer_run
