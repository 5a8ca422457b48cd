#pragma once
// Text in cells of one width, as a terminal has them.

#include <string>
#include <vector>

namespace cli {

/// What takes a place of its own: a letter with its accents, and the cells it fills, 1 or 2.
struct Letter {
  std::string text;
  std::size_t width;
};
/// Of printable text.
std::vector<Letter> letters_of(const std::string& text);

/// Cells that the text fills.
std::size_t width_of(const std::string& text);

/// The text itself, or its two ends with an ellipsis between, in at most so many cells.
std::string shortened(const std::string& text, std::size_t most);

/// Lines of at most so many cells, broken at blanks where there are some.
std::vector<std::string> wrapped(const std::string& text, std::size_t most);

}  // namespace cli
