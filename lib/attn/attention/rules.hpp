#pragma once
// What the caller asked for, checked and made concrete: score, masks and what is given for each head. For
// make_problem(), and for whatever else takes masks.

#include <attn/attention/problem.hpp>

namespace ATTN_API attn {

ScoreRule score_rule(const AttendInputs& in, const AttendParameters& p, const AttentionSizes& n);

/// All masks and biases of the inputs, for queries behind `past` keys; biases are kept as `compute`.
Mask make_mask(const AttendInputs& in, const AttendParameters& p, const AttentionSizes& n, std::size_t past,
               DType compute);

/// (H) numbers of a tensor of that many.
std::vector<double> per_head(const TensorView& given, const char* name, std::size_t heads);

/// A kernel's value is a weight already: what shifts or bends logits means nothing to it.
void refuse_logit_options(const AttendInputs& in, const AttendParameters& p, const Mask& mask);

}  // namespace attn
