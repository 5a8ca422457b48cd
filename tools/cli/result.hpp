#pragma once
// What a tool hands over: results, and before them what computing them will cost.

#include <attn/core/stream.hpp>

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
  std::optional<attn::TensorProducer> producer = {};  ///< instead of `tensor`: computed while it is written

  attn::DType dtype() const { return producer ? producer->dtype : tensor.dtype; }
  const attn::Shape& shape() const { return producer ? producer->shape : tensor.shape; }
};

using attn::GroupAttributes;

/// What a run will write and need, known from the shapes of its inputs alone.
struct Plan {
  std::vector<attn::TensorInfo> results;        ///< an empty name: the main result
  double flops = 0;                             ///< additions and multiplications; an exponential counts as one
  std::size_t memory = 0;                       ///< bytes beside inputs and results
  std::vector<attn::TensorInfo> scanned = {};   ///< inputs that are read one after the other, beside those that were
  std::size_t scanned_at_once = 0;              ///< the most bytes of them that are looked at at a time
  std::vector<attn::TensorInfo> streamed = {};  ///< results that are computed while they are written
  std::vector<attn::TensorInfo> ready = {};     ///< results that are in memory already, or that `memory` counts
  std::string fix = {};                         ///< how to need less memory
  GroupAttributes groups = {};                  ///< what is said of groups, where it comes from inputs
};

}  // namespace cli
