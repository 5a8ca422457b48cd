#pragma once
// The one error type of the library, and the words of messages. The library never prints and never exits: it throws
// attn::Error, and tools/cli turns the kind into an exit code and the text into one line on standard error.

#include <attn/core/export.hpp>
#include <attn/core/shape.hpp>

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ATTN_API attn {

struct TensorView;

/// The kinds of errors that a caller can act on. tools/cli/exit_codes.hpp maps each kind to an exit code.
enum class ErrorKind {
  usage,   ///< the request makes no sense: an option out of its range, two that exclude each other
  data,    ///< the data was read but is not what it must be: a shape, a dtype, a word among numbers
  input,   ///< the input is missing, empty or truncated, or has no such dataset
  helper,  ///< a helper program is not installed
  defect,  ///< an error of this library
  memory,  ///< more memory is needed than the machine has or the limit allows
  create,  ///< an output already exists or cannot be created
  io       ///< reading or writing failed half-way
};

/// Error with the parts that a reader needs: who, what, and what to do.
///
///     what() == "subject: detail; fix"      (the parts that are empty are left out)
///
/// subject  the file, tensor or option it is about, e.g. `run.h5:/q`
/// detail   what is wrong, with expected and actual values
/// fix      what the user can do; may be empty
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, std::string subject, std::string detail, std::string fix = {});

  ErrorKind kind() const noexcept { return kind_; }
  const std::string& subject() const noexcept { return subject_; }
  const std::string& detail() const noexcept { return detail_; }
  const std::string& fix() const noexcept { return fix_; }

 private:
  ErrorKind kind_;
  std::string subject_, detail_, fix_;
};

/// Error of kind `data` for a tensor of the wrong shape: "TENSOR: has shape (3, 4), expected EXPECTED; FIX".
Error shape_error(std::string_view tensor, const Shape& actual, std::string_view expected, std::string fix = {});

/// A list in a message: "a, b, c", where `text` gives the text of an item.
template <class Items, class Text>
std::string listed(const Items& items, std::string_view separator, const Text& text) {
  std::string list;
  bool is_first = true;
  for (const auto& item : items) {
    if (!std::exchange(is_first, false)) list += separator;
    list += text(item);
  }
  return list;
}

/// The same for texts and integers.
template <class Items>
std::string listed(const Items& items, std::string_view separator = ", ") {
  return listed(items, separator, [](const auto& item) {
    if constexpr (std::is_integral_v<std::decay_t<decltype(item)>>)
      return std::to_string(item);
    else
      return std::string_view(item);
  });
}

// The distance of two words, for look-ups of the nearest text and for suggestions after a typo.

/// The cost of swapping neighbours: two substitutions (Levenshtein 1966), or one edit, as for a typist (Damerau 1964,
/// with each character edited once).
enum class Swaps { two_edits, one_edit };

/// The least number of insertions, deletions and substitutions of characters (UTF-8) that turn a into b. Source: Wagner
/// and Fischer 1974.
std::size_t edit_distance(std::string_view a, std::string_view b, Swaps swaps = Swaps::two_edits);

/// The known word that `word` probably means, the first of several: the same word in another case, or a word at most a
/// quarter of its characters (two for a short word) and less than half of them away, with swaps as one edit. Empty if
/// none is so near.
std::string nearest_word(std::string_view word, const std::vector<std::string>& known);

/// Names in a message, which has to fit on a screen: all of a dozen, else the ten that are nearest to `word` (the first
/// ten without one) and how many more there are. `text` is what is written of each in place of the name alone.
std::string listed_near(std::string_view word, const std::vector<std::string>& names,
                        const std::function<std::string(std::size_t i)>& text = {});

/// " (with U+00A0)": characters beyond ASCII, which may look the same as others or like nothing, by which a name
/// differs from one that is nearly the same; empty if there are none.
std::string shown_difference(std::string_view name, std::string_view other);

// Text in place of numbers.

/// How a user can turn this text, which is almost a number (a date, 45%, 1,234, TRUE), into one. Empty for other text.
/// operand: FILE:/COLUMN, for a command that converts it.
std::string way_to_number(std::string_view text, const std::string& operand = {});

/// Has it one of these forms, or is it a letter for a truth value?
bool is_nearly_number(std::string_view text);
/// TRUE, f, Yes and the like.
bool is_truth(std::string_view text);

/// Nothing, NA, NaN or a dot, as in tables of statistics.
inline bool is_missing(std::string_view text) noexcept {
  return text.empty() || text == "NA" || text == "." || text == "NaN" || text == "nan";
}

/// Is it another program's mark of a missing value, which is not read here: NULL, N/A, None, ?, -?
bool is_foreign_missing(std::string_view text) noexcept;

/// The start of a text in quotes, for messages.
std::string shown_text(std::string_view text);

/// " such as 'Smith'": the first text of a tensor; empty if there is none.
std::string such_as(const TensorView& texts);

/// The error for a tensor of text in place of numbers: shows its first text and the remedy.
Error text_for_numbers(const TensorView& x, const std::string& other_way = {});

/// Should a failed read(2), write(2) or similar call be repeated? Yes after a signal, and, once the descriptor is ready
/// for `events` of poll(2), if another process made a shared descriptor non-blocking. Keeps errno.
bool is_to_be_repeated(int descriptor, short events) noexcept;

}  // namespace attn
