#include "cli/session.hpp"

#include "cli/help.hpp"
#include "cli/numbers.hpp"
#include "cli/printable.hpp"
#include "cli/result_writer.hpp"

#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>

namespace cli {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

struct Session::State {
  const Command& command;
  const HelpText& help;
  const SharedOptions& shared;
  std::unique_ptr<attn::ThreadPool> pool;
  Progress progress;
  attn::io::Inputs inputs;
  attn::Execution execution;
  ResultWriter writer;
  Origins origins;
  std::vector<TensorView> read;  ///< what was read of the current batch
  bool planned = false;          ///< the current batch has been
  std::size_t batch = 1;
  std::ifstream text_file;
  bool said_no = false;
  std::set<std::string> slabs_used;  ///< by the option of the input
  std::size_t widened = 0;           ///< bytes of what the current batch was converted to

  State(const Command& given, const SharedOptions& options)
      : command(given),
        help(given.help()),
        shared(options),
        pool(std::make_unique<attn::ThreadPool>(options.threads)),
        progress(help.tool, options.progress),
        inputs(way_to_read()),
        writer(given, options, pool.get(), progress) {
    origins.inputs = &inputs;
    execution.engine = options.engine;
    execution.isa = isa_of_environment();
    execution.pool = pool.get();
    execution.progress = progress.hook();
  }

  attn::io::InputOptions way_to_read() {
    attn::io::InputOptions way = shared.input;
    way.pool = pool.get();
    way.progress = progress.hook();
    return way;
  }

  void say(const std::string& text) {
    progress.clear();
    std::fprintf(stderr, "%s: %s\n", help.tool.c_str(), printable(text).c_str());
  }
};

namespace {

std::size_t bytes_of(const attn::TensorInfo& info) {
  return attn::element_count(info.shape) * attn::element_size(info.dtype);
}

/// "y  (2, 3)  f64  48 bytes".
std::string shown(const attn::TensorInfo& info) {
  return printable(info.name) + "  " + attn::to_string(info.shape) + "  " + std::string(attn::name_of(info.dtype)) +
         "  " + std::to_string(bytes_of(info)) + " bytes";
}

}  // namespace

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
  const TensorView wide = attn::cast(x, attn::DType::f64);
  state_->widened += wide.bytes();
  return wide;
}

std::size_t Session::max_memory() const noexcept { return state_->shared.max_memory; }

bool Session::was_given(const std::string& option) const { return state_->command.was_given(option); }

void Session::refuse(const std::vector<std::string>& options, const std::string& reason, const std::string& fix) const {
  for (const std::string& option : options)
    if (was_given(option)) throw Error(ErrorKind::usage, option, "would do nothing, as " + reason, fix);
}

attn::io::Operand Session::parse(const std::string& text) const {
  return attn::io::parse_operand(text, state_->shared.input.memory);
}

/// The operand of an input; standard input for the main one when none was given.
attn::io::Operand Session::operand_of(const Input& input) const {
  if (input.text.empty() && !input.option.empty())
    throw Error(ErrorKind::usage, all_names(input.option, state_->help.options), "is required",
                "see " + state_->help.tool + " --help");
  attn::io::Operand operand = parse(input.text.empty() ? "-" : input.text);
  require_data(operand);
  if (!input.slab.empty()) {
    if (!operand.slab.empty())
      throw Error(ErrorKind::usage, operand.text, "has a slab, and --slab gives another", "leave one out");
    if (operand.literal)
      throw Error(ErrorKind::usage, "--slab " + input.slab, "is of " + operand.text + ", which is given whole",
                  "leave it out, and write the part");
    operand.slab = attn::parse_slab(input.slab, "--slab " + input.slab);
    state_->slabs_used.insert(input.option);
  }
  return operand;
}

/// A terminal holds no data: says shortly how the tool is called, and ends the run.
void Session::require_data(const attn::io::Operand& operand) const {
  if (!operand.is_standard_stream() || isatty(STDIN_FILENO) == 0) return;
  std::fputs(short_help(state_->help).c_str(), stderr);
  throw Finished{usage};
}

attn::Source& Session::source(const attn::io::Operand& operand) {
  require_data(operand);
  attn::Source& source = state_->inputs.source(operand);
  std::vector<attn::Source*>& sources = state_->origins.sources;
  if (std::find(sources.begin(), sources.end(), &source) == sources.end()) sources.push_back(&source);
  return source;
}

TensorView Session::read(const Input& input, std::optional<attn::DType> beside) {
  const attn::io::Operand operand = operand_of(input);
  if (!operand.literal) source(operand);
  const TensorView tensor = state_->inputs.read(operand, input.defaults, beside);
  state_->read.push_back(tensor);
  // The stage's input: INPUT, or where a tool has none, what it reads first.
  if (input.option.empty() || !state_->origins.main_input) state_->origins.main_input = tensor;
  return tensor;
}

std::optional<TensorView> Session::read(const OptionalInput& input) {
  if (!input.given()) return std::nullopt;
  return read(static_cast<const Input&>(input));
}

TensorView Session::read(const std::string& text, const std::vector<std::string>& defaults,
                         std::optional<attn::DType> beside) {
  Input input(defaults);
  input.text = input.option = text;
  return read(input, beside);
}

