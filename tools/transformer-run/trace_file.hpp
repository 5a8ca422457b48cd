#pragma once
// A file that takes the intermediate tensors of a run, each under the name of its place in the architecture.

#include "transformer-run/options.hpp"

#include <attn/core/execution.hpp>
#include <attn/core/stream.hpp>
#include <attn/io/output.hpp>

#include <memory>
#include <optional>
#include <string>

namespace transformer_run {

class TraceFile {
 public:
  /// FILE[:/group]; only names that match the shell pattern. As the result it overwrites or is appended to where that
  /// is asked for; throws Error(create) when the file exists and neither is.
  TraceFile(const std::string& operand, const std::string& filter, const attn::io::OutputOptions& like);

  attn::TraceHook hook();

  /// Makes the file visible. Throws Error(usage) when the filter let nothing through.
  void commit();

 private:
  std::string group_, filter_;
  std::unique_ptr<attn::Sink> sink_;
  std::size_t tensors_ = 0;
};

/// An execution, watched by the trace where one was asked for.
class Traced {
 public:
  Traced(const Options& options, const attn::Execution& execution);

  const attn::Execution& execution() const noexcept { return execution_; }
  bool is_traced() const noexcept { return file_.has_value(); }

  /// To be called when all is computed, before anything is said of it: makes the trace visible, where there is one.
  void commit();

 private:
  attn::Execution execution_;
  std::optional<TraceFile> file_;
};

}  // namespace transformer_run
