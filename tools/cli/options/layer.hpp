#pragma once
// What the tools of one layer share: weights by operand and prefix, and settings from the config.json beside them.

#include "cli/command.hpp"
#include "cli/session.hpp"

#include <attn/core/activation.hpp>
#include <attn/json/node.hpp>
#include <attn/layers/rotary.hpp>
#include <attn/layers/weights.hpp>

#include <optional>
#include <string>

namespace cli {

struct LayerOptions {
  Input input{std::vector<std::string>{"y", "x"}};
  Input weights{"weight"};
  Output output;
};

/// INPUT and -w.
void add_layer_inputs(Command& command, LayerOptions& options, const std::string& what_weights);

/// The tensors that an operand names the prefix of.
attn::Weights open_weights(const Input& operand, Inputs& inputs);

/// One tensor: `name` below the operand's prefix, or the tensor that the operand itself names.
attn::TensorView read_weight(const Input& operand, const std::string& name, Inputs& inputs);

/// `weight` below the operand's prefix, or the tensor that it names; none where it was not given.
std::optional<attn::TensorView> read_weight(const OptionalInput& operand, Inputs& inputs);

/// A weight and the bias that belongs to it: `weight` and `bias` below the prefix, or operands of their own.
struct WeightAndBias {
  attn::TensorView weight;
  std::optional<attn::TensorView> bias;

  attn::DType compute_dtype(const attn::TensorView& x) const;  ///< the widest of the three
};
WeightAndBias read_weight_and_bias(const Input& weight, const OptionalInput& bias, Inputs& inputs);

/// The type to compute in: the wider of the input's and the weights'.
attn::DType compute_dtype(const attn::TensorView& x, const attn::Weights& weights);

/// Writes the results in the input's floating type.
void write_layer(const Output& output, Results& results, const attn::TensorView& x, std::vector<Result> all);

/// What the config.json of a model says of one of its layers; empty where there is none. Options override it, and then
/// nobody asks: it is read with the first question.
class ModelConfig {
 public:
  /// Looks beside the file that the operand names.
  explicit ModelConfig(const Input& weights);

  std::optional<std::size_t> width() const;  ///< d_model
  /// Heads of the stack that the prefix lies in: configurations may give encoder and decoder their own.
  std::optional<std::size_t> heads() const;
  std::optional<std::size_t> key_value_heads() const;
  std::optional<attn::Activation> activation() const;
  std::optional<double> epsilon() const;
  std::optional<bool> is_rms_norm() const;
  std::optional<bool> scales_embedding() const;
  /// Where the model turns queries and keys, heads of that width, by their positions.
  std::optional<attn::RotaryEncoding> rotary(std::size_t head_width) const;
  std::optional<std::size_t> relative_max_distance() const;  ///< of T5's buckets
  std::size_t longest_distance() const;                      ///< XLNet's clamp_len; 0: distances are as they are
  /// Of the layer that the prefix names; none: that of every score. Throws Error(data) where it depends on the layer's
  /// number and the prefix has none.
  std::optional<double> score_scale(std::size_t head_width) const;
  bool is_t5() const;

 private:
  std::optional<std::size_t> extent(std::initializer_list<const char*> fields) const;
  const attn::JsonNode* settings() const;
  bool has_any(std::initializer_list<const char*> fields) const;
  std::string model_type() const;  ///< empty: none is named
  std::string operand_, prefix_;
  std::optional<std::string> folder_;  ///< none: the weights lie in no file
  mutable std::optional<attn::JsonNode> settings_;
  mutable bool is_read_ = false;
};

}  // namespace cli
