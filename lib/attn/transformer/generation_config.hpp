#pragma once
// generation_config.json: the parameters of generation of a published model.

#include <attn/json/node.hpp>
#include <attn/transformer/description.hpp>
#include <attn/transformer/generation.hpp>

#include <string>
#include <vector>

namespace ATTN_API attn {

/// The fields of generation; old models have them in config.json.
const std::vector<std::string>& generation_fields();

/// Throws Error(data) that names a special token outside the vocabulary: generation would never meet it, or could not
/// continue from it. The padding token (-1: none) also occurs in sources.
void expect_known_tokens(const JsonNode& config, std::size_t vocabulary, std::size_t source_vocabulary);

/// Throws Error(data) if use_cache is false and this changes the result: transformers then rotates all keys by the
/// present length of the text, whereas a cache keeps those of earlier lengths.
void expect_cache(const JsonNode& config, const ModelDescription& model);

/// Reads the fields of transformers' GenerationConfig: lengths, beams, sampling, penalties, forced and forbidden
/// tokens. Throws Error(data) that names a field out of range, or an unsupported field that would change the result.
void read_generation_fields(const JsonNode& config, std::size_t vocabulary, GenerationParameters& parameters);

/// The same for a generation_config.json, with all fields accounted for and the special tokens of generation.
void read_generation_config(const JsonNode& config, std::size_t vocabulary, GenerationParameters& parameters,
                            SpecialTokens& tokens);

/// The parameters of a file without those that only matter to sampling or to beams, where what is `asked` has neither.
GenerationParameters without_idle(GenerationParameters of_file, const GenerationParameters& asked);

}  // namespace attn
