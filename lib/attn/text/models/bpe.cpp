#include <attn/core/error.hpp>
#include <attn/text/models/model.hpp>
#include <attn/text/unicode.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <limits>

namespace attn::text {

namespace {

// From a pair of ids to its rank among the merges and the id that it becomes. Open addressing.
class MergeTable {
 public:
  struct Entry {
    std::uint64_t pair = free;
    std::uint32_t rank = 0;
    std::uint32_t joined = 0;
  };

  explicit MergeTable(std::size_t merges) {
    std::size_t slots = 16;
    while (slots < 2 * merges) slots *= 2;
    for (std::size_t s = slots; s > 1; s /= 2) --shift_;
    entries_.resize(slots);
  }

  void add(std::uint32_t left, std::uint32_t right, std::uint32_t rank, std::uint32_t joined) {
    Entry& entry = entries_[slot(left, right)];
    entry = {key(left, right), rank, joined};
  }

  const Entry* find(std::uint32_t left, std::uint32_t right) const noexcept {
    const Entry& entry = entries_[slot(left, right)];
    return entry.pair == free ? nullptr : &entry;
  }

 private:
  static constexpr std::uint64_t free = std::numeric_limits<std::uint64_t>::max();
  static std::uint64_t key(std::uint32_t left, std::uint32_t right) noexcept {
    return std::uint64_t{left} << 32 | right;
  }

  std::size_t slot(std::uint32_t left, std::uint32_t right) const noexcept {
    const std::uint64_t pair = key(left, right);
    std::size_t at = (pair * 0x9E3779B97F4A7C15u) >> shift_;
    while (entries_[at].pair != pair && entries_[at].pair != free) at = (at + 1) & (entries_.size() - 1);
    return at;
  }

  std::vector<Entry> entries_;
  unsigned shift_ = 64;
};

// A part of the word that is being put together.
struct Symbol {
  std::uint32_t id;
  std::uint32_t begin, end;  // bytes of the piece; empty once it was joined to the one before
  std::uint32_t rank;        // rank of the merge with the next symbol
  std::uint32_t joined;      // what that merge gives
};

constexpr std::uint32_t no_rank = std::numeric_limits<std::uint32_t>::max();

class Bpe final : public Model {
 public:
  Bpe(Vocabulary vocabulary, const MergeList& merges, const BpeOptions& options)
      : Model(std::move(vocabulary)), options_(options), merges_(merges.size()), makes_itself_(vocabulary_.size()) {
    continuing_prefix_ = options.continuing_prefix;
    std::string buffer;
    for (std::size_t rank = 0; rank < merges.size(); ++rank)
      add_merge(merges[rank], static_cast<std::uint32_t>(rank), buffer);
    if (options.unknown_token) {
      unknown_ = vocabulary_.find(*options.unknown_token);
      if (!unknown_)
        throw Error(ErrorKind::data, "unk_token", "\"" + *options.unknown_token + "\" is not in the vocabulary");
    }
    if (options.byte_fallback) bytes_ = ByteTokens(vocabulary_);
    for (std::size_t c = 0; c < ascii_.size(); ++c) ascii_[c] = vocabulary_.find(std::string(1, static_cast<char>(c)));
  }

  bool is_byte_pair() const noexcept override { return true; }

  void tokenize(std::string_view piece, std::vector<Token>& tokens) const override {
    if (options_.ignore_merges)  // the piece itself, without prefix or suffix
      if (const auto bare = vocabulary_.find(piece)) return tokens.push_back({*bare, {0, piece.size()}});
    const auto whole = options_.end_of_word_suffix.empty()
                           ? vocabulary_.find(piece)
                           : vocabulary_.find(std::string(piece) + options_.end_of_word_suffix);
    // Most pieces are tokens. Whether the merges lead to such a token is found out once and remembered.
    std::atomic<Answer>* answer = whole ? &makes_itself_[static_cast<std::size_t>(*whole)] : nullptr;
    if (answer != nullptr && answer->load(std::memory_order_relaxed) == Answer::yes) {
      tokens.push_back({*whole, {0, piece.size()}});
      return;
    }
    const std::size_t before = tokens.size();
    std::vector<Symbol> symbols = characters(piece);
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) rate(symbols[i], symbols[i + 1]);
    symbols.size() <= short_word ? merge_short(symbols) : merge_long(symbols);
    for (const Symbol& symbol : symbols)
      if (symbol.begin < symbol.end) tokens.push_back({static_cast<TokenId>(symbol.id), {symbol.begin, symbol.end}});
    if (answer != nullptr)
      answer->store(tokens.size() == before + 1 && tokens.back().id == *whole ? Answer::yes : Answer::no,
                    std::memory_order_relaxed);
  }

