// MPNet (Song et al. 2020): RoBERTa without token types, with a bias by distance that all layers share.

#include <attn/core/error.hpp>
#include <attn/transformer/families/bert.hpp>

namespace attn {

ModelDescription describe_mpnet(const Settings& config) {
  ModelDescription model = describe_bert_kind(config, roberta_kind("mpnet"));
  model.source->type_tensor.clear();
  BlockDescription& block = model.encoder->block;
  block.self_tensors = {"attention.attn", "q", "k", "v", "", "o"};
  block.norm_tensors.front() = "attention.LayerNorm";
  RelativeBiasDescription& bias = model.encoder->relative_bias.emplace();
  bias.tensor = "mpnet.encoder.relative_attention_bias.weight";
  // transformers computes T5's usual buckets, whatever the table has.
  constexpr auto buckets = static_cast<std::int64_t>(RelativeBuckets{}.buckets);
  bias.rows =
      static_cast<std::size_t>(config.integer("relative_attention_num_buckets", buckets, largest_extent, buckets));
  return model;
}

}  // namespace attn
