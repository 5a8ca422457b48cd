#include <attn/text/pipeline/pipeline.hpp>

#include <attn/core/error.hpp>
#include <attn/text/unicode.hpp>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace attn::text {
namespace {

std::size_t begin_of_code_point_before(std::string_view text, std::size_t i) {
  do --i;
  while (is_continuation_byte(text[i]));
  return i;
}

std::size_t begin_of_white_space_before(std::string_view text, std::size_t i) {
  while (i > 0) {
    const std::size_t before = begin_of_code_point_before(text, i);
    if (!is_whitespace(code_point_at(text, before).value)) break;
    i = before;
  }
  return i;
}

bool word_before(std::string_view text, std::size_t i) {
  return i > 0 && is_word(code_point_at(text, begin_of_code_point_before(text, i)).value);
}

bool word_at(std::string_view text, std::size_t i) { return i < text.size() && is_word(code_point_at(text, i).value); }

void append(Encoding& out, const Encoding& in, Origin origin, TokenId type_id) {
  for (const auto& [place, written] : in.written) out.written.emplace_back(out.size() + place, written);
  out.ids.insert(out.ids.end(), in.ids.begin(), in.ids.end());
  out.type_ids.insert(out.type_ids.end(), in.size(), type_id);
  out.origins.insert(out.origins.end(), in.size(), origin);
  out.offsets.insert(out.offsets.end(), in.offsets.begin(), in.offsets.end());
}

/// Room for so many, unless a template names a text twice.
void reserve(Encoding& out, std::size_t tokens, bool offsets) {
  out.ids.reserve(tokens);
  out.type_ids.reserve(tokens);
  out.origins.reserve(tokens);
  if (offsets) out.offsets.reserve(tokens);
}

Encoding part_of(const Encoding& tokens, Span part) {
  Encoding out;
  const auto copy = [&](const auto& from, auto& to) {
    if (from.empty()) return;
    to.assign(from.begin() + static_cast<std::ptrdiff_t>(part.begin),
              from.begin() + static_cast<std::ptrdiff_t>(part.end));
  };
  copy(tokens.ids, out.ids);
  copy(tokens.type_ids, out.type_ids);
  copy(tokens.origins, out.origins);
  copy(tokens.offsets, out.offsets);
  for (const auto& [place, token] : tokens.written)
    if (place >= part.begin && place < part.end) out.written.emplace_back(place - part.begin, token);
  out.has_unknown = tokens.has_unknown;
  return out;
}

}  // namespace

void AddedTokenFinder::add(std::string_view pattern, const AddedToken& token) {
  if (pattern.empty()) return;
  patterns_.add(pattern, static_cast<std::uint32_t>(tokens_.size()));
  tokens_.push_back(token);
}

void AddedTokenFinder::each(std::string_view text, const std::function<void(const AddedToken&, Span)>& found) const {
  std::size_t done = 0;  // where the token before ends
  for (std::size_t i = 0; i < text.size();) {
    std::uint32_t index = Trie::no_value;
    std::size_t end = i;
    Trie::Node node = Trie::root;
    for (std::size_t k = i; k < text.size(); ++k) {
      node = patterns_.step(node, static_cast<unsigned char>(text[k]));
      if (node == Trie::none) break;
      if (patterns_.value(node) != Trie::no_value) {
        index = patterns_.value(node);
        end = k + 1;
      }
    }
    if (index == Trie::no_value) {
      ++i;
      continue;
    }
    const AddedToken& token = tokens_[index];
    std::size_t begin = i;
    i = end;
    if (token.single_word && (word_before(text, begin) || word_at(text, end))) continue;
    if (token.left_strip) begin = std::max(begin_of_white_space_before(text, begin), done);
    if (token.right_strip)
      while (end < text.size() && is_whitespace(code_point_at(text, end).value)) end += code_point_at(text, end).length;
    if (begin < end) found(token, {begin, end});  // else it is white space that the token before took
    done = end;
  }
}

std::size_t PostProcessor::added(bool is_pair) const {
  const auto& parts = is_pair ? pair : single;
  return std::accumulate(parts.begin(), parts.end(), std::size_t{0},
                         [](std::size_t sum, const TemplatePart& part) { return sum + part.ids.size(); });
}

Encoding PostProcessor::apply(const Encoding& first, const Encoding* second, const EncodeOptions& options) const {
  Encoding out;
  out.truncated = first.truncated || (second != nullptr && second->truncated);
  out.has_unknown = first.has_unknown || (second != nullptr && second->has_unknown);
  reserve(out, first.size() + (second != nullptr ? second->size() : 0) + added(second != nullptr), options.offsets);
  for (const TemplatePart& part : second != nullptr ? pair : single) {
    if (part.ids.empty() && part.what != Origin::added) {
      append(out, part.what == Origin::first ? first : *second, part.what, part.type_id);
    } else if (options.special_tokens) {
      out.ids.insert(out.ids.end(), part.ids.begin(), part.ids.end());
      out.type_ids.insert(out.type_ids.end(), part.ids.size(), part.type_id);
      out.origins.insert(out.origins.end(), part.ids.size(), part.what);
      if (options.offsets) out.offsets.insert(out.offsets.end(), part.ids.size(), Span{});
    }
  }
  return out;
}

std::pair<std::size_t, std::size_t> kept_lengths(std::size_t first, std::optional<std::size_t> second, std::size_t room,
                                                 const TruncationOptions& options) {
  const std::size_t n = first, m = second.value_or(0);
  if (n + m <= room) return {n, m};
  const std::size_t excess = n + m - room;
  const auto keep_of = [&](std::size_t length, const char* which) {
    if (excess > length)
      throw Error(ErrorKind::data, "text",
                  "cannot cut " + std::to_string(excess) + " tokens from the " + which + " text, which has " +
                      std::to_string(length),
                  "give a larger maximum length, or cut or shorten the other text");
    return length - excess;
  };
  if (!second || room == 0) return {room, room};  // no room empties both, for any strategy
  if (options.strategy == Truncation::only_first) return {keep_of(n, "first"), m};
  if (options.strategy == Truncation::only_second) return {n, keep_of(m, "second")};
  // The longer one gives up tokens until both are of one length, then both do; the longer one keeps the odd one.
  std::size_t shorter = std::min(n, m), longer = room - std::min(room, shorter);
  if (longer < shorter) {
    shorter = room / 2;
    longer = room - shorter;
  }
  return n > m ? std::pair(longer, shorter) : std::pair(shorter, longer);
}

std::vector<Encoding> parts_of(Encoding tokens, std::size_t keep, Side side, std::optional<std::size_t> overlap) {
  std::vector<Encoding> parts;
  const std::size_t size = tokens.size();
  if (size <= keep) {
    parts.push_back(std::move(tokens));
    return parts;
  }
  if (overlap && *overlap >= keep)
    throw Error(ErrorKind::data, "text",
                "has room for " + std::to_string(keep) + " of its tokens in a window, and windows share " +
                    std::to_string(*overlap),
                "give a larger maximum length");
  const std::size_t step = overlap ? keep - *overlap : size;
  for (std::size_t done = 0; parts.empty() || done + overlap.value_or(0) < size; done += step) {
    const std::size_t end = std::min(done + keep, size);
    parts.push_back(part_of(tokens, side == Side::left ? Span{size - end, size - done} : Span{done, end}));
    parts.back().truncated = !overlap;
  }
  return parts;
}

}  // namespace attn::text