 private:
  enum class Answer : std::uint8_t { not_known, yes, no };
  static constexpr std::size_t short_word = 100;  // up to here a scan for the best pair beats a heap

  void add_merge(std::pair<std::string_view, std::string_view> merge, std::uint32_t rank, std::string& buffer) {
    const auto [left, right] = merge;
    const auto id_of = [&, first = left, second = right](std::string_view token) {
      if (const auto id = vocabulary_.find(token)) return static_cast<std::uint32_t>(*id);
      throw Error(ErrorKind::data,
                  "merge " + std::to_string(rank + 1) + ", \"" + std::string(first) + " " + std::string(second) + "\"",
                  "\"" + std::string(token) + "\" is not in the vocabulary");
    };
    const std::string& prefix = options_.continuing_prefix;
    const bool continues = !prefix.empty() && right.substr(0, prefix.size()) == prefix;
    buffer.assign(left).append(continues ? right.substr(prefix.size()) : right);
    merges_.add(id_of(left), id_of(right), rank, id_of(buffer));
  }

  std::vector<Symbol> characters(std::string_view piece) const {
    std::vector<Symbol> symbols;
    symbols.reserve(piece.size());
    // An unknown character waits for the next known or unknown one: bytes in between come before it, as in the
    // tokenizers package.
    std::optional<Symbol> unknown;
    const auto end_unknown = [&] {
      if (unknown) symbols.push_back(*unknown);
      unknown.reset();
    };
    for (std::size_t i = 0; i < piece.size();) {
      const std::size_t length = code_point_at(piece, i).length, next = i + length;
      std::string spelled;  // with prefix and suffix, where it has one
      const auto id = id_of_character(piece, i, next, spelled);
      const auto begin = static_cast<std::uint32_t>(i), end = static_cast<std::uint32_t>(next);
      // Prefix and suffix become bytes too, at the start and end of the character.
      const std::string_view bytes = spelled.empty() ? piece.substr(i, length) : std::string_view(spelled);
      if (id) {
        end_unknown();
        symbols.push_back({static_cast<std::uint32_t>(*id), begin, end, no_rank, 0});
      } else if (bytes_.can_spell(bytes)) {
        const std::size_t prefix = i > 0 && !spelled.empty() ? options_.continuing_prefix.size() : 0;
        for (std::size_t k = 0; k < bytes.size(); ++k) {
          const auto at = begin + static_cast<std::uint32_t>(std::min(k - std::min(k, prefix), length - 1));
          symbols.push_back({static_cast<std::uint32_t>(bytes_[bytes[k]]), at, at + 1, no_rank, 0});
        }
      } else if (unknown && options_.fuse_unknown) {
        unknown->end = end;
      } else if (unknown_) {
        end_unknown();
        unknown = Symbol{static_cast<std::uint32_t>(*unknown_), begin, end, no_rank, 0};
      }
      i = next;
    }
    end_unknown();
    return symbols;
  }

  std::optional<TokenId> id_of_character(std::string_view piece, std::size_t begin, std::size_t end,
                                         std::string& spelled) const {
    const std::string_view character = piece.substr(begin, end - begin);
    const bool prefixed = begin > 0 && !options_.continuing_prefix.empty();
    const bool suffixed = end == piece.size() && !options_.end_of_word_suffix.empty();
    if (!prefixed && !suffixed) {
      const auto byte = static_cast<unsigned char>(piece[begin]);
      return byte < 0x80 ? ascii_[byte] : vocabulary_.find(character);
    }
    if (prefixed) spelled = options_.continuing_prefix;
    spelled += character;
    if (suffixed) spelled += options_.end_of_word_suffix;
    return vocabulary_.find(spelled);
  }

  // Looks the merge of a symbol with the next one up.
  void rate(Symbol& symbol, const Symbol& next) const {
    const auto* merge = merges_.find(symbol.id, next.id);
    symbol.rank = merge != nullptr ? merge->rank : no_rank;
    symbol.joined = merge != nullptr ? merge->joined : 0;
  }

