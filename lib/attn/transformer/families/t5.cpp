// T5 (Raffel et al. 2020), v1.0 and v1.1: a pre-norm encoder-decoder with RMS norms, no biases, no score scale, and a
// learned bias by distance that the first layer of each stack keeps for all of them.

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/transformer/families/family.hpp>

#include <cmath>

namespace attn {
namespace {

/// feed_forward_proj: "relu", "gated-gelu" ...; gelu there means its tanh form.
void read_feed_forward(const Settings& config, BlockDescription& block, const std::string& prefix) {
  const std::string kind = config.text("feed_forward_proj", "relu");
  const bool gated = starts_with(kind, "gated-");
  const std::string name = gated ? kind.substr(6) : kind;
  try {
    block.activation = name == "gelu" && gated ? Activation::gelu_tanh : activation_from_name(name);
  } catch (const Error& error) {
    throw config.error("feed_forward_proj", "a known activation, or gated- and one", error.fix());
  }
  block.feed_forward_tensors = {prefix, gated ? "wi_1" : "wi", "wo", gated ? "wi_0" : "", WeightLayout::out_in, false};
}

StackDescription stack_of(const Settings& config, const std::string& name, std::size_t layers, std::size_t width) {
  const bool decoder = name == "decoder";
  BlockDescription block;
  block.width = width;
  block.head_width = extent(config, "d_kv");
  block.hidden_width = extent(config, "d_ff");
  block.norm = {NormKind::rms, config.number("layer_norm_epsilon", 0, 1)};
  block.norm_first = true;
  block.self_attention.heads = extent(config, "num_heads");
  block.self_attention.pooling.scale = 1;
  block.self_tensors = {"layer.0.SelfAttention", "q", "k", "v", "", "o", WeightLayout::out_in, false, false};
  block.norm_tensors = {"layer.0.layer_norm", "layer.1.layer_norm"};
  if (decoder) {
    block.cross_attention = block.self_attention;
    block.cross_tensors = block.self_tensors;
    block.cross_tensors.prefix = "layer.1.EncDecAttention";
    block.self_attention.pooling.causal = true;
    block.norm_tensors.emplace_back("layer.2.layer_norm");
  }
  read_feed_forward(config, block, decoder ? "layer.2.DenseReluDense" : "layer.1.DenseReluDense");

  StackDescription stack{name, name + ".block", layers, block, name + ".final_layer_norm", {}};
  RelativeBiasDescription bias;
  bias.tensor = name + ".block.0.layer.0.SelfAttention.relative_attention_bias.weight";
  bias.buckets.buckets = extent(config, "relative_attention_num_buckets");
  bias.buckets.max_distance =
      static_cast<std::size_t>(config.integer("relative_attention_max_distance", 1, largest_extent, 128));
  bias.buckets.bidirectional = !decoder;
  const std::size_t one_way = decoder ? bias.buckets.buckets : bias.buckets.buckets / 2;
  if (one_way < 2) throw config.error("relative_attention_num_buckets", "at least 4");
  if (bias.buckets.max_distance <= one_way / 2)
    throw config.error("relative_attention_max_distance",
                       "more than " + std::to_string(one_way / 2) + ", the distances of the " + name +
                           " that have one of the " + std::to_string(bias.buckets.buckets) +
                           " relative_attention_num_buckets each");
  stack.relative_bias = bias;
  return stack;
}

/// T5EncoderModel and what labels tokens: no decoder.
void read_encoder_alone(ModelDescription& model) {
  model.target.reset();
  model.decoder.reset();
}

HeadDescription language_head(const Settings& config, const ModelDescription& model) {
  HeadDescription head;
  const bool is_tied = config.flag("tie_word_embeddings", true), scales = config.flag("scale_decoder_outputs", is_tied);
  // transformers 5 calls all heads tied; those that it does not scale were not, and have a map of their own if stored.
  head.tied = is_tied && scales;
  head.projection = head.tied ? "shared.weight" : "lm_head.weight";
  if (is_tied && !scales) head.shared = "shared.weight";
  head.outputs = model.target->vocabulary;
  if (scales) head.scale = 1 / std::sqrt(static_cast<double>(model.width));
  return head;
}

void read_head(const Settings& config, ModelDescription& model) {
  const std::string kind = architecture(config);
  if (kind.empty() || ends_with(kind, "WithLMHeadModel") || ends_with(kind, "ForConditionalGeneration")) {
    model.head = language_head(config, model);
  } else if (ends_with(kind, "ForSequenceClassification")) {
    model.task = Task::classify;
    model.decoder_reads_source = true;
    model.head = classification_head(config);
  } else if (ends_with(kind, "ForQuestionAnswering")) {
    model.task = Task::answer;
    model.decoder_reads_source = true;
    model.head = answer_head();
  } else if (ends_with(kind, "ForTokenClassification")) {
    model.task = Task::label_tokens;
    read_encoder_alone(model);
    model.head = token_head(config, "classifier");
  } else if (ends_with(kind, "Model")) {
    model.task = Task::embed;
    if (ends_with(kind, "EncoderModel")) read_encoder_alone(model);
  } else {
    throw config.error("architectures",
                       "T5Model, T5EncoderModel, or T5 for conditional generation, sequences, tokens or answers");
  }
}

}  // namespace

ModelDescription describe_t5(const Settings& config) {
  config.assume(R"({"vocab_size": 32128, "d_model": 512, "d_kv": 64, "d_ff": 2048, "num_layers": 6, "num_heads": 8,
    "relative_attention_num_buckets": 32, "layer_norm_epsilon": 1e-6})");
  ModelDescription model;
  model.width = extent(config, "d_model");
  model.max_positions = largest_extent;  // distances have no end
  model.usual_positions = static_cast<std::size_t>(config.integer("n_positions", 1, largest_extent, 512));
  const std::size_t vocabulary = extent(config, "vocab_size");
  const std::size_t layers = layer_count(config, "num_layers");
  model.encoder = stack_of(config, "encoder", layers, model.width);
  model.decoder =
      stack_of(config, "decoder", config.has("num_decoder_layers") ? layer_count(config, "num_decoder_layers") : layers,
               model.width);
  InputDescription input;
  input.tensor = "shared";
  input.vocabulary = vocabulary;
  model.source = input;
  model.target = input;

  read_head(config, model);
  assume_tokens(config, vocabulary, {{"pad_token_id", 0}, {"eos_token_id", 1}});
  model.tokens = special_tokens(config, vocabulary);
  if (!model.tokens.start) model.tokens.start = model.tokens.padding;
  model.tied = {{"shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight"}};
  if (model.head && model.head->tied) model.tied.front().emplace_back("lm_head.weight");
  model.unused = {"decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"};
  if (!model.decoder) model.unused.emplace_back("decoder.*");
  add_other_heads(model, {"lm_head.", "classification_head.", "classifier.", "qa_outputs."});
  config.skip({"num_decoder_layers", "tie_word_embeddings", "scale_decoder_outputs", "is_gated_act", "dense_act_fn"});
  skip_what_changes_nothing(config);
  return model;
}

}  // namespace attn
