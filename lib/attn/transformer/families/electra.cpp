// ELECTRA (Clark et al. 2020): BERT with narrow embeddings, trained to tell replaced tokens.

#include <attn/transformer/families/bert.hpp>

namespace attn {

ModelDescription describe_electra(const Settings& config) {
  config.assume(R"({"embedding_size": 128})");
  BertKind kind{"electra",
                "generator_predictions.dense",
                "generator_predictions.LayerNorm",
                "generator_lm_head",
                "generator_lm_head.bias",
                true,
                "",
                "classifier.dense",
                "classifier.out_proj",
                Activation::gelu};
  kind.discriminator = "discriminator_predictions";
  kind.embedding_map = "electra.embeddings_project";
  ModelDescription model = describe_bert_kind(config, kind);
  if (model.source->width == model.width) model.source->projection.clear();
  add_other_heads(model, {"generator_predictions.", "generator_lm_head.", "discriminator_predictions."});
  config.skip({"summary_activation", "summary_use_proj"});
  return model;
}

}  // namespace attn
