#pragma once
// The gradients of a loss by the parameters of a model.

#include <attn/core/execution.hpp>
#include <attn/core/leaf_tree.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/layers/linear.hpp>
#include <attn/layers/norm.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ATTN_API attn {

/// A gradient for each parameter, by the name of its tensor in the source. A parameter that serves several times, such
/// as a tied table, has the sum, in the order in which gradients are added.
class ParameterGradients {
 public:
  /// The tensors of a source of which the model has views; parts of a tensor are found by their place in its memory.
  /// compute: f32 or f64, the type of the gradients, which are 0 until one is added. names: the parameters that learn
  /// and have a gradient; empty: all floating tensors.
  ParameterGradients(Source& parameters, DType compute, const std::vector<std::string>& names = {});

  /// Adds the gradient by a parameter or a part of one, of its shape; nothing for a parameter that does not learn. The
  /// first gradient by a whole parameter is kept, and others are added to its memory, or to a copy if another view of
  /// it is alive. Throws Error(defect) for a tensor of another source.
  void add(const TensorView& parameter, const TensorView& gradient);
  void add(const Linear& map, const LinearGradients& gradients);
  void add(const Norm& norm, const NormGradients& gradients);
  /// Adds all gradients by the same parameters.
  void add(ParameterGradients other, const Execution& execution = {});

  /// The parameters that learn.
  std::vector<std::string> names() const;
  /// The gradients of the parameters that learn.
  std::map<std::string, TensorView> tensors() const;

 private:
  struct Entry {
    TensorView whole;
    bool learns = false;
    std::optional<TensorView> sum = std::nullopt;  ///< contiguous; none yet: 0
  };
  std::string label_;
  DType compute_;
  std::map<std::string, Entry> entries_;
};

// The tree over leaves of the lines of a batch (attn/core/leaf_tree.hpp), in which gradients that were computed one
// after another, or on different machines, add up to the bits of one run.

/// Lines of a leaf.
inline constexpr std::size_t leaf_lines = 16;

/// The sum of the gradients over the leaves of a node.
struct GradientNode {
  TreeNode place;
  ParameterGradients gradients;
};

/// Adds a node of the leaves after those of `nodes`, and adds up the nodes that now have both children.
void append(std::vector<GradientNode>& nodes, GradientNode next, const Execution& execution = {});

/// The root: all nodes added from the last to the first. `nodes` begins with the first leaf and ends with the last.
ParameterGradients root_of(std::vector<GradientNode> nodes, const Execution& execution = {});

}  // namespace attn
