#pragma once
// Rows of scores and weights, computed a few at a time on request: --emit writes them without holding L x S numbers.

#include <attn/attention/engines/engine.hpp>
#include <attn/attention/engines/normalizer.hpp>
#include <attn/core/source_sink.hpp>

#include <memory>

namespace attn {

/// How head h of the problem turns scores into weights.
WeightRule weight_rule(const AttentionProblem& problem, std::size_t h);

/// x (b, h, first .. last, :) in f64, as a tensor of one head.
TensorView widened_rows(const TensorView& x, std::size_t b, std::size_t h, std::size_t first, std::size_t last);

/// The key nearest to a query among those that are not excluded, by distance for kernels, else by score; none if all
/// are excluded.
std::optional<std::size_t> nearest_key(const AttentionProblem& problem, const AttentionEngine& engine, Isa isa,
                                       std::size_t b, std::size_t h, std::size_t i);

/// Queries [first, last) of one head at that stage: out (last - first, S), contiguous. T is problem.compute, or double:
/// rows of f32 whose scores exceed its range are computed in double and rounded at the end.
template <class T>
void compute_rows(const AttentionProblem& problem, const AttentionEngine& engine, Isa isa, Stage stage, std::size_t b,
                  std::size_t h, std::size_t first, std::size_t last, T* out);

/// The `top` largest weights of each query, largest first, ties by key, and their keys; 0 and -1 if fewer are left.
/// weights (B, H, L, top), problem.compute elements; keys the same shape.
void top_weights(const AttentionProblem& problem, const AttentionEngine& engine, const Execution& execution,
                 std::size_t top, void* weights, std::int64_t* keys);

/// All rows at that stage as `dtype` and in `shape`, which has B H L S elements, computed while they are written.
TensorProducer produce_rows(std::shared_ptr<const AttentionProblem> problem, const AttentionEngine& engine,
                            const Execution& execution, Stage stage, DType dtype, Shape shape);

}  // namespace attn
