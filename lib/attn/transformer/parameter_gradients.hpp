#pragma once
// The gradients of a loss by the parameters of a model.

#include <attn/core/source_sink.hpp>
#include <attn/layers/linear.hpp>
#include <attn/layers/norm.hpp>

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

}  // namespace attn
