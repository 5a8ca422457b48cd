#pragma once
// One call of attend(): its problem, its engine, and the memory and shapes of what comes out. Private to attend().

#include <attn/attention/fused.hpp>
#include <attn/attention/problem.hpp>

#include <memory>

namespace attn {

struct Call {
  std::shared_ptr<const AttentionProblem> problem;
  const AttentionEngine& engine;
  TensorView query;  ///< as it was given
  Layout layout;
  std::optional<std::size_t> packed_heads;  ///< of a query whose heads are side by side
  DType stored;                             ///< what results are returned as

  Call(const AttendInputs& inputs, const AttendParameters& parameters, const AttendRequest& request, Engine choice);
  /// Of a problem that is made of these.
  Call(AttentionProblem problem, const AttendInputs& inputs, const AttendParameters& parameters,
       const AttendRequest& request, Engine choice);

  Shape rows(std::size_t width) const { return rows_like_query(query, width, layout, packed_heads); }
  /// Of what has one number for each query.
  Shape leading() const;
  /// Additions and multiplications of all scores and sums, of the keys that ranges of the mask leave; an exponential
  /// counts as one.
  double operations() const;
};

/// What an engine writes into.
struct CallOutputs {
  CallOutputs(const Call& call, const AttendRequest& request);

  AttentionOutputs places();
  /// Zeros, where nothing is computed.
  void clear();
  /// The pooled values, the log-sum-exp where it was asked for, and the count; throws Error(data) where empty rows are
  /// refused.
  AttendResult result(std::size_t empty_rows, const Execution& execution) const;

 private:
  const Call& call_;
  bool returns_lse_;
  Tensor output_;
  std::optional<Tensor> lse_;  ///< where it was asked for, or says which rows have no key left
};

}  // namespace attn
