#include "tokenize/options.hpp"

#include <attn/core/error.hpp>

namespace tokenize {

using namespace attn::text;

namespace {

const cli::Choices<Side> sides{{"left", Side::left}, {"right", Side::right}};
const cli::Choices<OnError> error_policies{{"stop", OnError::stop}, {"skip", OnError::skip}};
const cli::Choices<Truncation> truncations{{"longest-first", Truncation::longest_first},
                                           {"only-first", Truncation::only_first},
                                           {"only-second", Truncation::only_second}};

}  // namespace

void declare(cli::Command& command, Options& o) {
  command.usage("-m FOLDER [OPTION]... [INPUT]");
  command.example("printf '3 March 2021\\n' | tokenize -m dates")
      .example("printf '12 4 31 19 36 21 26 2\\n' | tokenize -m dates --decode")
      .example("tokenize -m dates lines.txt -o ids.h5");
  command.input(o.input, "lines of text; with --decode, lines of ids");
  command.option(
      "-m,--model", o.model,
      "FOLDER: holds tokenizer.json, spiece.model, tokenizer.model, vocab.json and merges.txt, or vocab.txt");
  command.flag("--decode", o.lines.decode, "from ids to text");
  command.input("--ids", o.ids, "OPERAND: with --decode, a tensor of ids, a row a line, instead of INPUT");
  command.flag("--pair", "each line is two texts with a tab between", [&] { o.lines.format = LineFormat::pair; });
  command.flag("--json-lines",
               "each line is JSON: a string, two in brackets, an object with text and pair; ids in brackets",
               [&] { o.lines.format = LineFormat::json; });
  command.group("Tokens");
  command.flag("--no-special", o.no_special, "add no special tokens around the text");
  command.flag("--keep-special", o.keep_special, "with --decode, show special tokens");
  command.option(
      "--max-length", o.max_length,
      "N: cut longer texts to N tokens, special ones included; 0: never; without it, what tokenizer.json says");
  command.option("--truncation", o.truncation, truncations, "which text of a pair is cut");
  command.option("--truncation-side", o.truncation_side, sides, "the end that is cut");
  command.option("--padding-side", o.padding_side, sides,
                 "where rows of tensors are filled up; without it, the model's");
  command.option("--pad-to", o.pad_to, "N: rows of tensors have N tokens or more");
  command.group("Result");
  command.flag("--tokens", "show tokens instead of ids, with tabs between", [&] { o.lines.view = View::tokens; });
  command.flag("--offsets", o.lines.encode.offsets, "show the characters each token came from, as ID:BEGIN-END");
  command.flag("--json", "show everything, one JSON object a line", [&] { o.lines.view = View::json; });
  command.flag("--list", o.list, "print the vocabulary: id, token, and whether it is special");
  command.option("--on-error", o.on_error, error_policies,
                 "a line that cannot be used ends the run, or is reported and answered by an empty line");
  o.output.default_dataset = "ids";
  o.output.makes = [&o] { return o.to_tensors() ? cli::ResultKind::tensors : cli::ResultKind::text; };
  command.output(o.output);
  command.note(
      "The result is text, a line for each line, in a file too. With -O, or -o and the suffix of a tensor file, it is "
      "tensors: ids (B, L), mask, type_ids, and offsets in bytes where asked for.");
}

void check(const Options& o, const cli::Session& session) {
  const auto exclude = [](bool both, const char* option, const char* detail) {
    if (both) throw attn::Error(attn::ErrorKind::usage, option, detail, "leave one of the two out");
  };
  exclude(session.was_given("--pair") && o.lines.format == LineFormat::json, "--pair",
          "and --json-lines exclude each other");
  const bool shows_more = o.lines.view == View::tokens || o.lines.view == View::json;
  exclude(shows_more && o.to_tensors(), o.lines.view == View::json ? "--json" : "--tokens",
          "is of lines of text, and the output asks for tensors");
  if (o.truncation == Truncation::only_second && o.lines.format == LineFormat::text)
    throw attn::Error(attn::ErrorKind::usage, "--truncation only-second", "needs texts in pairs",
                      "give --pair or --json-lines");
}

}  // namespace tokenize
