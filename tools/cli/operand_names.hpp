#pragma once
// What may follow FILE:/, for the tab completion of shells.

#include <string>

namespace cli {

/// Is the word an operand of which only a part is typed, FILE:/...?
bool is_begun_operand(const std::string& word);

/// The operands that begin with such a word, a line each: datasets and, in a table, columns, behind a comma too. Empty
/// if there is no such file, or none that can be read.
std::string operands_beginning(const std::string& word);

}  // namespace cli
