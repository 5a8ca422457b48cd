#pragma once
// How far apart two words are: for look-ups of what is nearest, and for what a mistyped name may have meant.

#include <attn/core/api.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ATTN_API attn {

/// What a swap of neighbours counts: as two substitutions (Levenshtein 1966), or as one edit, which it is to who types
/// (Damerau 1964, each character edited once).
enum class Swaps { two_edits, one_edit };

/// Insertions, deletions and substitutions of characters (UTF-8) that turn a into b, at least. Source: Wagner and
/// Fischer 1974.
std::size_t edit_distance(std::string_view a, std::string_view b, Swaps swaps = Swaps::two_edits);

/// The known word that `word` probably meant: it in another case, or, swaps being one edit, at most a quarter of its
/// characters (two of a short one) and less than half of them away, the first of several; empty where none is so near.
std::string nearest_word(std::string_view word, const std::vector<std::string>& known);

}  // namespace attn
