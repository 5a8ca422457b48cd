#pragma once
// Checks and resolves the caller's score, masks and numbers of each head, for make_problem() and other users of masks.

#include <attn/attention/problem.hpp>

namespace ATTN_API attn {

ScoreRule score_rule(const AttendInputs& in, const AttendParameters& p, const AttentionSizes& n);

/// All masks and biases of the inputs, for queries after `past` keys; biases are stored as `compute`.
Mask make_mask(const AttendInputs& in, const AttendParameters& p, const AttentionSizes& n, std::size_t past,
               DType compute);

/// The tensors that make_mask() adds to the scores, in the order of Mask::biases().
std::vector<std::optional<TensorView> AttendInputs::*> added_tensors(const AttendInputs& in, const AttendParameters& p);

/// The numbers of a tensor (H).
std::vector<double> per_head(const TensorView& given, const char* name, std::size_t heads);

/// Throws for options that change logits, because a kernel's value is a weight and not a logit.
void refuse_logit_options(const AttendInputs& in, const AttendParameters& p, const Mask& mask);

}  // namespace attn
