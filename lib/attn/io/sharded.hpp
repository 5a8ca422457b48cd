#pragma once
// Weights in several files with an index.

#include <attn/core/source_sink.hpp>

#include <memory>
#include <string>

namespace ATTN_API attn {
namespace io {

/// All tensors of a model.safetensors.index.json: its "weight_map" names the file of each, in the same folder. Files
/// are mapped, not copied. Throws Error(input) that names a missing file or one that lacks a tensor, Error(data) for an
/// index that contradicts its files.
std::unique_ptr<Source> open_shards(const std::string& index_path);

}  // namespace io
}  // namespace attn
