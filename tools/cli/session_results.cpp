// What a run will need, and what it writes.

#include "cli/numbers.hpp"
#include "cli/plans.hpp"
#include "cli/session_state.hpp"
#include "cli/standard_text.hpp"

#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/memory_account.hpp>

#include <algorithm>
#include <utility>

namespace cli {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

namespace {

/// Thrown under --dry-run where a batch has been planned.
struct Planned {};

/// "y  (2, 3)  f64  48 bytes".
std::string shown(const attn::TensorInfo& info) {
  return printable(info.name) + "  " + attn::to_string(info.shape) + "  " + std::string(attn::name_of(info.dtype)) +
         "  " + std::to_string(bytes_of(info)) + " bytes";
}

}  // namespace

/// What is held by now, inputs above all, and what is to come: results, what becomes of them on
/// their way out, and what is kept. Reading the inputs may have needed more than that.
std::size_t Session::memory_needed(const Plan& plan) const {
  return std::max<std::size_t>(attn::memory_account().most_needed(), memory_to_come(plan));
}

std::size_t Session::memory_to_come(const Plan& plan) const {
  std::size_t needed = attn::memory_account().held() + state_->strided + plan.memory + plan.scanned_at_once;
  for (const attn::TensorInfo& result : plan.results) needed += bytes_of(result);
  needed +=
      memory_of_companions(state_->shared, state_->origins) + state_->writer.memory_to_write(plan, state_->inputs);
  return needed;
}

/// What --dry-run says of a batch, a line for each tensor.
std::string Session::text_of(const Plan& plan, const std::vector<attn::TensorInfo>& written) const {
  std::string text;
  for (const auto* inputs : {&std::as_const(state_->read), &plan.scanned})
    for (const attn::TensorInfo& input : *inputs) text += "read  " + shown(input) + '\n';
  for (const attn::TensorInfo& result : written) text += "write  " + shown(result) + '\n';
  return text + "compute  " + to_text(plan.flops) + " FLOP\n";
}

void Session::plan(const Plan& plan) {
  state_->planned = true;
  const Output* const output = state_->command.output();
  const bool ends_here = state_->shared.dry_run || output == nullptr || !output->makes_tensors();
  if (ends_here) expect_operands_read();  // else before results are written: a tool may read on
  const std::vector<attn::TensorInfo> written = state_->writer.expect(plan, state_->origins);
  const std::size_t needed = memory_needed(plan);
  state_->most_needed = std::max(state_->most_needed, needed);
  if (state_->shared.dry_run)
    if (std::string text = text_of(plan, written); text != state_->plan_shown) {
      print_text(text);
      state_->plan_shown = std::move(text);
    }
  const std::size_t allowed = state_->shared.max_memory;
  const std::string fix = plan.fix.empty() ? "allow more, or compute a part at a time" : plan.fix;
  if (allowed > 0 && needed > allowed)
    throw Error(ErrorKind::memory, "--max-memory",
                "needs " + std::to_string(needed) + " bytes, " + std::to_string(allowed) + " are allowed", fix);
  if (state_->shared.dry_run) throw Planned{};
  const std::size_t usable = attn::usable_memory(), in_files = attn::memory_account().mapped() + plan.scanned_at_once;
  if (needed - in_files > usable)
    throw Error(ErrorKind::memory, "memory",
                "needs " + std::to_string(needed - in_files) + " bytes, this machine has " + std::to_string(usable),
                plan.fix);
}

void Session::run_batch(const std::function<void()>& work) {
  try {
    work();
  } catch (const Planned&) {
  }
}

ExitCode Session::finish() {
  if (state_->shared.dry_run) {
    if (state_->batch > 1) print("batches  " + std::to_string(state_->batch));
    print("memory  " + std::to_string(state_->most_needed) + " bytes");
  }
  state_->writer.commit();
  for (const auto& file : state_->files) file->commit();
  flush_text();
  state_->progress.finish();
  return state_->said_no || state_->writer.check_failed() ? said_no : done;
}

/// A mask, a bias or a past that nothing has read is a mistake; by now everything has been.
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
  if (!state_->planned) {
    Plan known;
    for (const Result& result : results) {
      const std::string name = result.name.empty() ? result_name(output) : result.name;
      (result.producer ? known.streamed : known.ready).push_back({name, result.dtype(), result.shape()});
    }
    plan(known);
  }
  state_->progress.clear();
  state_->writer.write(output, results, groups, state_->origins);
}

}  // namespace cli
