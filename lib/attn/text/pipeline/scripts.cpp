// Cutting a text where the script changes: "UnicodeScripts" of tokenizer.json.

#include <attn/core/characters.hpp>
#include <attn/text/pipeline/pre_tokenizer.hpp>
#include <attn/text/unicode.hpp>

#include <algorithm>
#include <iterator>

namespace attn::text {

namespace {

// All scripts but Common, and Han, Hiragana and Katakana, which count as one. They are tried in this order, so three
// that are frequent come first.
// clang-format off
constexpr const char* other_scripts[] = {
    "Latin", "Cyrillic", "Arabic", "Adlam", "Ahom", "Anatolian_Hieroglyphs", "Armenian", "Avestan", "Balinese",
    "Bamum", "Bassa_Vah", "Batak", "Bengali", "Bhaiksuki", "Bopomofo", "Brahmi", "Braille", "Buginese", "Buhid",
    "Canadian_Aboriginal", "Carian", "Caucasian_Albanian", "Chakma", "Cham", "Cherokee", "Coptic", "Cuneiform",
    "Cypriot", "Deseret", "Devanagari", "Duployan", "Egyptian_Hieroglyphs", "Elbasan", "Ethiopic", "Georgian",
    "Glagolitic", "Gothic", "Grantha", "Greek", "Gujarati", "Gurmukhi", "Hangul", "Hanunoo", "Hatran", "Hebrew",
    "Imperial_Aramaic", "Inherited", "Inscriptional_Pahlavi", "Inscriptional_Parthian", "Javanese", "Kaithi",
    "Kannada", "Kayah_Li", "Kharoshthi", "Khmer", "Khojki", "Khudawadi", "Lao", "Lepcha", "Limbu", "Linear_A",
    "Linear_B", "Lisu", "Lycian", "Lydian", "Mahajani", "Malayalam", "Mandaic", "Manichaean", "Marchen",
    "Meetei_Mayek", "Mende_Kikakui", "Meroitic_Cursive", "Meroitic_Hieroglyphs", "Miao", "Modi", "Mongolian", "Mro",
    "Multani", "Myanmar", "Nabataean", "New_Tai_Lue", "Newa", "Nko", "Ogham", "Ol_Chiki", "Old_Hungarian",
    "Old_Italic", "Old_North_Arabian", "Old_Permic", "Old_Persian", "Old_South_Arabian", "Old_Turkic", "Oriya",
    "Osage", "Osmanya", "Pahawh_Hmong", "Palmyrene", "Pau_Cin_Hau", "Phags_Pa", "Phoenician", "Psalter_Pahlavi",
    "Rejang", "Runic", "Samaritan", "Saurashtra", "Sharada", "Shavian", "Siddham", "SignWriting", "Sinhala",
    "Sora_Sompeng", "Sundanese", "Syloti_Nagri", "Syriac", "Tagalog", "Tagbanwa", "Tai_Le", "Tai_Tham", "Tai_Viet",
    "Takri", "Tamil", "Tangut", "Telugu", "Thaana", "Thai", "Tibetan", "Tifinagh", "Tirhuta", "Ugaritic", "Vai",
    "Warang_Citi", "Yi",
};

// Characters of Oniguruma that are not in Unicode 9. The tokenizers package has the scripts of Unicode 9, in which
// these have no script. The ranges contain no character of Unicode 9 with a script.
struct Range { char32_t first, last; };
constexpr Range after_unicode_9[] = {
    {0x558, 0x558}, {0x560, 0x560}, {0x588, 0x588}, {0x58B, 0x58C}, {0x5C8, 0x5C9}, {0x5EF, 0x5EF}, {0x61D, 0x61D},
    {0x7FD, 0x7FF}, {0x860, 0x89F}, {0x8B5, 0x8B5}, {0x8BE, 0x8D3}, {0x9FC, 0x9FE}, {0xA76, 0xA76}, {0xAFA, 0xAFF},
    {0xB53, 0xB55}, {0xC04, 0xC04}, {0xC3C, 0xC3C}, {0xC5C, 0xC5D}, {0xC77, 0xC77}, {0xC84, 0xC84}, {0xCDC, 0xCDD},
    {0xCF3, 0xD00}, {0xD04, 0xD04}, {0xD3B, 0xD3C}, {0xD81, 0xD81}, {0xE86, 0xE86}, {0xE89, 0xE89}, {0xE8C, 0xE8C},
    {0xE8E, 0xE93}, {0xE98, 0xE98}, {0xEA0, 0xEA0}, {0xEA8, 0xEA9}, {0xEAC, 0xEAC}, {0xEBA, 0xEBA}, {0xECE, 0xECE},
    {0x170D, 0x170D}, {0x1715, 0x171F}, {0x180F, 0x180F}, {0x1878, 0x1878}, {0x1ABF, 0x1AF0}, {0x1B4C, 0x1B4F},
    {0x1B7D, 0x1B7F}, {0x1C89, 0x1CBF}, {0x1CF7, 0x1CF7}, {0x1CFA, 0x1CFA}, {0x1DF6, 0x1DFA}, {0x208F, 0x208F},
    {0x209D, 0x209F}, {0x20BF, 0x20C4}, {0x23FF, 0x23FF}, {0x2427, 0x2429}, {0x2B96, 0x2B97}, {0x2BBA, 0x2BBC},
    {0x2BC9, 0x2BC9}, {0x2BD2, 0x2BEB}, {0x2BF0, 0x2BFF}, {0x2C2F, 0x2C2F}, {0x2C5F, 0x2C5F}, {0x2E45, 0x2E63},
    {0x2FFC, 0x2FFF}, {0x312E, 0x312F}, {0x31BB, 0x31BF}, {0x31E4, 0x31EF}, {0x32FF, 0x32FF}, {0x4DB6, 0x4DBF},
    {0x9FD6, 0x9FFF}, {0xA7AF, 0xA7AF}, {0xA7B8, 0xA7F6}, {0xA82C, 0xA82C}, {0xA8FE, 0xA8FF}, {0xAB66, 0xAB6D},
    {0xFBC2, 0xFBD2}, {0xFD40, 0xFD4F}, {0xFD90, 0xFD91}, {0xFDC8, 0xFDCF}, {0xFDFE, 0xFDFF}, {0x1019C, 0x1019C},
    {0x1032D, 0x1032F}, {0x10570, 0x105F3}, {0x10780, 0x107BF}, {0x10940, 0x10959}, {0x10A34, 0x10A35},
    {0x10A48, 0x10A48}, {0x10D00, 0x10D8F}, {0x10E80, 0x10FF6}, {0x11070, 0x11075}, {0x110C2, 0x110CD},
    {0x11144, 0x11147}, {0x111CE, 0x111CF}, {0x1123F, 0x11241}, {0x1133B, 0x1133B}, {0x11380, 0x113E2},
    {0x1145A, 0x1145A}, {0x1145E, 0x11461}, {0x116B8, 0x116B9}, {0x116D0, 0x116E3}, {0x1171A, 0x1171A},
    {0x11740, 0x1183B}, {0x11900, 0x11ABF}, {0x11B00, 0x11BF9}, {0x11D00, 0x11FFF}, {0x1246F, 0x1246F},
    {0x12475, 0x1247F}, {0x12550, 0x12FF2}, {0x1342F, 0x143FA}, {0x16100, 0x16139}, {0x16A70, 0x16AC9},
    {0x16D40, 0x16ED3}, {0x16F45, 0x16F4F}, {0x16F7F, 0x16F87}, {0x16FE1, 0x16FF6}, {0x187ED, 0x187FF},
    {0x18AF3, 0x1AFFE}, {0x1B002, 0x1B2FB}, {0x1CC00, 0x1CFC3}, {0x1D127, 0x1D128}, {0x1D1E9, 0x1D1FF},
    {0x1D250, 0x1D2F3}, {0x1D372, 0x1D378}, {0x1D6A6, 0x1D6A6}, {0x1DB00, 0x1DFFF}, {0x1E030, 0x1E7FE},
    {0x1E94B, 0x1E94B}, {0x1EC71, 0x1ED3D}, {0x1F10D, 0x1F10F}, {0x1F12F, 0x1F12F}, {0x1F16C, 0x1F16F},
    {0x1F1AD, 0x1F1AE}, {0x1F260, 0x1F265}, {0x1F6D3, 0x1F6DF}, {0x1F6F7, 0x1F6FC}, {0x1F774, 0x1F77F},
    {0x1F7D5, 0x1F7FF}, {0x1F8B0, 0x1F90F}, {0x1F91F, 0x1F91F}, {0x1F928, 0x1F92F}, {0x1F931, 0x1F932},
    {0x1F93F, 0x1F93F}, {0x1F94C, 0x1F94F}, {0x1F95F, 0x1F97F}, {0x1F992, 0x1F9BF}, {0x1F9C1, 0x1FBFA},
    {0x2A6D7, 0x2A6DF}, {0x2B735, 0x2B73F}, {0x2B81E, 0x2B81E}, {0x2CEA2, 0x2EE5D}, {0x30000, 0x323FF},
};
// clang-format on

/// The text as Unicode 9 sees it, of the same length: what is new to it counts as spaces, which have no script either.
std::string as_in_unicode_9(std::string_view text) {
  std::string seen(text);
  for (std::size_t i = skip_ascii(text, 0); i < text.size();) {
    const CodePoint c = code_point_at(text, i);
    const auto range = std::upper_bound(std::begin(after_unicode_9), std::end(after_unicode_9), c.value,
                                        [](char32_t value, const Range& each) { return value < each.first; });
    if (range != std::begin(after_unicode_9) && c.value <= std::prev(range)->last)
      seen.replace(i, c.length, c.length, ' ');
    else if (c.value == 0x589 || c.value == 0x61C)
      seen.replace(i, c.length, "\u00B7");  // Common then, Armenian and Arabic since
    i += c.length;
  }
  return seen;
}

}  // namespace

PreTokenizerPtr unicode_scripts_pre_tokenizer() {
  // A run of one script, which may contain spaces and code points without a script; a space does not begin one.
  const auto run = [](const std::string& script) { return "[" + script + "][" + script + " \\p{Unknown}]*+"; };
  std::string pattern = "(?! )(?:" + run("\\p{Han}\\p{Hiragana}\\p{Katakana}\\x{30FC}");
  pattern += "|" + run("[\\p{Common}&&[^\\x{30FC}]]");
  for (const char* name : other_scripts) pattern += "|" + run(std::string("\\p{") + name + "}");
  pattern += ")";
  return split_pre_tokenizer(Pattern::regex(pattern), Split::removed, true, as_in_unicode_9);
}

}  // namespace attn::text
