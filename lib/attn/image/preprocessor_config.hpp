#pragma once
// What the preprocessor_config.json of a vision model says.

#include <attn/image/preprocess.hpp>
#include <attn/json/node.hpp>

namespace ATTN_API attn {

/// The steps that it names; what it leaves out is as its `image_processor_type` has it: ViT's and DeiT's resize to a
/// square, VideoMAE's and TimeSformer's resize the shorter side and cut the middle.
/// Throws Error(data) naming a field that is out of range, and one that would change the pixels and is not known.
ImagePreprocessing read_preprocessing(const JsonNode& config);

}  // namespace attn
