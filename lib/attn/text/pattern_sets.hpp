#pragma once
// Sets of characters, and clusters of them, as Oniguruma means their names and escapes, in the words of PCRE2. Private
// to the pattern dialect.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::text {

/// A set of code points as two expressions, each of which takes exactly one: a member, and one that is none.
struct CharacterSet {
  std::string in, out;
};

// Sets as they stand between the brackets of a class. Each ends with a property or a class, so that a hyphen behind it
// is a hyphen.
extern const char* const white_space_atoms;
extern const char* const hexadecimal_atoms;
extern const char* const word_atoms;
/// Outside of brackets, \w has the superscripts and fractions of Latin-1 too; so have \W and \b.
const std::string& word_escape_atoms();
/// Those of [:name:], if there is such a set.
std::optional<std::string> atoms_of_bracket(std::string_view name);
/// Those of \p{name}, which PCRE2 may find to be none.
std::string atoms_of_property(const std::string& name);

CharacterSet set_of(const std::string& atoms);
CharacterSet complement(const CharacterSet& set);
/// The union, or the intersection.
CharacterSet combine(const std::vector<CharacterSet>& sets, bool intersect);

/// \X, a grapheme cluster (UAX 29, table 1b).
const std::string& grapheme_cluster();

}  // namespace attn::text
