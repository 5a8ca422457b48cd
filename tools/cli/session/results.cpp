// The results of a run or of a dry run.

#include "cli/numbers.hpp"
#include "cli/session/state.hpp"
#include "cli/standard_text.hpp"

#include <attn/core/error.hpp>
#include <attn/core/memory_account.hpp>

namespace cli {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

namespace {

/// Thrown to end a dry run of a batch.
struct DryRunEnded {};

/// "y  (2, 3)  f64  48 bytes".
std::string shown(const attn::TensorInfo& info) {
  return printable(info.name) + "  " + attn::to_string(info.shape) + "  " + std::string(attn::name_of(info.dtype)) +
         "  " + std::to_string(attn::element_count(info.shape) * attn::element_size(info.dtype)) + " bytes";
}

}  // namespace

/// Prints a line for each tensor and one for the operations; nothing if a batch is like the one before.
void Session::say_dry_run(const std::vector<attn::TensorInfo>& written) {
  std::string text;
  for (const attn::TensorInfo& input : state_->read) text += "read  " + shown(input) + '\n';
  for (const attn::TensorInfo& result : written) text += "write  " + shown(result) + '\n';
  if (const double operations = state_->operations.take(); operations > 0)
    text += "compute  " + to_text(operations) + " FLOP\n";
  if (text != state_->shown) state_->writer.print(text);
  state_->shown = std::move(text);
  throw DryRunEnded{};
}

void Session::end_dry_run() {
  if (!state_->shared.dry_run) return;
  expect_operands_read();
  say_dry_run({});
}

void Session::run_batch(const std::function<void()>& work) {
  try {
    work();
  } catch (const DryRunEnded&) {
  }
}

ExitCode Session::finish() {
  expect_operands_read();
  if (state_->shared.dry_run) {
    if (state_->batch > 1) state_->writer.print("batches  " + std::to_string(state_->batch) + '\n');
    state_->writer.print("memory  about " + std::to_string(attn::memory_account().most_needed()) + " bytes\n");
  } else {
    state_->writer.commit();
    for (const auto& file : state_->files) file->commit();
  }
  flush_text();
  state_->progress.finish();
  return state_->said_no || state_->writer.check_failed() ? said_no : done;
}

/// An unread mask, bias or past is an error; at this point all others have been read.
void Session::expect_operands_read() const {
  for (const Input* input : state_->command.inputs())
    if (!input->text.empty() && state_->operands_read.count(input->option) == 0)
      throw Error(ErrorKind::usage, input->option.empty() ? "INPUT " + input->text : input->option,
                  "is not read: the other options leave no use for it",
                  "leave it out, or see " + state_->help.tool + " --help");
}

void Session::write(const Output& output, const TensorView& result) {
  write(output, std::vector<Result>{{"", result}});
}

void Session::write(const Output& output, const std::vector<Result>& results, const GroupAttributes& groups) {
  expect_operands_read();
  if (state_->shared.dry_run) say_dry_run(state_->writer.rehearse(output, results, state_->origins));
  state_->progress.clear();
  state_->writer.write(output, results, groups, state_->origins);
}

}  // namespace cli
