#include "transformer-run/options.hpp"

#include "cli/numbers.hpp"
#include "cli/result_writer.hpp"
#include "transformer-run/generation_options.hpp"

#include <attn/core/error.hpp>

#include <algorithm>

namespace transformer_run {

using attn::Error;
using attn::ErrorKind;
using attn::Pooling;

namespace {

/// A list of whole numbers.
void declare_numbers(cli::Command& command, const std::string& name, std::vector<std::int64_t>& numbers,
                     const std::string& description) {
  command.option(name, "all", description, [name, &numbers](const std::string& list) {
    numbers.clear();
    for (std::size_t start = 0, end = 0; end != std::string::npos; start = end + 1) {
      end = list.find(',', start);
      numbers.push_back(cli::parse_int64(name, list.substr(start, end - start)));
    }
  });
}

bool any_contains(const std::vector<std::string>& words, const std::string& part) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return word.find(part) != std::string::npos; });
}

}  // namespace

void declare(cli::Command& command, Options& o) {
  command.example("transformer-run -m dates \"3 mars 2021\"");
  command.example("transformer-run -m dates --beams 4 --num-return 2 \"den 5. mai 1999\"");
  command.example("transformer-run -m dates --emit cross_attentions --layers -1 -o maps.h5 \"3 mars 2021\"");
  command.option("-m,--model", o.model, "FOLDER: holds config.json, model.safetensors and tokenizer.json");
  command.positionals("TEXT", o.text, "texts to run, one each; none: the lines of standard input");
  command.input("--ids", o.ids, "token ids (batch, length) instead of text");
  command.input("--decoder-ids", o.decoder_ids, "token ids (batch, length) for the decoder: nothing is generated");
  command.input("--mask", o.mask, "(batch, length): not 0 = a real token; default: what is not the padding token");
  command.input("--type-ids", o.type_ids, "(batch, length): which text of a pair a token is of; default: 0");
  command.input("--pixels", o.pixels,
                "pixel values of pictures (batch, channels, height, width) or videos (batch, frames, ...)");
  command.input("--perm-mask", o.permutation_mask,
                "(batch, length, length): not 0 where a token does not see another (XLNet)");
  command.input("--target-mapping", o.target_mapping,
                "(batch, targets, length): 1 where a target stands (XLNet); the result is the targets'");
  command.input("--mems", o.memories, "FILE[:/group]: what --emit mems gave for the tokens before these (XLNet)");
  command.flag("--list", o.list, "show stages, weights, shapes, parameters, FLOPs and memory; compute nothing");
  command.option("--task", o.task,
                 "NAME: what is asked of the model, as transformers' pipelines are called, or perplexity or "
                 "log-probabilities; without it, what its architecture is for");
  add_generation_options(command, o.generation);
  command.flag("--ignore-end", o.ignore_end, "go on past the end token, to the maximum");
  command.option("--stop", "", "TEXT: an answer ends before it; given again, before the first of all",
                 [&o](const std::string& text) { o.parameters.stop.push_back(text); });
  command.group("Lines");
  command.option("--batch", o.parameters.batch_rows, "N: lines of like length that are computed together");
  command.option("--on-error", o.on_error, {{"stop", OnError::stop}, {"skip", OnError::skip}},
                 "what a bad line does: end the run, or give an empty line and a note");
  command.flag("--json", o.json, "show everything, one JSON object a line");
  command.option(
      "--stride", o.stride,
      "N: scores of tokens; texts longer than the model are read in windows that move on by N tokens; 0: they "
      "are bad lines");
  command.option("--best", o.best, "N: labels, answers or tokens for a mask, the most probable first");
  command.group("What --emit takes");
  declare_numbers(command, "--layers", o.capture.layers, "N,...: of hidden states and attentions; -1 is the last");
  declare_numbers(command, "--heads", o.capture.heads, "N,...: of attentions; -1 is the last");
  command.option("--pool", o.pooling,
                 {{"mean", Pooling::mean},
                  {"max", Pooling::max},
                  {"cls", Pooling::first},
                  {"first", Pooling::first},
                  {"last", Pooling::last}},
                 "how the vectors of a text become one, for --emit pooled and models without a head");
  command.flag("--normalize", o.normalize, "such vectors get length 1");
  command.group("Stages");
  command.option("--trace", o.trace, "FILE[:/group]: takes every intermediate tensor by the name of its place");
  command.option("--trace-filter", o.trace_filter, "GLOB: only names that match, encoder/*/self_attn/weights");
  command.input("--replay", o.replay, "trace that --from starts from");
  command.option("--from", o.from, "STAGE: the first one to compute; --list shows their names");
  command.option("--to", o.to, "STAGE: the last one to compute; the result is what comes out of it");
  o.output.known_emits = {"ids",
                          "scores",
                          "encoder",
                          "decoder",
                          "logits",
                          "pooled",
                          "pooler_output",
                          "mems",
                          "hidden_states",
                          "attentions",
                          "encoder_hidden_states",
                          "decoder_hidden_states",
                          "encoder_attentions",
                          "decoder_attentions",
                          "cross_attentions",
                          "tokens",
                          "decoder_tokens"};
  o.output.keeps_integers = true;
  o.output.is_text = [&o] { return !o.wants_tensors(); };
  o.output.text_has_numbers = true;
  command.output(o.output);
  command.note(
      "The result is tensors with --emit, -O, or -o and the suffix of a tensor file: y holds the generated ids, with "
      "--decoder-ids the logits. Otherwise it is lines of text, in a file too.");
}

bool Options::emits(const std::string& name) const {
  return std::find(output.emit.begin(), output.emit.end(), name) != output.emit.end();
}

