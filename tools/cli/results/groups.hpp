#pragma once
// Which groups of a source the choice of tensors takes along.

#include <attn/core/stream.hpp>

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace cli {

/// Is this the name of the group or of something in it? Everything is in the group without a name.
bool is_within(const std::string& name, const std::string& group);

/// Adds the groups that a tensor of that name is in, but for the one without a name.
void add_groups_of(const std::string& name, std::set<std::string>& groups);

using IsSelected = std::function<bool(const std::string& name)>;

/// The groups of a source within `place`, an operand's path, that are selected or have a selected tensor in them.
std::vector<std::string> selected_groups(const attn::Source& source, const std::string& place,
                                         const IsSelected& is_selected);

}  // namespace cli
