#pragma once
// What heads are written with for the stage that takes them, as attributes; an option there says otherwise.

#include "cli/inputs.hpp"
#include "cli/result.hpp"

#include <attn/attention/attend.hpp>

namespace cli {

struct HandedOn {
  attn::Attributes queries, keys_and_values;
};

/// Of queries the attribute score_scale, where the scale of their scores is not that of every score; without a batch
/// axis of all of them heads_layout, as three axes alone are (B, L, d) to others.
HandedOn handed_on(const attn::AttendParameters& parameters, bool has_batch);

/// The scale that queries were written with. Throws Error(data) for an attribute that is not one number.
std::optional<double> handed_scale(const Input& queries, Inputs& inputs);

/// Were they written as heads (H, L, d)? Throws Error(data) for an attribute that says something else.
bool are_handed_heads_first(const Input& heads, Inputs& inputs);

/// All of that of a tensor that is changed and goes on.
attn::Attributes handed_along(const Input& heads, Inputs& inputs);

/// A line for each of those that results have and that would be lost in a format without attributes of tensors: what it
/// says, and how to say it to the next stage.
std::vector<std::string> handed_on_in_vain(const std::vector<Result>& results);

}  // namespace cli
