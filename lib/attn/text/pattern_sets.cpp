#include <attn/text/pattern_sets.hpp>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <array>

namespace attn::text {
namespace {

constexpr const char* white_space = "\\t-\\r\\x{85}\\p{Z}";
constexpr const char* hexadecimal = "0-9a-fA-F";
// Letters, marks, decimal and letter numbers, connectors, and the symbols that are letters in circles and squares.
constexpr const char* word =
    "\\x{24B6}-\\x{24E9}\\x{1F130}-\\x{1F149}\\x{1F150}-\\x{1F169}\\x{1F170}-\\x{1F189}"
    "\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}";
constexpr const char* alphabetic = "\\p{Alphabetic}";
constexpr const char* alphanumeric = "\\p{Alphabetic}\\p{Nd}";
constexpr const char* visible = "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}\\p{Co}";
constexpr const char* printed = "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}\\p{Co}\\p{Zs}";
constexpr const char* blank = "\\t\\p{Zs}";

struct Name {
  const char *name, *atoms;
};

constexpr std::array<Name, 14> brackets{{{"alnum", alphanumeric},
                                         {"alpha", alphabetic},
                                         {"ascii", "\\x00-\\x7F"},
                                         {"blank", blank},
                                         {"cntrl", "\\p{Cc}"},
                                         {"digit", "\\p{Nd}"},
                                         {"graph", visible},
                                         {"lower", "\\p{Lowercase}"},
                                         {"print", printed},
                                         {"punct", "\\p{P}\\p{S}"},
                                         {"space", white_space},
                                         {"upper", "\\p{Uppercase}"},
                                         {"word", word},
                                         {"xdigit", hexadecimal}}};

// Properties that PCRE2 does not know, or means something else by; names without case, spaces, hyphens, underlines.
constexpr std::array<Name, 54> properties{{{"alnum", alphanumeric},
                                           {"alpha", alphabetic},
                                           {"assigned", "\\P{Cn}"},
                                           {"blank", blank},
                                           {"casedletter", "\\p{L&}"},
                                           {"closepunctuation", "\\p{Pe}"},
                                           {"cntrl", "\\p{Cc}"},
                                           {"combiningmark", "\\p{M}"},
                                           {"connectorpunctuation", "\\p{Pc}"},
                                           {"control", "\\p{Cc}"},
                                           {"currencysymbol", "\\p{Sc}"},
                                           {"dashpunctuation", "\\p{Pd}"},
                                           {"decimalnumber", "\\p{Nd}"},
                                           {"digit", "\\p{Nd}"},
                                           {"enclosingmark", "\\p{Me}"},
                                           {"finalpunctuation", "\\p{Pf}"},
                                           {"format", "\\p{Cf}"},
                                           {"graph", visible},
                                           {"initialpunctuation", "\\p{Pi}"},
                                           {"lc", "\\p{L&}"},
                                           {"letter", "\\p{L}"},
                                           {"letternumber", "\\p{Nl}"},
                                           {"lineseparator", "\\p{Zl}"},
                                           {"lower", "\\p{Lowercase}"},
                                           {"lowercaseletter", "\\p{Ll}"},
                                           {"mark", "\\p{M}"},
                                           {"mathsymbol", "\\p{Sm}"},
                                           {"modifierletter", "\\p{Lm}"},
                                           {"modifiersymbol", "\\p{Sk}"},
                                           {"nonspacingmark", "\\p{Mn}"},
                                           {"number", "\\p{N}"},
                                           {"openpunctuation", "\\p{Ps}"},
                                           {"other", "\\p{C}"},
                                           {"otherletter", "\\p{Lo}"},
                                           {"othernumber", "\\p{No}"},
                                           {"otherpunctuation", "\\p{Po}"},
                                           {"othersymbol", "\\p{So}"},
                                           {"paragraphseparator", "\\p{Zp}"},
                                           {"print", printed},
                                           {"privateuse", "\\p{Co}"},
                                           {"punct", "\\p{P}"},
                                           {"punctuation", "\\p{P}"},
                                           {"separator", "\\p{Z}"},
                                           {"space", white_space},
                                           {"spaceseparator", "\\p{Zs}"},
                                           {"spacingmark", "\\p{Mc}"},
                                           {"symbol", "\\p{S}"},
                                           {"titlecaseletter", "\\p{Lt}"},
                                           {"unassigned", "\\p{Cn}"},
                                           {"upper", "\\p{Uppercase}"},
                                           {"uppercaseletter", "\\p{Lu}"},
                                           {"whitespace", white_space},
                                           {"word", word},
                                           {"xdigit", hexadecimal}}};

template <std::size_t N>
std::optional<std::string> find(const std::array<Name, N>& names, std::string_view name) {
  const auto at = std::find_if(names.begin(), names.end(), [&](const Name& each) { return each.name == name; });
  return at == names.end() ? std::nullopt : std::optional<std::string>(at->atoms);
}

bool compiles(const std::string& expression) {
  int error = 0;
  PCRE2_SIZE at = 0;
  pcre2_code* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(expression.data()), expression.size(), PCRE2_UTF,
                                   &error, &at, nullptr);
  pcre2_code_free(code);
  return code != nullptr;
}

// Any of the expressions, each of one code point.
std::string any_of(const std::vector<std::string>& each) {
  if (each.size() == 1) return each[0];
  std::string all = "(?:";
  for (std::size_t i = 0; i < each.size(); ++i) all += (i > 0 ? "|" : "") + each[i];
  return all + ")";
}

// What all of them take.
std::string all_of(const std::vector<std::string>& each) {
  if (each.size() == 1) return each[0];
  std::string all = "(?:";
  for (std::size_t i = 0; i + 1 < each.size(); ++i) all += "(?=" + each[i] + ")";
  return all + each.back() + ")";
}

}  // namespace

