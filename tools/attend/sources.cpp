#include "attend/sources.hpp"

#include <attn/core/memory_account.hpp>

namespace attend_tool {

cli::Input source_of(const cli::OptionalInput& input, const Options& o) {
  const bool any = o.query.given() || o.key.given() || o.value.given();
  if (input.given()) return input;
  if (any && o.input.text.empty())
    throw attn::Error(attn::ErrorKind::usage, input.option, "is not given, and neither is an INPUT to read it from",
                      "name one of them; - is standard input");
  // The slab of -q, -k or -v applies to its tensor alone, the slab of INPUT to all tensors from INPUT.
  cli::Input source = o.input;
  source.text = o.input.text.empty() ? "-" : o.input.text;
  source.defaults = input.defaults;
  source.role = input.option;
  if (!input.slab.empty()) source.slab = input.slab, source.slab_of = input.slab_of;
  return source;
}

std::optional<attn::StoredTensor> stored(const cli::OptionalInput& input, const Options& o, cli::Inputs& inputs) {
  if (!attn::memory_account().is_limited() && !o.output.wants("state")) return std::nullopt;
  const auto located = inputs.locate(source_of(input, o));
  if (!located) return std::nullopt;
  return attn::StoredTensor{located->source, located->info};
}

attn::TensorView unread(const attn::StoredTensor& stored) {
  const attn::TensorInfo& info = stored.info;
  const std::string name = stored.source->label() + ":/" + info.name;
  return {nullptr, info.dtype, info.shape, attn::row_major_strides(info.shape), nullptr, name};
}

}  // namespace attend_tool
