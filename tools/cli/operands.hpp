#pragma once
// Operands of a tool: which tensors it reads and where its results go. Plain values with defaults.

#include <attn/io/input.hpp>
#include <attn/io/operand.hpp>
#include <attn/io/output.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cli {

/// A tensor that the tool needs. `defaults` are the datasets tried, in order, when the operand names none.
struct Input {
  std::vector<std::string> defaults;
  std::string text;     ///< as given; empty: not given, which for the main input means standard input
  std::string option;   ///< "--query"; empty for the main input; set when the tool declares it
  std::string names;    ///< "-q,--query", likewise
  std::string slab;     ///< --slab NAME=SLAB: the text behind the equals sign
  std::string slab_of;  ///< the dataset that NAME is, where it is one of `defaults`

  explicit Input(std::string default_dataset = "x") : defaults{std::move(default_dataset)} {}
  explicit Input(std::vector<std::string> default_datasets) : defaults(std::move(default_datasets)) {}
};

/// A tensor that the tool can do without.
struct OptionalInput : Input {
  using Input::Input;
  bool given() const noexcept { return !text.empty(); }
};

/// Where results go, and how: the options that every tool shares on its output side.
struct Output {
  std::string text = "-";                ///< operand: FILE, FILE:/dataset, or - for standard output
  std::string default_dataset = "y";     ///< the result's name unless the operand says another; none until it is known
  std::vector<std::string> emit;         ///< --emit: more of what was computed
  std::vector<std::string> known_emits;  ///< what --emit may name, "topk=K" for one with a number; set before declaring
  attn::io::OutputOptions options;
  bool keeps_integers = false;  ///< a floating --dtype says how to compute, and ids stay what they are
  bool converts = false;  ///< the result is the input, which has --dtype already: numbers of tables are read as it
  std::function<bool()> is_text;  ///< asked after parsing: is the result lines of text, not tensors? none: never
  bool text_has_numbers = false;  ///< which --dtype and --precision have a say in
  /// Asked after parsing: does the run write a tensor file of its own beside the result, which -A is for too? none: no
  std::function<bool()> writes_beside;
  std::function<bool()> draws_beside;  ///< or a picture, which -f alone is for

  bool appends_beside() const { return options.append && writes_beside && writes_beside(); }
  /// Is there a file that -f is for?
  bool has_file() const {
    const bool is_stream = text == "-" || text.compare(0, 3, "-:/") == 0;
    return !is_stream || (writes_beside && writes_beside()) || (draws_beside && draws_beside());
  }
};

}  // namespace cli
