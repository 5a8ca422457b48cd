#pragma once
// What tconv does to tensors between reading and writing, in the order of its options.

#include <attn/core/stream.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tconv {

/// A tensor on its way through.
struct Item {
  std::string name;
  attn::TensorView tensor;
  attn::Attributes attributes;
};

struct Changes {
  bool transpose = false;           ///< the last two axes
  std::vector<std::int64_t> axes;   ///< their order; empty: as they are
  std::vector<std::int64_t> shape;  ///< empty: as it is
  std::optional<std::int64_t> stack, concat, split;
  std::size_t parts = 0;            ///< of --split; 0: one for each index, without the axis
  std::vector<std::string> rename;  ///< "OLD=NEW"
};

/// All of them. Throws Error(usage) for changes that exclude each other and axes that are not there, Error(data) for
/// shapes that do not go together, Error(input) for a name that no item has.
void change(std::vector<Item>& items, const Changes& changes, std::optional<attn::DType> dtype);

}  // namespace tconv
