#pragma once
// One call of attend(): its problem, its engine, and the memory and shapes of what comes out.

#include <attn/attention/engines/engine.hpp>
#include <attn/attention/engines/fused/engine.hpp>

#include <memory>

namespace attn {

struct Call {
  const AttendInputs& inputs;
  const AttendParameters& parameters;
  const AttendRequest& request;
  std::shared_ptr<const AttentionProblem> problem;  ///< that is made of these
  const AttentionEngine& engine;
  DType stored;  ///< what results are returned as

  Call(const AttendInputs& inputs, const AttendParameters& parameters, const AttendRequest& request,
       AttentionProblem problem, Engine choice);

  Shape rows(std::size_t width) const {
    return rows_like_query(inputs.query, width, parameters.layout, parameters.heads);
  }
  /// Of what has one number for each query.
  Shape leading() const;
  /// In a dry run counts all scores and sums, of the keys that ranges of the mask leave: see Execution::only_counts().
  bool only_counts(const Execution& execution) const;
};

/// What an engine writes into.
struct CallOutputs {
  explicit CallOutputs(const Call& call);

  AttentionOutputs places();
  /// Zeros, where nothing is computed.
  void clear();
  /// The pooled values, the log-sum-exp where it was asked for, and the count; throws Error(data) where empty rows are
  /// refused.
  AttendResult result(std::size_t empty_rows, const Execution& execution) const;

 private:
  const Call& call_;
  Tensor output_;
  std::optional<Tensor> lse_;  ///< where it was asked for, or says which rows have no key left
};

}  // namespace attn
