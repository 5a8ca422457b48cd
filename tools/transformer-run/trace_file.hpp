#pragma once
// A file for the intermediate tensors of a run, each named by its stage.

#include "transformer-run/options.hpp"

#include <attn/core/execution.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/output.hpp>

#include <memory>
#include <optional>
#include <string>

namespace transformer_run {

class TraceFile {
 public:
  /// FILE[:/group], for names that match the shell pattern. Overwrites or appends as the result does; throws
  /// Error(create) if the file exists and neither option is given.
  TraceFile(const std::string& operand, const std::string& filter, const attn::io::OutputOptions& like);

  attn::TraceHook hook();

  /// Makes the file visible. Throws Error(usage) if no name matched the filter.
  void commit();

 private:
  std::string group_, filter_;
  std::unique_ptr<attn::Sink> sink_;
  std::size_t tensors_ = 0;
};

/// The session's execution, with the hook of the trace if there is one.
class Traced {
 public:
  Traced(const Options& options, const attn::Execution& execution);

  const attn::Execution& execution() const noexcept { return execution_; }
  bool is_traced() const noexcept { return file_.has_value(); }

  /// Makes the trace, if there is one, visible: after all is computed and before anything is printed.
  void commit();

 private:
  attn::Execution execution_;
  std::optional<TraceFile> file_;
};

}  // namespace transformer_run