  void merge_short(std::vector<Symbol>& symbols) const {
    while (symbols.size() > 1) {
      std::size_t best = 0;
      for (std::size_t i = 1; i + 1 < symbols.size(); ++i)
        if (symbols[i].rank < symbols[best].rank) best = i;
      if (symbols[best].rank == no_rank) return;
      symbols[best].id = symbols[best].joined;
      symbols[best].end = symbols[best + 1].end;
      symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(best) + 1);
      if (best + 1 < symbols.size()) {
        rate(symbols[best], symbols[best + 1]);
      } else {
        symbols[best].rank = no_rank;
      }
      if (best > 0) rate(symbols[best - 1], symbols[best]);
    }
  }

  // The same for words of any length in n log n: a heap of candidates, those that are out of date passed over.
  void merge_long(std::vector<Symbol>& symbols) const {
    const auto count = static_cast<std::uint32_t>(symbols.size());
    std::vector<std::uint32_t> next(count), previous(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      next[i] = i + 1;
      previous[i] = i - 1;  // of the first: beyond the end, as `count` is for the last
    }
    // Rank, then place, in one number: the lowest rank comes first, the leftmost of equals.
    std::vector<std::uint64_t> queue;
    queue.reserve(2 * symbols.size());
    const auto candidate = [&](std::uint32_t i) { return std::uint64_t{symbols[i].rank} << 32 | i; };
    const auto push = [&](std::uint32_t i) {
      if (symbols[i].rank == no_rank) return;
      queue.push_back(candidate(i));
      std::push_heap(queue.begin(), queue.end(), std::greater<>());
    };
    for (std::uint32_t i = 0; i + 1 < count; ++i)
      if (symbols[i].rank != no_rank) queue.push_back(candidate(i));
    std::make_heap(queue.begin(), queue.end(), std::greater<>());
    while (!queue.empty()) {
      std::pop_heap(queue.begin(), queue.end(), std::greater<>());
      const auto at = static_cast<std::uint32_t>(queue.back());
      const auto rank = static_cast<std::uint32_t>(queue.back() >> 32);
      queue.pop_back();
      Symbol& symbol = symbols[at];
      if (symbol.rank != rank || symbol.begin == symbol.end) continue;
      const std::uint32_t gone = next[at];
      symbol.id = symbol.joined;
      symbol.end = symbols[gone].end;
      symbol.rank = no_rank;
      symbols[gone].begin = symbols[gone].end;
      next[at] = next[gone];
      if (next[at] < count) {
        previous[next[at]] = at;
        rate(symbol, symbols[next[at]]);
        push(at);
      }
      if (const std::uint32_t left = previous[at]; left < count) {
        rate(symbols[left], symbol);
        push(left);
      }
    }
  }

  BpeOptions options_;
  MergeTable merges_;
  std::array<std::optional<TokenId>, 128> ascii_;  // ids of ASCII characters
  ByteTokens bytes_;                               // where characters fall back to bytes
  mutable std::vector<std::atomic<Answer>> makes_itself_;
};

}  // namespace

void MergeList::reserve(std::size_t merges, std::size_t bytes) {
  ends_.reserve(2 * merges);
  bytes_.reserve(bytes);
}

void MergeList::add(std::string_view left, std::string_view right) {
  bytes_ += left;
  ends_.push_back(bytes_.size());
  bytes_ += right;
  ends_.push_back(bytes_.size());
}

bool MergeList::add_line(std::string_view line) {
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos || line.find(' ', space + 1) != std::string_view::npos) return false;
  add(line.substr(0, space), line.substr(space + 1));
  return true;
}

std::pair<std::string_view, std::string_view> MergeList::operator[](std::size_t rank) const noexcept {
  const std::size_t begin = rank == 0 ? 0 : ends_[2 * rank - 1], middle = ends_[2 * rank], end = ends_[2 * rank + 1];
  const std::string_view bytes = bytes_;
  return {bytes.substr(begin, middle - begin), bytes.substr(middle, end - middle)};
}

ModelPtr bpe_model(Vocabulary vocabulary, const MergeList& merges, const BpeOptions& options) {
  return std::make_unique<Bpe>(std::move(vocabulary), merges, options);
}

}  // namespace attn::text
