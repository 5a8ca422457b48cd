#pragma once
// The results of a tool.

#include <attn/core/source_sink.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cli {

/// One dataset of a result.
struct Result {
  std::string name;  ///< empty: the main result, named by the output operand
  attn::TensorView tensor;
  attn::Attributes attributes = {};
  std::optional<attn::TensorProducer> producer = {};  ///< instead of `tensor`: computed while written

  attn::DType dtype() const { return producer ? producer->dtype : tensor.dtype; }
  const attn::Shape& shape() const { return producer ? producer->shape : tensor.shape; }
};

using attn::GroupAttributes;

}  // namespace cli
