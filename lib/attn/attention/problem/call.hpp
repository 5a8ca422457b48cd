#pragma once
// One call of attend(): its problem, its engine, and the memory and shapes of its results.

#include <attn/attention/engines/engine.hpp>

#include <memory>

namespace attn {

/// Throws Error(usage) if the problem has no log-sum-exp.
void expect_lse(const AttentionProblem& problem);

/// Additions and multiplications of forward over all keys within the ranges of the mask.
double operations_of(const AttentionProblem& problem);

struct Call {
  const AttendInputs& inputs;
  const AttendParameters& parameters;
  const AttendRequest& request;
  std::shared_ptr<const AttentionProblem> problem;  ///< made of these views
  const AttentionEngine& engine;
  DType stored;  ///< type of the results

  Call(const AttendInputs& inputs, const AttendParameters& parameters, const AttendRequest& request,
       AttentionProblem problem, Engine choice);

  Shape rows(std::size_t width) const {
    return rows_like_query(inputs.query, width, parameters.layout, parameters.heads);
  }
  /// The shape of results with one number for each query.
  Shape leading() const;
  /// In a dry run, counts operations_of(): see Execution::only_counts().
  bool only_counts(const Execution& execution) const;
};

/// The memory that an engine writes.
struct CallOutputs {
  explicit CallOutputs(const Call& call);

  AttentionOutputs places();
  /// Zeros, for a dry run.
  void clear();
  /// The pooled values, the log-sum-exp if requested, and the number of empty rows; throws Error(data) if empty rows
  /// are refused.
  AttendResult result(std::size_t empty_rows, const Execution& execution) const;

 private:
  const Call& call_;
  Tensor output_;
  std::optional<Tensor> lse_;  ///< if requested, or if needed to find empty rows
};

}  // namespace attn
