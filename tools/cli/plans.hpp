#pragma once
// What computing costs, from shapes alone: for --dry-run and --max-memory.

#include "cli/result.hpp"

#include <attn/attention/attend.hpp>
#include <attn/core/execution.hpp>
#include <attn/layers/weights.hpp>

namespace cli {

/// A result of the shape of x, with so many operations for each element, and what is converted for them.
Plan elementwise_plan(const attn::TensorView& x, double operations);

/// Vectors through weight matrices, computed in `compute`: x with `width` columns, and 2 FLOP for each element of a
/// weight and each row. Counts what is prepared of the weights.
Plan product_plan(const attn::TensorView& x, std::size_t width, const std::vector<attn::TensorView>& weights,
                  attn::DType compute, const attn::Execution& execution);

/// Attention: 2 L S (d + d_v) + 4 L S FLOP for each head, the latter for the softmax.
/// Throws what attend() throws for shapes that do not fit.
Plan attention_plan(const attn::AttendInputs& inputs, const attn::AttendParameters& parameters);

/// Multi-head attention of x over key: half of the weights see each, and each query sees all keys.
Plan multi_head_plan(const attn::TensorView& x, const attn::TensorView& key, double weights, attn::DType compute);

/// Ids into rows of a table (vocabulary, d), as vectors of that type.
Plan embedding_plan(const attn::TensorView& ids, const attn::TensorView& table, attn::DType vectors);

/// A sum over all keys for each query: what methods that are cleverer stay below. In memory samples, queries and
/// results once more, in order, and where each was.
Plan regression_plan(const attn::TensorView& x, const attn::TensorView& y, const attn::TensorView& queries);

/// Bytes of a copy of so many elements in another type; 0 where none is made.
std::size_t converted_bytes(std::size_t count, attn::DType from, attn::DType to);

/// Bytes of the elements.
std::size_t bytes_of(const attn::TensorInfo& info);

/// Elements of all matrices below a prefix.
double matrix_elements(const attn::Weights& weights);

}  // namespace cli
