#include "cli/session/state.hpp"

#include <attn/core/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace cli {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

attn::Isa isa_of_environment() {
  const char* name = std::getenv("ATTN_ISA");
  return name == nullptr || *name == '\0' ? attn::native_isa() : attn::isa_from_name(name);
}

Session::Session(const Command& command, const SharedOptions& shared)
    : state_(std::make_unique<State>(command, shared)) {
  const attn::Execution& execution = state_->execution;
  const bool reference = execution.engine == attn::Engine::reference;
  detail(std::to_string(execution.threads()) + " threads, instruction set " + std::string(name_of(execution.isa)) +
         ", " + (reference ? "reference" : "automatic") + " engine");
}

Session::~Session() = default;

const attn::Execution& Session::execution() const noexcept { return state_->execution; }
std::optional<attn::DType> Session::dtype() const noexcept { return state_->shared.dtype; }
attn::DType Session::at_least(attn::DType compute) const {
  return state_->shared.dtype == attn::DType::f64 ? attn::DType::f64 : compute;
}

TensorView Session::widened(const TensorView& x) {
  if (x.dtype == attn::DType::string || at_least(x.dtype) == x.dtype) return x;
  return attn::cast(x, attn::DType::f64);
}

TensorView Session::unrounded(const TensorView& x) {
  const bool has_16_bits = x.dtype == attn::DType::f16 || x.dtype == attn::DType::bf16;
  if (!has_16_bits || dtype().value_or(x.dtype) == x.dtype) return widened(x);
  return widened(attn::cast(x, attn::DType::f32));
}

bool Session::was_given(const std::string& option) const { return state_->command.was_given(option); }

void Session::become_text() { state_->writer.become_text(); }

void Session::print(const std::string& line) { print_text(line + '\n'); }

void Session::print_text(const std::string& text) {
  if (!std::exchange(state_->has_printed, true)) expect_operands_read();
  end_dry_run();
  state_->progress.clear();
  state_->writer.print(text);
}

void Session::commit_with_results(std::unique_ptr<attn::io::ByteOutput> file) {
  state_->files.push_back(std::move(file));
}

void Session::note(const std::string& text) {
  if (!state_->shared.quiet) state_->say(text);
}

void Session::detail(const std::string& text) {
  if (state_->shared.verbose) state_->say(text);
}

void Session::say_no() { state_->said_no = true; }

bool Session::next_batch() {
  return next_batch([this] { return state_->inputs.next_batch(); });
}

bool Session::next_batch(const std::function<bool()>& move) {
  // Releases the last batch before reading the next, and writes its results before waiting for more.
  state_->writer.end_batch([this] { return state_->inputs.has_next_batch(); });
  state_->read.clear();
  state_->origins.main_input.reset();
  const bool goes_on = move();
  state_->writer.next_batch(goes_on);
  if (!goes_on) return false;
  state_->has_printed = false;
  ++state_->batch;
  return true;
}

bool Session::has_next_batch() { return state_->inputs.has_next_batch(); }

std::size_t Session::batch() const noexcept { return state_->batch; }

}  // namespace cli
