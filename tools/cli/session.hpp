#pragma once
// A run of a tool: the shared options, the open inputs, and the results.

#include "cli/exit_codes.hpp"
#include "cli/operands.hpp"
#include "cli/result.hpp"
#include "cli/shared_options.hpp"

#include <attn/core/execution.hpp>
#include <attn/core/stream.hpp>
#include <attn/io/byte_output.hpp>

#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cli {

struct MainInput;

/// Thrown to end a run early without an error.
struct Finished {
  ExitCode code;
};

/// The instruction set in ATTN_ISA, or else the best of this processor. Throws Error(usage).
attn::Isa isa_of_environment();

class Session {
 public:
  Session(const Command& command, const SharedOptions& shared);
  ~Session();

  /// Engine, instruction set, threads and progress for the library.
  const attn::Execution& execution() const noexcept;
  /// The value of --dtype, for tools that compute in it.
  std::optional<attn::DType> dtype() const noexcept;
  /// The type to compute in: `compute`, or f64 if --dtype asks for it.
  attn::DType at_least(attn::DType compute) const;
  /// The same for a tensor: unchanged, or converted to f64 if --dtype asks for it.
  attn::TensorView widened(const attn::TensorView& x);
  /// The same, and 16-bit floats become f32 if --dtype asks for another type, so that the result is not rounded to 16
  /// bits first. For operations that compute in f32 anyway.
  attn::TensorView unrounded(const attn::TensorView& x);

  /// Was the option on the command line? By its long name: "--mask".
  bool was_given(const std::string& option) const;

  /// An operand, parsed once. A literal is built within --max-memory.
  const attn::io::Operand& parse(const std::string& text) const;
  /// Reads an input. `beside`: the dtype of the tensor it will be compared with, as in Source::read_beside().
  attn::TensorView read(const Input& input, std::optional<attn::DType> beside = {});
  std::optional<attn::TensorView> read(const OptionalInput& input);
  /// Reads an operand that has no option; `defaults` as in Input.
  attn::TensorView read(const std::string& operand, const std::vector<std::string>& defaults,
                        std::optional<attn::DType> beside = {});
  /// The attributes of the tensor that read() takes, whole or in part; none for a literal.
  attn::Attributes attributes(const Input& input);
  /// The dataset that read() would take, for reading in blocks; none for a literal or a part of a tensor.
  std::optional<attn::io::Inputs::Located> locate(const Input& input);
  /// The source and the path inside it of an operand that names a group, such as weights under a prefix.
  struct Group {
    attn::Source* source;
    std::string prefix;
  };
  Group open(const Input& input);
  /// Reads a tensor of a source from source(), or a part of it.
  attn::TensorView read(attn::Source& source, const std::string& name, const attn::Slab& part = {});
  /// Sets the stage's input for --keep-input, in a tool that reads its INPUT through a source.
  void take_as_input(const MainInput& input);
  /// Notes that a tensor from open() was read elsewhere; --dry-run lists it once.
  void has_read(const attn::TensorView& tensor);
  /// The source of an operand; --keep and the history include it.
  attn::Source& source(const attn::io::Operand& operand);
  /// An operand with lines of text, for std::getline; by default, the main input is standard input.
  std::istream& text(const Input& input);

  /// Ends the batch of a dry run before long work whose operations are not counted. Writing results or lines ends it
  /// too.
  void end_dry_run();

  /// Writes the main result, as `y` or the name in the operand, in its own dtype or --dtype.
  void write(const Output& output, const attn::TensorView& result);
  /// Writes several datasets, the main one first, and the attributes of their groups and of the file.
  void write(const Output& output, const std::vector<Result>& results, const GroupAttributes& groups = {});
  /// Decides that the result is text, in a tool whose result may be tensors or text. Throws Error(usage) for an option
  /// that asks for tensors.
  void become_text();
  /// Prints a line of the result, on standard output or into the file of -o.
  void print(const std::string& line);
  /// Prints text unchanged.
  void print_text(const std::string& text);

  /// Adds a file that appears together with the results.
  void commit_with_results(std::unique_ptr<attn::io::ByteOutput> file);

  /// Prints a note on standard error, "tool: text", unless --quiet.
  void note(const std::string& text);
  /// The same, only with --verbose.
  void detail(const std::string& text);
  /// The tool ran, and a check failed: exit code 1.
  void say_no();

  // For run_tool, and for tools that loop over batches themselves.

  /// Runs the work of the current batch; a dry run ends it before anything is written.
  void run_batch(const std::function<void()>& work);
  /// Moves on to the next batch of the inputs; false if there is none.
  bool next_batch();
  /// The same with a function of the tool that moves its sources; `move` returns false if there is no next batch.
  bool next_batch(const std::function<bool()>& move);
  /// Does another batch follow?
  bool has_next_batch();
  /// The number of the current batch, from 1.
  std::size_t batch() const noexcept;
  /// Commits the results and returns the exit code.
  ExitCode finish();

 private:
  struct State;
  attn::io::Operand operand_of(const Input& input) const;
  std::vector<attn::TensorInfo> columns_of(const std::string& table) const;
  void remember(const attn::TensorView& tensor);
  void expect_dataset(const attn::io::Operand& operand, const Input& input);
  [[noreturn]] void say_dry_run(const std::vector<attn::TensorInfo>& written);
  void expect_operands_read() const;
  void require_data(const attn::io::Operand& operand) const;
  std::unique_ptr<State> state_;
};

}  // namespace cli
