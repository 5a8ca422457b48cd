#pragma once
// Names of the tensors of layers in PyTorch, for those of Keras and Flax.

#include <attn/core/export.hpp>

#include <string>
#include <utility>
#include <vector>

namespace ATTN_API attn {

/// The module of a tensor, with dots, and its name there.
std::pair<std::string, std::string> parts_of(const std::string& name);

/// The own name of a tensor of a layer for what others call otherwise, such as weight for dense.kernel; empty for other
/// names.
std::string usual_name(const std::string& name);

/// "rename, as in tconv model.h5 --rename d/kernel=d/weight,d/beta=...": for pairs OLD=NEW of tensors in a file.
std::string way_to_rename(const std::string& label, const std::vector<std::string>& renames);

}  // namespace attn
