#pragma once
// A source whose tensors are the values that its attributes mean, beside one that has what is stored.

#include <attn/core/stream.hpp>

#include <functional>
#include <memory>
#include <string>

namespace attn::io {

/// Reads the values of `stored`, which stored() gives. `note` is told what is not certain, once for each dataset that
/// is read.
std::unique_ptr<Source> decoded_source(std::unique_ptr<Source> stored, std::function<void(const std::string&)> note);

}  // namespace attn::io
