#pragma once
// A source in memory: named tensors of a program, in place of a file.

#include <attn/core/source_sink.hpp>

namespace ATTN_API attn {

/// Named tensors as a Source, in the order they were added.
class TensorMap : public Source {
 public:
  explicit TensorMap(std::string label = "memory") : label_(std::move(label)) {}

  /// Throws Error(usage) if the name is taken.
  void add(const std::string& name, const TensorView& tensor);

  const std::string& label() const noexcept override { return label_; }
  const std::vector<TensorInfo>& tensors() const noexcept override { return infos_; }
  TensorView read(const std::string& name, const Slab& part = {}) override;
  Attributes attributes(const std::string& name = {}) const override;

 private:
  std::string label_;
  std::vector<TensorInfo> infos_;
  std::map<std::string, TensorView> tensors_;
};

}  // namespace attn
