// sentencepiece's compiled normalisation rules, as the `tokenizers` package applies them: by grapheme, then by code
// point, the shortest prefix that has a rule deciding.

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/text/pipeline/normalizer.hpp>

#include <utf8proc.h>

#include <cstdint>
#include <optional>

namespace attn::text {

namespace {

// A double array as darts-clone stores it: units of 32 bits, little-endian.
class DoubleArray {
 public:
  explicit DoubleArray(std::vector<std::uint32_t> units) : units_(std::move(units)) {}

  // The value of the shortest prefix of key that has one.
  std::optional<std::uint32_t> shortest_prefix(std::string_view key) const {
    std::size_t node = offset(unit(0));
    for (const char c : key) {
      const auto byte = static_cast<unsigned char>(c);
      node ^= byte;
      const std::uint32_t here = unit(node);
      if ((here & (1u << 31 | 0xFF)) != byte) return std::nullopt;
      node ^= offset(here);
      if (here >> 8 & 1) return unit(node) & 0x7FFFFFFF;
    }
    return std::nullopt;
  }

 private:
  std::uint32_t unit(std::size_t node) const { return node < units_.size() ? units_[node] : 1u << 31; }
  static std::size_t offset(std::uint32_t unit) { return (unit >> 10) << ((unit & 1u << 9) >> 6); }

  std::vector<std::uint32_t> units_;
};

class Precompiled final : public Normalizer {
 public:
  Precompiled(DoubleArray rules, std::string replacements)
      : rules_(std::move(rules)), replacements_(std::move(replacements)) {}

  void apply(AlignedText& text) const override {
    const std::string& bytes = text.text();
    Rewrite rewrite(text);
    for (std::size_t i = 0; i < bytes.size();) {
      const std::size_t end = grapheme_end(bytes, i);
      const std::string_view grapheme = std::string_view(bytes).substr(i, end - i);
      // Longer graphemes have no rule of their own (the package's own limit).
      if (const auto whole = grapheme.size() < 6 ? replacement(grapheme) : std::nullopt) {
        put_characters(*whole, bytes, i, end, rewrite);
      } else {
        for (std::size_t k = i; k < end;) {
          const std::size_t length = code_point_at(bytes, k).length;
          if (const auto one = replacement(std::string_view(bytes).substr(k, length))) {
            rewrite.put(*one, k, k + length);
          } else {
            rewrite.keep(k, k + length);
          }
          k += length;
        }
      }
      i = end;
    }
    rewrite.finish();
  }

 private:
  /// Each new character comes from the old one at its place, further ones from the last.
  static void put_characters(std::string_view put, std::string_view bytes, std::size_t begin, std::size_t end,
                             Rewrite& rewrite) {
    for (std::size_t k = 0; k < put.size();) {
      const std::size_t length = code_point_at(put, k).length, next = begin + code_point_at(bytes, begin).length;
      rewrite.put(put.substr(k, length), begin, next);
      if (next < end) begin = next;
      k += length;
    }
  }

  static std::size_t grapheme_end(std::string_view text, std::size_t begin) {
    utf8proc_int32_t state = 0;
    CodePoint before = code_point_at(text, begin);
    std::size_t i = begin + before.length;
    while (i < text.size()) {
      const CodePoint next = code_point_at(text, i);
      if (utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(before.value),
                                           static_cast<utf8proc_int32_t>(next.value), &state))
        break;
      before = next;
      i += next.length;
    }
    return i;
  }

  std::optional<std::string_view> replacement(std::string_view text) const {
    const auto at = rules_.shortest_prefix(text);
    if (!at || *at >= replacements_.size() || is_continuation_byte(replacements_[*at])) return std::nullopt;
    const std::size_t end = replacements_.find('\0', *at);
    return std::string_view(replacements_).substr(*at, end == std::string::npos ? end : end - *at);
  }

  DoubleArray rules_;
  std::string replacements_;  // strings that end with a zero byte, found by where they begin
};

}  // namespace

NormalizerPtr precompiled_normalizer(std::string_view table) {
  const auto refuse = [](const std::string& why) { throw Error(ErrorKind::data, "compiled rules", why); };
  const auto number_at = [&](std::size_t i) {
    std::uint32_t value = 0;
    for (std::size_t k = 4; k-- > 0;) value = value << 8 | static_cast<unsigned char>(table[i + k]);
    return value;
  };
  if (table.size() < 4) refuse("are " + std::to_string(table.size()) + " bytes, expected 4 or more");
  const std::size_t bytes = number_at(0);
  if (bytes % 4 != 0 || bytes > table.size() - 4)
    refuse("say that their index takes " + std::to_string(bytes) + " bytes, there are " +
           std::to_string(table.size() - 4));
  std::vector<std::uint32_t> units(bytes / 4);
  for (std::size_t i = 0; i < units.size(); ++i) units[i] = number_at(4 + 4 * i);
  std::string replacements(table.substr(4 + bytes));
  if (find_invalid_utf8(replacements)) refuse("have a replacement that is not UTF-8");
  return std::make_unique<Precompiled>(DoubleArray(std::move(units)), std::move(replacements));
}

}  // namespace attn::text
