#pragma once
// Matching the columns of two tables.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tconv {

using Names = std::vector<std::string>;

/// The index of each wanted column among those of a table; nothing if the names differ or are ambiguous.
std::optional<std::vector<std::size_t>> places_of(const Names& wanted, const Names& names);

/// "has no column 'age', which a.csv has", for names of which places_of() finds none.
std::string column_difference(const Names& wanted, const Names& names, const std::string& other);

}  // namespace tconv
