// model_type "transformer": encoder and decoder of "Attention Is All You Need" (Vaswani et al. 2017), tensors called as
// in PyTorch's nn.Transformer, with either one table for both embeddings and the output or three of their own.

#include <attn/core/error.hpp>
#include <attn/transformer/families/family.hpp>

#include <cmath>

namespace attn {

ModelDescription describe_transformer(const Settings& config) {
  const auto extent = [&](const char* field) {
    return static_cast<std::size_t>(config.integer(field, 1, largest_extent));
  };
  const auto layers = [&](const char* field) {
    return static_cast<std::size_t>(config.integer(field, 0, most_layers));
  };
  ModelDescription model;
  model.model_type = "transformer";
  model.width = extent("d_model");
  model.max_positions = extent("max_position_embeddings");

  BlockDescription block;
  block.width = model.width;
  block.hidden_width = extent("dim_feedforward");
  block.norm.epsilon = config.number("layer_norm_eps", 0, 1);
  block.norm_first = config.flag("norm_first");
  const std::string activation = config.text("activation");
  if (activation != "relu" && activation != "gelu") throw config.error("activation", "relu or gelu");
  block.activation = activation_from_name(activation);
  block.self_attention.heads = extent("nhead");
  if (model.width % block.self_attention.heads != 0)
    throw config.error("nhead", "a divisor of d_model = " + std::to_string(model.width));

  BlockDescription decoder_block = block;
  decoder_block.cross_attention = block.self_attention;
  decoder_block.self_attention.pooling.causal = true;
  model.encoder = {"encoder", "transformer.encoder", layers("num_encoder_layers"), block, true};
  model.decoder = {"decoder", "transformer.decoder", layers("num_decoder_layers"), decoder_block, true};

  const std::string positions = config.text("position_embedding_type");
  if (positions != "sinusoidal") throw config.error("position_embedding_type", "sinusoidal");
  const bool tied = config.flag("tie_word_embeddings");
  if (tied && !config.has("vocab_size"))
    throw config.error("vocab_size", "a size, because tie_word_embeddings is true");
  const std::size_t source_vocabulary = extent(config.has("vocab_size") ? "vocab_size" : "src_vocab_size");
  const std::size_t target_vocabulary = extent(config.has("vocab_size") ? "vocab_size" : "tgt_vocab_size");
  const double scale = config.flag("scale_embedding") ? std::sqrt(static_cast<double>(model.width)) : 1;
  const auto input = [&](const char* own_table, std::size_t vocabulary) {
    return InputDescription{tied ? "embedding" : own_table, vocabulary, scale, PositionKind::sinusoidal};
  };
  model.source = input("src_embedding", source_vocabulary);
  model.target = input("tgt_embedding", target_vocabulary);
  model.head = HeadDescription{tied ? "embedding" : "generator", tied, target_vocabulary};

  const auto last = static_cast<std::int64_t>(target_vocabulary) - 1;
  model.tokens.padding = config.optional_integer("pad_token_id", 0, static_cast<std::int64_t>(source_vocabulary) - 1);
  model.tokens.end = config.integers("eos_token_id", 0, last);
  model.tokens.start = config.integer("decoder_start_token_id", 0, last, config.integer("bos_token_id", 0, last));
  config.skip({"architectures", "dropout", "dtype", "torch_dtype", "transformers_version", "is_encoder_decoder"});
  return model;
}

}  // namespace attn
