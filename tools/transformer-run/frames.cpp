#include "transformer-run/frames.hpp"

#include <attn/io/input.hpp>

namespace transformer_run {

Frames::Frames(const std::string& word, cli::Inputs& inputs) : operand_(attn::io::parse_operand(word)) {
  if (!operand_.is_standard_stream()) own_ = attn::io::open_source(operand_.source);
  source_ = own_ ? own_.get() : &inputs.source(operand_);
  attn::io::resolve_ranges(operand_, *source_);
  load();
}

std::optional<attn::TensorView> Frames::next() {
  while (true) {
    if (tensor_.rank() == 4) {
      if (at_ < tensor_.shape[0]) return element(tensor_, at_++);
    } else if (!taken_) {
      taken_ = true;
      return tensor_;
    }
    if (!source_->next_batch()) return std::nullopt;
    load();
  }
}

void Frames::load() {
  const std::string dataset =
      operand_.dataset.empty() ? attn::io::default_dataset(*source_, {"pixels", "frames", "y", "x"}) : operand_.dataset;
  tensor_ = source_->read(dataset, operand_.slab);
  taken_ = false;
  at_ = 0;
}

}  // namespace transformer_run
