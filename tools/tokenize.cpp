// tokenize: text to token ids, and back.

#include "cli/options/text_lines.hpp"
#include "cli/tool.hpp"
#include "tokenize/options.hpp"

#include <attn/core/error.hpp>
#include <attn/models/model_folder.hpp>
#include <attn/text/batch.hpp>
#include <attn/text/lines.hpp>

#include <algorithm>
#include <filesystem>
#include <numeric>

namespace tokenize {

using namespace attn::text;
using attn::Error;
using attn::ErrorKind;

namespace {

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
        lines[i] = show(tokenizer.decode(one, !o.keep_special), o.lines.view.value_or(View::ids));
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

void write_tensors(const Options& o, const EncodingBatch& batch, cli::Results& results) {
  std::vector<cli::Result> tensors{
      {"", {}, {}, batch.ids()}, {"mask", {}, {}, batch.mask()}, {"type_ids", {}, {}, batch.type_ids()}};
  if (o.lines.encode.offsets) tensors.push_back({"offsets", {}, {}, batch.offsets()});
  results.write(o.output, tensors);
}

void run_lines(const Options& o, const Tokenizer& tokenizer, cli::Session& session) {
  LineOptions options = o.lines;
  options.skip_special_tokens = !o.keep_special;
  options.encode = encode_options(o, tokenizer);
  if (o.to_tensors()) options.view.reset();
  if (o.chat) {
    const attn::ModelFolder folder(o.model);
    options.chat = load_chat_template([&](const std::string& name) { return folder.read(name); }, folder.path());
  }
  const std::string name = o.input.text.empty() || o.input.text == "-" ? "standard input" : o.input.text;
  const bool is_file = !o.input.text.empty() && o.input.text != "-";
  std::error_code unknown;
  if (is_file && !std::filesystem::exists(name, unknown) && !unknown)
    throw Error(ErrorKind::input, name, "no such file", "text comes on standard input: echo TEXT | tokenize -m FOLDER");
  session.inputs.text(o.input);  // that it is there
  cli::TextLines source(o.input, session.inputs);
  EncodingBatch batch(padding_of(o, tokenizer), o.pad_to);
  std::size_t number = 0, cut = 0, done = 0;
  std::error_code is_stream;
  const std::size_t bytes = std::filesystem::file_size(name, is_stream);
  if (!o.to_tensors()) session.results.end_dry_run();
  for (auto lines = source.next(1024); !lines.empty(); lines = source.next(1024)) {
    std::vector<Encoding> encodings;
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
      cut += line.encoding.truncated;
      if (o.to_tensors()) {
        encodings.push_back(std::move(line.encoding));
      } else {
        session.results.print(line.shown);
      }
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
  if (o.to_tensors()) write_tensors(o, batch, session.results);
}

void run(const Options& o, cli::Session& session) {
  check(o, session);
  const Tokenizer tokenizer = load(o);
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
}  // namespace tokenize

ATTN_TOOL("tokenize", "text to token ids, and ids to text", tokenize::Options, tokenize::declare, tokenize::run)
