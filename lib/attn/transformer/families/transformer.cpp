// model_type "transformer": encoder and decoder of "Attention Is All You Need" (Vaswani et al. 2017), tensors called as
// in PyTorch's nn.Transformer, with either one table for both embeddings and the output or three of their own.

#include <attn/core/error.hpp>
#include <attn/transformer/families/family.hpp>
#include <attn/transformer/generation_config.hpp>

#include <cmath>

namespace attn {

ModelDescription describe_transformer(const Settings& config) {
  ModelDescription model;
  model.width = extent(config, "d_model");
  model.max_positions = extent(config, "max_position_embeddings");

  BlockDescription block = sized_block(config, model.width, "dim_feedforward", "activation", "nhead");
  block.norm.epsilon = config.number("layer_norm_eps", 0, 1);
  block.norm_first = config.flag("norm_first");
  block.self_tensors.prefix = "self_attn";
  block.self_tensors.packed = "in_proj";
  block.self_tensors.output = "out_proj";
  block.feed_forward_tensors.first = "linear1";
  block.feed_forward_tensors.second = "linear2";
  const bool bias = config.flag("bias", true);
  block.norm.bias = block.self_tensors.bias = block.self_tensors.output_bias = block.feed_forward_tensors.bias = bias;
  block.norm_tensors = {"norm1", "norm2"};
  model.encoder = {"encoder", "transformer.encoder.layers", layer_count(config, "num_encoder_layers"),
                   block,     "transformer.encoder.norm",   {}};

  block.cross_attention = block.self_attention;
  block.cross_tensors = block.self_tensors;
  block.cross_tensors.prefix = "multihead_attn";
  block.self_attention.pooling.causal = true;
  block.norm_tensors.push_back("norm3");
  model.decoder = {"decoder", "transformer.decoder.layers", layer_count(config, "num_decoder_layers"),
                   block,     "transformer.decoder.norm",   {}};

  const std::string positions = config.text("position_embedding_type");
  if (positions != "sinusoidal") throw config.error("position_embedding_type", "sinusoidal");
  const bool tied = config.flag("tie_word_embeddings");
  if (tied && !config.has("vocab_size"))
    throw config.error("vocab_size", "a size, because tie_word_embeddings is true");
  const bool shared = config.has("vocab_size");
  const std::size_t source_vocabulary = extent(config, shared ? "vocab_size" : "src_vocab_size");
  const std::size_t target_vocabulary = extent(config, shared ? "vocab_size" : "tgt_vocab_size");
  InputDescription input;
  input.scale = config.flag("scale_embedding") ? std::sqrt(static_cast<double>(model.width)) : 1;
  input.positions = PositionKind::sinusoidal;
  input.tensor = tied ? "embedding" : "src_embedding";
  input.vocabulary = source_vocabulary;
  model.source = input;
  input.tensor = tied ? "embedding" : "tgt_embedding";
  input.vocabulary = target_vocabulary;
  model.target = input;

  if (architecture(config) == "Model") {  // as describe_model asks for feature-extraction
    model.task = Task::embed;
  } else {
    HeadDescription head;
    head.tied = tied;
    head.projection = tied ? "embedding.weight" : "generator.weight";
    head.projection_bias = tied ? "" : "generator.bias";
    head.outputs = target_vocabulary;
    model.head = head;
  }

  expect_known_tokens(config, target_vocabulary, source_vocabulary);
  model.tokens = special_tokens(config, target_vocabulary);
  if (!model.tokens.start) throw config.error("decoder_start_token_id", "the token that generation starts with");
  skip_what_changes_nothing(config);
  return model;
}

}  // namespace attn
