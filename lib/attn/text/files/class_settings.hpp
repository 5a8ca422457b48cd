#pragma once
// What the classes of transformers make anew by tokenizer_config.json, whatever tokenizer.json has.

#include <attn/json/node.hpp>
#include <attn/text/files/folder.hpp>

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace attn::text {

/// Sets the parts that the classes rebuild: the parts of BERT's normaliser (do_lower_case, strip_accents,
/// tokenize_chinese_chars), the space before a text of GPT-2, RoBERTa, Llama, Qwen, ALBERT, CamemBERT and XLM-RoBERTa
/// (add_prefix_space), RoBERTa's offsets (trim_offsets), the normaliser of XLNet and ALBERT (do_lower_case,
/// keep_accents). A missing setting has the default of the class in `family`. PreTrainedTokenizerFast,
/// TokenizersBackend and other kinds leave `components`, a tokenizer.json without its tables, unchanged. `family`:
/// TokenizerFolder::family(), empty if none is named.
void follow_settings(nlohmann::json& components, const JsonNode& settings, const std::string& family);

/// Puts the tokens that the files name as cls_token, sep_token, bos_token and eos_token around a text, where the class
/// does. Throws Error(data) for one that is not in the vocabulary.
void follow_roles(Tokenizer::Pipeline& pipeline, const TokenizerFolder& folder);

}  // namespace attn::text
