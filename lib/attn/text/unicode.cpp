#include <attn/text/unicode.hpp>

#include <attn/core/characters.hpp>

#include <utf8proc.h>

#include <algorithm>
#include <array>

namespace attn::text {
namespace {

utf8proc_category_t category(char32_t c) noexcept { return utf8proc_category(static_cast<utf8proc_int32_t>(c)); }

/// Punctuation, nonspacing marks and format characters of Unicode 9 to 15, in ranges without any of Unicode 8. For the
/// tokenizers package, and for models that were trained with it, they are letters.
constexpr std::array<std::pair<char32_t, char32_t>, 46> after_unicode_8{{
    {0x61D, 0x61D},     {0x7FD, 0x7FD},     {0x890, 0x891},     {0x898, 0x8E2},     {0x9FD, 0x9FE},
    {0xA76, 0xA76},     {0xAFA, 0xAFF},     {0xB55, 0xB55},     {0xC04, 0xC3C},     {0xC77, 0xC77},
    {0xC84, 0xC84},     {0xD00, 0xD00},     {0xD3B, 0xD3C},     {0xD81, 0xD81},     {0xEBA, 0xEBA},
    {0xECE, 0xECE},     {0x180F, 0x1886},   {0x1ABF, 0x1ACE},   {0x1B7D, 0x1B7E},   {0x1DF6, 0x1DFB},
    {0x2E43, 0x2E5D},   {0xA82C, 0xA82C},   {0xA8C5, 0xA8C5},   {0xA8FF, 0xA8FF},   {0xA9BD, 0xA9BD},
    {0x10D24, 0x10F89}, {0x11070, 0x11074}, {0x110C2, 0x110C2}, {0x110CD, 0x110CD}, {0x111C9, 0x111C9},
    {0x111CF, 0x111CF}, {0x1123E, 0x1123E}, {0x11241, 0x11241}, {0x1133B, 0x1133B}, {0x11438, 0x1145E},
    {0x11660, 0x1166C}, {0x116B9, 0x116B9}, {0x1182F, 0x11FFF}, {0x12FF1, 0x12FF2}, {0x13430, 0x13455},
    {0x16E97, 0x16F4F}, {0x16FE2, 0x16FE4}, {0x1CF00, 0x1CF46}, {0x1E000, 0x1E2EF}, {0x1E4EC, 0x1E4EF},
    {0x1E944, 0x1E95F},
}};

bool came_after_unicode_8(char32_t c) noexcept {
  const auto range = std::upper_bound(after_unicode_8.begin(), after_unicode_8.end(), c,
                                      [](char32_t x, const auto& each) { return x < each.first; });
  return range != after_unicode_8.begin() && c <= std::prev(range)->second;
}

bool is_hangul_syllable(char32_t c) noexcept { return c >= 0xAC00 && c <= 0xD7A3; }

const utf8proc_property_t* property(char32_t c) noexcept {
  return utf8proc_get_property(static_cast<utf8proc_int32_t>(c));
}

std::array<utf8proc_int32_t, 32> decompose(char32_t c, bool compatible, std::size_t& count) {
  std::array<utf8proc_int32_t, 32> parts{};  // the longest decomposition, U+FDFA's, has 18
  int boundary = 0;
  const auto options = static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | (compatible ? UTF8PROC_COMPAT : 0));
  const auto found =
      utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), parts.data(), parts.size(), options, &boundary);
  if (found < 0) parts[0] = static_cast<utf8proc_int32_t>(c);  // not a code point that has a decomposition table
  count = found < 0 ? 1 : static_cast<std::size_t>(found);
  return parts;
}