const char* const white_space_atoms = white_space;
const char* const hexadecimal_atoms = hexadecimal;
const char* const word_atoms = word;

const std::string& word_escape_atoms() {
  static const std::string atoms = std::string("\\x{B2}\\x{B3}\\x{B9}\\x{BC}-\\x{BE}") + word;
  return atoms;
}

std::optional<std::string> atoms_of_bracket(std::string_view name) { return find(brackets, name); }

// A name alone is the script of a code point; to PCRE2 it is any script that uses it (a comma of Chinese is Han).
std::string atoms_of_property(const std::string& name) {
  std::string plain;
  for (const char c : name)
    if (c != ' ' && c != '_' && c != '-') plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  if (auto atoms = find(properties, plain)) return *atoms;
  const std::string script = "\\p{sc:" + name + "}";
  return name.size() > 2 && compiles(script) ? script : "\\p{" + name + "}";
}

CharacterSet set_of(const std::string& atoms) { return {"[" + atoms + "]", "[^" + atoms + "]"}; }

CharacterSet complement(const CharacterSet& set) { return {set.out, set.in}; }

CharacterSet combine(const std::vector<CharacterSet>& sets, bool intersect) {
  if (sets.empty()) return {"(?:(?!).)", "(?s:.)"};
  std::vector<std::string> in, out;
  for (const CharacterSet& set : sets) {
    in.push_back(set.in);
    out.push_back(set.out);
  }
  return intersect ? CharacterSet{all_of(in), any_of(out)} : CharacterSet{any_of(in), all_of(out)};
}

// PCRE2 10.42 joins pictographs that no joiner stands between, and takes flags
// from what is written on or in front of them: clusters of these are said in full, and all others are its own.
const std::string& grapheme_cluster() {
  static const std::string prepended =
      "[\\p{PCM}\\x{D4E}\\x{111C2}\\x{111C3}\\x{1193F}\\x{11941}\\x{11A3A}\\x{11A84}-\\x{11A89}\\x{11D46}]";
  static const std::string extending = "\\p{GrExt}\\p{EMod}", joiner = "\\x{200D}";
  static const std::string spacing_marks =
      "(?![\\x{102B}\\x{102C}\\x{1038}\\x{1062}-\\x{1064}\\x{1067}-\\x{106D}\\x{1083}\\x{1087}-\\x{108C}\\x{108F}"
      "\\x{109A}-\\x{109C}\\x{1A61}\\x{1A63}\\x{1A64}\\x{AA7B}\\x{AA7D}\\x{11720}\\x{11721}])[\\p{Mc}\\x{E33}\\x{EB3}]";
  static const std::string whole = "(?>" + prepended + "*(?:\\p{RI}{1,2}|\\p{ExtPict}(?:[" + extending + "]*" + joiner +
                                   "\\p{ExtPict})*)(?:[" + extending + joiner + "]|" + spacing_marks + ")*|\\X)";
  return whole;
}

}  // namespace attn::text
