#pragma once
// Common parts of the vision families: fields and tensors of ViT, which TimeSformer adopted.

#include <attn/transformer/families/family.hpp>

namespace attn {

/// A pre-norm layer without the names of its tensors.
BlockDescription pre_norm_block(const Settings& config, std::size_t width);

/// The same without the names of its queries, keys and values.
BlockDescription vision_block(const Settings& config, std::size_t width);

/// image_size and patch_size, each one number or (height, width), and num_channels; tensors are below `prefix`.
PictureDescription picture_input(const Settings& config, const std::string& prefix);

/// Reads the classifier of the first token.
void read_classifier(const Settings& config, ModelDescription& model);

}  // namespace attn
