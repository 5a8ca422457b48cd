#pragma once
// The options of mha.

#include "cli/options/multi_head.hpp"
#include "cli/session.hpp"

#include <attn/attention/shapes.hpp>

namespace mha {

enum class Part { all, project, attend, merge };

struct Options {
  cli::Input input{std::vector<std::string>{"y", "x"}};
  cli::OptionalInput weights{"weight"};
  cli::OptionalInput memory{"memory"}, query{"q"}, key{"k"}, value{"v"}, past_key{"keys"}, past_value{"values"};
  Part stage = Part::all;
  attn::Layout layout = attn::Layout::batch_first;
  cli::MultiHeadOptions attention;
  bool average = false;
  cli::Output output;
};

/// Does the stage's input have a batch axis? Sequences are (B, L, d), heads (B, H, L, d).
inline bool is_batch(const Options& o, const attn::TensorView& query) {
  const bool are_heads = o.stage == Part::attend || o.stage == Part::merge;
  return query.rank() > (are_heads ? 3 : 2);
}
/// A sequence in the order of --layout as (B, L, d), or back.
inline attn::TensorView reordered(const Options& o, const attn::TensorView& x) {
  return attn::batch_and_length_swapped(x, o.layout);
}
/// x (B, ...), without the axis B if the stage's input has none.
inline attn::TensorView as_given(const Options& o, const attn::TensorView& query, const attn::TensorView& x) {
  return is_batch(o, query) ? x : attn::element(x, 0);
}

}  // namespace mha
