#pragma once
// The distance of two words, for look-ups of the nearest text and for suggestions after a typo.

#include <attn/core/api.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ATTN_API attn {

/// The cost of swapping neighbours: two substitutions (Levenshtein 1966), or one edit, as for a typist (Damerau 1964,
/// with each character edited once).
enum class Swaps { two_edits, one_edit };

/// The least number of insertions, deletions and substitutions of characters (UTF-8) that turn a into b. Source: Wagner
/// and Fischer 1974.
std::size_t edit_distance(std::string_view a, std::string_view b, Swaps swaps = Swaps::two_edits);

/// The known word that `word` probably means, the first of several: the same word in another case, or a word at most a
/// quarter of its characters (two for a short word) and less than half of them away, with swaps as one edit. Empty if
/// none is so near.
std::string nearest_word(std::string_view word, const std::vector<std::string>& known);

}  // namespace attn