// Composes out, and adds up how many code points of the input each composition takes.
void compose(std::u32string& out, std::vector<std::size_t>& takes) {
  std::vector<utf8proc_int32_t> composed(out.begin(), out.end());
  composed.push_back(0);  // utf8proc terminates its result
  const auto length = static_cast<std::size_t>(
      utf8proc_normalize_utf32(composed.data(), static_cast<utf8proc_ssize_t>(out.size()),
                               static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE)));
  std::vector<bool> used(out.size(), false);
  std::vector<std::size_t> sums(length, 0);
  std::size_t first = 0;  // that is not used
  for (std::size_t i = 0; i < length; ++i) {
    while (first < used.size() && used[first]) ++first;
    std::size_t count = 0;
    const auto parts = decompose(static_cast<char32_t>(composed[i]), false, count);
    for (std::size_t p = 0; p < count; ++p) {
      std::size_t k = first;
      while (k < out.size() && (used[k] || out[k] != static_cast<char32_t>(parts[p]))) ++k;
      if (k == out.size()) continue;
      used[k] = true;
      sums[i] += takes[k];
    }
  }
  out.assign(composed.begin(), composed.begin() + static_cast<std::ptrdiff_t>(length));
  takes = std::move(sums);
}

// Canonical ordering: sorts each run of marks by combining class, equal ones left in their order.
void put_in_order(std::u32string& out, std::vector<std::size_t>& takes) {
  struct Mark {
    int rank;
    char32_t c;
    std::size_t at, takes;
  };
  std::vector<Mark> marks;
  for (std::size_t begin = 0, end; begin < out.size(); begin = end + 1) {
    bool ordered = true;
    int before = 0;
    for (end = begin; end < out.size(); ++end) {
      const int rank = property(out[end])->combining_class;
      if (rank == 0) break;
      ordered = ordered && before <= rank;
      before = rank;
    }
    if (ordered) continue;
    marks.clear();
    marks.reserve(end - begin);
    for (std::size_t i = begin; i < end; ++i) marks.push_back({property(out[i])->combining_class, out[i], i, takes[i]});
    std::sort(marks.begin(), marks.end(),
              [](const Mark& a, const Mark& b) { return a.rank != b.rank ? a.rank < b.rank : a.at < b.at; });
    for (const Mark& mark : marks) {
      out[begin] = mark.c;
      takes[begin++] = mark.takes;
    }
  }
}

}  // namespace

void append_utf8(std::string& text, char32_t c) {
  if (c < 0x80) {
    text += static_cast<char>(c);
    return;
  }
  if (c < 0x800) {
    text += static_cast<char>(0xC0 | c >> 6);
  } else {
    if (c < 0x10000) {
      text += static_cast<char>(0xE0 | c >> 12);
    } else {
      text += static_cast<char>(0xF0 | c >> 18);
      text += static_cast<char>(0x80 | (c >> 12 & 0x3F));
    }
    text += static_cast<char>(0x80 | (c >> 6 & 0x3F));
  }
  text += static_cast<char>(0x80 | (c & 0x3F));
}

std::string to_utf8(char32_t code_point) {
  std::string text;
  append_utf8(text, code_point);
  return text;
}

std::size_t count_code_points(std::string_view valid) noexcept {
  return static_cast<std::size_t>(
      std::count_if(valid.begin(), valid.end(), [](char c) { return !is_continuation_byte(c); }));
}

std::string replace_invalid_utf8(std::string_view text) {
  std::string out;
  for (std::size_t i = 0, good; i < text.size();) {
    if (const std::size_t length = utf8_length(text, i, good); length > 0) {
      out.append(text, i, length);
      i += length;
    } else {
      append_utf8(out, 0xFFFD);
      i += good;
    }
  }
  return out;
}

bool is_whitespace(char32_t c) noexcept {
  if (c < 0x80) return c == ' ' || (c >= 9 && c <= 13);
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
         c == 0x202F || c == 0x205F || c == 0x3000;
}

bool is_control(char32_t c) noexcept {
  if (c < 0x80) return c < 0x20 || c == 0x7F;
  switch (category(c)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CS: return !came_after_unicode_8(c);
    default: return false;
  }
}

bool is_ascii_punctuation(char32_t c) noexcept {
  return (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) || (c >= 123 && c <= 126);
}

bool is_punctuation(char32_t c) noexcept {
  if (c == 0x166D || c == 0x111C9) return true;  // a symbol and a mark since
  const auto which = category(c);
  return which >= UTF8PROC_CATEGORY_PC && which <= UTF8PROC_CATEGORY_PO && !came_after_unicode_8(c);
}

