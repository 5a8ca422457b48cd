// The table of the families, and of model types that are others under another name.

#include <attn/transformer/families/family.hpp>

#include <algorithm>

namespace attn {
namespace {

constexpr Family families[] = {
    {"transformer", "", describe_transformer},
    {"bert", "Bert", describe_bert},
    {"roberta", "Roberta", describe_roberta, R"({"vocab_size": 50265})"},
    {"xlm-roberta", "XLMRoberta", describe_roberta},
    {"camembert", "Camembert", describe_roberta},
    {"data2vec-text", "Data2VecText", describe_roberta},
    {"distilbert", "DistilBert", describe_distilbert},
    {"gpt2", "GPT2", describe_gpt2},
    {"llama", "Llama", describe_llama},
    {"mistral", "Mistral", describe_mistral, R"({"intermediate_size": 14336, "num_key_value_heads": 8,
     "max_position_embeddings": 131072, "sliding_window": 4096})"},
    {"qwen2", "Qwen2", describe_qwen2, R"({"vocab_size": 151936, "intermediate_size": 22016,
     "num_key_value_heads": 32, "max_position_embeddings": 32768})"},
    {"bart", "Bart", describe_bart},
    {"t5", "T5", describe_t5},
    {"mt5", "MT5", describe_t5, R"({"vocab_size": 250112, "d_ff": 1024, "num_layers": 8, "num_heads": 6,
     "feed_forward_proj": "gated-gelu", "scale_decoder_outputs": false})"},
    {"vit", "ViT", describe_vit},
    {"timesformer", "Timesformer", describe_timesformer},
    {"xlnet", "XLNet", describe_xlnet},
};

/// Is it the name of a class of that family: BertModel, BertForMaskedLM, and not BertGenerationEncoder?
bool is_class_of(const Family& family, const std::string& name) {
  const std::string start = family.classes;
  if (start.empty() || name.compare(0, start.size(), start) != 0) return false;
  const std::string rest = name.substr(start.size());
  for (const char* kind : {"For", "Model", "EncoderModel", "LMHeadModel", "WithLMHeadModel", "DoubleHeadsModel"})
    if (rest == kind || (kind == std::string("For") && rest.compare(0, 3, kind) == 0)) return true;
  return false;
}

}  // namespace

const Family& family_of(const Settings& config) {
  const std::string type = config.text("model_type", ""), kind = architecture(config);
  std::string known;
  for (const Family& family : families) {
    if (config.has("model_type") ? type == family.model_type : is_class_of(family, kind)) return family;
    known += (known.empty() ? "" : ", ") + std::string(family.model_type);
  }
  throw config.error("model_type", "one of: " + known);
}

}  // namespace attn
