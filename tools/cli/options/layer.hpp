#pragma once
// Shared by the tools of one layer: weights by operand and prefix, and settings from config.json.

#include "cli/command.hpp"
#include "cli/session.hpp"

#include <attn/core/activation.hpp>
#include <attn/json/node.hpp>
#include <attn/layers/linear.hpp>
#include <attn/layers/rotary.hpp>
#include <attn/layers/weights.hpp>
#include <attn/transformer/model_parts.hpp>

#include <optional>
#include <string>
#include <type_traits>
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
void write_layer(const Output& output, ResultWriter& results, const attn::TensorView& x, std::vector<Result> all);

/// Adds the gradients by the weight and the bias of a linear map that was read below a weights operand.
void add_gradients(std::vector<Gradient>& all, const attn::Linear& map, const attn::LinearGradients& gradients);

/// What the config.json in the folder of the weights says of one module: what the model's family knows of it, else
/// fields with usual names. All is empty without the file, which is read at the first use. If it is no JSON, only
/// fields that are asked for stop the run: options may override them.
class ModelConfig {
 public:
  /// Looks in the folder of the file that the operand names.
  explicit ModelConfig(const Input& weights);

  /// The wiring that the family describes; null if the model or this part of it is unknown.
  template <class Wiring>
  const Wiring* family() const {
    const attn::ModelPart* known = part<Wiring>();
    return known == nullptr ? nullptr : &std::get<Wiring>(known->wiring);
  }
  /// The tensor that the family calls so, in the same file.
  std::optional<attn::TensorView> read(const std::string& tensor, Inputs& inputs) const;

  /// Throws Error(data) for a tensor of the module that was not read, and for one that the family does not know, which
  /// would change the result; `replaced` below the prefix comes from an option instead. Notes an unknown family.
  template <class Wiring>
  void expect_all_read(Inputs& inputs, Report& report, const std::string& replaced = {}) const {
    constexpr bool is_attention = std::is_same_v<Wiring, attn::AttentionWiring>;
    constexpr bool is_network = std::is_same_v<Wiring, attn::FeedForwardParameters>;
    const attn::ModelPart* known = part<Wiring>();
    // A map has no settings, and tables are of many kinds.
    const bool is_module = is_attention || is_network || std::is_same_v<Wiring, attn::NormParameters>;
    if (known == nullptr && (is_module || (models_ == std::nullopt && !std::is_same_v<Wiring, attn::MapWiring>)))
      note_unknown(report);
    expect_all_read(known,
                    is_network                         ? Extent::network
                    : is_attention && known == nullptr ? Extent::attention
                                                       : Extent::all,
                    inputs, replaced);
  }

  /// Gemma 1 or 2, of which only the norms (RMS with a gain of 1 + weight) and the embeddings (times the square root of
  /// their width) are known? Throws Error(data) for other unknown types whose names begin so.
  bool is_gemma() const;

  // Fields of a config.json without a known family.
  std::optional<std::size_t> heads() const;  ///< of the stack that contains the prefix: encoder or decoder
  std::optional<std::size_t> key_value_heads() const;
  std::optional<attn::Activation> activation() const;
  std::optional<double> epsilon() const;
  bool is_rms_norm() const;
  bool scales_embedding() const;
  /// The rotary encoding for heads of that width; none if the model has none.
  std::optional<attn::RotaryEncoding> rotary(std::size_t head_width) const;
  std::optional<std::size_t> relative_max_distance() const;  ///< of T5's buckets
  std::size_t longest_distance() const;                      ///< XLNet's clamp_len; 0: no limit

 private:
  template <class Wiring>
  const attn::ModelPart* part() const {
    return models() == nullptr ? nullptr : models_->find<Wiring>(prefix_, weights_.text);
  }
  /// Which tensors below a prefix belong to the module: those beside tensors that were read, and all others unless it
  /// is a network whose prefix is that of a layer. What lies beside attention or a network by rule need not be read.
  enum class Extent : std::uint8_t { network, attention, all };
  void expect_all_read(const attn::ModelPart* part, Extent extent, Inputs& inputs, const std::string& replaced) const;
  void note_unknown(Report& report) const;
  std::string model_type() const;  ///< empty: none, or no JSON
  std::optional<std::size_t> extent(std::initializer_list<const char*> fields) const;
  const attn::JsonNode* settings() const;
  /// The part that has one of these fields and contains the prefix: text_config, vision_config, or the whole. Throws
  /// Error(data) if it may be either.
  std::optional<attn::JsonNode> section(std::initializer_list<const char*> fields) const;
  const attn::ModelParts* models() const;
  Input weights_;
  std::string prefix_;                 ///< with dots, without the name of the tensor itself
  std::optional<std::string> folder_;  ///< none if the weights are not in a file
  mutable std::optional<attn::JsonNode> settings_;
  mutable std::optional<attn::ModelParts> models_;
  mutable bool is_read_ = false, is_gemma_ = false;
};

/// The buckets of T5's table of biases, as the options and the model say. Rows of the table that serve no bucket are
/// cut off.
attn::RelativeBuckets buckets_of(attn::TensorView& table, const attn::RelativeBiasDescription* family,
                                 std::optional<std::size_t> max_distance, bool is_causal);

}  // namespace cli
