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
                                     {"last", Pooling::last}};

}  // namespace

void declare(cli::Command& command, Options& o) {
  command.usage("-m FOLDER [OPTION]... [TEXT]...");
  command.example("transformer-run -m dates \"3 mars 2021\"");
  command.example("transformer-run -m dates --beams 4 --num-return 2 \"den 5. mai 1999\"");
  command.example("transformer-run -m dates --emit cross_attentions --emit-layers -1 -o maps.h5 \"3 mars 2021\"");
  command.option("-m,--model", o.model, "FOLDER: holds config.json, model.safetensors and tokenizer.json");
  command.positionals("TEXT", o.text, "texts to run, one each; none: the lines of standard input");
  command.input("--ids", o.ids, "token ids (batch, length) instead of text");
  command.input("--decoder-ids", o.decoder_ids, "token ids (batch, length) for the decoder: nothing is generated");
  command.input("--attention-mask|--mask,--padding-mask", o.mask,
                "(batch, length): not 0 = a real token; default: what is not the padding token");
  command.input("--type-ids", o.type_ids, "(batch, length): which text of a pair a token is of; default: 0");
  command.input("--pixels", o.pixels,
                "pixel values of pictures (batch, channels, height, width) or videos (batch, frames, ...)");
  command.input("--perm-mask", o.permutation_mask,
                "(batch, length, length): not 0 where a token does not see another (XLNet)");
  command.input("--target-mapping", o.target_mapping,
                "(batch, targets, length): 1 where a target stands (XLNet); the result is the targets'");
  command.input("--mems", o.memories, "FILE[:/GROUP]: what --emit mems gave for the tokens before these (XLNet)");
  command.flag("--list", o.list, "show stages, weights, shapes, parameters, FLOPs and memory; compute nothing");
  command.option("--task", o.task, "NAME: what is asked of the model; without it, what its architecture is for");
  command.values(attn::task_names());
  add_generation_options(command, o.generation);
  command.flag("--ignore-end", o.ignore_end, "go on past the end token, to the maximum");
  command.repeatable("--stop", "TEXT: an answer ends before it; given again, before the first of all",
                     [&o](const std::string& text) { o.parameters.generation.stop.push_back(text); });
  command.group("Lines");
  command.option("--batch", o.parameters.batch_rows, "N: lines of like length that are computed together");
  command.option("--on-error", o.on_error, {{"stop", OnError::stop}, {"skip", OnError::skip}},
                 "what a bad line does: end the run, or give an empty line and a note");
  command.flag("--json", o.json, "show everything, one JSON object a line");
  command.option(
      "--max-length", o.max_length,
      "N: cut longer texts to N tokens, special ones included; 0: cut none, more than the model has positions for is "
      "an error; without it, to those positions or what a folder of sentence-transformers says");
  command.option(
      "--stride", o.stride,
      "N: scores of tokens; texts longer than the model are read in windows that move on by N tokens, without it by "
      "half of its positions; 0: they are bad lines");
  command.flag("--no-answer", o.no_answer, "a question may have none: an empty answer, with its probability");
  command.option("--best", o.best, "N: labels, answers or tokens for a mask, the most probable first");
  command.group("What --emit takes");
  command.option("--emit-layers|--layers", o.capture.layers, "N,...: of hidden states and attentions; -1 is the last",
                 "all");
  command.option("--emit-heads|--heads", o.capture.heads, "N,...: of attentions; -1 is the last", "all");
  command.option(
      "--pool", o.pooling, poolings,
      "how the vectors of a text become one, for models without a head and --emit pooled; without it, as a folder "
      "of sentence-transformers says, or mean");
  command.flag("--normalize-embeddings|--normalize", o.normalize, "such vectors get length 1");
  command.group("Stages").with_provenance(false);
  command.option("--trace", o.trace, "FILE[:/GROUP]: takes every intermediate tensor by the name of its place");
  command.with_provenance(true);
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
  o.output.makes = [&o] {
    using cli::ResultKind;
    return !o.list && o.wants_tensors() ? ResultKind::tensors : ResultKind::text;
  };
  o.output.writes_beside = [&o] { return !o.trace.empty(); };
  command.seldom({"--type-ids",
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
      "The result is tensors with --emit, -O, or -o and the suffix of a tensor file: y holds the generated ids, with "
      "--decoder-ids the logits. Otherwise it is lines of text, in a file too.");
}

bool Options::wants_tensors() const {
  if (ids.given() || pixels.given() || decoder_ids.given() || replay.given() || !to.empty() || !output.emit.empty())
    return true;
  return cli::names_tensors(output);
}

}  // namespace transformer_run
