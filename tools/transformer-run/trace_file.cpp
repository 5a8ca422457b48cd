#include "transformer-run/trace_file.hpp"

#include "cli/selection.hpp"

#include <attn/core/error.hpp>
#include <attn/io/operand.hpp>
#include <attn/io/output.hpp>

#include <algorithm>

namespace transformer_run {

using attn::Error;
using attn::ErrorKind;

Traced::Traced(const Options& options, const attn::Execution& execution)
    : execution_(execution), filter_(options.trace_filter) {
  if (options.trace.empty()) return;
  const attn::io::Operand operand = attn::io::parse_operand(options.trace);
  if (operand.literal || operand.is_part() || operand.is_standard_stream())
    throw Error(ErrorKind::usage, "--trace", options.trace + " is not a file", "give FILE or FILE:/group");
  if (!operand.dataset.empty()) group_ = operand.dataset + "/";
  attn::io::OutputOptions like_result;
  like_result.overwrite = options.output.options.overwrite;
  like_result.append = options.output.options.append;
  like_result.keeps_rest = !group_.empty() && !options.output.replaces_file;
  sink_ = attn::io::create_sink(operand.source, like_result);
  execution_.trace = [this](const std::string& name, const attn::TensorView& tensor) {
    if (std::none_of(filter_.begin(), filter_.end(), [&](const auto& glob) { return cli::matches_glob(glob, name); }))
      return;
    sink_->add(group_ + name, tensor);
    ++tensors_;
  };
}

void Traced::commit() {
  if (!is_traced() || execution_.dry_run != nullptr) return;
  if (tensors_ == 0)
    throw Error(ErrorKind::usage, "--trace-filter", "no tensor's name matches " + attn::listed(filter_),
                "names look like encoder/0/self_attn/q");
  sink_->commit();
}

}  // namespace transformer_run
