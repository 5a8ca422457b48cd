#pragma once
// A readable table of a model: its stages with their parameters and FLOPs.

#include <attn/transformer/stages.hpp>

#include <string>
#include <vector>

namespace transformer_run {

/// One line for each stage, with its parameters and FLOPs per token, its tensors below it, and totals at the end.
std::vector<std::string> list_model(const attn::ModelDescription& model, const attn::Weights& weights);

}  // namespace transformer_run
