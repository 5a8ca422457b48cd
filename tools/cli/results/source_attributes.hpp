#pragma once
// The attributes copied with a tensor, whole or in part.

#include <attn/core/shape.hpp>
#include <attn/core/source_sink.hpp>

#include <functional>
#include <string>

namespace cli {

using Note = std::function<void(const std::string& text)>;

/// The attributes of a tensor, a group or the file; a note names those that cannot be copied.
attn::Attributes attributes_of(const attn::Source& source, const std::string& name, const Note& note);

/// The attributes of a part of a tensor. The attribute "columns", with a name for each index of the last axis of a
/// matrix, becomes the names of the part's columns: one name for a single column, none for a row.
attn::Attributes attributes_of(const attn::Source& source, const std::string& name, const attn::Slab& part,
                               const Note& note);

}  // namespace cli
