#pragma once
// A file that takes the intermediate tensors of a run, each under the name of its place in the architecture.

#include <attn/core/execution.hpp>
#include <attn/core/stream.hpp>
#include <attn/io/output.hpp>

#include <memory>
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

}  // namespace transformer_run
