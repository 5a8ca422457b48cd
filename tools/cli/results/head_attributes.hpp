#pragma once
// Attributes of heads that the next stage reads; its options override them.

#include "cli/inputs.hpp"
#include "cli/result.hpp"

#include <attn/attention/parameters.hpp>

namespace cli {

struct HandedOn {
  attn::Attributes queries, keys_and_values;
};

/// score_scale for queries, if the scale is not the default; heads_layout for all heads without a batch axis, because
/// three axes otherwise mean (B, L, d).
HandedOn handed_on(const attn::AttendParameters& parameters, bool has_batch);

/// The attribute score_scale of queries. Throws Error(data) if it is not one number.
std::optional<double> handed_scale(const Input& queries, Inputs& inputs);

/// Does heads_layout say heads-first, (H, L, d)? Throws Error(data) for any other value.
bool are_handed_heads_first(const Input& heads, Inputs& inputs);

/// Both attributes of a tensor, for the tensor made from it.
attn::Attributes handed_along(const Input& heads, Inputs& inputs);

/// A line for each of these attributes that a format without attributes of tensors loses, with the option that
/// replaces it.
std::vector<std::string> handed_on_in_vain(const std::vector<Result>& results);

}  // namespace cli
