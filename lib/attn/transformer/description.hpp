#pragma once
// What a model is made of, as data: how its layers are wired, how large they are and how its tensors are called. A
// model family (families/) is a function from a configuration to this; everything else is the same for all of them.

#include <attn/core/stream.hpp>
#include <attn/layers/feed_forward.hpp>
#include <attn/layers/multi_head_attention.hpp>
#include <attn/layers/norm.hpp>
#include <attn/layers/weights.hpp>
#include <attn/transformer/settings.hpp>

#include <optional>
#include <string>
#include <vector>

namespace attn {

/// One layer of a stack. Tensors are called as in PyTorch's nn.TransformerEncoderLayer and nn.TransformerDecoderLayer:
/// self_attn, multihead_attn, linear1, linear2, norm1, norm2, norm3.
struct BlockDescription {
  std::size_t width = 0;         ///< d_model
  std::size_t hidden_width = 0;  ///< d_ff
  MultiHeadParameters self_attention;
  std::optional<MultiHeadParameters> cross_attention;  ///< over the encoder's output
  Activation activation = Activation::relu;
  NormParameters norm;
  bool norm_first = false;  ///< x + f(norm(x)) instead of norm(x + f(x))
};

/// Layers on top of each other.
struct StackDescription {
  std::string name;    ///< of the place in the architecture, "encoder"
  std::string tensor;  ///< prefix of its tensors, "transformer.encoder"
  std::size_t layers = 0;
  BlockDescription block;
  bool final_norm = false;
};

enum class PositionKind : std::uint8_t { none, sinusoidal };

/// Ids to vectors.
struct InputDescription {
  std::string tensor;  ///< the table
  std::size_t vocabulary = 0;
  double scale = 1;  ///< the table's rows are multiplied by it
  PositionKind positions = PositionKind::none;
};

/// Vectors to logits.
struct HeadDescription {
  std::string tensor;  ///< prefix of weight and bias; the input's table where it is tied
  bool tied = false;
  std::size_t vocabulary = 0;
};

/// Tokens that mean something to the model itself.
struct SpecialTokens {
  std::optional<std::int64_t> padding;  ///< positions with it are never attended to
  std::optional<std::int64_t> start;    ///< what generation starts with where there is no prompt
  std::vector<std::int64_t> end;
};

struct ModelDescription {
  std::string model_type;
  std::size_t width = 0;          ///< d_model
  std::size_t max_positions = 0;  ///< the longest sequence
  std::optional<InputDescription> source;
  std::optional<StackDescription> encoder;
  std::optional<InputDescription> target;
  std::optional<StackDescription> decoder;
  std::optional<HeadDescription> head;
  SpecialTokens tokens;
};

/// The description of the model that a config.json configures. Throws Error(data) naming the field for a model_type
/// that is not known, values that are out of range or contradict each other, and fields that would change the model and
/// are not known.
ModelDescription describe_model(const Settings& config);

/// All tensors that the model needs, by name and shape (the dtype says nothing), in the order of the architecture.
std::vector<TensorInfo> tensor_table(const ModelDescription& model);

/// Throws Error(input) naming the first tensor that the weights lack, Error(data) naming one that has another shape, is
/// not of floats, or has no place in the model.
void check_weights(const ModelDescription& model, const Weights& weights);

}  // namespace attn
