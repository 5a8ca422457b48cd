// ALBERT (Lan et al. 2020): BERT with narrow embeddings, whose layers share their weights.

#include <attn/transformer/families/bert.hpp>

namespace attn {

ModelDescription describe_albert(const Settings& config) {
  config.assume(R"({"embedding_size": 128, "bos_token_id": 2, "eos_token_id": 3})");
  BertKind kind{"albert", "predictions.dense", "predictions.LayerNorm", "predictions.decoder", "predictions.bias",
                false,    "albert.pooler",     "albert.pooler",         "classifier"};
  kind.embedding_map = "albert.encoder.embedding_hidden_mapping_in";
  ModelDescription model = describe_bert_kind(config, kind);

  StackDescription& stack = *model.encoder;
  BlockDescription& block = stack.block;
  block.self_tensors = {"attention", "query", "key", "value", "", "dense"};
  block.feed_forward_tensors.first = "ffn";
  block.feed_forward_tensors.second = "ffn_output";
  block.norm_tensors = {"attention.LayerNorm", "full_layer_layer_norm"};
  // Layer i is group floor(i groups / layers), in which some layers follow each other.
  const auto groups = static_cast<std::size_t>(config.integer("num_hidden_groups", 1, most_layers, 1));
  const auto inner = static_cast<std::size_t>(config.integer("inner_group_num", 1, most_layers, 1));
  if (groups > stack.layers) throw config.error("num_hidden_groups", "at most num_hidden_layers");
  for (std::size_t i = 0; i < stack.layers; ++i)
    for (std::size_t j = 0; j < inner; ++j) {
      stack.own_blocks.push_back(block);
      stack.own_blocks.back().tensor = "albert.encoder.albert_layer_groups." +
                                       std::to_string(i * groups / stack.layers) + ".albert_layers." +
                                       std::to_string(j);
    }
  stack.layers = stack.own_blocks.size();
  add_other_heads(model, {"predictions.", "sop_classifier."});
  config.skip({"classifier_dropout_prob"});
  for (const char* field : {"net_structure_type", "gap_size", "num_memory_blocks"}) config.integer(field, 0, 0, 0);
  config.integer("down_scale_factor", 1, 1, 1);
  return model;
}

}  // namespace attn
