// The table of the families, and of model types that are others under another name.

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/transformer/families/family.hpp>

#include <algorithm>
#include <iterator>

namespace attn {
namespace {

constexpr Family families[] = {
    {"transformer", "", describe_transformer, "{}", "", "", R"({"d_model": 8, "nhead": 1, "dim_feedforward": 8,
     "activation": "relu", "layer_norm_eps": 1e-5, "norm_first": false, "num_encoder_layers": 1,
     "num_decoder_layers": 1, "max_position_embeddings": 8, "position_embedding_type": "sinusoidal",
     "tie_word_embeddings": true, "scale_embedding": true, "vocab_size": 8, "decoder_start_token_id": 0})"},
    {"bert", "Bert", describe_bert, "{}", "LMHeadModel"},
    {"roberta", "Roberta", describe_roberta, R"({"vocab_size": 50265})"},
    {"xlm-roberta", "XLMRoberta", describe_roberta},
    {"camembert", "Camembert", describe_roberta},
    {"mpnet", "MPNet", describe_mpnet, R"({"vocab_size": 30527})"},
    {"electra", "Electra", describe_electra, R"({"hidden_size": 256, "num_attention_heads": 4,
     "intermediate_size": 1024})"},
    {"albert", "Albert", describe_albert, R"({"vocab_size": 30000, "hidden_size": 4096, "num_attention_heads": 64,
     "intermediate_size": 16384, "hidden_act": "gelu_new"})"},
    {"modernbert", "ModernBert", describe_modernbert},
    {"data2vec-text", "Data2VecText", describe_roberta},
    {"distilbert", "DistilBert", describe_distilbert},
    {"gpt2", "GPT2", describe_gpt2, "{}", "LMHeadModel"},
    {"llama", "Llama", describe_llama},
    {"mistral", "Mistral", describe_mistral, R"({"intermediate_size": 14336, "num_key_value_heads": 8,
     "max_position_embeddings": 131072, "sliding_window": 4096})"},
    {"qwen2", "Qwen2", describe_qwen2, R"({"vocab_size": 151936, "intermediate_size": 22016,
     "num_key_value_heads": 32, "max_position_embeddings": 32768})"},
    {"qwen3", "Qwen3", describe_qwen3, R"({"vocab_size": 151936, "intermediate_size": 22016, "head_dim": 128,
     "num_key_value_heads": 32, "max_position_embeddings": 32768})"},
    {"gemma3_text", "Gemma3", describe_gemma3, R"({"vocab_size": 262208, "hidden_size": 2304,
     "intermediate_size": 9216, "num_hidden_layers": 26, "num_attention_heads": 8, "num_key_value_heads": 4,
     "head_dim": 256, "hidden_activation": "gelu_pytorch_tanh", "max_position_embeddings": 131072, "pad_token_id": 0,
     "eos_token_id": 1, "bos_token_id": 2, "rope_theta": 1e6, "query_pre_attn_scalar": 256, "sliding_window": 4096,
     "tie_word_embeddings": true})"},
    {"bart", "Bart", describe_bart},
    {"marian", "Marian", describe_marian, R"({"vocab_size": 58101, "activation_function": "gelu", "pad_token_id": 58100,
     "bos_token_id": 58100, "eos_token_id": 0, "decoder_start_token_id": 58100, "forced_eos_token_id": 0})",
     "ForCausalLM", "MTModel"},
    {"t5", "T5", describe_t5},
    {"mt5", "MT5", describe_t5, R"({"vocab_size": 250112, "d_ff": 1024, "num_layers": 8, "num_heads": 6,
     "feed_forward_proj": "gated-gelu", "scale_decoder_outputs": false})"},
    {"vit", "ViT", describe_vit},
    {"timesformer", "Timesformer", describe_timesformer},
    {"xlnet", "XLNet", describe_xlnet, "{}", "LMHeadModel"},
    {"clip", "CLIP", describe_clip},
    {"clip_text_model", "CLIPText", describe_clip_texts},
    {"clip_vision_model", "CLIPVision", describe_clip_pictures},
};

/// Is it the name of a class of that family: BertModel, BertForMaskedLM, and not BertGenerationEncoder?
bool is_class_of(const Family& family, const std::string& name) {
  const std::string start = family.classes;
  if (start.empty() || !starts_with(name, start)) return false;
  const std::string rest = name.substr(start.size());
  for (const char* kind : {"For", "Model", "EncoderModel", "LMHeadModel", "WithLMHeadModel", "DoubleHeadsModel"})
    if (rest == kind || (kind == std::string("For") && rest.compare(0, 3, kind) == 0)) return true;
  return false;
}

const Family* find_family(const Settings& config) {
  const std::string type = config.text("model_type", ""), kind = architecture(config);
  for (const Family& family : families)
    if (config.has("model_type") ? type == family.model_type : is_class_of(family, kind)) return &family;
  return nullptr;
}

}  // namespace

std::vector<Family> all_families() { return {std::begin(families), std::end(families)}; }

bool has_family(const Settings& config) { return find_family(config) != nullptr; }

const Family& family_of(const Settings& config) {
  if (const Family* family = find_family(config)) return *family;
  std::vector<std::string> known;
  for (const Family& family : families) known.emplace_back(family.model_type);
  throw config.error("model_type", "one of: " + listed_near(config.text("model_type", ""), known));
}

}  // namespace attn
