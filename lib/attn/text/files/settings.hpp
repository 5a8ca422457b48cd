#pragma once
// Settings of tokenizer_config.json that override a tokenizer.json.

#include <attn/json/node.hpp>

#include <string>

namespace attn::text {

/// Sets the parts that the classes of transformers rebuild from tokenizer_config.json: the parts of BERT's normaliser
/// (do_lower_case, strip_accents, tokenize_chinese_chars), GPT-2's, RoBERTa's and Llama's space before a text
/// (add_prefix_space), RoBERTa's offsets (trim_offsets), XLNet's normaliser (do_lower_case). A missing setting has the
/// default of the class in `family`. PreTrainedTokenizerFast, TokenizersBackend and other kinds leave `components`, a
/// tokenizer.json without its tables, unchanged. `family`: TokenizerFolder::family(), empty if none is named.
void follow_settings(nlohmann::json& components, const JsonNode& settings, const std::string& family);

}  // namespace attn::text
