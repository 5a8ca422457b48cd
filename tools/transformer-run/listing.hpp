#pragma once
// A model as a table for the eye: its stages, what they weigh and what they cost.

#include <attn/transformer/stages.hpp>

#include <string>
#include <vector>

namespace transformer_run {

/// One line a stage with its parameters and FLOPs a token, its tensors below it, and the sums at the end.
std::vector<std::string> list_model(const attn::ModelDescription& model, const attn::Weights& weights);

}  // namespace transformer_run
