#pragma once
// What --dry-run prints.

#include "cli/record.hpp"

#include <attn/core/source_sink.hpp>

#include <string>
#include <vector>

namespace cli {

/// A line for each tensor, and one for the operations if there are any.
std::string dry_run_text(const std::vector<ReadTensor>& read, const std::vector<attn::TensorInfo>& written,
                         double operations);

/// How many batches there were, if more than one, and the memory that a run takes.
std::string end_of_dry_run(std::size_t batches);

}  // namespace cli
