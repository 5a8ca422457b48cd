#pragma once
// Rows of scores and weights, computed a few at a time when they are asked for: what --emit writes, without ever
// holding L x S numbers.

#include <attn/attention/problem.hpp>
#include <attn/attention/softmax.hpp>
#include <attn/core/stream.hpp>

#include <memory>

namespace attn {

/// How far along "score, softcap, mask, normalise" a row is looked at.
enum class Stage : std::uint8_t {
  scores,          ///< after scale
  scores_softcap,  ///< and softcap
  scores_masked,   ///< and bias and masks; -inf: takes no part
  weights          ///< and normalised
};

/// How head h of the problem turns scores into weights.
WeightRule weight_rule(const AttentionProblem& problem, std::size_t h);

/// Queries [first, last) of one head at that stage: out (last - first, S), contiguous; T is problem.compute.
template <class T>
void compute_rows(const AttentionProblem& problem, const AttentionEngine& engine, Isa isa, Stage stage, std::size_t b,
                  std::size_t h, std::size_t first, std::size_t last, T* out);

/// All rows at that stage as `dtype` and in `shape`, which has B H L S elements, computed while they are written.
TensorProducer produce_rows(std::shared_ptr<const AttentionProblem> problem, const AttentionEngine& engine,
                            const Execution& execution, Stage stage, DType dtype, Shape shape);

}  // namespace attn
