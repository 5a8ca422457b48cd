#pragma once
// Which column of one table is which of another.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tconv {

using Names = std::vector<std::string>;

/// The place of each wanted column among those of a table; nothing where the names are others or do not tell.
std::optional<std::vector<std::size_t>> places_of(const Names& wanted, const Names& names);

/// "has no column 'age', which a.csv has", for names of which places_of() finds none.
std::string column_difference(const Names& wanted, const Names& names, const std::string& other);

}  // namespace tconv
