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
  command.option("--truncation", o.truncation, truncations, "text of a pair to cut, by default longest-first");
  command.option("--truncation-side", o.truncation_side, sides, "end to cut, by default as in the model's files");
  command.option("--padding-side", o.padding_side, sides, "end to pad in tensors, by default as in the model's files");
  command.option("--pad-to", o.pad_to, "N: smallest length of the rows of tensors");
  command.group("Result");
  command.flag("--tokens", "print tokens instead of ids, separated by tabs", [&] { o.lines.view = View::tokens; });
  command.flag("--offsets", o.lines.encode.offsets, "print the characters that each token is from, as ID:BEGIN-END");
  command.flag("--json", "print everything, one JSON object a line", [&] { o.lines.view = View::json; });
  command.flag("--list", o.list, "print the vocabulary: id, token, and special for special tokens");
  command.option("--on-error", o.on_error, error_policies,
                 "action for a bad line: end the run, or print an empty line and a note");
  o.output.default_dataset = "ids";
  o.output.makes = [&o] { return o.to_tensors() ? cli::ResultKind::tensors : cli::ResultKind::text; };
  command.output(o.output);
  command.note(
      "The result is text, one line for each line, in a file too. With -O, or -o and the suffix of a tensor file, it "
      "is "
      "tensors: ids (B, L), mask, type_ids, and with --offsets offsets in bytes.");
}

void check(const Options& o, const cli::Session& session) {
  const auto exclude = [](bool both, const char* option, const char* detail) {
    if (both) throw attn::Error(attn::ErrorKind::usage, option, detail, "leave one of the two out");
  };
  exclude(session.was_given("--pair") && o.lines.format == LineFormat::json, "--pair",
          "and --json-lines exclude each other");
  exclude(o.chat && o.lines.format != LineFormat::text, "--chat", "excludes --pair and --json-lines");
  exclude(o.chat && o.lines.decode, "--chat", "and --decode exclude each other");
  const bool shows_more = o.lines.view == View::tokens || o.lines.view == View::json;
  exclude(shows_more && o.to_tensors(), o.lines.view == View::json ? "--json" : "--tokens",
          "is of lines of text, and the output asks for tensors");
  if (o.truncation == Truncation::only_second && o.lines.format == LineFormat::text)
    throw attn::Error(attn::ErrorKind::usage, "--truncation only-second", "needs texts in pairs",
                      "give --pair or --json-lines");
}

}  // namespace tokenize
