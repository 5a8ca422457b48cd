#pragma once
// The contents of an operand, to be changed and written.

#include "cli/session.hpp"
#include "tconv/groups.hpp"
#include "tconv/options.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tconv {

/// Adds the selected tensors of operand number `input`, and their groups. Throws Error(input) if it names nothing,
/// Error(data) if something selected cannot be read.
void read(const Options& o, std::size_t input, const std::string& text, cli::Session& session, std::vector<Item>& items,
          Groups& groups);

}  // namespace tconv
