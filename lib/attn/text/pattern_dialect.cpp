#include <attn/core/error.hpp>
#include <attn/core/utf8.hpp>
#include <attn/text/pattern_dialect.hpp>
#include <attn/text/pattern_sets.hpp>

#include <algorithm>
#include <optional>
#include <string_view>

namespace attn::text {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_one_of(char c, std::string_view characters) { return characters.find(c) != std::string_view::npos; }

class Translator {
 public:
  explicit Translator(const std::string& expression) : in_(expression) {}

  PatternTranslation run() {
    while (at_ < in_.size()) {
      note_place();
      switch (in_[at_]) {
        case '\\': put_escape(); break;
        case '[':
          ++at_;
          put_atom(read_class(1).in);
          break;
        case '(': open_group(); break;
        case ')':
          close_options();
          atom_ = groups_.empty() ? none : groups_.back().begin;
          if (!groups_.empty()) groups_.pop_back();
          copy(1);
          break;
        case '{': put_interval(); break;
        case '*':
        case '+':
        case '?': copy(1); break;
        case '|':
        case '^':
        case '$':
          atom_ = none;
          copy(1);
          break;
        default: put_atom(next_character());
      }
    }
    note_place();
    close_options();
    return std::move(result_);
  }

 private:
  static constexpr std::size_t none = std::string::npos;
  static constexpr int deepest = 50;  // classes inside others

  char peek(std::size_t ahead = 0) const { return at_ + ahead < in_.size() ? in_[at_ + ahead] : '\0'; }
  bool starts(std::string_view what) const { return in_.compare(at_, what.size(), what) == 0; }

  struct Group {
    std::size_t begin;
    std::size_t options = 0;  // groups of options within, which end where it ends
  };

  void note_place() { result_.places.emplace_back(result_.expression.size(), at_); }

  void copy(std::size_t bytes) {
    result_.expression.append(in_, at_, bytes);
    at_ += std::min(bytes, in_.size() - at_);
  }

  void put_atom(const std::string& what) {
    atom_ = result_.expression.size();
    result_.expression += what;
  }

  std::string next_character() {
    std::size_t good = 0;
    const std::size_t length = std::max<std::size_t>(utf8_length(in_, at_, good), 1);
    at_ += length;
    return in_.substr(at_ - length, length);
  }

  // Code points by number, which are written alike in and outside of classes; at_ is at the backslash.
  std::optional<std::string> read_number() {
    const std::size_t begin = at_;
    const auto hexadecimal_digits = [&](std::size_t from, std::size_t most) {
      std::size_t count = 0;
      while (count < most && is_one_of(peek(from + count), "0123456789abcdefABCDEF")) ++count;
      return count;
    };
    if (peek(1) == 'v') {
      at_ += 2;
      return "\\x0B";
    }
    if (peek(1) == 'u') {
      if (hexadecimal_digits(2, 4) < 4) refuse_pattern(in_, begin, "\\u needs four hexadecimal digits");
      at_ += 6;
      return "\\x{" + in_.substr(begin + 2, 4) + "}";
    }
    if (peek(1) == 'x' && hexadecimal_digits(2, 2) == 2 && peek(2) >= '8')
      refuse_pattern(in_, begin, "\\x80 to \\xFF are bytes there; write the character, or \\x{...}");
    return std::nullopt;
  }

  // The sets that escapes name, in and outside of classes; at_ is at the backslash. Those that PCRE2 takes as they are
  // inside a class are put at the end of `atoms`, where it is given, and the others returned.
  std::optional<CharacterSet> read_set(std::string* atoms) {
    const char c = peek(1);
    std::string what;
    bool negated = c == 'W' || c == 'S' || c == 'H' || c == 'P';
    if (c == 'w' || c == 'W') {
      what = atoms != nullptr ? word_atoms : word_escape_atoms();
    } else if (c == 's' || c == 'S') {
      what = white_space_atoms;
    } else if (c == 'h' || c == 'H') {
      what = hexadecimal_atoms;
    } else if ((c == 'p' || c == 'P') && peek(2) == '{') {
      const std::size_t begin = at_ + 3, close = in_.find('}', begin);
      if (close == std::string::npos) refuse_pattern(in_, at_, "missing }");
      const bool caret = in_[begin] == '^';
      what = atoms_of_property(in_.substr(begin + (caret ? 1 : 0), close - begin - (caret ? 1 : 0)));
      if (atoms == nullptr && what == word_atoms) what = word_escape_atoms();
      negated = negated != caret;
      at_ = close - 1;
    } else {
      return std::nullopt;
    }
    at_ += 2;
    if (atoms == nullptr || negated) return negated ? complement(set_of(what)) : set_of(what);
    *atoms += what;
    return CharacterSet{};
  }

