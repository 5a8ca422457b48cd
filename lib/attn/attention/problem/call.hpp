#pragma once
// One call of attend(): its problem, its engine, and the memory and shapes of its results.

#include <attn/attention/engines/engine.hpp>

#include <memory>

namespace attn {

/// Is the result a softmax of scores? Others have no log-sum-exp.
bool has_lse(const AttentionProblem& problem) noexcept;
/// Throws Error(usage) if the problem has no log-sum-exp.
void expect_lse(const AttentionProblem& problem);

/// Throws Error(data) if there are queries that had no key left, and these are refused.
void expect_keys_left(EmptyRows empty, std::size_t empty_rows);

/// Additions and multiplications of forward over all keys within the ranges of the mask.
double operations_of(const AttentionProblem& problem);

/// The strides of b, h and i in the pooled values.
std::array<std::ptrdiff_t, 3> result_strides(const AttentionSizes& sizes, bool has_heads_last);

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
  /// Do heads lie after queries in the result?
  bool has_heads_last() const;
  /// In a dry run, counts operations_of(): see Execution::only_counts().
  bool only_counts(const Execution& execution) const;
};

/// The memory that an engine writes.
struct CallOutputs {
  explicit CallOutputs(const Call& call);

  AttentionOutputs places();
  /// Zeros, for a dry run.
  void clear();
  /// The pooled values, the log-sum-exp if requested, and the number of empty rows; throws as expect_keys_left().
  AttendResult result(std::size_t empty_rows, const Execution& execution) const;

 private:
  const Call& call_;
  Tensor output_;
  std::optional<Tensor> lse_;  ///< if requested, or if needed to find empty rows
};

}  // namespace attn
