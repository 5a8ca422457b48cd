#pragma once
// --state of optimize: the file of what the optimiser remembers.

#include "cli/session.hpp"

#include <attn/layers/optimizer.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace optimizer {

/// A number of steps, and tensors by the names of parameters.
class State {
 public:
  /// Of a file that may not exist yet, or without one.
  State(const std::string& file, const attn::OptimizerParameters& parameters);

  /// The number of this step.
  std::size_t step() const noexcept { return step_ + 1; }
  /// What is remembered of a parameter, zeros before its first step.
  std::vector<attn::Tensor> of(const std::string& name, attn::DType dtype, const attn::Shape& shape) const;
  void keep(const std::string& name, std::vector<attn::Tensor>&& tensors);
  /// Replaces the file once the weights are there.
  void write(cli::Session& session) const;

 private:
  std::string file_;
  std::vector<const char*> kinds_;  ///< of tensors for each parameter
  std::unique_ptr<attn::Source> source_;
  std::size_t step_ = 0;
  std::map<std::string, attn::Tensor> kept_;
};

}  // namespace optimizer
