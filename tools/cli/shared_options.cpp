#include "cli/shared_options.hpp"

#include "cli/numbers.hpp"

#include <attn/core/error.hpp>

namespace cli {
namespace {

using attn::Error;
using attn::ErrorKind;
using Header = attn::io::TableOptions::Header;
using Missing = attn::io::TableOptions::Missing;

char parse_delimiter(const std::string& word) {
  if (word == "\\t" || word == "tab") return '\t';
  if (word.size() != 1) throw Error(ErrorKind::usage, "--delim", "'" + word + "' is not one character");
  return word.front();
}

int parse_precision(const std::string& word) {
  const std::size_t digits = parse_size("--precision", word);
  if (digits < 1 || digits > 17) throw Error(ErrorKind::usage, "--precision", "'" + word + "' is not between 1 and 17");
  return static_cast<int>(digits);
}

std::size_t parse_threads(const std::string& word) {
  if (word == "auto") return 0;
  const std::size_t threads = parse_size("--threads", word);
  if (threads < 1 || threads > 4096)
    throw Error(ErrorKind::usage, "--threads", "'" + word + "' is not between 1 and 4096, nor auto");
  return threads;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

void add_output_options(Command& command, SharedOptions& shared, Output& output) {
  command.group("Output");
  command.with_provenance(false);
  command.option("-o,--output", "standard output", "OPERAND: where the result goes, FILE[:/dataset]",
                 [&output](const std::string& word) { output.text = word; });
  command.flag("-f,--overwrite", output.options.overwrite, "replace an output that exists");
  command.with_provenance(true);
  command.option("-O,--output-format", "by suffix, else h5", "FORMAT: h5, csv, tsv, npy or safetensors",
                 [&output](const std::string& word) { output.options.format = attn::io::format_from_name(word); });
  if (!output.known_emits.empty())
    command.option("--emit", output.emit, "NAME,...: write more beside the result: " + joined(output.known_emits));
  command.option("--dtype", "as computed", "DTYPE: of floating-point results: f64, f32, f16 or bf16",
                 [&shared](const std::string& word) { shared.dtype = attn::dtype_from_name(word); });
  command.option("--precision", "shortest that reads back as it was", "N: significant digits of numbers in text",
                 [&output](const std::string& word) { output.options.precision = parse_precision(word); });
}

void add_input_options(Command& command, SharedOptions& shared, Output* output) {
  attn::io::TableOptions& table = shared.input.table;
  command.group("Tables of text");
  command.flag("--header", "the first row names the columns", [&table] { table.header = Header::yes; });
  command.flag("--no-header", "the first row is data", [&table] { table.header = Header::no; });
  command.option("--delim", "comma; tab for .tsv", "CHARACTER: between cells, read and written; \\t is a tab",
                 [&table, output](const std::string& word) {
                   table.delimiter = parse_delimiter(word);
                   if (output != nullptr) output->options.delimiter = table.delimiter;
                 });
  command.option("--missing", table.missing,
                 Choices<Missing>{{"error", Missing::error}, {"nan", Missing::nan}, {"omit", Missing::omit}},
                 "what becomes of empty cells, NA, NaN and . in a table");
}

/// Is `name` what `candidate` says: itself, or "topk=5" for "topk=K"?
bool is_emit(const std::string& candidate, const std::string& name) {
  const std::size_t equals = candidate.find('=');
  if (equals == std::string::npos) return candidate == name;
  return name.size() > equals + 1 && name.compare(0, equals + 1, candidate, 0, equals + 1) == 0;
}

void check_emits(const Output& output) {
  for (const std::string& name : output.emit) {
    bool known = false;
    for (const std::string& candidate : output.known_emits) known = known || is_emit(candidate, name);
    if (!known) throw Error(ErrorKind::usage, "--emit", "'" + name + "' is not one of " + joined(output.known_emits));
  }
}

}  // namespace

void add_shared_options(Command& command, SharedOptions& shared) {
  Output* output = command.output();
  if (output != nullptr) add_output_options(command, shared, *output);
  add_input_options(command, shared, output);
  command.group("Running");
  command.option("--engine", shared.engine,
                 Choices<attn::Engine>{{"auto", attn::Engine::automatic}, {"reference", attn::Engine::reference}},
                 "how to compute; reference is plain loops in double precision");
  command.with_provenance(false);
  command.option("-t,--threads", "auto", "N: threads, or auto: what this process may use",
                 [&shared](const std::string& word) { shared.threads = parse_threads(word); });
  command.flag("--quiet", shared.quiet, "no notes on standard error");
  command.flag("--verbose", shared.verbose, "say on standard error what is being done");
}

void check_shared_options(const Command& command) {
  if (command.output() != nullptr) check_emits(*command.output());
}

}  // namespace cli