  void put_escape() {
    if (const auto number = read_number()) return put_atom(*number);
    if (const auto set = read_set(nullptr)) return put_atom(set->in);
    const char c = peek(1);
    if (c == 'b' || c == 'B') {
      const auto [in, out] = set_of(word_escape_atoms());
      const std::string ends = "(?<=" + in + ")", ends_not = "(?<!" + in + ")", begins = "(?=" + in + ")",
                        begins_not = "(?!" + in + ")";
      at_ += 2;
      return put_atom(c == 'b' ? "(?:" + ends + begins_not + "|" + ends_not + begins + ")"
                               : "(?:" + ends + begins + "|" + ends_not + begins_not + ")");
    }
    if (c == 'O') {
      at_ += 2;
      return put_atom("(?s:.)");
    }
    if (c == 'X') {
      at_ += 2;
      return put_atom(grapheme_cluster());
    }
    if (is_one_of(c, "CMyY")) refuse_pattern(in_, at_, std::string("\\") + c + " is not supported");
    atom_ = result_.expression.size();
    if (is_letter(c) && !is_one_of(c, "AaDdGefgKkNnoRrtxcZz")) {  // the letter itself
      ++at_;
      return copy(1);
    }
    copy(1);
    result_.expression += at_ < in_.size() ? next_character() : "";
    if ((c == 'k' || c == 'g') && peek() == '<') copy(in_.find('>', at_) - at_ + 1);
    if ((c == 'x' || c == 'o') && peek() == '{') copy(in_.find('}', at_) - at_ + 1);
    while (is_one_of(c, "0123456789") && is_digit(peek())) copy(1);
    if (c == 'x')
      for (int i = 0; i < 2 && is_one_of(peek(), "0123456789abcdefABCDEF"); ++i) copy(1);
    if (c == 'c' && at_ < in_.size()) copy(1);
  }

  void open_group() {
    if (starts("(?#")) {
      const std::size_t close = in_.find(')', at_);
      return copy(close == std::string::npos ? in_.size() - at_ : close + 1 - at_);
    }
    const std::size_t begin = result_.expression.size();
    if (!starts("(?")) {
      groups_.push_back({begin});
      return copy(1);
    }
    copy(2);
    std::size_t end = at_;
    while (end < in_.size() && is_one_of(in_[end], "imx-")) ++end;
    if (end < in_.size() && end > at_ && (in_[end] == ')' || in_[end] == ':')) {
      // There, (?m) lets a dot take line ends.
      for (; at_ < end; ++at_) result_.expression += in_[at_] == 'm' ? 's' : in_[at_];
      if (in_[end] == ')') {
        // They hold for all that follows in the group, its other branches too, as one branch: a(?i)b|c is a(?i:b|c).
        ++(groups_.empty() ? outside_ : groups_.back()).options;
        result_.expression += ':';
        ++at_;
        atom_ = none;
        return;
      }
    } else if (peek() == '<' && peek(1) != '=' && peek(1) != '!') {  // a name
      copy(std::min(in_.find('>', at_), in_.size() - 1) - at_);
    }
    groups_.push_back({begin});
    if (peek() != '(') copy(1);  // a condition is a group
  }

  // Ends the groups that stand for options of the innermost open group.
  void close_options() {
    Group& group = groups_.empty() ? outside_ : groups_.back();
    result_.expression.append(group.options, ')');
    group.options = 0;
  }

