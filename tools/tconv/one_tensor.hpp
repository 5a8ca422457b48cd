#pragma once
// A tensor that an operand names and no file lists: a literal, a part, columns of a table.

#include <attn/core/source_sink.hpp>

#include <functional>
#include <string>
#include <vector>

namespace tconv {

/// A source with only that tensor, to be listed like a file.
class OneTensor final : public attn::Source {
 public:
  struct Content {
    std::string label;
    attn::TensorInfo info;
    std::function<attn::TensorView()> read;
    attn::Attributes attributes, of_file;
    bool is_of_table = false;
  };

  explicit OneTensor(Content content) : content_(std::move(content)), tensors_{content_.info} {}

  const std::string& label() const noexcept override { return content_.label; }
  const std::vector<attn::TensorInfo>& tensors() const noexcept override { return tensors_; }
  bool is_table() const noexcept override { return content_.is_of_table; }
  attn::TensorView read(const std::string&, const attn::Slab& part) override {
    return attn::slice(content_.read(), part);
  }
  attn::Attributes attributes(const std::string& name) const override {
    return name.empty() ? content_.of_file : content_.attributes;
  }

 private:
  Content content_;
  std::vector<attn::TensorInfo> tensors_;
};

}  // namespace tconv
