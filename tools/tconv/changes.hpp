#pragma once
// Changes of tensors between reading and writing, in the order of the options, with their attributes: names of columns
// follow their columns, other attributes stay.

#include "cli/result.hpp"
#include "cli/results/companions.hpp"

#include <attn/core/source_sink.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tconv {

/// A tensor that is being converted.
struct Item {
  std::string name;
  attn::TensorView tensor;  ///< without elements, if `producer` has them
  attn::Attributes attributes;
  std::size_t input = 0;                              ///< number of its operand
  std::string source;                                 ///< its file, for messages
  bool is_column = false;                             ///< of a table that is one dataset for each column
  bool is_of_text = false;                            ///< text has no types
  std::shared_ptr<const cli::MainInput> before = {};  ///< as it was before --slab, for --keep-input
  std::optional<attn::TensorProducer> producer = {};  ///< of a large tensor, of which no more than the type changes
  std::vector<cli::Coordinate> coordinates = {};      ///< of its axes
};

using Renames = std::vector<std::pair<std::string, std::string>>;  ///< old and new names

/// Adds those of "OLD=NEW,..."; a backslash escapes a comma, an equals sign or a backslash. Slashes at the ends of a
/// new name are removed, as in operands. Throws Error(usage) for anything else.
void add_renames(std::string_view list, Renames& renames);

struct Changes {
  bool transpose = false;           ///< the last two axes
  std::vector<std::int64_t> axes;   ///< their order; empty: unchanged
  std::vector<std::int64_t> shape;  ///< empty: unchanged
  std::optional<std::int64_t> stack, concat, split;
  std::size_t parts = 0;  ///< parts of --split; 0: one for each index, without the axis
  Renames rename;

  bool any() const { return transpose || !axes.empty() || !shape.empty() || joins() || split || !rename.empty(); }
  bool joins() const { return stack || concat; }
};

/// Makes all changes; `note` receives what joining does not keep. Throws Error(usage) for changes that exclude each
/// other and for missing axes, Error(data) for shapes that do not match, Error(input) for a name that no item has.
void change(std::vector<Item>& items, const Changes& changes, std::optional<attn::DType> dtype, const cli::Note& note);

/// The name of a part of a tensor with these attributes: that of the whole, or for one column of a table that of the
/// column, if it has one.
std::string name_of_part(const attn::Source& source, const std::string& name, const attn::Attributes& attributes);

/// Is an item of a source one column of a table of several datasets, or selected from a table?
bool is_column(const attn::Source& source, const Item& item);

}  // namespace tconv
