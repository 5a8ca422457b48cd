#pragma once
// The pictures of a file or pipe, in sequence.

#include "cli/inputs.hpp"

#include <attn/io/operand.hpp>

#include <memory>
#include <optional>
#include <string>

namespace transformer_run {

/// A sequence of PNG and JPEG pictures, or a tensor (height, width, 3) or (frames, ...).
class Frames {
 public:
  /// word: an operand. Throws the errors of opening it.
  Frames(const std::string& word, cli::Inputs& inputs);

  /// The next picture; nothing after the last.
  std::optional<attn::TensorView> next();

 private:
  void load();

  attn::io::Operand operand_;
  std::unique_ptr<attn::Source> own_;
  attn::Source* source_;
  attn::TensorView tensor_;
  bool taken_ = false;
  std::size_t at_ = 0;
};

}  // namespace transformer_run
