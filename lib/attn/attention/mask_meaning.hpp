#pragma once
// What the axes and the elements of a mask mean.

#include <attn/attention/parameters.hpp>
#include <attn/attention/shapes.hpp>

namespace ATTN_API attn {

/// The meaning of a mask or bias of a shape for scores (B, H, L, S): 4 axes, each 1 or as in the scores. Throws
/// Error(data) for a shape that does not fit, and for a shape that fits in two ways.
Shape mask_meaning(const TensorView& mask, const AttentionSizes& sizes, bool has_lengths);

/// The elements of a whole mask, which may be gathered from its parts: they decide the type of a mask if no other does.
class MaskElements {
 public:
  void add(const TensorView& part);
  /// Are they floats that are all 0 or 1?
  bool look_boolean() const noexcept { return is_floating_ && ones_ && !minus_ones_ && !others_; }
  /// Boolean or additive: integers are boolean unless some are negative, floats additive. Throws Error(data) naming the
  /// mask for text, and for numbers that may mean either: floats of 0 and 1, integers of 0 and -1.
  MaskType type(const std::string& mask) const;

 private:
  bool is_floating_ = false, ones_ = false, minus_ones_ = false, negative_ = false, others_ = false;
};

}  // namespace attn
