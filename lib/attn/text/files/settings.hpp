#pragma once
// tokenizer_config.json beside a tokenizer.json that says something else.

#include <attn/json/node.hpp>

#include <string>

namespace attn::text {

/// Sets what the classes of transformers build anew from tokenizer_config.json: the parts of BERT's normaliser
/// (do_lower_case, strip_accents, tokenize_chinese_chars), GPT-2's, RoBERTa's and Llama's space in front of a text
/// (add_prefix_space), RoBERTa's offsets (trim_offsets), XLNet's normaliser (do_lower_case). A setting that is missing
/// has the default of the class that `family` names; PreTrainedTokenizerFast, TokenizersBackend and other kinds of
/// components leave `components`, a tokenizer.json without its tables, as it is. `family`: TokenizerFolder::family(),
/// empty where nothing names one.
void follow_settings(nlohmann::json& components, const JsonNode& settings, const std::string& family);

}  // namespace attn::text
