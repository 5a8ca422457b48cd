#include "cli/model_folder.hpp"
#include "cli/tool.hpp"

#include <attn/core/error.hpp>
#include <attn/text/batch.hpp>
#include <attn/text/lines.hpp>

#include <istream>

using namespace attn::text;
using attn::Error;
using attn::ErrorKind;

namespace {

enum class OnError { stop, skip };

struct Options {
  cli::Input input{std::vector<std::string>{}};
  std::string model;
  LineOptions lines;
  cli::OptionalInput ids{std::vector<std::string>{"ids", "y"}};
  bool no_special = false, keep_special = false, list = false;
  OnError on_error = OnError::stop;
  std::optional<std::size_t> max_length;
  std::optional<Truncation> truncation;
  std::optional<Side> truncation_side, padding_side;
  std::size_t pad_to = 0;
  cli::Output output;

  bool to_tensors() const { return !lines.decode && !list && (output.text != "-" || output.options.format); }
};

const cli::Choices<Side> sides{{"left", Side::left}, {"right", Side::right}};
const cli::Choices<OnError> error_policies{{"stop", OnError::stop}, {"skip", OnError::skip}};
const cli::Choices<Truncation> truncations{{"longest-first", Truncation::longest_first},
                                           {"only-first", Truncation::only_first},
                                           {"only-second", Truncation::only_second}};

void declare(cli::Command& command, Options& o) {
  command.example("printf '3 March 2021\\n' | tokenize -m dates")
      .example("printf '12 4 31 19 36 21 26 2\\n' | tokenize -m dates --decode")
      .example("tokenize -m dates lines.txt -o ids.h5");
  command.input(o.input, "lines of text; with --decode, lines of ids");
  command.option("-m,--model", o.model,
                 "DIR: folder with tokenizer.json, spiece.model, vocab.json and merges.txt, or vocab.txt");
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
  o.output.is_text = [&o] { return !o.to_tensors(); };
  command.output(o.output);
  command.note(
      "The result is text, a line for each line. With -o FILE or -O FORMAT it is tensors: ids (B, L), mask, type_ids, "
      "and offsets in bytes where asked for.");
}

Tokenizer load(const Options& o) {
  if (o.model.empty()) throw Error(ErrorKind::usage, "-m, --model", "is required", "see tokenize --help");
  const cli::ModelFolder folder(o.model);
  return load_tokenizer([&](const std::string& name) { return folder.read(name); }, folder.path());
}

EncodeOptions encode_options(const Options& o, const Tokenizer& tokenizer) {
  EncodeOptions options = o.lines.encode;
  options.special_tokens = !o.no_special;
  options.truncation = tokenizer.truncation();
  if (o.max_length) options.truncation.max_length = *o.max_length;
  if (o.truncation) options.truncation.strategy = *o.truncation;
  if (o.truncation_side) options.truncation.side = *o.truncation_side;
  return options;
}

// The lines that are there, at least one and at most `most`, so that a slow writer gets its answers at once.
bool read_lines(std::istream& in, std::size_t most, std::vector<std::string>& lines) {
  lines.clear();
  for (std::string line; lines.size() < most && std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(std::move(line));
    if (in.rdbuf()->in_avail() <= 0) break;
  }
  return !lines.empty();
}

void decode_tensor(const Options& o, const Tokenizer& tokenizer, cli::Session& session) {
  const attn::TensorView ids = *session.read(o.ids);
  if (ids.rank() != 1 && ids.rank() != 2) throw attn::shape_error(ids.name, ids.shape, "(L) or (B, L)");
  const std::size_t rows = ids.rank() == 2 ? ids.shape[0] : 1;
  session.plan({});
  for (std::size_t row = 0; row < rows; ++row) {
    const auto one = attn::to_integers(ids.rank() == 2 ? attn::element(ids, row) : ids);
    session.print(show(tokenizer.decode(one, !o.keep_special), o.lines.view.value_or(View::ids)));
  }
}

void write_tensors(const Options& o, const Tokenizer& tokenizer, const std::vector<Encoding>& encodings,
                   cli::Session& session) {
  PaddingOptions padding = tokenizer.padding();
  if (o.padding_side) padding.side = *o.padding_side;
  const EncodingBatch batch = pad(encodings, padding, o.pad_to);
  std::vector<cli::Result> results{
      {"", batch.ids.view()}, {"mask", batch.mask.view()}, {"type_ids", batch.type_ids.view()}};
  if (batch.offsets) results.push_back({"offsets", batch.offsets->view()});
  session.write(o.output, results);
}

void run_lines(const Options& o, const Tokenizer& tokenizer, cli::Session& session) {
  LineOptions options = o.lines;
  options.skip_special_tokens = !o.keep_special;
  options.encode = encode_options(o, tokenizer);
  if (o.to_tensors()) options.view.reset();
  const std::string name = o.input.text.empty() || o.input.text == "-" ? "standard input" : o.input.text;
  std::istream& in = session.text(o.input);
  if (!o.to_tensors()) session.plan({});
  std::vector<std::string> lines;
  std::vector<Encoding> encodings;
  std::size_t number = 0, cut = 0;
  while (read_lines(in, 1024, lines)) {
    for (LineResult& line : process_lines(lines, tokenizer, options, session.execution())) {
      ++number;
      if (line.error) {
        const Error& e = *line.error;
        const Error error(e.kind(), name + ": line " + std::to_string(number), e.subject() + ": " + e.detail(),
                          e.fix());
        if (o.on_error == OnError::stop || e.kind() == ErrorKind::usage) throw error;
        session.note(error.what());
        session.say_no();
      }
      cut += line.encoding.truncated;
      if (o.to_tensors()) {
        encodings.push_back(std::move(line.encoding));
      } else {
        session.print(line.shown);
      }
    }
  }
  if (cut > 0 && !o.max_length)
    session.note(std::to_string(cut) + " of " + std::to_string(number) + " texts were cut to " +
                 std::to_string(options.encode.truncation.max_length) +
                 " tokens, as tokenizer.json says; --max-length 0 keeps all");
  if (o.to_tensors()) write_tensors(o, tokenizer, encodings, session);
}

/// An option that would do nothing is a mistake.
void expect_uses(const Options& o, const cli::Session& session) {
  if (o.lines.decode)
    session.refuse({"--max-length", "--truncation", "--truncation-side", "--no-special", "--offsets"},
                   "--decode goes from ids to text");
  else
    session.refuse({"--keep-special"}, "it is for --decode");
  if (!o.to_tensors()) session.refuse({"--pad-to", "--padding-side"}, "the result is text, which is not filled up");
  if (o.truncation == Truncation::only_second && o.lines.format == LineFormat::text)
    throw Error(ErrorKind::usage, "--truncation only-second", "needs texts in pairs", "give --pair or --json-lines");
}

void run(const Options& o, cli::Session& session) {
  expect_uses(o, session);
  const Tokenizer tokenizer = load(o);
  if (o.list) {
    session.plan({});
    for (const TokenId id : tokenizer.ids())
      session.print(std::to_string(id) + '\t' + tokenizer.token(id) + (tokenizer.is_special(id) ? "\tspecial" : ""));
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
