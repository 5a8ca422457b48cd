#pragma once
// The options of attention: score, masks, weights. The parameter struct is the library's.

#include "cli/command.hpp"
#include "cli/session.hpp"

#include <attn/attention/parameters.hpp>
#include <attn/attention/vjp.hpp>

#include <vector>

namespace cli {

struct AttentionOptions {
  attn::AttendParameters parameters;
  std::optional<std::string> bandwidth;  ///< as given
  OptionalInput bilinear{"m"}, query_weight{"wq"}, key_weight{"wk"}, score_weight{"wv"};
  OptionalInput mask{"mask"}, valid_lens{"valid_lens"}, bias{"bias"}, alibi_slopes{"slopes"}, sinks{"sinks"};

  /// Do some rows of the queries need nothing of the others? The type of a mask is decided by all of it, and the last
  /// query is at the last key.
  bool has_rows() const {
    return (!mask.given() || parameters.mask_type != attn::MaskType::automatic) && !parameters.causal_bottom_right;
  }
};

/// The names of --mask-type.
Choices<attn::MaskType> mask_types();

/// The names of --layout, --normalize and --empty.
Choices<attn::Layout> layouts();
Choices<attn::Normalize> normalisers();
Choices<attn::EmptyRows> empty_rows();

void add_attention_options(Command& command, AttentionOptions& options);

/// The type of a mask of which a part was read: what its integers mean is said by the whole of it, as negative ones may
/// lie in the rest alone.
attn::MaskType type_of_mask(const OptionalInput& mask, const std::optional<attn::TensorView>& part,
                            attn::MaskType given, Inputs& inputs);

/// The positions of the rows, (L) or (B, L), if the operand is given; (1, L) becomes (L), for all batches.
std::optional<attn::TensorView> read_positions(const OptionalInput& positions, Inputs& inputs);

/// Reads the operands of the options: tensors into `inputs`, the bandwidth into the returned parameters.
attn::AttendParameters read_attention_options(const AttentionOptions& options, Session& session,
                                              attn::AttendInputs& inputs);

/// The gradients by the tensors of the options.
void add_gradients(std::vector<Gradient>& all, const AttentionOptions& options, Session& session,
                   const attn::AttendGradients& gradients);

/// Prints a note if any queries had no key left.
void note_empty_rows(const attn::AttendResult& result, attn::EmptyRows empty, Report& report);

}  // namespace cli
