#include "cli/session.hpp"

#include "cli/help.hpp"
#include "cli/preview.hpp"

#include <attn/core/error.hpp>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace cli {

using attn::Error;
using attn::ErrorKind;

struct Session::State {
  const HelpText& help;
  const SharedOptions& shared;
  std::string provenance;
  attn::io::Inputs inputs;
  std::unique_ptr<attn::ThreadPool> pool;
  attn::Execution execution;
  std::unique_ptr<attn::Sink> sink;
  std::ifstream text_file;
  bool printed = false;
  bool said_no = false;

  State(const Command& command, const SharedOptions& options)
      : help(command.help()), shared(options), provenance(command.provenance()), inputs(options.input) {}
};

namespace {

attn::io::Operand output_operand(const Output& output) {
  attn::io::Operand operand = attn::io::parse_operand(output.text);
  if (operand.literal || !operand.slab.empty())
    throw Error(ErrorKind::usage, output.text, "is not something to write to", "give FILE, FILE:/dataset or -");
  return operand;
}

void put(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
    throw Error(ErrorKind::io, "standard output", std::strerror(errno));
}

/// Does this go before a reader's eyes, where binary data does harm?
bool is_for_the_eye(const Output& output, const attn::io::Operand& operand) {
  using attn::io::Format;
  const auto format = output.options.format;
  return operand.is_standard_stream() && format != Format::csv && format != Format::tsv && isatty(STDOUT_FILENO) != 0;
}

}  // namespace

attn::Isa isa_of_environment() {
  const char* name = std::getenv("ATTN_ISA");
  return name == nullptr || *name == '\0' ? attn::native_isa() : attn::isa_from_name(name);
}

Session::Session(const Command& command, const SharedOptions& shared)
    : state_(std::make_unique<State>(command, shared)) {
  const std::size_t threads = shared.threads > 0 ? shared.threads : attn::usable_threads();
  state_->pool = std::make_unique<attn::ThreadPool>(threads);
  state_->execution.engine = shared.engine;
  state_->execution.isa = isa_of_environment();
  state_->execution.pool = state_->pool.get();
  // Opened before any work, so that an output that cannot be made is known at once.
  if (const Output* output = command.output(); output != nullptr && output->text != "-")
    state_->sink = attn::io::create_sink(output_operand(*output).source, output->options);
}

Session::~Session() = default;

const attn::Execution& Session::execution() const noexcept { return state_->execution; }
std::optional<attn::DType> Session::dtype() const noexcept { return state_->shared.dtype; }

/// The operand of an input; standard input for the main one when none was given.
static attn::io::Operand operand_of(const Input& input, const HelpText& help) {
  if (input.text.empty() && !input.option.empty())
    throw Error(ErrorKind::usage, input.option, "is required", "see " + help.tool + " --help");
  attn::io::Operand operand = attn::io::parse_operand(input.text.empty() ? "-" : input.text);
  if (operand.is_standard_stream() && isatty(STDIN_FILENO) != 0) {
    std::fputs(short_help(help).c_str(), stderr);
    throw Finished{usage};
  }
  return operand;
}

attn::TensorView Session::read(const Input& input) {
  return state_->inputs.read(operand_of(input, state_->help), input.defaults);
}

std::optional<attn::TensorView> Session::read(const OptionalInput& input) {
  if (!input.given()) return std::nullopt;
  return read(static_cast<const Input&>(input));
}

Session::Group Session::open(const Input& input) {
  const attn::io::Operand operand = operand_of(input, state_->help);
  if (operand.literal || !operand.slab.empty())
    throw Error(ErrorKind::usage, input.text, "names no group of tensors", "give FILE or FILE:/prefix");
  return {&state_->inputs.source(operand), operand.dataset};
}

std::istream& Session::text(const Input& input) {
  if (input.text.empty() || input.text == "-") {
    operand_of(input, state_->help);
    return std::cin;
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(input.text, ignored))
    throw Error(ErrorKind::input, input.text, std::strerror(EISDIR));
  if (!state_->text_file.is_open()) state_->text_file.open(input.text, std::ios::binary);
  if (!state_->text_file) throw Error(ErrorKind::input, input.text, std::strerror(errno));
  return state_->text_file;
}

void Session::write(const Output& output, const attn::TensorView& result) {
  write(output, std::vector<Result>{{"", result}});
}

void Session::write(const Output& output, const std::vector<Result>& results) {
  const attn::io::Operand operand = output_operand(output);
  const bool to_eye = is_for_the_eye(output, operand);
  if (!to_eye && state_->sink == nullptr) state_->sink = attn::io::create_sink(operand.source, output.options);
  for (const Result& result : results) {
    const std::string main_name = operand.dataset.empty() ? output.default_dataset : operand.dataset;
    const std::string& name = result.name.empty() ? main_name : result.name;
    if (result.producer && !to_eye) {
      state_->sink->add(name, *result.producer, result.attributes);
      continue;
    }
    attn::TensorView tensor = result.producer ? attn::collect(*result.producer) : result.tensor;
    if (state_->shared.dtype && attn::is_floating(tensor.dtype)) tensor = attn::cast(tensor, *state_->shared.dtype);
    if (to_eye)
      print(preview(tensor, name));
    else
      state_->sink->add(name, tensor, result.attributes);
  }
}

void Session::print(const std::string& line) {
  put(line);
  put("\n");
  state_->printed = true;
}

void Session::note(const std::string& text) {
  if (!state_->shared.quiet) std::fprintf(stderr, "%s: %s\n", state_->help.tool.c_str(), text.c_str());
}

void Session::detail(const std::string& text) {
  if (state_->shared.verbose) std::fprintf(stderr, "%s: %s\n", state_->help.tool.c_str(), text.c_str());
}

void Session::say_no() { state_->said_no = true; }

bool Session::wants(const Output& output, const std::string& emit) {
  return std::find(output.emit.begin(), output.emit.end(), emit) != output.emit.end();
}

std::size_t Session::emitted_number(const Output& output, const std::string& emit) {
  const std::string start = emit + "=";
  std::size_t number = 0;
  for (const std::string& word : output.emit) {
    if (word.compare(0, start.size(), start) != 0) continue;
    const char* const end = word.data() + word.size();
    const auto [stopped, error] = std::from_chars(word.data() + start.size(), end, number);
    if (error != std::errc{} || stopped != end || number == 0)
      throw Error(ErrorKind::usage, "--emit", "'" + word + "' needs a whole number above 0");
  }
  return number;
}

bool Session::next_batch() {
  if (!state_->inputs.next_batch()) return false;
  if (state_->sink != nullptr) state_->sink->next_batch();
  return true;
}

ExitCode Session::finish() {
  if (state_->sink != nullptr) state_->sink->commit();
  if (state_->printed && std::fflush(stdout) != 0) throw Error(ErrorKind::io, "standard output", std::strerror(errno));
  return state_->said_no ? said_no : done;
}

}  // namespace cli
