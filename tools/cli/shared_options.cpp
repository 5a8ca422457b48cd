#include "cli/shared_options.hpp"

#include "cli/help.hpp"
#include "cli/numbers.hpp"

#include <attn/core/error.hpp>
#include <attn/core/execution.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/system.hpp>
#include <attn/io/byte_output.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace cli {
namespace {

using attn::Error;
using attn::ErrorKind;
using Header = attn::io::TableOptions::Header;
using Missing = attn::io::TableOptions::Missing;
using Place = OptionEntry::Place;

char parse_delimiter(const std::string& word) {
  if (word == "\\t" || word == "tab") return '\t';
  if (word.size() != 1) throw Error(ErrorKind::usage, "--delim", "'" + word + "' is not one character");
  // A character of numbers, words or lines cannot separate cells.
  constexpr std::string_view taken = "0123456789+-.\"#\r\n";
  const bool is_letter = (word[0] >= 'a' && word[0] <= 'z') || (word[0] >= 'A' && word[0] <= 'Z');
  if (is_letter || taken.find(word[0]) != std::string_view::npos)
    throw Error(ErrorKind::usage, "--delim", "'" + word + "' is a part of numbers, words or lines",
                "take a comma, semicolon, bar, blank or \\t");
  return word.front();
}

/// Empty for "none".
std::string parse_comment(const std::string& word) {
  if (word == "none") return {};
  for (const char c : word) {
    const bool is_sign = c > ' ' && c <= '~' && std::isalnum(static_cast<unsigned char>(c)) == 0;
    if (!is_sign || std::string_view("+-.,\"").find(c) != std::string_view::npos)
      throw Error(ErrorKind::usage, "--comment", "'" + word + "' has a part of numbers, words or lines",
                  "take some of # % ! ; or none");
  }
  return word;
}

attn::DType parse_dtype(const std::string& word) {
  const attn::DType dtype = attn::dtype_from_name(word);
  if (dtype == attn::DType::string) throw Error(ErrorKind::usage, "--dtype", "numbers cannot become " + word);
  return dtype;
}

int parse_precision(const std::string& word) {
  const std::size_t digits = parse_size("--precision", word);
  if (digits < 1 || digits > 17) throw Error(ErrorKind::usage, "--precision", "'" + word + "' is not between 1 and 17");
  return static_cast<int>(digits);
}

/// gzip[=LEVEL], zstd[=LEVEL] or lzf.
void parse_compression(const std::string& word, attn::io::Hdf5Storage& storage) {
  using Compression = attn::io::Hdf5Storage::Compression;
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  int most = 0;
  if (name == "gzip") {
    storage.compression = Compression::gzip;
    most = 9;
  } else if (name == "zstd") {
    storage.compression = Compression::zstd;
    most = 22;
  } else if (word == "lzf") {
    storage.compression = Compression::lzf;
  } else {
    throw not_one_of("--compress", word, {"gzip", "zstd", "lzf"});
  }
  if (equals == std::string::npos) return;
  const std::int64_t level = parse_int64("--compress", word.substr(equals + 1));
  if (level < 1 || level > most)
    throw Error(ErrorKind::usage, "--compress", "'" + word + "' has no level between 1 and " + std::to_string(most));
  storage.level = static_cast<int>(level);
}

attn::Shape parse_chunks(const std::string& word) {
  attn::Shape chunks;
  for (const std::string& extent : split_list(word)) {
    chunks.push_back(parse_size("--chunks", extent));
    if (chunks.back() == 0) throw Error(ErrorKind::usage, "--chunks", "'" + word + "' has an extent of 0");
  }
  return chunks;
}

std::size_t parse_threads(const std::string& word) {
  if (word == "auto") return 0;
  if (word == "all" || word == "max")
    throw Error(ErrorKind::usage, "--threads", "'" + word + "' is not a number, nor auto", "did you mean auto?");
  const std::int64_t threads = parse_int64("--threads", word);
  if (threads < 1 || threads > 4096)
    throw Error(ErrorKind::usage, "--threads", "'" + word + "' is not between 1 and 4096, nor auto");
  return static_cast<std::size_t>(threads);
}

/// The first number of OMP_NUM_THREADS, "4,2"; 0 if it is invalid, which OpenMP ignores too.
std::size_t threads_of_environment() {
  const char* const text = std::getenv("OMP_NUM_THREADS");
  if (text == nullptr) return 0;
  try {
    return parse_threads(split_list(text).front());
  } catch (const Error&) {
    return 0;
  }
}

void add_output_options(Command& command, SharedOptions& shared, Output& output) {
  command.group("Output");
  command.changes(Effect::nothing);
  command.explained_in(Place::help);
  command.option("-o,--output", "standard output",
                 output.only_text
                     ? "FILE: destination of the lines"
                     : "OPERAND: destination of the result, FILE[:/dataset]: .h5, .csv, .tsv, .npy, .npz, .safetensors",
                 [&output](const std::string& word) { output.text = word; });
  command.explained_in(Place::shared);
  command.flag(
      "-f,--overwrite", output.options.overwrite,
      output.only_text ? "replace an existing file" : "replace an existing output, or only the dataset that -o names");
  const bool has_own_json = !output.json_text.empty();
  // Lines are the result itself: those of a run that was cut short are taken up only in the same form.
  command.changes(has_own_json ? Effect::numbers : Effect::form);
  command.explained_in(has_own_json ? Place::help : Place::shared);
  command.flag("--json", output.json,
               has_own_json ? output.json_text : "print JSON Lines: rows of the result, or the tensors of -n");
  command.changes(Effect::nothing);
  command.explained_in(Place::shared);
  if (output.only_text) return;
  command.flag("--replace-file", "with a dataset in -o, replace the whole file",
               [&output] { output.replaces_file = output.options.overwrite = true; });
  command.flag("-A,--append", output.options.append, "add datasets to an existing HDF5 file");
  command.changes(Effect::form);
  command.option("-O,--output-format", "by suffix, else h5", "FORMAT: format of the result",
                 [&output](const std::string& word) { output.options.format = attn::io::format_from_name(word); });
  command.values({"h5", "csv", "tsv", "npy", "npz", "safetensors", "jsonl"});
  attn::io::Hdf5Storage& storage = output.options.storage;
  command.option("--compress", "none", "METHOD[=LEVEL]: compress numbers in HDF5",
                 [&storage](const std::string& word) { parse_compression(word, storage); });
  command.values({"gzip", "zstd", "lzf"});
  command.flag("--shuffle", storage.shuffle, "with --compress, group the bytes of numbers by their place");
  command.option("--chunks", "about 1 MB", "N,...: extents of chunks in HDF5, for results with as many axes",
                 [&storage](const std::string& word) { storage.chunks = parse_chunks(word); });
  command.option("--dims", "those of a copied input", "NAME,...: names of the axes, as dimension scales in HDF5",
                 [&output](const std::string& word) {
                   output.dimensions = split_list(word);
                   output.options.storage.names_axes = true;
                 });
  command.explained_in(Place::help);
  if (!output.known_emits.empty()) {
    command.option("--emit", output.emit, "NAME,...: also write intermediate results");
    command.values(output.known_emits);
  }
  if (output.has_gradients) {
    shared.vjp.takes_no_rows = true;
    command.input("--vjp", shared.vjp,
                  "DY: write gradients instead of the result; DY is the gradient with respect to the result");
    command.explained_in(Place::shared);
    command.repeatable("--add-gradients", shared.added_gradients,
                       "FILE:/d: add the gradients of another stage that uses the same parameters");
    command.option("--check-grad", "",
                   "N: check the gradients in N random directions; print their largest errors, exit 1 above 1e-5",
                   [&shared](const std::string& word) {
                     shared.checked_directions = parse_size("--check-grad", word);
                     if (shared.checked_directions == 0)
                       throw Error(ErrorKind::usage, "--check-grad", "must be above 0");
                   });
    output.names_all = [&shared, before = output.names_all] { return shared.vjp.given() || (before && before()); };
    output.makes = [&shared, before = output.makes] {
      return shared.checked_directions > 0 ? ResultKind::text : before ? before() : ResultKind::tensors;
    };
  }
  command.explained_in(Place::shared);
  command.repeatable("--keep", "GLOB: also write matching datasets of the inputs",
                     [&shared](const std::string& word) { shared.keep.push_back(word); });
  command.flag("--keep-input", shared.keep_input, "also write the stage's input as x");
  command.changes(Effect::numbers);
  command.option("--dtype", "as the input", "DTYPE: type of the result; with f64, also of the computation",
                 [&shared](const std::string& word) { shared.dtype = parse_dtype(word); });
  command.values({"f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8", "bool"});
  command.option("--precision", "as many as read back the same", "N: significant digits of floats in text",
                 [&output](const std::string& word) { output.options.precision = parse_precision(word); });
  command.changes(Effect::nothing);
  command.flag("--no-history", "omit the attribute history", [&shared] { shared.history = false; });
  command.flag("--timestamp", shared.timestamp, "add the time to history; SOURCE_DATE_EPOCH sets the time");

  command.group("Checks");
  command.option("--check", shared.check, "OPERAND: compare the result with a tensor; exit 1 if they differ");
  add_tolerance(command, shared.tolerance, "tolerance of --check, |a - b| <= ATOL + RTOL |b|");
  command.flag("--stats", shared.stats, "print range, mean and standard deviation of results on standard error");
  command.flag("--fail-on-nonfinite", shared.fail_on_nonfinite,
               "write nothing and exit 1 if a result contains NaN or infinity");
}

Choices<Missing> missing_choices() {
  return {{"error", Missing::error}, {"nan", Missing::nan}, {"omit", Missing::omit}};
}

void add_input_options(Command& command, SharedOptions& shared, Output* output) {
  attn::io::TableOptions& table = shared.input.table;
  command.group("Input");
  command.changes(Effect::form);
  if (!command.inputs().empty())
    command.repeatable("--slab", "NAME=SLAB: part of an input, such as query=0:128,: (for INPUT, input=...)",
                       [&shared](const std::string& word) { shared.slabs.push_back(word); });
  command.flag("--header", "take the first row of a table as column names", [&table, output] {
    table.header = Header::yes;
    if (output != nullptr) output->options.header = attn::io::Header::plain;
  });
  command.flag("--no-header", "take the first row of a table as data, and write no header", [&table, output] {
    table.header = Header::no;
    if (output != nullptr) output->options.header = attn::io::Header::none;
  });
  command.option("--delim", "comma; tab for .tsv", "CHARACTER: separator of cells in tables; \\t is a tab",
                 [&table, output](const std::string& word) {
                   table.delimiter = parse_delimiter(word);
                   if (output != nullptr) output->options.delimiter = table.delimiter;
                 });
  command.option("--comment", "#", "CHARACTERS: any of them begins a comment in a table; or none",
                 [&table](const std::string& word) { table.comment = parse_comment(word); });
  command.flag("--no-quotes", "read quotes in tables as plain characters, such as tokens and ditto marks",
               [&table] { table.has_quotes = false; });
  command.changes(Effect::numbers);
  command.flag("--raw", shared.input.raw,
               "read numbers as HDF5 stores them, without applying scale_factor, _FillValue, ...");
  command.changes(Effect::form);
  command.option("--external", shared.input.external_folder,
                 "FOLDER from which HDF5 files may read others: links, virtual datasets, external storage");
  command.changes(Effect::numbers);
  command.option("--missing", table.missing, missing_choices(), "treatment of empty cells, NA and . in a table");
  if (output == nullptr || !(output->by_rows || output->converts)) return;
  command.changes(Effect::form);
  command.option("--rows", shared.input.rows,
                 "N: number of rows of a table that comes through a pipe, so that HDF5 is written as they come");
  command.changes(Effect::numbers);
}

void add_running_options(Command& command, SharedOptions& shared) {
  command.group("Running");
  command.option("--engine", shared.engine,
                 Choices<attn::Engine>{{"auto", attn::Engine::automatic}, {"reference", attn::Engine::reference}},
                 "method of computation; reference computes the formulas in double precision");
  command.changes(Effect::nothing);
  command.option("-t,--threads", "OMP_NUM_THREADS, else auto",
                 "N: number of threads, or auto for all that this process may use",
                 [&shared](const std::string& word) { shared.threads = parse_threads(word); });
  command.option("--max-memory", "0", "SIZE: limit of memory, such as 512M or 1.5G, else exit 71; 0: no limit",
                 [&shared](const std::string& word) { shared.max_memory = parse_bytes("--max-memory", word); });
  command.flag("-n,--dry-run", shared.dry_run, "print shapes, bytes, FLOPs and approximate memory, and stop");
  command.flag("--progress", "show progress, even if standard error is no terminal",
               [&shared] { shared.report.progress = ProgressMode::always; });
  command.flag("--no-progress", "show no progress", [&shared] { shared.report.progress = ProgressMode::never; });
  command.flag("--quiet", shared.report.quiet, "suppress notes on standard error");
  command.flag("--verbose", shared.report.verbose, "report each step on standard error");
}

/// Does `name` match `candidate`: the same word, or "topk=5" for "topk=K"?
bool is_emit(const std::string& candidate, const std::string& name) {
  const std::size_t equals = candidate.find('=');
  if (equals == std::string::npos) return candidate == name;
  return name.size() > equals + 1 && name.compare(0, equals + 1, candidate, 0, equals + 1) == 0;
}

void check_emits(const Output& output) {
  for (const std::string& name : output.emit) {
    bool known = false;
    for (const std::string& candidate : output.known_emits) known = known || is_emit(candidate, name);
    if (!known) throw not_one_of("--emit", name, output.known_emits);
  }
}

void settle_output(Output& output) {
  output.operand = attn::io::parse_operand(output.text);
  if (output.operand.literal || output.operand.is_part())
    throw Error(ErrorKind::usage, output.text, "is not something to write to", "give FILE, FILE:/dataset or -");
}

/// --json is the format of tensors where nothing else says one.
void settle_json(Output& output) {
  if (output.json && !output.options.format && output.makes_tensors() &&
      !attn::io::format_from_path(output.operand.source))
    output.options.format = attn::io::Format::jsonl;
}

void settle_slab(const Command& command, const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == word.size())
    throw Error(ErrorKind::usage, "--slab", "'" + word + "' is not NAME=SLAB", "such as query=0:128,:");
  std::vector<std::string> known;
  const Input* meant = nullptr;
  for (Input* input : command.inputs()) {
    if (meant != nullptr && input->names != meant->names) continue;  // a repeated option has several inputs
    for (const std::string& name : slab_names(*input, shown_names(input->names))) known.push_back(name);
    for (const std::string& name : slab_names(*input, input->names)) {
      if (name == word.substr(0, equals)) {
        meant = input;
        input->slab = word.substr(equals + 1);
        const auto& defaults = input->defaults;
        const bool is_dataset =
            input->option.empty() && std::find(defaults.begin(), defaults.end(), name) != defaults.end();
        input->slab_of = is_dataset ? name : "";
      }
    }
  }
  if (meant != nullptr) return;
  throw not_one_of("--slab", word.substr(0, equals), known);
}

}  // namespace

