#include "transformer-run/trace_file.hpp"

#include "cli/results/glob.hpp"

#include <attn/core/error.hpp>
#include <attn/io/operand.hpp>
#include <attn/io/output.hpp>

namespace transformer_run {

using attn::Error;
using attn::ErrorKind;

TraceFile::TraceFile(const std::string& text, const std::string& filter, const attn::io::OutputOptions& like)
    : filter_(filter) {
  const attn::io::Operand operand = attn::io::parse_operand(text);
  if (operand.literal || operand.is_part() || operand.is_standard_stream())
    throw Error(ErrorKind::usage, "--trace", text + " is not a file", "give FILE or FILE:/group");
  if (!operand.dataset.empty()) group_ = operand.dataset + "/";
  attn::io::OutputOptions options;
  options.overwrite = like.overwrite;
  options.append = like.append;
  sink_ = attn::io::create_sink(operand.source, options);
}

attn::TraceHook TraceFile::hook() {
  return [this](const std::string& name, const attn::TensorView& tensor) {
    if (!cli::matches_glob(filter_, name)) return;
    sink_->add(group_ + name, tensor);
    ++tensors_;
  };
}

void TraceFile::commit() {
  if (tensors_ == 0)
    throw Error(ErrorKind::usage, "--trace-filter", "no tensor's name matches " + filter_,
                "names look like encoder/0/self_attn/q");
  sink_->commit();
}

Traced::Traced(const Options& options, const attn::Execution& execution) : execution_(execution) {
  if (options.trace.empty()) return;
  file_.emplace(options.trace, options.trace_filter, options.output.options);
  execution_.trace = file_->hook();
}

void Traced::commit() {
  if (file_ && execution_.dry_run == nullptr) file_->commit();
}

}  // namespace transformer_run
