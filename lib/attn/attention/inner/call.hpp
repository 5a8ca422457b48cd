#pragma once
// One call of attend(): its problem, its engine, the memory and shapes of its results, and its keys and values in
// blocks.

#include <attn/attention/attend.hpp>
#include <attn/attention/inner/engine.hpp>

#include <functional>
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
    return rows_like_query(inputs.query, problem->sizes, width, parameters.layout, parameters.heads);
  }
  /// The shape of results with one number for each query.
  Shape leading() const;
  /// The layout of the pooled values, with an axis for packed heads.
  Layout layout() const { return unpacked(parameters.layout, is_packed(inputs.query, parameters.heads)); }
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

// Attention over keys and values from any source, a block at a time: the same tree of states as in one piece, so the
// same bits.

/// Takes keys and values (B or 1, H_kv, rows, d), in any dtype.
using UseBlock = std::function<void(const TensorView& key, const TensorView& value)>;

/// Keys and values in parts.
struct BlockSource {
  /// The end of the block of keys that begins at `first`: a multiple of leaf_keys, or all keys.
  std::function<std::size_t(std::size_t first)> end;
  /// Passes the keys [first, last) and their values to `use`.
  std::function<void(std::size_t first, std::size_t last, const UseBlock& use)> read;
};

/// Blocks of a stored database, which must outlive them.
BlockSource stored_blocks(const StoredDatabase& database, const AttendParameters& parameters);

/// Can blocks compute the request? They give the pooled values, except of the normaliser `hard`, and the log-sum-exp;
/// all other results need all keys of a query at once.
bool is_for_blocks(const AttendInputs& inputs, const AttendParameters& parameters, const AttendRequest& request,
                   const Execution& execution);

/// Bytes of the state of every query.
std::size_t bytes_of_states(const AttentionSizes& sizes);

/// Bytes of a key and its value, of all batches and heads.
std::size_t bytes_of_key(const AttentionSizes& sizes, DType dtype);

/// The state of some keys, whole leaves, for a problem without keys. Reports each block to execution.progress, and
/// passes its problem to `see`.
AttentionState fold_blocks(const Call& call, const BlockSource& source, const KeyRange& keys,
                           const std::function<void(const AttentionProblem&)>& see, const Execution& execution);

/// attend() for a problem without keys. Reports each block to execution.progress.
AttendResult attend_in_blocks(const Call& call, const BlockSource& source, const Execution& execution);

/// Keys and values that cannot be used in place, because they follow a past or their dtypes differ: converted a block
/// at a time if that needs less memory. Blocks of the views, which must outlive them; none if keys and values are used
/// in place or converted at once.
std::optional<BlockSource> joined_blocks(const ProblemViews& views);

}  // namespace attn
