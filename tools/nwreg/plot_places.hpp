#pragma once
// Where the pictures of a fit show it.

#include <attn/core/tensor.hpp>

#include <optional>
#include <vector>

namespace nwreg {

/// Column j of a table.
std::vector<double> column_of(const std::vector<double>& table, std::size_t columns, std::size_t j);
/// From the first of the samples or queries to the last; `columns` and j: those of the queries.
std::vector<double> range_over(const std::vector<double>& samples, const std::optional<attn::TensorView>& queries,
                               std::size_t columns, std::size_t j, std::size_t points);

}  // namespace nwreg
