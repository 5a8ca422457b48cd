#pragma once
// A part of the work of one of many machines: --shard I/N.

#include "cli/command.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace cli {

/// Part `index` of `count`, from 1 on.
struct Shard {
  std::size_t index = 1, count = 1;

  std::string text() const { return std::to_string(index) + "/" + std::to_string(count); }
  /// Where the part begins and ends among n things.
  std::size_t first_of(std::size_t n) const { return boundary(index - 1, n); }
  std::size_t end_of(std::size_t n) const { return boundary(index, n); }

 private:
  std::size_t boundary(std::size_t i, std::size_t n) const;
};

/// `what` completes "I/N: compute part I of N ...".
void add_shard(Command& command, std::optional<Shard>& shard, const std::string& what);

}  // namespace cli
