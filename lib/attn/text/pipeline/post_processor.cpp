#include <attn/core/error.hpp>
#include <attn/text/pipeline/post_processor.hpp>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace attn::text {

namespace {

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

void cut(Encoding& tokens, std::size_t keep, Side side) {
  if (tokens.size() <= keep) return;
  const auto cut_from = [&](auto& values) {
    if (values.empty()) return;
    const auto drop = static_cast<std::ptrdiff_t>(values.size() - keep);
    if (side == Side::left) {
      values.erase(values.begin(), values.begin() + drop);
    } else {
      values.erase(values.end() - drop, values.end());
    }
  };
  const std::size_t dropped = side == Side::left ? tokens.size() - keep : 0;
  std::vector<std::pair<std::size_t, std::string>> written;
  for (auto& [place, token] : tokens.written)
    if (place >= dropped && place < dropped + keep) written.emplace_back(place - dropped, std::move(token));
  tokens.written = std::move(written);
  cut_from(tokens.ids);
  cut_from(tokens.type_ids);
  cut_from(tokens.origins);
  cut_from(tokens.offsets);
  tokens.truncated = true;
}

}  // namespace

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

void truncate(Encoding& first, Encoding* second, std::size_t room, const TruncationOptions& options) {
  const std::size_t n = first.size(), m = second != nullptr ? second->size() : 0;
  if (n + m <= room) return;
  const std::size_t excess = n + m - room;
  const auto keep_of = [&](std::size_t length, const char* which) {
    if (excess > length)
      throw Error(ErrorKind::data, "text",
                  "cannot cut " + std::to_string(excess) + " tokens from the " + which + " text, which has " +
                      std::to_string(length),
                  "choose longest-first, or a larger maximum length");
    return length - excess;
  };
  if (second == nullptr || room == 0) {  // no room empties both, for any strategy
    cut(first, room, options.side);
    if (second != nullptr) cut(*second, room, options.side);
  } else if (options.strategy == Truncation::only_first) {
    cut(first, keep_of(n, "first"), options.side);
  } else if (options.strategy == Truncation::only_second) {
    cut(*second, keep_of(m, "second"), options.side);
  } else {
    // The longer one gives up tokens until both are of one length, then both do; the longer one keeps the odd one.
    std::size_t shorter = std::min(n, m), longer = room - std::min(room, shorter);
    if (longer < shorter) {
      shorter = room / 2;
      longer = room - shorter;
    }
    const bool first_is_longer = n > m;
    cut(first, first_is_longer ? longer : shorter, options.side);
    cut(*second, first_is_longer ? shorter : longer, options.side);
  }
}

}  // namespace attn::text
