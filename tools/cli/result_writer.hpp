#pragma once
// ResultWriter on their way out: dtype, checks, what travels along, provenance, and then a sink or the reader's eyes.

#include "cli/command.hpp"
#include "cli/report.hpp"
#include "cli/result.hpp"
#include "cli/results/check.hpp"
#include "cli/results/companions.hpp"
#include "cli/shared_options.hpp"

#include <attn/core/execution.hpp>
#include <attn/io/byte_output.hpp>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cli {

class GradientCheck;
struct RowBlocks;
struct Statistics;

/// Thrown where a dry run of a batch ends.
struct DryRunEnded {};

class ResultWriter {
 public:
  /// Opens the output where it is a file, so that one that cannot be made is known before any work. Under --dry-run no
  /// stream is opened, and of a file nothing is left. `operations` counts what a dry run would compute. Under
  /// --check-grad, `check` keeps the results in place of the output.
  ResultWriter(const Command& command, const SharedOptions& shared, attn::ThreadPool& pool, Report& report,
               const Origins& origins, attn::OperationCount& operations, GradientCheck* check);

  /// The main result, `y` or as the operand says, as the tensor's own dtype or --dtype.
  void write(const Output& output, const attn::TensorView& result) { write(output, {{"", result}}); }
  /// Changes what is about to be written: all datasets, and the attributes of all groups.
  using LastStep = std::function<void(std::vector<Result>&, GroupAttributes&)>;
  /// Several datasets, the main one first, and what is said of their groups and of all.
  void write(const Output& output, const std::vector<Result>& results, const GroupAttributes& groups = {},
             const LastStep& last_step = {});
  /// The run is done for one block of rows after the other: write() receives the result of the first block, which has
  /// the extents of the blocks along the axes up to theirs in the end. While that is written, `next` is told the bytes
  /// of the last block and runs for another one, which calls write() again; it returns false after the last.
  using NextBlock = std::function<bool(std::size_t bytes)>;
  void expect_blocks(std::shared_ptr<RowBlocks> blocks, NextBlock next);
  /// Must the number of rows of a result be known before the first one is written? Not for a table of floats, whose end
  /// says it.
  bool needs_count(const Output& output, attn::DType computed, std::size_t rank) const;
  bool has_begun_blocks() const noexcept;
  void expect_no_blocks() noexcept { blocks_.reset(); }
  /// A line of text, on standard output or in the file of -o, for tools whose result is text.
  void print(const std::string& line) { print_text(line + '\n'); }
  /// Text as it stands, lines and all.
  void print_text(const std::string& text);
  /// A file beside the results, which takes its name when they are there.
  void add_file(std::unique_ptr<attn::io::ByteOutput> file) { files_.push_back(std::move(file)); }
  void add_file(std::unique_ptr<attn::Sink> file) { sinks_.push_back(std::move(file)); }
  /// To be called when all results are visible.
  void when_visible(std::function<void()> act) { when_visible_ = std::move(act); }

  /// To be called by a tool that makes tensors or text when the inputs show that it is text. Throws Error(usage) for
  /// an option that asks for tensors.
  void become_text();
  /// Under --dry-run the batch ends here, as it does where results are written or lines printed: for tools that would
  /// work long before that, and for whose work Session::execution() counts nothing.
  void end_dry_run();

 private:
  friend class Batches;
  /// Hands on what there is of this batch, unless more follow in a format that holds one.
  void end_batch(const std::function<bool()>& has_more);
  /// Moves on what --check names, or makes sure that it ends with the results.
  void next_batch(bool goes_on) { check_.next_batch(goes_on); }
  /// Makes all visible, or says what a dry run of so many batches came to. False where --check found a difference.
  bool finish(std::size_t batches);

  void write_whole(const Output& output, const std::vector<Result>& results, const GroupAttributes& groups,
                   const LastStep& last_step);
  void expect_all_read() const;
  [[noreturn]] void say_dry_run(const std::vector<attn::TensorInfo>& written);
  std::vector<attn::TensorInfo> rehearse(const Output& output, std::vector<Result> results);
  std::vector<Result> as_written(const Output& output, std::vector<Result> results);
  void note_losses(const Output& output, const std::vector<Result>& results);
  void put(const std::string& text);
  bool wants_json() const noexcept;
  attn::DType written_dtype(const Output& output, const Result& result) const;
  void inspect(Result& result);
  void say_statistics(const attn::TensorInfo& result, const Statistics& s) const;
  void name_axes(const Output& output, std::vector<Result>& results) const;
  void add_coordinates(const Output& output, std::vector<Result>& results);
  void expect_no_tensor_options(ResultKind kind) const;
  void leave_out_large(const Output& output, GroupAttributes& groups);
  void open(const Output& output);
  void join(const Output& output, const attn::Source& present, const std::vector<std::string>& replaced,
            GroupAttributes& groups) const;
  void open_text(const Output& output);
  bool is_open() const noexcept { return sink_ != nullptr || text_ != nullptr; }

  const Command& command_;
  const SharedOptions& shared_;
  attn::ThreadPool& pool_;
  Report& report_;
  const Origins& origins_;
  attn::OperationCount& operations_;
  GradientCheck* gradient_check_;  ///< or null
  Check check_;
  std::unique_ptr<attn::Sink> sink_;
  std::unique_ptr<attn::io::ByteOutput> text_;
  std::vector<std::unique_ptr<attn::io::ByteOutput>> files_;
  std::vector<std::unique_ptr<attn::Sink>> sinks_;
  std::function<void()> when_visible_;
  struct Blocks;
  std::shared_ptr<Blocks> blocks_;  ///< of a run by rows
  std::set<std::string> lost_;      ///< what is to be said of attributes that the format does not keep
  std::string shown_;               ///< by a dry run, of the last batch that is not like the one before
  bool batches_are_out_ = false;    ///< batches went into a pipe, where they cannot be taken back
};

}  // namespace cli
