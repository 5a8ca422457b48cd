#pragma once
// generation_config.json: how a published model is meant to choose its tokens.

#include <attn/json/node.hpp>
#include <attn/transformer/description.hpp>
#include <attn/transformer/generation.hpp>

#include <string>
#include <vector>

namespace ATTN_API attn {

/// The fields that say how to generate; old models have them in config.json.
const std::vector<std::string>& generation_fields();

/// Throws Error(data) naming a special token that the vocabulary does not have: generation would never meet it, or
/// could not go on from it. The padding token (-1: none) stands in sources as well.
void expect_known_tokens(const JsonNode& config, std::size_t vocabulary, std::size_t source_vocabulary);

/// Throws Error(data) where use_cache is false and this changes what is generated: transformers then turns all keys as
/// the length of the text says that it has reached, where a cache keeps those of earlier lengths.
void expect_cache(const JsonNode& config, const ModelDescription& model);

/// Sets what the fields say in the names of transformers' GenerationConfig: lengths, beams, sampling, penalties, forced
/// and forbidden tokens. Throws Error(data) naming a field that is out of range, and one that would change the result
/// and is not supported.
void read_generation_fields(const JsonNode& config, std::size_t vocabulary, GenerationParameters& parameters);

/// A generation_config.json: the same, all fields accounted for, and the special tokens of generation.
void read_generation_config(const JsonNode& config, std::size_t vocabulary, GenerationParameters& parameters,
                            SpecialTokens& tokens);

}  // namespace attn
