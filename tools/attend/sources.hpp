#pragma once
// Where the tensors of attend come from.

#include "attend/options.hpp"

namespace attend_tool {

/// -q, -k or -v as given, else INPUT, else standard input if none of them is given.
cli::Input source_of(const cli::OptionalInput& input, const Options& options);

/// The file of keys or values, if --max-memory may require reading them in blocks, or if a shard reads its own.
std::optional<attn::StoredTensor> stored(const cli::OptionalInput& input, const Options& options, cli::Inputs& inputs);

/// A tensor that stays in its file, by name, dtype and shape.
attn::TensorView unread(const attn::StoredTensor& stored);

}  // namespace attend_tool
