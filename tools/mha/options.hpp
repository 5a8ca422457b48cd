#pragma once
// The options of mha.

#include "cli/options/multi_head.hpp"
#include "cli/session.hpp"

namespace mha {

enum class Part { all, project, attend, merge };

struct Options {
  cli::Input input{std::vector<std::string>{"y", "x"}};
  cli::OptionalInput weights{"weight"};
  cli::OptionalInput memory{"memory"}, query{"q"}, key{"k"}, value{"v"}, past_key{"keys"}, past_value{"values"};
  Part stage = Part::all;
  cli::MultiHeadOptions attention;
  bool average = false;
  cli::Output output;
};

void declare(cli::Command& command, Options& options);

/// Does the stage's input have a batch axis? Sequences are (B, L, d), heads (B, H, L, d).
bool is_batch(const Options& options, const attn::TensorView& query);
/// x (B, ...), without the axis B if the stage's input has none.
attn::TensorView as_given(const Options& options, const attn::TensorView& query, const attn::TensorView& x);

/// Throws Error(usage) for operands that the stage does not use, and for missing ones.
void check(const Options& options);

}  // namespace mha
