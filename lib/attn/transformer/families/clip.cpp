// CLIP (Radford et al. 2021): a causal encoder of texts and an encoder of pictures, whose vectors are compared. A run
// takes one of the two.

#include <attn/core/error.hpp>
#include <attn/transformer/families/family.hpp>
#include <attn/transformer/families/vision.hpp>

namespace attn {
namespace {

/// The layers of either tower.
StackDescription clip_stack(const Settings& config, const std::string& tower, std::size_t width) {
  BlockDescription block = pre_norm_block(config, width);
  block.self_tensors = {"self_attn", "q_proj", "k_proj", "v_proj", "", "out_proj"};
  block.feed_forward_tensors = {"mlp", "fc1", "fc2", ""};
  block.norm_tensors = {"layer_norm1", "layer_norm2"};
  StackDescription stack{"encoder", tower + ".encoder.layers", layer_count(config, "num_hidden_layers"), block, "", {}};
  stack.states_end_before_norm = true;
  return stack;
}

/// outputs: of the map, 0: none; the whole model scales its vectors to length 1.
HeadDescription vector_head(HeadDescription::Over over, const std::string& map, std::size_t outputs,
                            bool has_length_1) {
  HeadDescription head;
  head.over = over;
  if (outputs > 0) head.projection = map + ".weight";
  head.outputs = outputs;
  head.is_vector = true;
  head.has_length_1 = has_length_1;
  head.result = "vectors";
  return head;
}

ModelDescription text_tower(const Settings& config, std::size_t outputs, bool has_length_1) {
  config.assume(R"({"vocab_size": 49408, "hidden_size": 512, "intermediate_size": 2048, "num_hidden_layers": 12,
    "num_attention_heads": 8, "max_position_embeddings": 77, "hidden_act": "quick_gelu", "layer_norm_eps": 1e-5,
    "eos_token_id": 49407})");
  ModelDescription model;
  model.task = Task::embed;
  model.base = "text_model";
  model.width = extent(config, "hidden_size");
  model.max_positions = extent(config, "max_position_embeddings");
  model.encoder = clip_stack(config, "text_model", model.width);
  model.encoder->block.self_attention.pooling.causal = true;
  model.encoder->final_norm = "text_model.final_layer_norm";
  InputDescription& input = model.source.emplace();
  input.tensor = "text_model.embeddings.token_embedding";
  input.vocabulary = extent(config, "vocab_size");
  input.positions = PositionKind::learned;
  input.position_tensor = "text_model.embeddings.position_embedding";
  input.position_rows = model.max_positions;
  // Files from before 2023 name 2 as the end token, whatever the tokenizer has; their end token is the largest id.
  constexpr std::int64_t of_old_files = 2;
  const std::int64_t end = config.integer("eos_token_id", 0, largest_extent);
  if (end != of_old_files) model.tokens.end = {end};
  model.head =
      vector_head(end == of_old_files ? HeadDescription::Over::largest_token : HeadDescription::Over::first_end_token,
                  "text_projection", outputs, has_length_1);
  model.unused = {"text_model.embeddings.position_ids"};
  return model;
}

ModelDescription picture_tower(const Settings& config, std::size_t outputs, bool has_length_1) {
  config.assume(R"({"hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12, "num_attention_heads": 12,
    "image_size": 224, "patch_size": 32, "hidden_act": "quick_gelu", "layer_norm_eps": 1e-5})");
  ModelDescription model;
  model.task = Task::embed;
  model.base = "vision_model";
  model.width = extent(config, "hidden_size");
  model.encoder = clip_stack(config, "vision_model", model.width);
  InputDescription& input = model.source.emplace();
  PictureDescription& pictures = input.pictures.emplace(picture_input(config, ""));
  pictures.projection = "vision_model.embeddings.patch_embedding";
  pictures.bias = false;
  pictures.class_token = "vision_model.embeddings.class_embedding";
  pictures.positions = "vision_model.embeddings.position_embedding.weight";
  pictures.is_flat = true;
  input.norm = "vision_model.pre_layrnorm";
  input.norm_parameters = model.encoder->block.norm;
  model.max_positions = pictures.tokens();
  model.head = vector_head(HeadDescription::Over::first_token, "visual_projection", outputs, has_length_1);
  model.head->norm = "vision_model.post_layernorm";
  model.head->norm_parameters = model.encoder->block.norm;
  model.unused = {"vision_model.embeddings.position_ids"};
  return model;
}

/// The map of a tower alone, which has one WithProjection.
std::size_t own_outputs(const Settings& config) {
  config.assume(R"({"projection_dim": 512})");
  const std::size_t outputs = extent(config, "projection_dim");
  return ends_with(architecture(config), "WithProjection") ? outputs : 0;
}

}  // namespace

ModelDescription describe_clip_texts(const Settings& config) {
  ModelDescription model = text_tower(config, own_outputs(config), false);
  skip_what_changes_nothing(config);
  return model;
}

ModelDescription describe_clip_pictures(const Settings& config) {
  ModelDescription model = picture_tower(config, own_outputs(config), false);
  skip_what_changes_nothing(config);
  return model;
}

ModelDescription describe_clip(const Settings& config) {
  config.assume(R"({"projection_dim": 512, "text_config": {}, "vision_config": {}})");
  const std::string kind = architecture(config);
  if (!kind.empty() && !ends_with(kind, "Model")) throw config.error("architectures", "CLIPModel or CLIPVisionModel");
  const bool sees = ends_with(kind, "VisionModel");
  const Settings own = config.object(sees ? "vision_config" : "text_config");
  const std::size_t outputs = extent(config, "projection_dim");
  ModelDescription model = sees ? picture_tower(own, outputs, true) : text_tower(own, outputs, true);
  model.unused.insert(model.unused.end(), {"logit_scale", sees ? "text_model.*" : "vision_model.*",
                                           sees ? "text_projection.weight" : "visual_projection.weight"});
  skip_what_changes_nothing(own);
  own.skip({"model_type", "projection_dim"});
  own.expect_nothing_else();
  config.skip({"text_config", "vision_config", "logit_scale_init_value"});
  skip_what_changes_nothing(config);
  return model;
}

}  // namespace attn
