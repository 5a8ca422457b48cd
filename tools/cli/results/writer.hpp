#pragma once
// Writes results: dtype, checks, kept datasets, provenance, and then a file, a pipe or a preview on the terminal.

#include "cli/command.hpp"
#include "cli/result.hpp"
#include "cli/results/check.hpp"
#include "cli/results/companions.hpp"
#include "cli/shared_options.hpp"

#include <attn/io/byte_output.hpp>

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace cli {

/// May the output be tensors in HDF5, not a preview?
bool writes_hdf5(const Output& output);

class ResultWriter {
 public:
  /// Opens an output file before any work, so that a file that cannot be made is an early error. --dry-run opens no
  /// stream, and leaves no file.
  ResultWriter(const Command& command, const SharedOptions& shared, attn::ThreadPool* pool, Progress& progress);
  ~ResultWriter();

  /// Writes the results of one batch, the main one first, and the attributes of groups.
  void write(const Output& output, const std::vector<Result>& results, const GroupAttributes& groups,
             const Origins& origins);
  /// The tensors that write() would write. Throws the errors of the output and of --keep.
  std::vector<attn::TensorInfo> rehearse(const Output& output, std::vector<Result> results, const Origins& origins);
  /// Decides that the result is text. Throws Error(usage) for an option that asks for tensors.
  void become_text();
  /// Prints text on standard output or into the file of -o.
  void print(const std::string& text);
  /// Moves the reference of --check on, or checks that it ends with the results.
  void next_batch(bool results_go_on);
  /// Completes the batch, unless more follow in a format that holds only one.
  void end_batch(const std::function<bool()>& has_more);
  void commit();

  /// Did a result differ from the operand of --check?
  bool check_failed() const noexcept { return check_.failed(); }

 private:
  attn::DType written_dtype(const Output& output, const Result& result) const;
  void inspect(const std::string& name, const attn::TensorView& tensor) const;
  void set_attributes(GroupAttributes groups, const Origins& origins);
  void expect_no_tensor_options(ResultKind kind) const;
  void open(const Output& output);
  void open_text(const Output& output);
  bool is_open() const noexcept { return sink_ != nullptr || text_ != nullptr; }
  void say(const std::string& line) const;
  Note notes() const;  ///< prints notes, unless --quiet

  const Command& command_;
  const SharedOptions& shared_;
  attn::ThreadPool* pool_;
  Progress& progress_;
  Check check_;
  std::unique_ptr<attn::Sink> sink_;
  std::unique_ptr<attn::io::ByteOutput> text_;
  std::set<std::string> lost_;    ///< notes about attributes that the format does not keep
  bool batches_are_out_ = false;  ///< batches went into a pipe, and cannot be taken back
};

/// Does the output ask for tensors, with -O, a dataset, or the suffix of a tensor file?
bool names_tensors(const Output& output);

}  // namespace cli
