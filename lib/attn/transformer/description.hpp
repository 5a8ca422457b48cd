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

/// How the tensors of a layer are called; the initialisers are those of PyTorch's nn.TransformerEncoderLayer and
/// nn.TransformerDecoderLayer.
struct BlockNames {
  std::string self_attention = "self_attn", cross_attention = "multihead_attn";
  std::vector<std::string> maps;  ///< of an attention: query, key, value, output; none: in_proj_weight and out_proj
  std::string first = "linear1", second = "linear2";
  std::vector<std::string> norms{"norm1", "norm2", "norm3"};  ///< in the order of the sublayers
};

/// One layer of a stack.
struct BlockDescription {
  std::size_t width = 0;         ///< d_model
  std::size_t hidden_width = 0;  ///< d_ff
  MultiHeadParameters self_attention;
  std::optional<MultiHeadParameters> cross_attention;  ///< over the encoder's output
  Activation activation = Activation::relu;
  NormParameters norm;
  bool norm_first = false;  ///< x + f(norm(x)) instead of norm(x + f(x))
  BlockNames names = {};
};

/// Layers on top of each other.
struct StackDescription {
  std::string name;    ///< of the place in the architecture, "encoder"
  std::string tensor;  ///< prefix of its tensors, "transformer.encoder"
  std::size_t layers = 0;
  BlockDescription block;
  bool final_norm = false;
  std::string layers_tensor = "layers";  ///< below `tensor`, before the number of a layer
};

enum class PositionKind : std::uint8_t { none, sinusoidal, learned };

/// A table that is added to those of the ids, row by row.
struct TableDescription {
  std::string tensor;
  std::size_t rows = 0;
};

/// A norm with tensors of its own.
struct NamedNorm {
  std::string tensor;
  NormParameters norm;
};

/// Ids to vectors: norm(scale table[id] + position + type).
struct InputDescription {
  std::string tensor;  ///< the table
  std::size_t vocabulary = 0;
  double scale = 1;  ///< the table's rows are multiplied by it
  PositionKind positions = PositionKind::none;
  TableDescription learned = {};  ///< of learned positions
  /// RoBERTa's positions: those of tokens other than this id count on from it, its own position is the id itself.
  std::optional<std::int64_t> positions_skip = std::nullopt;
  std::optional<TableDescription> types = std::nullopt;  ///< token types (segments); 0 where none are given
  std::optional<NamedNorm> norm = std::nullopt;
};

/// A linear map with an activation, and a norm behind it where there is one.
struct DenseDescription {
  std::string tensor;
  Activation activation = Activation::none;
  std::optional<NamedNorm> norm = std::nullopt;
};

/// Vectors to logits: of each token, or of the first one alone.
struct HeadDescription {
  std::string tensor;  ///< prefix of weight and bias; the input's table where it is tied; empty: ends with `dense`
  bool tied = false;
  std::size_t vocabulary = 0;  ///< of tokens, or of labels
  bool first_token = false;
  std::optional<DenseDescription> dense = std::nullopt;  ///< before
  std::string bias = {};                                 ///< of a tied output; empty: none
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
  std::vector<std::string> labels;  ///< of a classifier's logits

  std::string optional_prefix;      ///< "bert.": files have it in front of all names but the head's, or not at all
  std::vector<std::string> unused;  ///< beginnings of names that files may have beside what this model needs
};

/// The tensors of a file by the names of the description: without the optional prefix, `gamma` and `beta` of old files
/// as `weight` and `bias`, and without what is unused.
Weights model_weights(const ModelDescription& model, Source& source);

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
