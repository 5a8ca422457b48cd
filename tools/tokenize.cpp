// tokenize: text to token ids, and back.

#include "cli/options/text_lines.hpp"
#include "cli/result_writer.hpp"
#include "cli/tool.hpp"

#include <attn/core/error.hpp>
#include <attn/models/model_folder.hpp>
#include <attn/text/batch.hpp>
#include <attn/text/lines.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using attn::Error;
using attn::ErrorKind;
using namespace attn::text;

enum class OnError { stop, skip };

struct Options {
  cli::Input input{std::vector<std::string>{}};
  std::string model;
  LineOptions lines;
  cli::OptionalInput ids{std::vector<std::string>{"ids", "y"}};
  bool chat = false, no_special = false, keep_special = false, list = false;
  OnError on_error = OnError::stop;
  std::optional<std::size_t> max_length, overlap;
  std::optional<Truncation> truncation;
  std::optional<Side> truncation_side, padding_side;
  std::size_t pad_to = 0;
  cli::Output output;

  /// Is the result tensors instead of lines of text?
  bool to_tensors() const { return !lines.decode && !list && cli::names_tensors(output); }
};

const cli::Choices<Side> sides{{"left", Side::left}, {"right", Side::right}};
const cli::Choices<OnError> error_policies{{"stop", OnError::stop}, {"skip", OnError::skip}};
const cli::Choices<Truncation> truncations{{"longest-first", Truncation::longest_first},
                                           {"only-first", Truncation::only_first},
                                           {"only-second", Truncation::only_second}};

void declare(cli::Command& command, Options& o) {
  command.usage("-m FOLDER [OPTION]... [INPUT]");
  command.example("printf '3 March 2021\\n' | tokenize -m dates")
      .example("printf '12 4 31 19 36 21 26 2\\n' | tokenize -m dates --decode")
      .example("tokenize -m dates lines.txt -o ids.h5");
  command.input(o.input, "lines of text, with --decode lines of ids");
  command.option(
      "-m,--model", o.model,
      "FOLDER: folder of the model, with tokenizer.json, spiece.model, tokenizer.model, vocab.json or vocab.txt");
  command.flag("--decode", o.lines.decode, "turn ids into text");
  command.input("--ids", o.ids, "OPERAND: tensor of ids, a row a line, instead of INPUT; with --decode");
  command.flag("--pair", "read two texts a line, separated by a tab, as a pair",
               [&] { o.lines.format = LineFormat::pair; });
  command.flag("--json-lines",
               "read each line as JSON: a string, two in brackets, an object with text and pair; ids in brackets",
               [&] { o.lines.format = LineFormat::json; });
  command.flag(
      "--chat", o.chat,
      "read each line as a chat, JSON, and write it as the folder's chat template does: a list of messages, or "
      "an object with messages and other variables");
  command.group("Tokens");
  command.flag("--no-special", o.no_special, "add no special tokens around the text");
  command.flag("--keep-special", o.keep_special, "show special tokens, with --decode");
  command.option(
      "--max-length", o.max_length,
      "N: largest number of tokens of a text, special ones included; 0 never cuts (default as in tokenizer.json)");
  command.option("--overlap", o.overlap,
                 "N: write all of a longer text, in windows that share N tokens (the stride of transformers)");
  command.option("--truncation", o.truncation, truncations, "text of a pair to cut, by default longest-first");
  command.option("--truncation-side", o.truncation_side, sides, "end to cut, by default as in the model's files");
  command.option("--padding-side", o.padding_side, sides, "end to pad in tensors, by default as in the model's files");
  command.option("--pad-to", o.pad_to, "N: smallest length of the rows of tensors");
  command.group("Result");
  command.flag("--tokens", "print tokens instead of ids, separated by tabs", [&] { o.lines.view = View::tokens; });
  command.flag("--offsets", o.lines.encode.offsets, "print the characters that each token is from, as ID:BEGIN-END");
  command.flag("--list", o.list, "print the vocabulary: id, token, and special for special tokens");
  command.option("--on-error", o.on_error, error_policies,
                 "action for a bad line: end the run, or print an empty line and a note");
  o.output.default_dataset = "ids";
  o.output.json_text = "print everything, one JSON object a line";
  o.output.makes = [&o] { return o.to_tensors() ? cli::ResultKind::tensors : cli::ResultKind::text; };
  command.output(o.output);
  command.note(
      "The result is text, one line for each line, in a file too. With -O, or -o and the suffix of a tensor file, it "
      "is tensors: ids (B, L), mask, type_ids, with --offsets offsets in bytes, and with --overlap the lines of "
      "windows.");
}