bool Options::wants_tensors() const {
  if (ids.given() || pixels.given() || decoder_ids.given() || replay.given() || !to.empty() || !output.emit.empty())
    return true;
  if (output.options.format) return true;
  const attn::io::Operand operand = cli::output_operand(output);
  return !operand.dataset.empty() || attn::io::format_from_path(operand.source).has_value();
}

void expect_no_generation(const Options& o, const std::string& reason) {
  std::string option = o.generation.given.empty() ? "" : o.generation.given.front().option;
  if (option.empty() && o.ignore_end) option = "--ignore-end";
  if (option.empty() && !o.parameters.stop.empty()) option = "--stop";
  if (!option.empty()) throw Error(ErrorKind::usage, option, "would do nothing, as " + reason, "leave it out");
}

void check(const Options& o, attn::Task task) {
  if (o.wants_tensors() || o.list) return;
  const auto expect = [](bool holds, const char* option, const char* what) {
    if (!holds) throw Error(ErrorKind::usage, option, "would do nothing, as " + std::string(what), "leave it out");
  };
  const bool chooses = task == attn::Task::classify || task == attn::Task::choose || task == attn::Task::answer ||
                       task == attn::Task::fill_mask;
  expect(o.best == Options().best || chooses, "--best", "this task has no best ones to choose from");
  const bool pools = task == attn::Task::embed;
  expect(o.pooling == Pooling::mean || pools, "--pool", "this task makes no vectors");
  expect(!o.normalize || pools, "--normalize", "this task makes no vectors");
  expect(o.stride == 0 || task == attn::Task::score_tokens, "--stride", "this task scores no tokens");
}

void check(const Options& o) {
  const auto require = [](bool holds, const char* option, const char* detail) {
    if (!holds) throw Error(ErrorKind::usage, option, detail);
  };
  require(!o.model.empty(), "--model", "is required; give the folder of a model");
  require(!o.ids.given() || o.text.empty(), "--ids", "excludes TEXT");
  require(!o.pixels.given() || (o.text.empty() && !o.ids.given()), "--pixels", "excludes TEXT and --ids");
  require(!o.replay.given() || o.text.empty(), "--replay", "excludes TEXT");
  require(!o.replay.given() || (!o.ids.given() && !o.pixels.given() && !o.decoder_ids.given()), "--replay",
          "excludes --ids and --pixels");
  require(!o.mask.given() || o.ids.given() || o.decoder_ids.given(), "--mask", "needs --ids");
  require(!o.type_ids.given() || o.ids.given(), "--type-ids", "needs --ids");
  require(!o.permutation_mask.given() || o.ids.given(), "--perm-mask", "needs --ids");
  require(!o.target_mapping.given() || o.ids.given(), "--target-mapping", "needs --ids");
  require(!o.memories.given() || o.ids.given(), "--mems", "needs --ids");
  const bool some_stages = !o.from.empty() || !o.to.empty();
  require(!some_stages || !(o.permutation_mask.given() || o.target_mapping.given() || o.memories.given()), "--to",
          "excludes --perm-mask, --target-mapping and --mems");
  require(o.from.empty() || o.replay.given(), "--from", "needs --replay");
  require(o.from.empty() == !o.replay.given(), "--replay", "needs --from");
  require(o.trace_filter == "*" || !o.trace.empty(), "--trace-filter", "needs --trace");
  require(o.capture.heads.empty() || any_contains(o.output.emit, "attentions"), "--heads",
          "needs --emit of attentions");
  require(o.capture.layers.empty() || any_contains(o.output.emit, "attentions") ||
              any_contains(o.output.emit, "hidden_states"),
          "--layers", "needs --emit of attentions or hidden states");
  require(o.pooling == Pooling::mean || o.emits("pooled") || !o.wants_tensors(), "--pool", "needs --emit pooled");
  require(!o.json || !o.wants_tensors(), "--json", "is for lines of text, not for tensors");
  require(!o.json || !o.list, "--json", "would do nothing: --list is for people");
  require(!o.normalize || o.emits("pooled") || !o.wants_tensors(), "--normalize", "needs --emit pooled");
  require(o.best == Options().best || !o.wants_tensors(), "--best", "is for lines of text, not for tensors");
  require(o.best > 0, "--best", "must be at least 1");
  require(o.parameters.stop.empty() || !o.wants_tensors(), "--stop", "is for text, not for tensors");
  require(o.on_error == OnError::stop || !o.wants_tensors(), "--on-error", "is for lines of text, not for tensors");
  require(o.on_error == OnError::stop || o.trace.empty(), "--on-error", "excludes --trace, a run of all lines as one");
  require(o.trace.empty() || !o.wants_tensors() ||
              attn::io::parse_operand(o.trace).source != cli::output_operand(o.output).source,
          "--trace", "and --output are one file; give two");
  require(o.parameters.batch_rows == attn::TextGenerationParameters().batch_rows || !o.wants_tensors(), "--batch",
          "is for lines of text; tensors are one batch");
  if (o.decoder_ids.given()) expect_no_generation(o, "--decoder-ids is given: nothing is generated");
  if (!o.to.empty()) expect_no_generation(o, "--to is given: stages generate nothing");
  if (o.replay.given()) expect_no_generation(o, "--replay is given: stages generate nothing");
  if (o.list) {
    expect_no_generation(o, "--list computes nothing");
    require(o.text.empty(), "--list", "computes nothing; leave out TEXT");
    require(o.trace.empty(), "--list", "computes nothing; leave out --trace");
    require(!o.wants_tensors(), "--list", "computes nothing and is text; leave out what makes tensors");
  }
  for (const std::string& text : o.parameters.stop) require(!text.empty(), "--stop", "has an empty text");
  require(o.parameters.batch_rows > 0, "--batch", "must be at least 1");
}

}  // namespace transformer_run
