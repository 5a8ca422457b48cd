#pragma once
// A run of a tool: what was asked for on the shared options, the inputs that are open, the results on their way out.

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

/// Thrown where a run ends early although nothing is wrong with the program.
struct Finished {
  ExitCode code;
};

/// The instruction set that ATTN_ISA names, else the best of this processor. Throws Error(usage).
attn::Isa isa_of_environment();

class Session {
 public:
  Session(const Command& command, const SharedOptions& shared);
  ~Session();

  /// Engine, instruction set, threads, progress: to be handed to the library.
  const attn::Execution& execution() const noexcept;
  /// --dtype, for tools that compute in it.
  std::optional<attn::DType> dtype() const noexcept;
  /// Results have --dtype and are computed in no narrower type: the computing type, or f64 where that was asked for.
  attn::DType at_least(attn::DType compute) const;
  /// What is computed on, likewise: as it is, or widened to f64, so that what it meets is computed in f64 too.
  attn::TensorView widened(const attn::TensorView& x);
  /// The same, and f32 in place of 16 bits where --dtype asks for another type: results in the type of x are then not
  /// rounded to 16 bits first. For what is computed in f32 anyway.
  attn::TensorView unrounded(const attn::TensorView& x);

  /// Was the option on the command line? By its long name: "--mask".
  bool was_given(const std::string& option) const;

  /// What an operand says, looked at once: a literal is made, within --max-memory.
  const attn::io::Operand& parse(const std::string& text) const;
  /// With the dtype of what it will be compared with, as Source::read_beside() reads it.
  attn::TensorView read(const Input& input, std::optional<attn::DType> beside = {});
  std::optional<attn::TensorView> read(const OptionalInput& input);
  /// An operand that is no option of its own; `defaults` as for Input.
  attn::TensorView read(const std::string& operand, const std::vector<std::string>& defaults,
                        std::optional<attn::DType> beside = {});
  /// What is said of the tensor that read() takes, whole or in part; nothing of a literal.
  attn::Attributes attributes(const Input& input);
  /// The dataset that read() would take, to be read in blocks; nothing for a literal and for a part of a tensor.
  std::optional<attn::io::Inputs::Located> locate(const Input& input);
  /// The source that an operand names a part of (weights under a prefix): the source and the path inside it.
  struct Group {
    attn::Source* source;
    std::string prefix;
  };
  Group open(const Input& input);
  /// A tensor of a source that source() gave, or a part of it.
  attn::TensorView read(attn::Source& source, const std::string& name, const attn::Slab& part = {});
  /// This is the stage's input, which --keep-input writes: for a tool that reads its INPUT by tensors of a source.
  void take_as_input(const MainInput& input);
  /// What open() gave was read by others: --dry-run says so, once of each.
  void has_read(const attn::TensorView& tensor);
  /// The source that an operand names, as data that --keep and the history know of.
  attn::Source& source(const attn::io::Operand& operand);
  /// An operand that is lines of text, for std::getline; standard input for the main input when none was given.
  std::istream& text(const Input& input);

  /// Under --dry-run the batch ends here, as it does where results are written or lines printed: for tools that would
  /// work long before that, and for whose work execution() counts nothing.
  void end_dry_run();

  /// The main result, `y` or as the operand says, as the tensor's own dtype or --dtype.
  void write(const Output& output, const attn::TensorView& result);
  /// Several datasets, the main one first, and what is said of their groups and of all.
  void write(const Output& output, const std::vector<Result>& results, const GroupAttributes& groups = {});
  /// To be called by a tool that makes tensors or text when the inputs show that it is text. Throws Error(usage) for
  /// an option that asks for tensors.
  void become_text();
  /// A line of text, on standard output or in the file of -o, for tools whose result is text.
  void print(const std::string& line);
  /// Text as it stands, lines and all.
  void print_text(const std::string& text);

  /// A file beside the results, which takes its name when they are there.
  void commit_with_results(std::unique_ptr<attn::io::ByteOutput> file);

  /// One note on standard error: "tool: text"; not under --quiet.
  void note(const std::string& text);
  /// Only under --verbose.
  void detail(const std::string& text);
  /// The tool ran, but its answer is no: exit code 1.
  void say_no();

  // For run_tool, and for a tool that goes through the batches itself.

  /// Calls work, which is of the current batch; under --dry-run it ends where something would be written.
  void run_batch(const std::function<void()>& work);
  /// Moves on to the next batch of the inputs; false when there is none.
  bool next_batch();
  /// The same for a tool that says itself what moving on is: `move` moves its sources, and is false when there is none.
  bool next_batch(const std::function<bool()>& move);
  /// Does another batch follow?
  bool has_next_batch();
  /// The number of the current batch, from 1.
  std::size_t batch() const noexcept;
  /// Makes the results visible and says how it went.
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
