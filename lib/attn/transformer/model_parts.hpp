#pragma once
// A model as a list of parts: modules that compute alone, each with the names of its tensors and its wiring. The
// tensors of a whole model and the settings of a tool that computes one part both come from this list.

#include <attn/transformer/description.hpp>

#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace ATTN_API attn {

struct AttentionWiring {
  AttentionTensors tensors;  ///< below the part's name
  MultiHeadParameters parameters;
  std::optional<RelativeBiasDescription> relative_bias = std::nullopt;  ///< of the stack
};

/// A linear map. As the projection of the head it may have a bias elsewhere, and a factor of its input.
struct MapWiring {
  WeightLayout layout = WeightLayout::out_in;
  std::string bias = {};  ///< name of the tensor; empty: only bias below the part's name, if any
  double scale = 1;
};

/// A table of tokens.
struct TokenWiring {
  double scale = 1;
};

/// A table of positions.
struct PositionWiring {
  std::size_t first_row = 0;  ///< of the first token of a text
};

struct ModelPart {
  using Wiring = std::variant<std::monostate, AttentionWiring, FeedForwardParameters, NormParameters, MapWiring,
                              TokenWiring, PositionWiring, RelativeBiasDescription>;
  std::string name;  ///< prefix of its tensors
  Wiring wiring;
  std::vector<TensorInfo> tensors = {};  ///< with full names
};

/// The parts in the order of the architecture. A module that contains others follows them and has their tensors too.
std::vector<ModelPart> parts_of(const ModelDescription& model);

/// The parts of all models that a config.json describes (CLIP has two towers), found by the names in a file.
class ModelParts {
 public:
  /// Throws as describe_model().
  explicit ModelParts(const Settings& config);

  const std::string& model_type() const noexcept { return models_.front().description.model_type; }

  /// The part with that wiring whose tensors are below `prefix`, in a file of the whole model or of a piece of it, or
  /// null. `subject` is for messages. Throws Error(data) if it may be one of several whose wiring differs.
  template <class Wiring>
  const ModelPart* find(const std::string& prefix, const std::string& subject) const {
    return find(prefix, subject, [](const ModelPart& part) { return std::holds_alternative<Wiring>(part.wiring); });
  }

  /// Has the model of the part a tensor of that name, or do its files hold one without need?
  bool has_place(const ModelPart& part, const std::string& name) const;

  /// The one of some names in a file that means the model's tensor `name`; empty: none.
  std::string stored_name(const std::string& name, const std::vector<std::string>& stored) const;

 private:
  struct Described {
    ModelDescription description;
    std::vector<ModelPart> parts;
  };
  const ModelPart* find(const std::string& prefix, const std::string& subject,
                        const std::function<bool(const ModelPart&)>& is_wanted) const;
  std::vector<Described> models_;
};

}  // namespace attn
