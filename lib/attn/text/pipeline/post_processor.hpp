#pragma once
// Post-processors: the special tokens that a model expects around one text, or around two.

#include <attn/text/encoding.hpp>

#include <string>
#include <vector>

namespace attn::text {

/// One place of a template: one of the texts, or ids that are added.
struct TemplatePart {
  Origin what = Origin::added;
  std::vector<TokenId> ids;  ///< that are added, and count as `what` says; none: the text itself
  TokenId type_id = 0;
};

/// Offsets leave out the spaces at the ends of byte-level tokens.
struct OffsetTrim {
  /// A single space at the start of a text was put there by the tokenizer: it has no offset to leave out.
  bool prefix_space = false;
};

/// What stands around the tokens of one text and of two. An empty template for two: it cannot join them.
struct PostProcessor {
  std::vector<TemplatePart> single{{Origin::first, {}, 0}};
  std::vector<TemplatePart> pair{{Origin::first, {}, 0}, {Origin::second, {}, 1}};
  std::vector<OffsetTrim> trims;  ///< one after the other

  std::size_t added(bool is_pair) const;
  /// The texts' tokens in their places, and the added ids where options ask for them. `second` is null for one text.
  Encoding apply(const Encoding& first, const Encoding* second, const EncodeOptions& options) const;
};

/// Cuts tokens off so that `first` and `second` (may be null) keep to `room` tokens.
/// Throws Error(data) where the strategy cannot make enough room.
void truncate(Encoding& first, Encoding* second, std::size_t room, const TruncationOptions& options);

}  // namespace attn::text
