#pragma once
// The inputs and the output of a tool, as plain values with defaults.

#include <attn/io/input.hpp>
#include <attn/io/operand.hpp>
#include <attn/io/output.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cli {

/// A required tensor. `defaults` are the datasets tried, in order, if the operand names none.
struct Input {
  std::vector<std::string> defaults;
  std::string text;            ///< as given; empty: not given, which means standard input for the main input
  std::string option;          ///< "--query"; empty for the main input; set when the tool declares it
  std::string names;           ///< "-q,--query|--queries", likewise
  std::string slab;            ///< --slab NAME=SLAB: the text after the equals sign
  bool takes_text = false;     ///< also accepts strings
  bool takes_no_rows = false;  ///< also accepts a table that has only a header, as INPUT does
  std::string slab_of;         ///< NAME, if it is one of `defaults`
  std::string role;            ///< the option that it stands for; empty: its own
  /// Asked after parsing: are dates of a table text, such as labels, and not numbers? none: no
  std::function<bool()> keeps_dates = {};

  explicit Input(std::string default_dataset = "x") : defaults{std::move(default_dataset)} {}
  explicit Input(std::vector<std::string> default_datasets) : defaults(std::move(default_datasets)) {}
};

/// An optional tensor.
struct OptionalInput : Input {
  using Input::Input;
  bool given() const noexcept { return !text.empty(); }
};

/// The kind of result of a run.
enum class ResultKind {
  tensors,
  text,             ///< lines of text, also in the file of -o
  picture,          ///< only a picture, on the terminal or in a file
  tensors_or_text,  ///< known when the inputs are read
};

/// A result of which a row needs only a row of an input.
struct RowRule {
  std::size_t whole_axes = 1;              ///< how many of the last axes of the input a row consists of
  std::vector<const Input*> beside = {};   ///< inputs with as many axes, of which it needs only the same row
  const OptionalInput* lengths = nullptr;  ///< the same, with any number of axes: (B), (B, L)
  std::vector<const Input*> whole = {};    ///< inputs that are read whole, and would give the result more axes if they
                                           ///< had more than the rows
};

/// The output options of every tool.
struct Output {
  std::string text = "-";                ///< operand: FILE, FILE:/dataset, or - for standard output
  attn::io::Operand operand;             ///< `text`, parsed after the options
  std::string default_dataset = "y";     ///< the result's name unless the operand has one; empty until known
  std::vector<std::string> emit;         ///< --emit: intermediate results
  std::vector<std::string> known_emits;  ///< accepted by --emit, "topk=K" for one with a number; set before declaring
  bool json = false;                     ///< --json: tensors are JSON Lines, unless -O or the suffix says otherwise
  std::string json_text;                 ///< what --json does to lines of text, for --help; empty: nothing
  attn::io::OutputOptions options;
  bool replaces_file = false;           ///< --replace-file
  std::vector<std::string> dimensions;  ///< --dims: names of the axes of results
  bool keeps_integers = false;          ///< integer results, such as ids, keep their type with a floating --dtype
  bool converts = false;                ///< the result is the input: numbers of tables are read as --dtype
  std::function<bool()> copies;         ///< asked after parsing: are HDF5 results the inputs as stored? none: no
  /// Asked after parsing: do all results have fixed names, so that the operand cannot name one? none: no
  std::function<bool()> names_all;
  std::function<ResultKind()> makes;  ///< asked after parsing; none: tensors
  bool has_gradients = false;         ///< takes --vjp; set before declaring
  bool only_text = false;             ///< the result is always text: the only output options are -o and -f
  /// An input that may go by rows, and what is asked after parsing, when its number of axes is known: none if all of it
  /// is needed, else the tool may be run for a block of rows after the other.
  const Input* rows_of = nullptr;
  std::function<std::optional<RowRule>(std::size_t rank)> by_rows;
  /// Do the options leave a rule, for any number of axes? Then the input is opened to count them.
  bool may_go_by_rows() const;
  /// Asked after parsing: does the run also write another tensor file, to which -A applies? none: no
  std::function<bool()> writes_beside;

  ResultKind kind() const { return only_text ? ResultKind::text : makes ? makes() : ResultKind::tensors; }
  /// May the result be tensors?
  bool makes_tensors() const { return kind() == ResultKind::tensors || kind() == ResultKind::tensors_or_text; }
  bool wants(const std::string& name) const;  ///< was --emit NAME given?
  /// The number of --emit NAME=NUMBER; 0 if not given. Throws Error(usage) unless it is an integer above 0.
  std::size_t emitted_number(const std::string& name) const;
  /// The dataset name of the main result.
  std::string main_name() const { return operand.dataset.empty() ? default_dataset : operand.dataset; }
  bool has_main() const { return !names_all || !names_all(); }
  bool appends_beside() const { return options.append && writes_beside && writes_beside(); }
};

/// As -O says, else by the suffix, else HDF5.
attn::io::Format format_of(const Output& output);

/// Does the output go to a terminal, which binary data would disturb?
bool is_for_the_eye(const Output& output);

/// Is the result tensors as rows of text: CSV, TSV or JSON Lines?
bool writes_rows(const Output& output);

/// Is the result tensors in HDF5, as far as one can know, and no preview of them?
bool writes_hdf5(const Output& output);

/// Does it say that tensors are meant, where the result may be text: -O, a dataset, the suffix of a tensor file, or
/// --json where that is not for lines?
bool names_tensors(const Output& output);

}  // namespace cli
