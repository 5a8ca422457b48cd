#pragma once
// A file for the intermediate tensors of a run, each named by its stage.

#include "transformer-run/options.hpp"

#include <attn/core/execution.hpp>
#include <attn/core/source_sink.hpp>

#include <memory>
#include <string>
#include <vector>

namespace transformer_run {

/// The session's execution, with the hook of --trace if that is given.
class Traced {
 public:
  /// Overwrites the file or appends to it as the result does. Throws Error(create) if it exists and neither option is
  /// given.
  Traced(const Options& options, const attn::Execution& execution);
  Traced(const Traced&) = delete;  // the hook refers to it
  Traced& operator=(const Traced&) = delete;
  ~Traced() = default;

  const attn::Execution& execution() const noexcept { return execution_; }
  bool is_traced() const noexcept { return sink_ != nullptr; }

  /// Makes the trace, if there is one, visible: after all is computed and before anything is printed. Throws
  /// Error(usage) if no name matched the filter.
  void commit();

 private:
  attn::Execution execution_;
  std::string group_;
  std::vector<std::string> filter_;  ///< patterns of names
  std::unique_ptr<attn::Sink> sink_;
  std::size_t tensors_ = 0;
};

}  // namespace transformer_run
