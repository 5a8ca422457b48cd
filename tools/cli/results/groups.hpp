#pragma once
// The groups of a source that selected tensors belong to.

#include <attn/core/source_sink.hpp>

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace cli {

/// Is `name` the group or in it? The group without a name contains everything.
bool is_within(const std::string& name, const std::string& group);

/// Adds the groups of a tensor, except the one without a name.
void add_groups_of(const std::string& name, std::set<std::string>& groups);

using IsSelected = std::function<bool(const std::string& name)>;

/// The groups within `place`, the path of an operand, that are selected or contain a selected tensor.
std::vector<std::string> selected_groups(const attn::Source& source, const std::string& place,
                                         const IsSelected& is_selected);

}  // namespace cli
