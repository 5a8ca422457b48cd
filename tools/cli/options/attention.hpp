#pragma once
// The options that say what attention computes: score, masks, weights. The parameter struct is the library's.

#include "cli/command.hpp"
#include "cli/session.hpp"

#include <attn/attention/attend.hpp>

namespace cli {

struct AttentionOptions {
  attn::AttendParameters parameters;
  std::optional<std::string> bandwidth;  ///< as given
  OptionalInput bilinear{"m"}, query_weight{"wq"}, key_weight{"wk"}, score_weight{"wv"};
  OptionalInput mask{"mask"}, valid_lens{"valid_lens"}, bias{"bias"}, alibi_slopes{"slopes"}, sinks{"sinks"};
};

/// The names of --mask-type.
Choices<attn::MaskType> mask_types();

/// The names of --layout.
Choices<attn::Layout> layouts();

void add_attention_options(Command& command, AttentionOptions& options);

/// Where rows stand, (L) or (B, L), if the operand is given; (1, L) is (L) of all batches.
std::optional<attn::TensorView> read_positions(const OptionalInput& positions, Inputs& inputs);

/// Reads the operands that the options name: tensors into `inputs`, the bandwidth into the parameters returned.
attn::AttendParameters read_attention_options(const AttentionOptions& options, Session& session,
                                              attn::AttendInputs& inputs);

/// A note on queries that had no key left, where there are any.
void note_empty_rows(const attn::AttendResult& result, attn::EmptyRows empty, Report& report);

}  // namespace cli
