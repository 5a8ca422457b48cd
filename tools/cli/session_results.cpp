// What a run will need, and what it writes.

#include "cli/numbers.hpp"
#include "cli/session_state.hpp"

#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>

#include <algorithm>

namespace cli {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

namespace {

std::size_t bytes_of(const attn::TensorInfo& info) {
  return attn::element_count(info.shape) * attn::element_size(info.dtype);
}

/// "y  (2, 3)  f64  48 bytes".
std::string shown(const attn::TensorInfo& info) {
  return printable(info.name) + "  " + attn::to_string(info.shape) + "  " + std::string(attn::name_of(info.dtype)) +
         "  " + std::to_string(bytes_of(info)) + " bytes";
}

/// Bytes of what was read: those in memory, and those in pages of files, which count while they are looked at although
/// the system can take them back.
struct ReadBytes {
  std::size_t held = 0, mapped = 0;
};

ReadBytes bytes_read(const std::vector<TensorView>& tensors, const attn::io::Inputs& inputs) {
  ReadBytes bytes;
  const std::vector<attn::Source*> sources = inputs.opened();
  for (const attn::Source* source : sources) bytes.held += source->buffer().memory();
  for (const TensorView& tensor : tensors) {
    const auto found = std::find_if(sources.begin(), sources.end(),
                                    [&](const attn::Source* source) { return source->buffer().contains(tensor.data); });
    if (found == sources.end())
      bytes.held += tensor.bytes();
    else if ((*found)->buffer().is_mapped)
      bytes.mapped += tensor.bytes();
  }
  return bytes;
}

}  // namespace

void Session::plan(const Plan& plan) {
  state_->planned = true;
  expect_tables();
  const ReadBytes read = bytes_read(state_->read, state_->inputs);
  std::size_t made = plan.memory + state_->widened + read.held;
  for (const attn::TensorInfo& result : plan.results) made += bytes_of(result);
  const std::size_t needed = made + read.mapped + plan.scanned_at_once;
  if (state_->shared.dry_run) {
    for (const TensorView& tensor : state_->read) print("read  " + shown({tensor.name, tensor.dtype, tensor.shape}));
    for (const attn::TensorInfo& input : plan.scanned) print("read  " + shown(input));
    for (attn::TensorInfo result : plan.results) {
      if (result.name.empty()) {
        result.name = result_name(*state_->command.output());
        result.dtype = state_->shared.dtype.value_or(result.dtype);
      }
      print("write  " + shown(result));
    }
    for (const attn::TensorInfo& result : plan.streamed) print("write  " + shown(result));
    print("compute  " + to_text(plan.flops) + " FLOP");
    print("memory  " + std::to_string(needed) + " bytes");
  }
  const std::size_t allowed = state_->shared.max_memory;
  const std::string fix = plan.fix.empty() ? "allow more, or compute a part at a time" : plan.fix;
  if (allowed > 0 && needed > allowed)
    throw Error(ErrorKind::memory, "--max-memory",
                "needs " + std::to_string(needed) + " bytes, " + std::to_string(allowed) + " are allowed", fix);
  if (const std::size_t usable = attn::usable_memory(); !state_->shared.dry_run && made > usable)
    throw Error(ErrorKind::memory, "memory",
                "needs " + std::to_string(made) + " bytes, this machine has " + std::to_string(usable), plan.fix);
  if (state_->shared.dry_run) throw Finished{finish()};
}

/// A part of what is not read is a mistake; by now everything has been.
void Session::expect_slabs_used() const {
  for (const Input* input : state_->command.inputs())
    if (!input->slab.empty() && state_->slabs_used.count(input->option) == 0)
      throw Error(ErrorKind::usage, "--slab " + input->slab,
                  "would do nothing, as " + (input->option.empty() ? "INPUT" : input->option) + " is not read",
                  "leave it out");
}

/// So is what says how tables are read or written where none is.
void Session::expect_tables() const {
  const bool writes_table = state_->writer.writes_table();
  const Output* output = state_->command.output();
  const bool writes_tensors = output != nullptr && !(output->is_text && output->is_text());
  if (writes_tensors && !writes_table) refuse({"--precision"}, "no table is written", "give -O csv, or leave it out");
  std::vector<attn::Source*> sources = state_->inputs.opened();
  if (state_->shared.check)
    if (const attn::io::Operand reference = parse(*state_->shared.check); !reference.literal)
      sources.push_back(&state_->inputs.reference(reference));
  if (std::any_of(sources.begin(), sources.end(), [](const attn::Source* source) { return source->is_table(); }))
    return;
  if (state_->command.missing_rows() == nullptr) refuse({"--missing"}, "no table is read");
  if (!writes_table) refuse({"--header", "--no-header", "--delim"}, "no table is read or written");
}

/// Is the result in memory of its own? It may be computed while it is written, or be a part of what was read.
bool Session::is_made(const Result& result) const {
  if (result.producer) return false;
  const auto& mine = result.tensor.owner;
  return std::none_of(state_->read.begin(), state_->read.end(), [&](const TensorView& tensor) {
    return mine != nullptr && !mine.owner_before(tensor.owner) && !tensor.owner.owner_before(mine);
  });
}

void Session::write(const Output& output, const TensorView& result) {
  write(output, std::vector<Result>{{"", result}});
}

void Session::write(const Output& output, const std::vector<Result>& results, const GroupAttributes& groups) {
  expect_slabs_used();
  if (!state_->planned) {
    Plan known;
    for (const Result& result : results) {
      const std::string name = result.name.empty() ? result_name(output) : result.name;
      (is_made(result) ? known.results : known.streamed).push_back({name, result.dtype(), result.shape()});
    }
    plan(known);
  }
  state_->progress.clear();
  state_->writer.write(output, results, groups, state_->origins);
}

}  // namespace cli
