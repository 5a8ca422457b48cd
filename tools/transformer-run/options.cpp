#include "transformer-run/options.hpp"

#include "cli/results.hpp"

#include <attn/transformer/description.hpp>

#include <algorithm>

namespace transformer_run {

using attn::Pooling;

namespace {

const cli::Choices<Pooling> poolings{{"mean", Pooling::mean},
                                     {"max", Pooling::max},
                                     {"cls", Pooling::first},
                                     {"first", Pooling::first},
                                     {"last", Pooling::last},
                                     {"mean-sqrt-len", Pooling::mean_sqrt_length},
                                     {"weighted-mean", Pooling::weighted_mean}};

}  // namespace

void declare(cli::Command& command, Options& o) {
  command.usage("-m FOLDER [OPTION]... [TEXT]...");
  command.example("transformer-run -m dates \"3 mars 2021\"");
  command.example("transformer-run -m dates --beams 4 --num-return 2 \"den 5. mai 1999\"");
  command.example("transformer-run -m dates --emit cross_attentions --emit-layers -1 -o maps.h5 \"3 mars 2021\"");
  command.changes(cli::Effect::form);
  command.option("-m,--model", o.model, "FOLDER: folder of the model: config.json, model.safetensors, tokenizer.json");
  command.changes(cli::Effect::numbers);
  command.positionals("TEXT", o.text, "texts (default -, the lines of standard input)");
  command.input("--ids", o.ids, "token ids (batch, length) instead of text");
  command.input("--decoder-ids", o.decoder_ids, "token ids (batch, length) for the decoder; nothing is generated");
  command.input("--attention-mask|--mask,--padding-mask", o.mask,
                "real tokens of --ids, (batch, length): not 0 for a real token (default all but the padding token)");
  command.input("--type-ids", o.type_ids, "text of a pair that each token belongs to, (batch, length) (default 0)");
  command.input(
      "--pixels", o.pixels,
      "pixels of pictures (batch, channels, height, width) or videos (batch, frames, ...), already normalised");
  command.input("--perm-mask", o.permutation_mask,
                "tokens that each token does not see, (batch, length, length): not 0 if hidden (XLNet)");
  command.input("--target-mapping", o.target_mapping,
                "positions of the targets, (batch, targets, length): 1 at the position (XLNet)");
  command.input("--mems", o.memories,
                "FILE[:/GROUP]: memory of the tokens before these, as --emit mems writes it (XLNet)");
  command.flag("--list", o.list, "print stages, weights, shapes, parameters, FLOPs and memory; compute nothing");
  command.option("--task", o.task, "NAME: task of the model, by default that of its architecture");
  command.values(attn::task_names());
  add_generation_options(command, o.generation);
  command.flag("--ignore-end", o.ignore_end, "continue after the end token, up to the largest number of tokens");
  command.repeatable("--stop", "TEXT: end an answer before this text",
                     [&o](const std::string& text) { o.parameters.generation.stop.push_back(text); });
  command.group("Lines");
  command.flag("--chat", o.chat, "chats in JSON, for the folder's chat template");
  command.changes(cli::Effect::form);
  command.option("--batch", o.parameters.batch_rows, "N: number of lines of similar length that are computed together");
  command.option("--on-error", o.on_error, {{"stop", OnError::stop}, {"skip", OnError::skip}},
                 "action for a bad line: end the run, or print an empty line and a note");
  command.changes(cli::Effect::nothing);
  command.flag("--resume", o.resume,
               "keep finished lines in .NAME.partial beside the output NAME, and take up those of a run that was cut "
               "short; SIGTERM and SIGINT end with 75");
  command.changes(cli::Effect::numbers);
  cli::add_shard(command, o.shard, "of the lines of a file on standard input, of about as many bytes");
  command.flag("--json", o.json, "print everything, one JSON object a line");
  command.option(
      "--max-length", o.max_length,
      "N: largest number of tokens of a text, special ones included; longer texts are cut; 0 cuts nothing (default the "
      "model's positions, or as a folder of sentence-transformers sets it)");
  command.option(
      "--stride", o.stride,
      "N: step of the windows in which perplexity and log-probabilities read long texts; 0: longer texts are bad lines "
      "(default half of the positions)");
  command.flag("--no-answer", o.no_answer, "allow an empty answer to a question, with its probability");
  command.option("--best", o.best, "N: number of labels, answers or tokens for a mask, most probable first");
  command.group("Values of --emit");
  command.repeatable("--emit-layers|--layers", o.capture.layers,
                     "N,...: layers of hidden states and attentions; -1 is the last", "all");
  command.repeatable("--emit-heads|--heads", o.capture.heads, "N,...: heads of attentions; -1 is the last", "all");
  command.option("--pool", o.pooling, poolings,
                 "pooling of the vectors of a text, for models without a head and --emit pooled, by default as the "
                 "folder sets it, else mean");
  command.flag("--normalize-embeddings|--normalize", o.normalize, "scale pooled vectors to length 1");
  command.option("--prompt", o.prompt,
                 "NAME: prompt of the folder to put before each text, such as query (default as the folder sets it)");
  command.group("Stages");
  command.changes(cli::Effect::nothing);
  command.option("--trace", o.trace, "FILE[:/GROUP]: file for every intermediate tensor, named by its stage");
  command.changes(cli::Effect::numbers);
  command.option("--trace-filter", o.trace_filter,
                 "GLOB: names to write into the trace, such as encoder/*/self_attn/weights");
  command.input("--replay", o.replay, "trace to start from, with --from");
  command.option("--from", o.from, "STAGE: first stage to compute; --list prints the names (default the first of all)");
  command.option("--to", o.to, "STAGE: last stage to compute; the result is its output");
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
  o.output.makes = [&o] {
    using cli::ResultKind;
    return !o.list && o.wants_tensors() ? ResultKind::tensors : ResultKind::text;
  };
  o.output.writes_beside = [&o] { return !o.trace.empty(); };
  command.seldom({"--on-error",
                  "--resume",
                  "--shard",
                  "--normalize-embeddings",
                  "--type-ids",
                  "--pixels",
                  "--perm-mask",
                  "--target-mapping",
                  "--mems",
                  "--min-new-tokens",
                  "--length-penalty",
                  "--early-stopping",
                  "--num-return",
                  "--min-p",
                  "--repetition-penalty",
                  "--no-repeat-ngram",
                  "--ignore-end",
                  "--no-sample",
                  "--max-length",
                  "--stride",
                  "--no-answer",
                  "--trace-filter",
                  "--replay",
                  "--trace",
                  "--attention-mask",
                  "--from",
                  "--to",
                  "--emit-layers",
                  "--emit-heads",
                  "--batch",
                  "--decoder-ids"});
  command.output(o.output);
  command.note(
      "The result is tensors with --ids, --emit, -O, or -o and the suffix of a tensor file: y contains the generated "
      "ids, or with --decoder-ids the logits. Otherwise it is lines of text, in a file too.");
}

bool Options::reads_lines() const { return text.empty() || std::find(text.begin(), text.end(), "-") != text.end(); }

bool Options::wants_tensors() const {
  if (ids.given() || pixels.given() || decoder_ids.given() || replay.given() || !to.empty() || !output.emit.empty())
    return true;
  return cli::names_tensors(output);
}

}  // namespace transformer_run
