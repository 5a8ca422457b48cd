#pragma once
// Numbers that would be read as text because of an unexpected delimiter.

#include <attn/io/table/parser.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace attn::io {

/// "1;2", "12 4 31": the delimiter of these numbers, one of ; tab | , and the blank; 0 for any other text.
char delimiter_of_numbers(std::string_view text);

/// "3,14" or "1.000,5", which some locales use and no table does.
bool has_decimal_comma(std::string_view text);

/// In the form for --delim: "';'", "'\t'".
std::string shown_delimiter(char delimiter);

/// Reads the cells of the only column of a table and finds a delimiter that would give a column of numbers: one that is
/// in all cells, with numbers in one field throughout, or, for blanks, in all fields.
class OtherDelimiter {
 public:
  void see(const Cell& cell);
  /// 0 if there is none.
  char found() const noexcept;

 private:
  struct Candidate {
    char character;
    bool is_possible = true;
    std::vector<bool> is_number = {};  ///< by the position in the row
  };
  std::array<Candidate, 5> candidates_ = {{{';'}, {'\t'}, {'|'}, {','}, {' '}}};
};

}  // namespace attn::io
