#pragma once
// The results of a tool.

#include <attn/core/source_sink.hpp>

#include <functional>
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

/// May a number of one dtype have no value in the other? Then it is checked before anything is written.
bool may_fail(attn::DType from, attn::DType to);
/// The same numbers in another dtype, converted while they are written.
attn::TensorProducer converted(const attn::TensorProducer& producer, attn::DType dtype);
/// The same elements, shown to `see` in parts of one axis while they are written, and then `end`.
attn::TensorProducer watched(const attn::TensorProducer& producer,
                             std::function<void(const attn::TensorView& part)> see, std::function<void()> end);

}  // namespace cli
