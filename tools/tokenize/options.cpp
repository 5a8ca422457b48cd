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
  command.computes_one_way("nothing is computed");
  command.example("printf '3 March 2021\\n' | tokenize -m dates")
      .example("printf '12 4 31 19 36 21 26 2\\n' | tokenize -m dates --decode")
      .example("tokenize -m dates lines.txt -o ids.h5");
  command.input(o.input, "lines of text; with --decode, lines of ids");
  command.option(
      "-m,--model", o.model,
      "DIR: folder with tokenizer.json, spiece.model, tokenizer.model, vocab.json and merges.txt, or vocab.txt");
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
  if (!o.ids.given()) session.refuse({"--missing"}, "no table is read");
  if (!o.ids.given() && !o.to_tensors())
    session.refuse({"--header", "--no-header", "--delim"}, "no table is read or written");
  if (o.list) {
    session.refuse({"--decode", "--ids", "--pair", "--json-lines", "--no-special", "--keep-special", "--max-length",
                    "--truncation", "--truncation-side", "--padding-side", "--pad-to", "--tokens", "--offsets",
                    "--json", "--on-error"},
                   "--list shows the vocabulary");
    if (!o.input.text.empty())
      throw attn::Error(attn::ErrorKind::usage, o.input.text, "would not be read, as --list shows the vocabulary",
                        "leave it out");
  }
  if (o.lines.decode)
    session.refuse(
        {"--max-length", "--truncation", "--truncation-side", "--no-special", "--pair", "--tokens", "--offsets"},
        "--decode goes from ids to text");
  else
    session.refuse({"--keep-special"}, "it is for --decode");
  if (o.ids.given()) {
    session.refuse({"--json-lines", "--on-error"}, "--ids is a tensor");
    if (!o.input.text.empty())
      throw attn::Error(attn::ErrorKind::usage, o.input.text, "would not be read, as --ids is given", "leave it out");
  }
  if (o.lines.format == LineFormat::json) session.refuse({"--pair"}, "--json-lines says what a pair is");
  if (o.to_tensors()) {
    session.refuse({"--tokens", "--json"}, "the result is tensors");
    session.refuse({"--keep-input"}, "the input is text and no tensor");
  } else {
    session.refuse({"--pad-to", "--padding-side"}, "the result is text, which is not filled up");
  }
  if (o.lines.view == View::json) session.refuse({"--tokens"}, "--json shows them");
  if (o.truncation == Truncation::only_second && o.lines.format == LineFormat::text)
    throw attn::Error(attn::ErrorKind::usage, "--truncation only-second", "needs texts in pairs",
                      "give --pair or --json-lines");
}

}  // namespace tokenize