std::vector<std::string> slab_names(const Input& input, std::string option_names) {
  std::vector<std::string> names;
  if (input.option.empty()) {
    names = input.defaults;
    names.insert(names.begin(), "input");
  } else {
    std::replace(option_names.begin(), option_names.end(), '|', ',');
    for (const std::string& name : split_list(option_names)) names.push_back(name.substr(name.find_first_not_of('-')));
  }
  return names;
}

void add_shared_options(Command& command, SharedOptions& shared) {
  Output* output = command.output();
  if (output != nullptr) add_output_options(command, shared, *output);
  command.explained_in(Place::shared);
  add_input_options(command, shared, output);
  add_running_options(command, shared);
}

void add_tolerance(Command& command, Tolerance& tolerance, const std::string& description) {
  const auto bind = [](const char* name, double& value) {
    return [name, &value](const std::string& word) {
      value = parse_double(name, word);
      if (!std::isfinite(value) || value < 0)
        throw Error(ErrorKind::usage, name, "'" + word + "' is no tolerance", "give a finite number of 0 or more");
    };
  };
  command.option("--rtol", to_text(tolerance.rtol), "NUMBER: " + description, bind("--rtol", tolerance.rtol));
  command.option("--atol", to_text(tolerance.atol), "NUMBER: absolute part of the tolerance",
                 bind("--atol", tolerance.atol));
}

