#pragma once
// Dates in forms that are not read as numbers, in messages.

#include <attn/core/export.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace ATTN_API attn {

/// How a user can turn a column of these texts into dates that are read as numbers: the command if all have one form
/// that it converts, else how dates are written. Empty for other text than dates. name: of the tensor,
/// FILE:/COLUMN; empty for a matrix.
std::string way_of_dates(const std::vector<std::string_view>& texts, const std::string& name);

}  // namespace attn
