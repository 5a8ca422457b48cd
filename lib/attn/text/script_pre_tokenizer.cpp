// Cutting a text where the script changes: "UnicodeScripts" of tokenizer.json.

#include <attn/text/pre_tokenizer.hpp>

namespace attn::text {

namespace {

// Han, Hiragana and Katakana are one and stand apart from these.
// clang-format off
constexpr const char* other_scripts[] = {
    "Adlam", "Ahom", "Anatolian_Hieroglyphs", "Arabic", "Armenian", "Avestan", "Balinese", "Bamum", "Bassa_Vah",
    "Batak", "Bengali", "Bhaiksuki", "Bopomofo", "Brahmi", "Braille", "Buginese", "Buhid", "Canadian_Aboriginal",
    "Carian", "Caucasian_Albanian", "Chakma", "Cham", "Cherokee", "Coptic", "Cuneiform", "Cypriot", "Cyrillic",
    "Deseret", "Devanagari", "Duployan", "Egyptian_Hieroglyphs", "Elbasan", "Ethiopic", "Georgian", "Glagolitic",
    "Gothic", "Grantha", "Greek", "Gujarati", "Gurmukhi", "Hangul", "Hanunoo", "Hatran", "Hebrew",
    "Imperial_Aramaic", "Inherited", "Inscriptional_Pahlavi", "Inscriptional_Parthian", "Javanese", "Kaithi",
    "Kannada", "Kayah_Li", "Kharoshthi", "Khmer", "Khojki", "Khudawadi", "Lao", "Latin", "Lepcha", "Limbu",
    "Linear_A", "Linear_B", "Lisu", "Lycian", "Lydian", "Mahajani", "Malayalam", "Mandaic", "Manichaean", "Marchen",
    "Meetei_Mayek", "Mende_Kikakui", "Meroitic_Cursive", "Meroitic_Hieroglyphs", "Miao", "Modi", "Mongolian", "Mro",
    "Multani", "Myanmar", "Nabataean", "New_Tai_Lue", "Newa", "Nko", "Ogham", "Ol_Chiki", "Old_Hungarian",
    "Old_Italic", "Old_North_Arabian", "Old_Permic", "Old_Persian", "Old_South_Arabian", "Old_Turkic", "Oriya",
    "Osage", "Osmanya", "Pahawh_Hmong", "Palmyrene", "Pau_Cin_Hau", "Phags_Pa", "Phoenician", "Psalter_Pahlavi",
    "Rejang", "Runic", "Samaritan", "Saurashtra", "Sharada", "Shavian", "Siddham", "SignWriting", "Sinhala",
    "Sora_Sompeng", "Sundanese", "Syloti_Nagri", "Syriac", "Tagalog", "Tagbanwa", "Tai_Le", "Tai_Tham", "Tai_Viet",
    "Takri", "Tamil", "Tangut", "Telugu", "Thaana", "Thai", "Tibetan", "Tifinagh", "Tirhuta", "Ugaritic", "Vai",
    "Warang_Citi", "Yi",
};
// clang-format on

}  // namespace

PreTokenizerPtr unicode_scripts_pre_tokenizer() {
  std::string scripts = "\\p{sc:Common}\\p{sc:Han}\\p{sc:Hiragana}\\p{sc:Katakana}";
  for (const char* name : other_scripts) scripts += std::string("\\p{sc:") + name + "}";
  const std::string neutral = "(?: |[^" + scripts + "])";
  const auto run = [&](const std::string& character) { return character + "(?:" + character + "|" + neutral + ")*+"; };
  // A run of one script, in which a space and code points without a script may stand.
  std::string pattern = run("[\\p{sc:Han}\\p{sc:Hiragana}\\p{sc:Katakana}\\x{30FC}]");
  pattern += "|" + run("(?![ \\x{30FC}])\\p{sc:Common}");
  for (const char* name : other_scripts) pattern += "|" + run(std::string("\\p{sc:") + name + "}");
  return split_pre_tokenizer(Pattern::regex(pattern), Split::removed, true);
}

}  // namespace attn::text
