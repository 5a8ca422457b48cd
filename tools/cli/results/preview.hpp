#pragma once
// Tensors for the eye: what standard output gets instead of binary data when it is a terminal.

#include <attn/core/tensor.hpp>

#include <string>

namespace cli {

/// Name, dtype, shape, range and the corners of a tensor, as lines of text.
std::string preview(const attn::TensorView& x, const std::string& name);

}  // namespace cli
