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
  std::string text;         ///< as given; empty: not given, which for the main input means standard input
  std::string option;       ///< "--query"; empty for the main input; set when the tool declares it
  std::string names;        ///< "-q,--query|--queries", likewise
  std::string slab;         ///< --slab NAME=SLAB: the text behind the equals sign
  bool takes_text = false;  ///< strings too, for which a word may have been meant
  std::string slab_of;      ///< the dataset that NAME is, where it is one of `defaults`

  explicit Input(std::string default_dataset = "x") : defaults{std::move(default_dataset)} {}
  explicit Input(std::vector<std::string> default_datasets) : defaults(std::move(default_datasets)) {}
};

/// A tensor that the tool can do without.
struct OptionalInput : Input {
  using Input::Input;
  bool given() const noexcept { return !text.empty(); }
};

/// What a run makes.
enum class ResultKind {
  tensors,
  text,             ///< lines of text, in the file of -o too
  picture,          ///< on the terminal or in a file of its own, and nothing else
  tensors_or_text,  ///< which it is shows when the inputs are read
};

/// Where results go, and how: the options that every tool shares on its output side.
struct Output {
  std::string text = "-";                ///< operand: FILE, FILE:/dataset, or - for standard output
  attn::io::Operand operand;             ///< what it says; set when the options are known
  std::string default_dataset = "y";     ///< the result's name unless the operand says another; none until it is known
  std::vector<std::string> emit;         ///< --emit: more of what was computed
  std::vector<std::string> known_emits;  ///< what --emit may name, "topk=K" for one with a number; set before declaring
  attn::io::OutputOptions options;
  bool keeps_integers = false;  ///< a floating --dtype says how to compute, and ids stay what they are
  bool converts = false;  ///< the result is the input, which has --dtype already: numbers of tables are read as it
  std::function<bool()> copies;  ///< asked after parsing: are HDF5 results the inputs as they are stored? none: no
  /// Asked after parsing: have all results names of their own, so that the operand can name none? none: no
  std::function<bool()> names_all;
  std::function<ResultKind()> makes;  ///< asked after parsing; none: tensors
  bool only_text = false;             ///< whatever is asked, so that there is no more to say than -o and -f
  /// Asked after parsing: does the run write a tensor file of its own beside the result, which -A is for too? none: no
  std::function<bool()> writes_beside;

  ResultKind kind() const { return only_text ? ResultKind::text : makes ? makes() : ResultKind::tensors; }
  /// Are there tensors, as far as one can know?
  bool makes_tensors() const { return kind() == ResultKind::tensors || kind() == ResultKind::tensors_or_text; }
  bool wants(const std::string& name) const;  ///< was --emit NAME given?
  /// The number of --emit NAME=NUMBER; 0 when it was not given. Throws Error(usage) for what is not a number above 0.
  std::size_t emitted_number(const std::string& name) const;
  /// The dataset that the main result becomes.
  std::string main_name() const { return operand.dataset.empty() ? default_dataset : operand.dataset; }
  bool has_main() const { return !names_all || !names_all(); }
  bool appends_beside() const { return options.append && writes_beside && writes_beside(); }
};

}  // namespace cli