TensorView Session::read(attn::Source& source, const std::string& name, const attn::Slab& part) {
  state_->read.push_back(source.read(name, part));
  return state_->read.back();
}

std::optional<attn::io::Inputs::Located> Session::locate(const Input& input) {
  const attn::io::Operand operand = operand_of(input);
  if (operand.literal || !operand.slab.empty()) return std::nullopt;
  source(operand);
  return state_->inputs.locate(operand, input.defaults);
}

Session::Group Session::open(const Input& input) {
  const attn::io::Operand operand = operand_of(input);
  if (operand.literal || !operand.slab.empty())
    throw Error(ErrorKind::usage, input.text, "names no group of tensors", "give FILE or FILE:/prefix");
  return {&state_->inputs.source(operand), operand.dataset};
}

std::istream& Session::text(const Input& input) {
  if (!input.slab.empty())
    throw Error(ErrorKind::usage, "--slab " + input.slab, "is a part of a tensor, and the input is lines of text",
                "leave it out");
  if (input.text.empty() || input.text == "-") {
    operand_of(input);
    std::ios::sync_with_stdio(false);  // nobody else reads it, and so it has a buffer of its own
    return std::cin;
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(input.text, ignored))
    throw Error(ErrorKind::input, input.text, std::strerror(EISDIR));
  if (!state_->text_file.is_open()) state_->text_file.open(input.text, std::ios::binary);
  if (!state_->text_file) throw Error(ErrorKind::input, input.text, std::strerror(errno));
  return state_->text_file;
}

namespace {

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

void Session::write(const Output& output, const TensorView& result) {
  write(output, std::vector<Result>{{"", result}});
}

/// A part of what is not read is a mistake; by now everything has been.
void Session::expect_slabs_used() const {
  for (const Input* input : state_->command.inputs())
    if (!input->slab.empty() && state_->slabs_used.count(input->option) == 0)
      throw Error(ErrorKind::usage, "--slab " + input->slab,
                  "would do nothing, as " + (input->option.empty() ? "INPUT" : input->option) + " is not read",
                  "leave it out");
}

/// So is what says how tables are read or written where nothing is read and the result is none.
void Session::expect_tables() const {
  using attn::io::Format;
  if (!state_->inputs.opened().empty()) return;
  if (state_->command.missing_rows() == nullptr) refuse({"--missing"}, "no table is read");
  const Output& output = *state_->command.output();
  const auto format =
      output.options.format ? output.options.format : attn::io::format_from_path(output_operand(output).source);
  if (format != Format::csv && format != Format::tsv)
    refuse({"--header", "--no-header", "--delim"}, "no table is read or written");
}

/// Is the result in memory of its own? It may be computed while it is written, or be a part of what was read.
bool Session::is_made(const Result& result) const {
  if (result.producer) return false;
  const auto& mine = result.tensor.owner;
  return std::none_of(state_->read.begin(), state_->read.end(), [&](const TensorView& tensor) {
    return mine != nullptr && !mine.owner_before(tensor.owner) && !tensor.owner.owner_before(mine);
  });
}

void Session::write(const Output& output, const std::vector<Result>& results) {
  expect_slabs_used();
  expect_tables();
  if (!state_->planned) {
    Plan known;
    for (const Result& result : results) {
      const std::string name = result.name.empty() ? result_name(output) : result.name;
      (is_made(result) ? known.results : known.streamed).push_back({name, result.dtype(), result.shape()});
    }
    plan(known);
  }
  state_->progress.clear();
  state_->writer.write(output, results, state_->origins);
}

void Session::expect_text() const { expect_no_tensor_options(state_->command); }

void Session::print(const std::string& line) { print_text(line + '\n'); }

void Session::print_text(const std::string& text) {
  state_->progress.clear();
  state_->writer.print(text);
}

void Session::note(const std::string& text) {
  if (!state_->shared.quiet) state_->say(text);
}

void Session::detail(const std::string& text) {
  if (state_->shared.verbose) state_->say(text);
}

void Session::say_no() { state_->said_no = true; }

bool Session::wants(const Output& output, const std::string& emit) {
  return std::find(output.emit.begin(), output.emit.end(), emit) != output.emit.end();
}

std::size_t Session::emitted_number(const Output& output, const std::string& emit) {
  const std::string start = emit + "=";
  for (const std::string& word : output.emit) {
    if (word.compare(0, start.size(), start) != 0) continue;
    const std::size_t number = parse_size("--emit " + emit, word.substr(start.size()));
    if (number == 0) throw Error(ErrorKind::usage, "--emit", "'" + word + "' needs a whole number above 0");
    return number;
  }
  return 0;
}

bool Session::next_batch() {
  // What was read is let go before more comes, and answered before it is waited for.
  state_->writer.end_batch();
  state_->read.clear();
  state_->widened = 0;
  state_->origins.main_input.reset();
  if (!state_->inputs.next_batch()) return false;
  state_->planned = false;
  ++state_->batch;
  return true;
}

std::size_t Session::batch() const noexcept { return state_->batch; }

ExitCode Session::finish() {
  state_->writer.commit();
  flush_text();
  state_->progress.finish();
  return state_->said_no || state_->writer.check_failed() ? said_no : done;
}

}  // namespace cli
