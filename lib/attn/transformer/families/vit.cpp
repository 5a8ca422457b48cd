// ViT (Dosovitskiy et al. 2021): a pre-norm encoder over the patches of a picture, whose first token represents all.

#include <attn/transformer/families/family.hpp>
#include <attn/transformer/families/vision.hpp>

#include <attn/core/error.hpp>

namespace attn {

ModelDescription describe_vit(const Settings& config) {
  config.assume(R"({"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
    "intermediate_size": 3072, "hidden_act": "gelu", "layer_norm_eps": 1e-12, "image_size": 224, "patch_size": 16})");
  ModelDescription model;
  model.base = "vit";
  model.width = extent(config, "hidden_size");
  BlockDescription block = vision_block(config, model.width);
  if (config.has("head_dim")) block.head_width = extent(config, "head_dim");
  block.self_tensors.query = "attention.query";
  block.self_tensors.key = "attention.key";
  block.self_tensors.value = "attention.value";
  model.encoder = {"encoder", "vit.encoder.layer", layer_count(config, "num_hidden_layers"),
                   block,     "vit.layernorm",     {}};
  model.encoder->states_end_before_norm = true;
  model.source.emplace().pictures = picture_input(config, "vit.embeddings.");
  model.max_positions = model.source->pictures->tokens();

  const std::string kind = architecture(config);
  if (kind == "ViTForImageClassification") {
    read_classifier(config, model);
  } else if (kind.empty() || ends_with(kind, "Model")) {
    model.task = Task::embed;
    HeadDescription pooler;
    pooler.over = HeadDescription::Over::first_token;
    pooler.dense = "vit.pooler.dense";
    if (config.has("pooler_output_size")) pooler.dense_outputs = extent(config, "pooler_output_size");
    pooler.activation = config.has("pooler_act") ? activation_of(config, "pooler_act") : Activation::tanh;
    pooler.result = "pooler_output";
    pooler.may_be_missing = true;
    model.head = pooler;
  } else {
    throw config.error("architectures", "ViTModel or ViTForImageClassification");
  }
  model.unused = {"vit.embeddings.mask_token", "vit.pooler.*"};
  if (!model.head->projection.empty()) config.skip({"pooler_act", "pooler_output_size"});
  if (model.head->projection.empty()) model.unused.emplace_back("classifier.*");
  config.skip({"encoder_stride"});
  skip_what_changes_nothing(config);
  return model;
}

}  // namespace attn