/// Throws Error(usage) for options that exclude each other.
void check(const Options& o, const cli::Session& session) {
  const auto exclude = [](bool both, const char* option, const char* detail) {
    if (both) throw attn::Error(attn::ErrorKind::usage, option, detail, "leave one of the two out");
  };
  exclude(session.was_given("--pair") && o.lines.format == LineFormat::json, "--pair",
          "and --json-lines exclude each other");
  exclude(o.chat && o.lines.format != LineFormat::text, "--chat", "excludes --pair and --json-lines");
  exclude(o.chat && o.lines.decode, "--chat", "and --decode exclude each other");
  exclude(o.lines.view == View::tokens && o.to_tensors(), "--tokens",
          "is of lines of text, and the output asks for tensors");
  if (o.lines.decode && !o.list)
    for (const char* option : {"--max-length", "--overlap", "--pair", "--offsets"})
      exclude(session.was_given(option), option, "is for texts, and --decode reads ids");
  if (session.was_given("--pad-to") && !o.to_tensors() && !o.list)
    throw Error(ErrorKind::usage, "--pad-to", "is for tensors, and lines of text are as long as they are",
                "give -O csv, or -o with the suffix of a tensor file");
  if (o.truncation == Truncation::only_second && o.lines.format == LineFormat::text)
    throw attn::Error(attn::ErrorKind::usage, "--truncation only-second", "needs texts in pairs",
                      "give --pair or --json-lines");
}

Tokenizer load(const Options& o) {
  if (o.model.empty()) throw Error(ErrorKind::usage, "-m, --model", "is required", "see tokenize --help");
  const attn::ModelFolder folder(o.model);
  return load_tokenizer([&](const std::string& name) { return folder.read(name); }, folder.path());
}

EncodeOptions encode_options(const Options& o, const Tokenizer& tokenizer) {
  EncodeOptions options = o.lines.encode;
  options.special_tokens = !o.no_special && !o.chat;
  options.truncation = tokenizer.truncation();
  if (o.max_length) options.truncation.max_length = *o.max_length;
  if (o.truncation) options.truncation.strategy = *o.truncation;
  if (o.truncation_side) options.truncation.side = *o.truncation_side;
  return options;
}

/// Throws Error(usage) for windows without a length, or without room for more than they share.
void check_overlap(const Options& o, const Tokenizer& tokenizer, const EncodeOptions& options) {
  const std::size_t length = options.truncation.max_length;
  if (length == 0) throw Error(ErrorKind::usage, "--overlap", "needs the length of a window", "give --max-length N");
  const bool is_pair = o.lines.format == LineFormat::pair;
  const std::size_t added = (is_pair ? tokenizer.encode("", "", options) : tokenizer.encode("", options)).size();
  if (*o.overlap + added >= length)
    throw Error(ErrorKind::usage, "--overlap",
                std::to_string(*o.overlap) + " is not below the " + std::to_string(length - added) +
                    " tokens of the text in a window of " + std::to_string(length));
}

void decode_tensor(const Options& o, const Tokenizer& tokenizer, cli::Session& session) {
  const attn::TensorView ids = *session.read(o.ids);
  if (ids.rank() != 1 && ids.rank() != 2) throw attn::shape_error(ids.name, ids.shape, "(L) or (B, L)");
  const std::size_t rows = ids.rank() == 2 ? ids.shape[0] : 1;
  session.results.end_dry_run();
  constexpr std::size_t at_once = 1024, rows_a_task = 16;
  for (std::size_t first = 0; first < rows; first += at_once) {
    std::vector<std::string> lines(std::min(at_once, rows - first));
    const std::size_t tasks = (lines.size() + rows_a_task - 1) / rows_a_task;
    session.execution().parallel(tasks, [&](std::size_t task, std::size_t) {
      for (std::size_t i = task * rows_a_task; i < std::min(lines.size(), (task + 1) * rows_a_task); ++i) {
        const auto one = attn::to_integers(ids.rank() == 2 ? attn::element(ids, first + i) : ids);
        lines[i] =
            show(tokenizer.decode(one, !o.keep_special), o.output.json ? View::json : o.lines.view.value_or(View::ids));
      }
    });
    for (const std::string& line : lines) session.results.print(line);
  }
}

PaddingOptions padding_of(const Options& o, const Tokenizer& tokenizer) {
  PaddingOptions padding = tokenizer.padding();
  if (o.padding_side) padding.side = *o.padding_side;
  return padding;
}

