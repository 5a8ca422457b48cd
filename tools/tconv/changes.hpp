#pragma once
// What tconv does to tensors between reading and writing, in the order of its options.

#include <attn/core/stream.hpp>
#include "cli/results/companions.hpp"
#include "cli/results/source_attributes.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tconv {

/// A tensor on its way through.
struct Item {
  std::string name;
  attn::TensorView tensor;
  attn::Attributes attributes;
  std::size_t input = 0;                              ///< the number of the operand that it came with
  std::string source;                                 ///< for messages: the file that it is of
  bool is_column = false;                             ///< of a table that is one dataset for each column
  bool is_of_text = false;                            ///< which says nothing of types
  std::shared_ptr<const cli::MainInput> before = {};  ///< as it was before --slab, where --keep-input asks for it
};

using Renames = std::vector<std::pair<std::string, std::string>>;  ///< old and new names

/// "OLD=NEW,..."; a backslash takes a comma, an equals sign or a backslash behind it into a name. Slashes at the ends
/// of a new name are no part of it, as in operands. Throws Error(usage) for what is none.
Renames parse_renames(std::string_view list);

struct Changes {
  bool transpose = false;           ///< the last two axes
  std::vector<std::int64_t> axes;   ///< their order; empty: as they are
  std::vector<std::int64_t> shape;  ///< empty: as it is
  std::optional<std::int64_t> stack, concat, split;
  std::size_t parts = 0;  ///< of --split; 0: one for each index, without the axis
  Renames rename;

  bool any() const { return transpose || !axes.empty() || !shape.empty() || joins() || split || !rename.empty(); }
  bool joins() const { return stack || concat; }
};

/// All of them; `note` is told what joining does not keep. Throws Error(usage) for changes that exclude each other and
/// axes that are not there, Error(data) for shapes that do not go together, Error(input) for a name that no item has.
void change(std::vector<Item>& items, const Changes& changes, std::optional<attn::DType> dtype, const cli::Note& note);

}  // namespace tconv
