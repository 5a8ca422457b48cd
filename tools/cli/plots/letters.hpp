#pragma once
// Text in the cells of a terminal.

#include <string>
#include <vector>

namespace cli {

/// A letter with its accents, and the 1 or 2 cells that it fills.
struct Letter {
  std::string text;
  std::size_t width;
};
/// The letters of printable text.
std::vector<Letter> letters_of(const std::string& text);

/// The number of cells that the text fills.
std::size_t width_of(const std::string& text);

/// The text in at most `most` cells: whole, or its two ends with an ellipsis between.
std::string shortened(const std::string& text, std::size_t most);

/// Lines of at most `most` cells, broken at blanks if possible.
std::vector<std::string> wrapped(const std::string& text, std::size_t most);

}  // namespace cli
