#pragma once
// Results on their way out: dtype, checks, what travels along, provenance, and then a sink or the reader's eyes.

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

/// Is the result tensors in HDF5, as far as one can know, and no preview of them?
bool writes_hdf5(const Output& output);

class ResultWriter {
 public:
  /// Opens the output where it is a file, so that one that cannot be made is known before any work. Under --dry-run no
  /// stream is opened, and of a file nothing is left.
  ResultWriter(const Command& command, const SharedOptions& shared, attn::ThreadPool* pool, Progress& progress);
  ~ResultWriter();

  /// The results of one batch, the main one first, and attributes beside them.
  void write(const Output& output, const std::vector<Result>& results, const GroupAttributes& groups,
             const Origins& origins);
  /// What write() would write of these. Throws what the output and --keep would refuse.
  std::vector<attn::TensorInfo> rehearse(const Output& output, std::vector<Result> results, const Origins& origins);
  /// What may be tensors or text is text. Throws Error(usage) for an option that asks for tensors.
  void become_text();
  /// Text, for results that are text: on standard output, or in the file that -o names.
  void print(const std::string& text);
  /// Moves on what --check names, or makes sure that it ends with the results.
  void next_batch(bool results_go_on);
  /// Hands on what there is of this batch, unless more follow in a format that holds one.
  void end_batch(const std::function<bool()>& has_more);
  void commit();

  /// A result differed from what --check named.
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
  Note notes() const;  ///< says them, unless --quiet

  const Command& command_;
  const SharedOptions& shared_;
  attn::ThreadPool* pool_;
  Progress& progress_;
  Check check_;
  std::unique_ptr<attn::Sink> sink_;
  std::unique_ptr<attn::io::ByteOutput> text_;
  std::set<std::string> lost_;    ///< what is to be said of attributes that the format does not keep
  bool batches_are_out_ = false;  ///< batches went into a pipe, where they cannot be taken back
};

/// Does it say that tensors are meant, where the result may be text: -O, a dataset, or the suffix of a tensor file?
bool names_tensors(const Output& output);

}  // namespace cli
