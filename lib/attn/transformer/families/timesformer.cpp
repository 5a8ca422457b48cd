// TimeSformer (Bertasius et al. 2021): ViT over the frames of a video, in one of three ways. attention_type
// "joint_space_time" is attention among all patches of all frames, "space_only" has each frame alone, and
// "divided_space_time" first goes over the times of each place, then over the places of each time.

#include <attn/transformer/families/family.hpp>
#include <attn/transformer/families/vision.hpp>

#include <attn/core/error.hpp>

namespace attn {

ModelDescription describe_timesformer(const Settings& config) {
  config.assume(R"({"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
    "intermediate_size": 3072, "hidden_act": "gelu", "layer_norm_eps": 1e-6, "image_size": 224, "patch_size": 16,
    "num_frames": 8})");
  ModelDescription model;
  model.base = "timesformer";
  model.width = extent(config, "hidden_size");
  PictureDescription video = picture_input(config, "timesformer.embeddings.");
  video.frames = extent(config, "num_frames");
  const std::string attention = config.text("attention_type", "divided_space_time");
  video.frames_apart = attention == "space_only";
  if (!video.frames_apart) video.times = "timesformer.embeddings.time_embeddings";

  BlockDescription block = vision_block(config, model.width);
  block.self_tensors.packed = "attention.qkv";
  if (attention == "divided_space_time") {
    TimeAttentionDescription time;
    time.frames = video.frames;
    time.tensors = block.self_tensors;
    time.tensors.prefix = "temporal_attention";
    time.dense = "temporal_dense";
    block.time_attention = time;
    block.norm_tensors.insert(block.norm_tensors.begin(), "temporal_layernorm");
  } else if (attention != "space_only" && attention != "joint_space_time") {
    throw config.error("attention_type", "divided_space_time, space_only or joint_space_time");
  }
  model.encoder = {"encoder", "timesformer.encoder.layer", layer_count(config, "num_hidden_layers"),
                   block,     "timesformer.layernorm",     {}};
  model.encoder->states_end_before_norm = true;
  model.source.emplace().pictures = video;
  model.max_positions = video.tokens();

  const std::string kind = architecture(config);
  if (kind == "TimesformerForVideoClassification")
    read_classifier(config, model);
  else if (kind.empty() || kind == "TimesformerModel")
    model.task = Task::embed;
  else
    throw config.error("architectures", "TimesformerModel or TimesformerForVideoClassification");
  if (!model.head) model.unused.emplace_back("classifier.*");
  config.skip({"drop_path_rate"});
  skip_what_changes_nothing(config);
  return model;
}

}  // namespace attn
