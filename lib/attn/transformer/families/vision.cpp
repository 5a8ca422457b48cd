#include <attn/transformer/families/vision.hpp>

#include <attn/core/error.hpp>

#include <array>

namespace attn {
namespace {

/// (height, width) of a field that holds one number for both, or two.
std::array<std::size_t, 2> height_and_width(const Settings& config, const std::string& field) {
  const auto sizes = config.integers(field, 1, largest_extent);
  if (sizes.empty() || sizes.size() > 2) throw config.error(field, "a size, or height and width");
  return {static_cast<std::size_t>(sizes.front()), static_cast<std::size_t>(sizes.back())};
}

}  // namespace

BlockDescription pre_norm_block(const Settings& config, std::size_t width) {
  BlockDescription block = sized_block(config, width, "intermediate_size", "hidden_act", "num_attention_heads");
  block.norm.epsilon = config.number("layer_norm_eps", 0, 1);
  block.norm_first = true;
  return block;
}

BlockDescription vision_block(const Settings& config, std::size_t width) {
  BlockDescription block = pre_norm_block(config, width);
  block.self_tensors.prefix = "attention";
  block.self_tensors.output = "output.dense";
  block.self_tensors.bias = config.flag("qkv_bias", true);
  block.feed_forward_tensors.first = "intermediate.dense";
  block.feed_forward_tensors.second = "output.dense";
  block.norm_tensors = {"layernorm_before", "layernorm_after"};
  return block;
}

PictureDescription picture_input(const Settings& config, const std::string& prefix) {
  PictureDescription pictures;
  const auto [height, width] = height_and_width(config, "image_size");
  const auto [patch_height, patch_width] = height_and_width(config, "patch_size");
  if (patch_height > height || patch_width > width) throw config.error("patch_size", "at most image_size");
  pictures.height = height;
  pictures.width = width;
  pictures.patch_height = patch_height;
  pictures.patch_width = patch_width;
  pictures.channels = static_cast<std::size_t>(config.integer("num_channels", 1, 4096, 3));
  pictures.projection = prefix + "patch_embeddings.projection";
  pictures.class_token = prefix + "cls_token";
  pictures.positions = prefix + "position_embeddings";
  return pictures;
}

void read_classifier(const Settings& config, ModelDescription& model) {
  model.task = Task::classify;
  model.head = label_head(config, "classifier", HeadDescription::Over::first_token);
}

}  // namespace attn
