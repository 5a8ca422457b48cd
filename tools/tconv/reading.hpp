#pragma once
// What an operand gives to be changed and written.

#include "cli/session.hpp"
#include "tconv/groups.hpp"
#include "tconv/options.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tconv {

/// Adds the selected tensors of operand number `input`, and the groups that they are in. Throws Error(input) where what
/// it names is not there, Error(data) where something selected cannot be read.
void read(const Options& o, std::size_t input, const std::string& text, cli::Session& session, std::vector<Item>& items,
          Groups& groups);

}  // namespace tconv
