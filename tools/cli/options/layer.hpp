#pragma once
// Shared by the tools of one layer: weights by operand and prefix, and settings from config.json.

#include "cli/command.hpp"
#include "cli/session.hpp"

#include <attn/core/activation.hpp>
#include <attn/json/node.hpp>
#include <attn/layers/linear.hpp>
#include <attn/layers/rotary.hpp>
#include <attn/layers/weights.hpp>

#include <optional>
#include <string>
#include <vector>

namespace cli {

struct LayerOptions {
  Input input{std::vector<std::string>{"y", "x"}};
  Input weights{"weight"};
  Output output;
};

/// INPUT and -w.
void add_layer_inputs(Command& command, LayerOptions& options, const std::string& what_weights);

/// The tensors below the prefix that the operand names.
attn::Weights open_weights(const Input& operand, Inputs& inputs);

/// One tensor: `name` below the operand's prefix, or the tensor that the operand itself names.
attn::TensorView read_weight(const Input& operand, const std::string& name, Inputs& inputs);

/// `weight` below the operand's prefix, or the tensor that it names; none if it is omitted.
std::optional<attn::TensorView> read_weight(const OptionalInput& operand, Inputs& inputs);

/// A weight and its bias: `weight` and `bias` below the prefix, or from operands of their own.
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

/// Adds the gradients by the weight and the bias of a linear map that was read below a weights operand.
void add_gradients(std::vector<Gradient>& all, const attn::Linear& map, const attn::LinearGradients& gradients);

/// The settings of a layer in its model's config.json; all are empty without the file. The file is read at the first
/// use, so that a damaged one does not stop a run whose options override it.
class ModelConfig {
 public:
  /// Looks in the folder of the file that the operand names.
  explicit ModelConfig(const Input& weights);

  std::optional<std::size_t> width() const;  ///< d_model
  /// Heads of the stack that contains the prefix: encoder and decoder may differ.
  std::optional<std::size_t> heads() const;
  std::optional<std::size_t> key_value_heads() const;
  std::optional<attn::Activation> activation() const;
  std::optional<double> epsilon() const;
  std::optional<bool> is_rms_norm() const;
  std::optional<bool> scales_embedding() const;
  /// The rotary encoding for heads of that width; none if the model has none.
  std::optional<attn::RotaryEncoding> rotary(std::size_t head_width) const;
  std::optional<std::size_t> relative_max_distance() const;  ///< of T5's buckets
  std::size_t longest_distance() const;                      ///< XLNet's clamp_len; 0: no limit
  /// The scale for the layer that the prefix names; none: the default of the score. Throws Error(data) if the scale
  /// depends on the layer's number and the prefix has none.
  std::optional<double> score_scale(std::size_t head_width) const;
  bool is_t5() const;

 private:
  std::optional<std::size_t> extent(std::initializer_list<const char*> fields) const;
  const attn::JsonNode* settings() const;
  bool has_any(std::initializer_list<const char*> fields) const;
  std::string model_type() const;  ///< empty if none
  std::string operand_, prefix_;
  std::optional<std::string> folder_;  ///< none if the weights are not in a file
  mutable std::optional<attn::JsonNode> settings_;
  mutable bool is_read_ = false;
};

}  // namespace cli
