#pragma once
// A preview of tensors, printed on a terminal instead of binary data.

#include <attn/core/tensor.hpp>

#include <string>

namespace cli {

/// Name, dtype, shape, range and the corners of a tensor, as lines of text.
std::string preview(const attn::TensorView& x, const std::string& name);

}  // namespace cli