  void put_interval() {
    std::size_t end = at_ + 1;
    const auto digits = [&] {
      const std::size_t from = end;
      while (end < in_.size() && is_digit(in_[end])) ++end;
      return in_.substr(from, end - from);
    };
    std::string least = digits();
    const bool range = end < in_.size() && in_[end] == ',';
    if (range) ++end;
    const std::string most = range ? digits() : least;
    if (end >= in_.size() || in_[end] != '}' || (least.empty() && most.empty())) {  // a brace
      ++at_;
      return put_atom("\\{");
    }
    if (least.empty()) least = "0";
    at_ = end + 1;
    const std::string interval = "{" + least + (range ? "," + most : "") + "}";
    // {1,3}+ is no possessive interval there but a repeated one, and {3}? an optional one.
    const bool repeated = peek() == '+' || (peek() == '?' && !range);
    if (repeated && atom_ != none) {
      result_.expression.insert(atom_, "(?:");
      for (auto place = result_.places.rbegin(); place != result_.places.rend() && place->first > atom_; ++place)
        place->first += 3;
      result_.expression += interval + ")";
    } else {
      result_.expression += interval;
    }
  }

  // A class; at_ is behind its bracket.
  CharacterSet read_class(int depth) {
    const std::size_t begin = at_ - 1;
    if (depth > deepest) refuse_pattern(in_, begin, "more than " + std::to_string(deepest) + " classes inside others");
    const bool negated = peek() == '^';
    if (negated) ++at_;
    std::vector<CharacterSet> operands, members;
    std::string atoms;
    const auto end_operand = [&] {
      if (!atoms.empty()) members.insert(members.begin(), set_of(atoms));
      operands.push_back(combine(members, false));
      members.clear();
      atoms.clear();
    };
    for (bool first = true;; first = false) {
      if (at_ >= in_.size()) refuse_pattern(in_, in_.size(), "missing terminating ] for character class");
      if (peek() == ']' && !first) break;
      if (starts("&&")) {
        end_operand();
        at_ += 2;
      } else if (peek() == '[') {
        if (const auto posix = read_bracket(atoms)) {
          if (!posix->in.empty()) members.push_back(*posix);
        } else {
          ++at_;
          members.push_back(read_class(depth + 1));
        }
      } else if (peek() != '\\') {
        if (peek() == '^' || peek() == ']') atoms += '\\';
        atoms += next_character();
      } else if (const auto number = read_number()) {
        atoms += *number;
      } else if (const auto set = read_set(&atoms)) {
        if (!set->in.empty()) members.push_back(*set);
      } else {
        read_class_escape(atoms);
      }
    }
    ++at_;
    end_operand();
    const CharacterSet all = combine(operands, true);
    return negated ? complement(all) : all;
  }

  // [:alpha:] and the like, [:^alpha:]; as read_set().
  std::optional<CharacterSet> read_bracket(std::string& atoms) {
    if (peek(1) != ':') return std::nullopt;
    const bool negated = peek(2) == '^';
    const std::size_t begin = at_ + (negated ? 3 : 2), close = in_.find(":]", begin);
    if (close == std::string::npos) return std::nullopt;
    const std::string name = in_.substr(begin, close - begin);
    if (!std::all_of(name.begin(), name.end(), is_letter)) return std::nullopt;
    const auto what = atoms_of_bracket(name);
    if (!what) refuse_pattern(in_, at_, "no class is called [:" + name + ":]");
    at_ = close + 2;
    if (negated) return complement(set_of(*what));
    atoms += *what;
    return CharacterSet{};
  }

  void read_class_escape(std::string& atoms) {
    const char c = peek(1);
    if (is_one_of(c, "CM")) refuse_pattern(in_, at_, std::string("\\") + c + " is not supported");
    ++at_;
    if (!is_letter(c) || is_one_of(c, "abDdefnortxc")) atoms += '\\';
    if (at_ < in_.size()) atoms += next_character();
  }

  const std::string& in_;
  std::size_t at_ = 0;
  PatternTranslation result_;
  std::size_t atom_ = none;    // where the last atom begins in the result, if a quantifier may follow
  std::vector<Group> groups_;  // that are open
  Group outside_{0};           // what is in none
};

}  // namespace

std::size_t PatternTranslation::original(std::size_t at) const {
  std::size_t place = 0;
  for (const auto& [here, there] : places)
    if (here <= at) place = there;
  return place;
}

PatternTranslation translate_pattern(const std::string& oniguruma) { return Translator(oniguruma).run(); }

void refuse_pattern(const std::string& expression, std::size_t at, const std::string& why) {
  throw Error(ErrorKind::data, "regular expression " + expression, "character " + std::to_string(at + 1) + ": " + why);
}

}  // namespace attn::text
