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

/// Those of a part of a tensor: the names of its columns go with them.
attn::Attributes attributes_of(const attn::Source& source, const std::string& name, const attn::Slab& part,
                               const Note& note);

/// Where a part of the last axis is taken, the attribute "columns" becomes the names of that part; none where the axis
/// is dropped.
void keep_columns(attn::Attributes& attributes, const attn::AxisSlab& part);

}  // namespace cli
