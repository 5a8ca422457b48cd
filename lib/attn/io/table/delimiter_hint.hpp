#pragma once
// Numbers that would be taken for text because something else lies between them than was expected.

#include <attn/io/table/text.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace attn::io {

/// "1;2", "12 4 31": what lies between these numbers, one of ; tab | , and the blank; 0 where the text is anything
/// else.
char delimiter_of_numbers(std::string_view text);

/// "3,14" or "1.000,5", which locales write so, and no table does.
bool has_decimal_comma(std::string_view text);

/// As --delim takes it: "';'", "'\t'".
std::string shown_delimiter(char delimiter);

/// Sees the cells of the only column of a table and finds the delimiter that would make a column of numbers of them:
/// one that is in all cells, where the fields of one place are numbers throughout, or, for blanks, all fields.
class OtherDelimiter {
 public:
  void see(const Cell& cell);
  /// 0 when there is none.
  char found() const noexcept;

 private:
  struct Candidate {
    char character;
    bool is_possible = true;
    std::vector<bool> is_number = {};  ///< by the place in the row
  };
  std::array<Candidate, 5> candidates_ = {{{';'}, {'\t'}, {'|'}, {','}, {' '}}};
};

}  // namespace attn::io
