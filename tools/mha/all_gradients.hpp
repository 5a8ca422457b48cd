#pragma once
// The gradients of mha: one for each operand, and one for each tensor of the weights.

#include "cli/session.hpp"

#include <attn/layers/linear.hpp>
#include <attn/layers/norm.hpp>

#include <optional>
#include <string>
#include <vector>

namespace mha {

class AllGradients {
 public:
  /// Added to a gradient of the same name.
  void add(const std::string& name, const attn::TensorView& value);
  void add(const std::string& name, const std::optional<attn::TensorView>& value) {
    if (value) add(name, *value);
  }
  /// Maps that are parts of one tensor come in its order.
  void add(const attn::Linear& map, const attn::LinearGradients& d);
  /// None without a norm.
  void add(const std::optional<attn::Norm>& norm, const std::optional<attn::NormGradients>& d);

  std::vector<cli::Gradient> all;

 private:
  cli::Gradient* find(const std::string& name);
  void join(const cli::Gradient& part, bool by_columns);
};

}  // namespace mha