void settle_shared_options(const Command& command, SharedOptions& shared) {
  for (const auto& [option, other] : {std::pair("--quiet", "--verbose"),
                                      {"--progress", "--no-progress"},
                                      {"--header", "--no-header"},
                                      {"--vjp", "--check-grad"},
                                      {"--append", "--replace-file"},
                                      {"--no-history", "--timestamp"}})
    if (command.was_given(option) && command.was_given(other))
      throw Error(ErrorKind::usage, option, std::string("and ") + other + " exclude each other");
  for (const std::string& word : shared.slabs) settle_slab(command, word);
  attn::memory_account().limit(shared.max_memory);
  // Freed blocks of this size go back to the system; glibc otherwise keeps up to 32 MB each for reuse.
  constexpr std::size_t large = 256 << 10;
  if (shared.max_memory != 0) attn::system::return_large_blocks(large);
  if (command.missing_rows() != nullptr) {
    *command.missing_rows() = shared.input.table.missing;
    if (shared.input.table.missing == Missing::omit) shared.input.table.missing = Missing::nan;
  }
  if (!command.was_given("--threads")) shared.threads = threads_of_environment();
  if (shared.threads == 0) shared.threads = attn::usable_threads();
  if (command.output() == nullptr) return;
  settle_output(*command.output());
  settle_json(*command.output());
  // Integers beyond 2^53 lose digits in f64, so they are read as f64 only if floats are asked for.
  if (command.output()->converts && shared.dtype && *shared.dtype != attn::DType::boolean)
    shared.input.table.numbers = attn::is_integer(*shared.dtype) ? *shared.dtype : attn::DType::f64;
  // Readers of an HDF5 copy apply its attributes, so the copy keeps the stored numbers.
  shared.keeps_stored = writes_hdf5(*command.output());
  if (shared.keeps_stored && !shared.dtype && command.output()->copies && command.output()->copies())
    shared.input.raw = true;
  check_emits(*command.output());
  if (shared.vjp.given() && !command.output()->emit.empty())
    throw Error(ErrorKind::usage, "--emit", "is of the result, and --vjp writes gradients instead", "omit one of them");
  if (shared.added_gradients.front().given() && !shared.vjp.given())
    throw Error(ErrorKind::usage, "--add-gradients", "is for --vjp");
  if (command.output()->options.append && !command.output()->appends_beside() &&
      attn::io::place_of_output(command.output()->operand.source).descriptor)
    throw Error(ErrorKind::usage, "--append", "needs a file", "give -o FILE");
}

// n i may be beyond 64 bits.
std::size_t Shard::boundary(std::size_t i, std::size_t n) const { return n / count * i + n % count * i / count; }

void add_shard(Command& command, std::optional<Shard>& shard, const std::string& what) {
  const Effect others = command.changes(Effect::form);
  command.option("--shard", "", "I/N: compute part I of N " + what, [&shard](const std::string& word) {
    const std::size_t slash = word.find('/');
    const bool is_pair = slash != std::string::npos && slash > 0 && slash + 1 < word.size() &&
                         word.find_first_not_of("0123456789/") == std::string::npos &&
                         word.find('/', slash + 1) == std::string::npos;
    if (!is_pair)
      throw attn::Error(attn::ErrorKind::usage, "--shard", "'" + word + "' is not I/N", "as in --shard 3/64");
    const Shard given{parse_size("--shard", word.substr(0, slash)), parse_size("--shard", word.substr(slash + 1))};
    constexpr std::size_t most = std::size_t{1} << 32;
    if (given.index < 1 || given.index > given.count || given.count > most)
      throw attn::Error(attn::ErrorKind::usage, "--shard", "'" + word + "' is none of 1/N to N/N");
    shard = given;
  });
  command.changes(others);
}

}  // namespace cli
