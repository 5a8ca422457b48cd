#pragma once
// What goes along when a tensor is copied from a source, whole or in part.

#include <attn/core/slab.hpp>
#include <attn/core/stream.hpp>

#include <functional>
#include <string>

namespace cli {

using Note = std::function<void(const std::string& text)>;

/// The attributes of a tensor, a group or all; notes which of them are no tensors and stay behind.
attn::Attributes attributes_of(const attn::Source& source, const std::string& name, const Note& note);

/// Those of a part of a tensor. The attribute "columns" with a name for each index of the last axis of a matrix becomes
/// the names of the part's columns: of one column that is a vector, its name; of a row, none.
attn::Attributes attributes_of(const attn::Source& source, const std::string& name, const attn::Slab& part,
                               const Note& note);

}  // namespace cli
