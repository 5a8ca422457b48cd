#include <attn/json/builder.hpp>
#include <attn/text/files/document.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>

namespace attn::text {

namespace {

// A decimal number as the tokenizers package reads it: its digits as one whole number, times or by a power of ten, each
// rounded once. That may miss the nearest double by a unit in the last place, which decides between segmentations whose
// scores are sums of the same numbers in another order. `nearest` is the answer where the power is not exact.
double number_of_package(std::string_view digits, double nearest) {
  static constexpr std::array<double, 23> powers{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t whole = 0;
  int exponent = 0;
  bool fraction = false, full = false;  // full: further digits of the fraction are left out
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const char c = digits[i];
    if (c == 'e' || c == 'E') {
      int power = 0;
      const std::size_t begin = i + (digits[i + 1] == '+' ? 2 : 1);
      if (std::from_chars(digits.data() + begin, digits.data() + digits.size(), power).ec != std::errc())
        return nearest;
      exponent += std::clamp(power, -1000, 1000);
      break;
    }
    if (c == '.') fraction = true;
    if (c < '0' || c > '9' || full) continue;
    const auto digit = static_cast<std::uint64_t>(c - '0');
    full = whole > (most - digit) / 10;
    if (full && !fraction) return nearest;
    if (full) continue;
    whole = whole * 10 + digit;
    exponent -= fraction ? 1 : 0;
  }
  if (std::abs(exponent) >= static_cast<int>(powers.size())) return nearest;
  const double power = powers[static_cast<std::size_t>(std::abs(exponent))];
  const double value = exponent < 0 ? static_cast<double>(whole) / power : static_cast<double>(whole) * power;
  return digits[0] == '-' ? -value : value;
}

// Takes model.vocab and model.merges out of the stream of events: 50 000 tokens and merges become two flat tables.
class DocumentReader final : public JsonBuilder {
 public:
  DocumentReader(std::string_view text, const std::string& file, ModelTables& tables)
      : JsonBuilder(text, file), tables_(tables) {
    // A guess that costs little where it is wrong: an entry takes about 20 bytes of text.
    tables_.vocabulary.reserve(text.size() / 64, text.size() / 4);
  }

  bool null() override { return table_ == Table::none ? JsonBuilder::null() : refuse("null"); }
  bool boolean(bool value) override {
    return table_ == Table::none ? JsonBuilder::boolean(value) : refuse("true or false");
  }
  bool number_integer(number_integer_t value) override {
    return table_ == Table::none ? JsonBuilder::number_integer(value) : number(value, static_cast<double>(value), true);
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (table_ == Table::none) return JsonBuilder::number_unsigned(value);
    const bool fits = value <= static_cast<number_unsigned_t>(Vocabulary::max_id);
    return number(fits ? static_cast<TokenId>(value) : Vocabulary::max_id + 1, static_cast<double>(value), true);
  }
  bool number_float(number_float_t value, const string_t& digits) override {
    return table_ == Table::none ? JsonBuilder::number_float(value, digits)
                                 : number(0, number_of_package(digits, value), false);
  }

  bool string(string_t& value) override {
    if (table_ == Table::none) return JsonBuilder::string(value);
    if (table_ == Table::merges && level_ == 1) {
      if (!tables_.merges.add_line(value)) fail("\"" + value + "\" is not two tokens with a space between");
      return true;
    }
    if (level_ != 2 || table_ == Table::ids || words_.size() == 2) return refuse("a string");
    words_.push_back(std::move(value));
    return true;
  }

  bool key(string_t& name) override {
    if (table_ == Table::none) return JsonBuilder::key(name);
    words_.assign(1, std::move(name));
    return true;
  }

  bool start_object(std::size_t size) override {
    if (table_ != Table::none) return refuse("an object");
    if (at_table("vocab")) return begin(Table::ids);
    return JsonBuilder::start_object(size);
  }
  bool end_object() override { return table_ == Table::none ? JsonBuilder::end_object() : end(); }

  bool start_array(std::size_t size) override {
    if (table_ == Table::none) {
      if (at_table("vocab")) return begin(Table::scores);
      if (at_table("merges")) return begin(Table::merges);
      return JsonBuilder::start_array(size);
    }
    if (table_ == Table::ids || level_ != 1) return refuse("an array");
    level_ = 2;
    words_.clear();
    has_score_ = false;
    return true;
  }

  bool end_array() override {
    if (table_ == Table::none) return JsonBuilder::end_array();
    if (level_ == 1) return end();
    level_ = 1;
    if (table_ == Table::merges) {
      if (words_.size() != 2) fail("entry " + std::to_string(tables_.merges.size() + 1) + " is not two tokens");
      tables_.merges.add(words_[0], words_[1]);
    } else {
      const auto id = static_cast<TokenId>(tables_.scores.size());
      if (words_.size() != 1 || !has_score_) fail("entry " + std::to_string(id + 1) + " is not a token and its score");
      add(words_[0], id);
      tables_.scores.push_back(score_);
    }
    return true;
  }

 private:
  enum class Table { none, ids, scores, merges };

  bool at_table(const char* name) const { return depth() == 2 && key_at(1) == "model" && key_at(2) == name; }

  bool begin(Table table) {
    put(true);
    table_ = table;
    level_ = 1;
    tables_.scored = tables_.scored || table == Table::scores;
    tables_.has_merges = tables_.has_merges || table == Table::merges;
    return true;
  }

  bool end() {
    table_ = Table::none;
    return true;
  }

  bool number(TokenId id, double value, bool whole) {
    if (table_ == Table::ids) {
      if (!whole) fail("the id of \"" + words_[0] + "\" is not a whole number");
      add(words_[0], id);
      return true;
    }
    if (table_ != Table::scores || level_ != 2 || words_.empty() || has_score_) return refuse("a number");
    score_ = value;
    has_score_ = true;
    return true;
  }

  void add(const std::string& token, TokenId id) {
    try {
      tables_.vocabulary.add(token, id);
    } catch (const Error& error) {
      fail(error.subject() + ": " + error.detail());
    }
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorKind::data, file(),
                std::string("model.") + (table_ == Table::merges ? "merges" : "vocab") + ": " + why);
  }
  bool refuse(const char* what) const {
    fail(table_ == Table::ids && !words_.empty() ? "\"" + words_[0] + "\" has " + what + " for an id"
                                                 : std::string("has ") + what + " in an unexpected place");
  }

  ModelTables& tables_;
  Table table_ = Table::none;
  int level_ = 0;                   // 1 in the table, 2 in an entry of it
  std::vector<std::string> words_;  // of the entry
  double score_ = 0;
  bool has_score_ = false;
};

}  // namespace

TokenizerDocument read_tokenizer_document(std::string_view text, const std::string& file, const EditComponents& edit) {
  ModelTables tables;
  nlohmann::json components = DocumentReader(text, file, tables).run();
  if (edit) edit(components);
  return {JsonNode::of(std::move(components), file), std::move(tables)};
}

}  // namespace attn::text
