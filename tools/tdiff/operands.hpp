#pragma once
// Options of tdiff, the meaning of the two operands, and the matching of the tensors of two files.

#include "cli/command.hpp"
#include "cli/inputs.hpp"
#include "cli/results/difference.hpp"

#include <attn/core/shape.hpp>
#include <attn/core/source_sink.hpp>

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tdiff {

struct Options {
  std::vector<std::string> operands;
  cli::Tolerance tolerance;
  bool strict = false;
  bool by_position = false;                  ///< columns of tables
  std::vector<std::string> exclude;          ///< globs of tensors and columns
  mutable std::set<std::string> that_fit{};  ///< those that were found to leave out something
  cli::Output output;
  struct Part {
    std::string text;
    attn::Slab axes;
  };
  Part slabs[2];  ///< of the tensors of A and of B
};

/// Does --exclude leave out a tensor or a column of this name?
bool is_excluded(const Options& o, const std::string& name);

/// The tensors of a source, or of a group in it, and the part of each that is compared.
struct Collection {
  attn::Source* source;
  std::string group;  ///< its path; empty: the whole source
  Options::Part part;
  std::vector<std::string> tensors;  ///< their names, in the order of the file

  bool holds(const std::string& name) const;
  /// The name of a member, relative to the group.
  std::string inner(const std::string& name) const;
};

/// The names to compare: pairs of tensors, and tensors of only one side.
struct Matching {
  std::vector<std::pair<std::string, std::string>> both;
  std::vector<std::string> only_a, only_b;
};

/// Two collections of one tensor each match under any names, and so do columns of tables by position or without names;
/// otherwise the names inside them decide.
Matching match(const Collection& a, const Collection& b, bool by_position);

/// "rename, as in tconv ...", if names of only one side are those of Keras or Flax for names of the other; else empty.
std::string way_to_match(const Collection& a, const Collection& b, const Matching& matching);

/// The owner of attributes: a tensor or a group of a source, or with an empty name the whole source.
struct Place {
  const attn::Source* source;
  std::string name;
  bool is_there = true;

  /// "a.h5:/x@units".
  std::string text(const std::string& attribute) const {
    return source->label() + (name.empty() ? "" : ":/" + name) + "@" + attribute;
  }
};

/// The tensors of the file or group that operand A (0) or B (1) names; nothing if it names one tensor or a part.
std::optional<Collection> collection_of(const Options& o, std::size_t side, cli::Inputs& inputs);

/// The dtype of the tensor of an operand, before it is read.
attn::DType dtype_of(const std::string& text, cli::Inputs& inputs);

/// The name of a tensor, or of the part of it that is compared.
std::string called(const std::string& name, const std::string& slab);

/// The tensor of operand A (0) or B (1).
attn::TensorView read_operand(const Options& o, std::size_t side, std::optional<attn::DType> beside,
                              cli::Inputs& inputs);

/// The names by which columns of operand A (0) or B (1) are matched and excluded.
std::vector<std::string> names_to_match(const Options& o, std::size_t side, cli::Inputs& inputs);

/// The dataset of an operand; nothing for a literal.
std::optional<Place> place_of(const std::string& text, cli::Inputs& inputs);

/// Null for a literal.
attn::Source* source_of(const std::string& text, cli::Inputs& inputs);

}  // namespace tdiff
