#pragma once
// What a file holds: names, shapes, dtypes, attributes and statistics, for people and for scripts.

#include <attn/core/stream.hpp>

#include <string>
#include <vector>

namespace tconv {

/// Lines: a table of the tensors, attributes under theirs as "  @units = m". With `values`, their statistics too, which
/// reads them.
std::string listing(attn::Source& source, const std::vector<attn::TensorInfo>& tensors, bool values);
std::string listing_json(attn::Source& source, const std::vector<attn::TensorInfo>& tensors, bool values);

}  // namespace tconv