void write_tensors(const Options& o, const EncodingBatch& batch, const std::vector<std::int64_t>& lines,
                   cli::ResultWriter& results) {
  std::vector<cli::Result> tensors{
      {"", {}, {}, batch.ids()}, {"mask", {}, {}, batch.mask()}, {"type_ids", {}, {}, batch.type_ids()}};
  if (o.lines.encode.offsets) tensors.push_back({"offsets", {}, {}, batch.offsets()});
  if (o.overlap) tensors.push_back({"lines", attn::vector_of(lines)});
  results.write(o.output, tensors);
}

void run_lines(const Options& o, const Tokenizer& tokenizer, cli::Session& session) {
  LineOptions options = o.lines;
  options.skip_special_tokens = !o.keep_special;
  options.encode = encode_options(o, tokenizer);
  options.overlap = o.overlap;
  if (o.overlap) check_overlap(o, tokenizer, options.encode);
  if (o.output.json) options.view = View::json;
  if (o.to_tensors()) options.view.reset();
  if (o.chat) options.chat = chat_template_of(attn::ModelFolder(o.model));
  const std::string name = o.input.text.empty() || o.input.text == "-" ? "standard input" : o.input.text;
  const bool is_file = !o.input.text.empty() && o.input.text != "-";
  std::error_code unknown;
  if (is_file && !std::filesystem::exists(name, unknown) && !unknown)
    throw Error(ErrorKind::input, name, "no such file", "text comes on standard input: echo TEXT | tokenize -m FOLDER");
  session.inputs.text(o.input);  // that it is there
  cli::TextLines source(o.input, session.inputs);
  if (options.format == LineFormat::json && !options.decode && !options.chat) source.are_json(session.report);
  EncodingBatch batch(padding_of(o, tokenizer), o.pad_to);
  std::vector<std::int64_t> lines_of_rows;
  std::size_t number = 0, cut = 0, done = 0;
  std::error_code is_stream;
  const std::size_t bytes = std::filesystem::file_size(name, is_stream);
  if (!o.to_tensors()) session.results.end_dry_run();
  for (auto lines = source.next(1024); !lines.empty(); lines = source.next(1024)) {
    std::vector<Encoding> encodings;
    options.first_line = number;
    for (LineResult& line : process_lines(lines, tokenizer, options, session.execution())) {
      ++number;
      if (line.error) {
        const Error& e = *line.error;
        const Error error(e.kind(), name + ": line " + std::to_string(number), e.subject() + ": " + e.detail(),
                          e.fix());
        if (o.on_error == OnError::stop || e.kind() == ErrorKind::usage || e.kind() == ErrorKind::memory) throw error;
        session.report.note(error.what());
        session.report.say_no();
      }
      if (!o.to_tensors()) session.results.print(line.shown);
      if (line.encodings.empty()) line.encodings.emplace_back();  // of a bad line, or of ids
      cut += line.encodings.front().truncated;
      if (!o.to_tensors()) continue;
      lines_of_rows.resize(lines_of_rows.size() + line.encodings.size(), static_cast<std::int64_t>(number) - 1);
      std::move(line.encodings.begin(), line.encodings.end(), std::back_inserter(encodings));
    }
    if (o.to_tensors()) batch.add(encodings);
    done = std::accumulate(lines.begin(), lines.end(), done + lines.size(),
                           [](std::size_t sum, const std::string& line) { return sum + line.size(); });
    if (!is_stream && session.execution().progress) session.execution().progress(std::min(done, bytes), bytes);
  }
  if (cut > 0 && !o.max_length)
    session.report.note(std::to_string(cut) + " of " + std::to_string(number) + " texts were cut to " +
                        std::to_string(options.encode.truncation.max_length) +
                        " tokens, as tokenizer.json says; --max-length 0 keeps all");
  if (o.to_tensors()) write_tensors(o, batch, lines_of_rows, session.results);
}

void run(const Options& o, cli::Session& session) {
  check(o, session);
  const Tokenizer tokenizer = load(o);
  for (const std::string& note : tokenizer.notes()) session.report.note(note);
  if (o.list) {
    for (const TokenId id : tokenizer.ids())
      session.results.print(std::to_string(id) + '\t' + tokenizer.token(id) +
                            (tokenizer.is_special(id) ? "\tspecial" : ""));
  } else if (!o.ids.given()) {
    run_lines(o, tokenizer, session);
  } else if (o.lines.decode) {
    decode_tensor(o, tokenizer, session);
  } else {
    throw Error(ErrorKind::usage, "--ids", "is for --decode", "give text as INPUT");
  }
}

}  // namespace

ATTN_TOOL("tokenize", "text to token ids, and ids to text", Options, declare, run)
