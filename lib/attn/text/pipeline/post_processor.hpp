#pragma once
// Post-processors, which add the special tokens that a model expects around one text or two.

#include <attn/text/encoding.hpp>

#include <string>
#include <vector>

namespace attn::text {

/// One part of a template: one of the texts, or added ids.
struct TemplatePart {
  Origin what = Origin::added;
  std::vector<TokenId> ids;  ///< added ids, with the type of `what`; empty: the text itself
  TokenId type_id = 0;
};

/// Offsets exclude the spaces at the ends of byte-level tokens.
struct OffsetTrim {
  /// The tokenizer added a single space at the start of the text, which has no offset to exclude.
  bool prefix_space = false;
};

/// Templates for one text and for two. If the template for two is empty, texts cannot be joined.
struct PostProcessor {
  std::vector<TemplatePart> single{{Origin::first, {}, 0}};
  std::vector<TemplatePart> pair{{Origin::first, {}, 0}, {Origin::second, {}, 1}};
  std::vector<OffsetTrim> trims;  ///< applied in sequence

  std::size_t added(bool is_pair) const;
  /// The tokens of the texts in their places, with added ids if the options ask for them. `second` is null for one
  /// text.
  Encoding apply(const Encoding& first, const Encoding* second, const EncodeOptions& options) const;
};

/// Cuts tokens off so that `first` and `second` (may be null) fit `room` tokens. Throws Error(data) if the strategy
/// cannot make enough room.
void truncate(Encoding& first, Encoding* second, std::size_t room, const TruncationOptions& options);

}  // namespace attn::text
