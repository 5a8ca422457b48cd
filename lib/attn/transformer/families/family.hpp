#pragma once
// The model families: each is a function from config.json to a description, in a file of its own.

#include <attn/transformer/description.hpp>

namespace attn {

/// Larger numbers in a configuration are mistakes: no model comes near, and tables of names stay small.
inline constexpr std::int64_t largest_extent = 1 << 24, most_layers = 4096;

struct Family {
  const char* model_type;
  ModelDescription (*describe)(const Settings& config);
};

/// The encoder-decoder of Vaswani et al. 2017 as PyTorch's nn.Transformer wires it.
ModelDescription describe_transformer(const Settings& config);

}  // namespace attn