bool is_mark(char32_t c) noexcept {
  const auto which = category(c);
  return which >= UTF8PROC_CATEGORY_MN && which <= UTF8PROC_CATEGORY_ME;
}

bool is_nonspacing_mark(char32_t c) noexcept {
  if (c == 0x1734) return true;  // a spacing mark since
  return c >= 0x300 && category(c) == UTF8PROC_CATEGORY_MN && !came_after_unicode_8(c);
}

bool is_numeric(char32_t c) noexcept {
  const auto which = category(c);
  return which >= UTF8PROC_CATEGORY_ND && which <= UTF8PROC_CATEGORY_NO;
}

bool is_word(char32_t c) noexcept {
  if (c < 0x80) return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  switch (category(c)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_PC: return true;
    // Join_Control, and the symbols that are Alphabetic: circled, squared and negative letters.
    default:
      return c == 0x200C || c == 0x200D || (c >= 0x24B6 && c <= 0x24E9) || (c >= 0x1F130 && c <= 0x1F149) ||
             (c >= 0x1F150 && c <= 0x1F169) || (c >= 0x1F170 && c <= 0x1F189);
  }
}

bool is_cjk_ideograph(char32_t c) noexcept {
  return c >= 0x3400 &&
         ((c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x2A6DF) ||
          (c >= 0x2A700 && c <= 0x2B73F) || (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B920 && c <= 0x2CEAF) ||
          (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F));
}

void append_lowercase(std::u32string& out, char32_t c) {
  if (c == 0x130) {  // the one code point whose full lower case is longer than its simple one
    out += U"i\u0307";
  } else {
    out += static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
  }
}

bool joins_previous(char32_t c, Form form) noexcept {
  if (c < 0x300) return false;
  if (c == 0xF73 || c == 0xF75 || c == 0xF81) return true;  // starters by class that become two marks
  // The decomposition decides: halfwidth Hangul and kana marks become marks that join.
  if ((form == Form::nfkc || form == Form::nfkd) && property(c)->decomp_seqindex != UINT16_MAX) {
    std::array<utf8proc_int32_t, 32> parts;
    int boundary = 0;
    const auto options = static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT);
    if (utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), parts.data(), parts.size(), options, &boundary) > 0)
      c = static_cast<char32_t>(parts[0]);
  }
  if ((c >= 0x1161 && c <= 0x1175) || (c >= 0x11A8 && c <= 0x11C2)) return true;  // vowels and finals of Hangul
  const auto* p = property(c);
  // comb_index from 0x8000 on: it is the second part of a composition.
  return p->combining_class != 0 || (p->comb_index != UINT16_MAX && p->comb_index >= 0x8000);
}

bool stands_for_itself(char32_t c, Form form) noexcept {
  if (c < 0x80 || (form == Form::nfc && (c < 0x300 || is_hangul_syllable(c)))) return true;
  return property(c)->decomp_seqindex == UINT16_MAX && !is_hangul_syllable(c);
}

void normalize(const std::u32string& in, Form form, std::u32string& out, std::vector<std::size_t>& sources) {
  out.clear();
  std::vector<std::size_t>& takes = sources;  // number of input code points for each
  takes.clear();
  for (const char32_t c : in) {
    std::size_t count = 0;
    const auto parts = decompose(c, form == Form::nfkc || form == Form::nfkd, count);
    for (std::size_t k = 0; k < count; ++k) {
      out += static_cast<char32_t>(parts[k]);
      takes.push_back(k == 0 ? 1 : 0);
    }
  }
  put_in_order(out, takes);
  if (form == Form::nfc || form == Form::nfkc) compose(out, takes);
  std::size_t next = 0;
  for (std::size_t& source : sources) {
    const std::size_t taken = source;
    source = taken > 0 || next == 0 ? next : next - 1;
    next += taken;
  }
}

std::size_t cells_of(char32_t code_point) noexcept {
  const int width = utf8proc_charwidth(static_cast<utf8proc_int32_t>(code_point));
  return width > 0 ? static_cast<std::size_t>(width) : 0;
}

}  // namespace attn::text
