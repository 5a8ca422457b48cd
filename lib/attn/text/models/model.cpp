#include <attn/text/models/model.hpp>

#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>

#include <algorithm>
#include <functional>
#include <string>

namespace attn::text {

void Vocabulary::reserve(std::size_t tokens, std::size_t bytes) {
  bytes_.reserve(bytes);
  spans_.reserve(tokens);
  std::size_t slots = 16;
  while (slots < 2 * tokens) slots *= 2;
  if (slots > slots_.size()) {
    slots_.assign(slots, 0);
    for (std::size_t id = 0; id < spans_.size(); ++id)
      if (spans_[id].begin != absent)
        slots_[slot_of(*token(static_cast<TokenId>(id)))] = static_cast<std::uint32_t>(id + 1);
  }
}

void Vocabulary::add(std::string_view token, TokenId id) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorKind::data, "token \"" + std::string(token) + "\"", why);
  };
  if (id < 0 || id > max_id) refuse("has the id " + std::to_string(id) + ", expected 0 to " + std::to_string(max_id));
  if (2 * (count_ + 1) > slots_.size()) reserve(2 * (count_ + 1), bytes_.size() + token.size());
  const auto index = static_cast<std::size_t>(id);
  if (index < spans_.size() && spans_[index].begin != absent)
    refuse("has the id " + std::to_string(id) + " of \"" + std::string(*this->token(id)) + "\"");
  const std::size_t slot = slot_of(token);
  if (slots_[slot] != 0) refuse("has two ids, " + std::to_string(slots_[slot] - 1) + " and " + std::to_string(id));
  if (index >= spans_.size()) memory_account().expect((index + 1) * sizeof(Span));
  if (index >= spans_.size()) spans_.resize(index + 1, {absent, absent});
  spans_[index] = {bytes_.size(), bytes_.size() + token.size()};
  bytes_ += token;
  slots_[slot] = static_cast<std::uint32_t>(index + 1);
  ++count_;
}

std::optional<TokenId> Vocabulary::find(std::string_view token) const noexcept {
  if (slots_.empty()) return std::nullopt;
  const std::uint32_t entry = slots_[slot_of(token)];
  if (entry == 0) return std::nullopt;
  return static_cast<TokenId>(entry - 1);
}

std::optional<std::string_view> Vocabulary::token(TokenId id) const noexcept {
  const auto index = static_cast<std::size_t>(id);
  if (id < 0 || index >= spans_.size() || spans_[index].begin == absent) return std::nullopt;
  return std::string_view(bytes_).substr(spans_[index].begin, spans_[index].size());
}

// The slot of the token, or the free slot for it.
std::size_t Vocabulary::slot_of(std::string_view token) const noexcept {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = std::hash<std::string_view>{}(token)&mask;; slot = (slot + 1) & mask) {
    const std::uint32_t entry = slots_[slot];
    if (entry == 0) return slot;
    const Span span = spans_[entry - 1];
    if (span.size() == token.size() && std::string_view(bytes_).substr(span.begin, span.size()) == token) return slot;
  }
}

ByteTokens::ByteTokens(const Vocabulary& vocabulary) {
  static constexpr char digits[] = "0123456789ABCDEF";
  for (unsigned byte = 0; byte < 256; ++byte)
    ids_[byte] = vocabulary.find(std::string("<0x") + digits[byte >> 4] + digits[byte & 15] + ">").value_or(none);
}

bool ByteTokens::can_spell(std::string_view text) const noexcept {
  return std::all_of(text.begin(), text.end(), [&](char byte) { return (*this)[byte] != none; });
}

std::optional<unsigned char> byte_of_token(std::string_view token) noexcept {
  if (token.size() != 6 || token.substr(0, 3) != "<0x" || token[5] != '>') return std::nullopt;
  int value = 0;
  for (const char c : token.substr(3, 2)) {
    const bool digit = c >= '0' && c <= '9', upper = c >= 'A' && c <= 'F', lower = c >= 'a' && c <= 'f';
    if (!digit && !upper && !lower) return std::nullopt;
    value = value * 16 + (digit ? c - '0' : upper ? c - 'A' + 10 : c - 'a' + 10);
  }
  return static_cast<unsigned char>(value);
}

}  // namespace attn::text
