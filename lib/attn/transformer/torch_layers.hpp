#pragma once
// Layers of PyTorch as a model: what a state dict of nn.TransformerEncoder, nn.TransformerDecoder, nn.Transformer, or
// of a single layer of them describes by the names and shapes of its tensors.

#include <attn/attention/parameters.hpp>
#include <attn/core/activation.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/transformer/description.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace ATTN_API attn {

/// What the weights do not say, with the defaults of PyTorch.
struct TorchLayerParameters {
  std::size_t heads = 0;  ///< nhead
  bool norm_first = false;
  Activation activation = Activation::relu;
  double epsilon = 1e-5;  ///< layer_norm_eps
  bool causal = false;    ///< in the self-attention of the decoder, or of an encoder alone
  MaskType mask_type = MaskType::automatic;
  bool mask_invert = false;  ///< masks are true where nothing is seen, as those of PyTorch
};

struct TorchLayers {
  ModelDescription description;     ///< its inputs are vectors; a decoder alone has an encoder without layers before it
  TensorMap weights;                ///< by the names of the description
  std::vector<std::string> others;  ///< tensors that belong to no layer, such as an embedding
  DType compute;
};

/// The layers below a prefix: a stack `layers.0`, `layers.1` ... of encoder or decoder layers, or one of each, with the
/// norm after them if there is one; or one layer alone. Throws Error(input) if there is none or several of a kind,
/// Error(usage) for heads that do not divide the width.
TorchLayers torch_layers(Source& source, const std::string& prefix, const TorchLayerParameters& parameters);

}  // namespace attn
