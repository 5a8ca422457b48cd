#pragma once
// Samples by their categories.

#include "nwreg/samples.hpp"

#include <string>
#include <vector>

namespace nwreg {

/// Samples with the same categories; without categories, all.
struct Group {
  std::string name;
  std::vector<std::size_t> rows;
};

/// The groups of x (rows, columns): at most `most`, those with the most samples, in the order of their categories.
std::vector<Group> groups_of(const PreparedSamples& data, const std::vector<double>& x, std::size_t most);

}  // namespace nwreg
