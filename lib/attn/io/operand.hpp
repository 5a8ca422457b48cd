#pragma once
// The operand grammar, which names a tensor to read or write.
//
//     SOURCE[:/dataset/path][SLAB]     SOURCE is a file or - (standard input or output)
//     x.nc:/t[time=2000:2010,city=Oslo]      parts by the values of dimension scales
//     x.csv:/age,height                columns of a table, by name or by number from 0
//     2x2xf32=1,2,3,4  0.5  str=Smith,Sato  linspace=0,10,101        literals
//
// The separator is the first ":/" after the file name; a whole string that exists as a file is a file.

#include <attn/core/shape.hpp>
#include <attn/core/tensor.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ATTN_API attn {
namespace io {

/// The part of the axis `name` with coordinates between two ends, both included: numbers, dates or words, as written.
struct CoordinateRange {
  std::string name;
  std::string first, last;  ///< empty: as far as the axis goes
  bool is_value = false;    ///< only the coordinate `first`, those within the date `first`, or words
};

struct Operand {
  std::string text;                     ///< as given
  std::string source;                   ///< file name, or "-"; empty for a literal
  std::string dataset;                  ///< path without the leading slash, or columns "age,height"; empty: none named
  Slab slab;                            ///< empty: everything
  std::vector<CoordinateRange> ranges;  ///< to become the slab, by resolve_ranges() in input.hpp
  std::optional<TensorView> literal;    ///< a tensor written out in the operand itself
  bool in_numbers = false;              ///< dates of a table as numbers, Source::in_numbers()

  bool is_part() const noexcept { return !slab.empty() || !ranges.empty(); }
  bool is_standard_stream() const noexcept { return source == "-"; }
};

/// A name without slashes at its ends, as in the dataset of an operand.
std::string_view without_slashes(std::string_view path) noexcept;

/// Uses the file system only to find which part of the text is the name of a file.
/// Throws Error(usage) for a malformed slab or literal, Error(memory) for a literal of more numbers than memory
/// allows.
Operand parse_operand(std::string_view text);

/// Is it the name of a file that does not exist?
bool has_no_file(const Operand& operand);

/// A hint for an operand that is not a file: another separator of the dataset, a literal, a download of a URL; else
/// empty.
std::string operand_hint(std::string_view text);

}  // namespace io
}  // namespace attn
