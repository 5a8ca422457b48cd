#include "transformer-run/options.hpp"

#include "cli/numbers.hpp"
#include "cli/options/attention.hpp"
#include "cli/result_writer.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/io/byte_output.hpp>
#include <attn/transformer/description.hpp>
#include <attn/transformer/generation_config.hpp>

#include <algorithm>

namespace transformer_run {
namespace {

using attn::Error;
using attn::ErrorKind;
using attn::GenerationParameters;
using attn::Pooling;

/// Declares options whose defaults are the initialisers of the parameters.
class Declaring {
 public:
  Declaring(cli::Command& command, GenerationOptions& options) : command_(command), options_(options) {}

  void count(const std::string& name, std::size_t& (*member)(GenerationParameters&), const std::string& description) {
    declare(name, std::to_string(member(defaults_)), description, [name, member](const std::string& word) {
      return [member, value = cli::parse_size(name, word)](GenerationParameters& p) { member(p) = value; };
    });
  }
  void number(const std::string& name, double& (*member)(GenerationParameters&), const std::string& description) {
    declare(name, cli::to_text(member(defaults_)), description, [name, member](const std::string& word) {
      return [member, value = cli::parse_double(name, word)](GenerationParameters& p) { member(p) = value; };
    });
  }
  void flag(const std::string& name, std::function<void(GenerationParameters&)> apply, const std::string& description) {
    command_.flag(name, description, [&options = options_, name, apply = std::move(apply)] {
      options.given.push_back({name, apply});
    });
  }

 private:
  template <class Read>
  void declare(const std::string& name, const std::string& shown, const std::string& description, Read read) {
    command_.option(name, shown, description, [&options = options_, name, read](const std::string& word) {
      options.given.push_back({name, read(word)});
    });
  }

  cli::Command& command_;
  GenerationOptions& options_;
  GenerationParameters defaults_;
};

const cli::Choices<Pooling> poolings{{"mean", Pooling::mean},
                                     {"max", Pooling::max},
                                     {"cls", Pooling::first},
                                     {"first", Pooling::first},
                                     {"last", Pooling::last},
                                     {"mean-sqrt-len", Pooling::mean_sqrt_length},
                                     {"weighted-mean", Pooling::weighted_mean}};

void add_generation_options(cli::Command& command, GenerationOptions& o) {
  using P = GenerationParameters;
  using attn::EarlyStopping;
  Declaring declare(command, o);
  command.group("Generation");
  declare.flag(
      "--sample", [](P& p) { p.sampling.enabled = true; }, "draw tokens at random by their probabilities");
  declare.flag(
      "--no-sample", [](P& p) { p.sampling.enabled = false; },
      "take the most probable token, even if generation_config.json asks for samples");
  declare.count(
      "--max-new-tokens", [](P & p) -> auto& { return p.max_new_tokens; },
      "N: largest number of generated tokens; 0: what the model can generate");
  declare.count(
      "--min-new-tokens", [](P & p) -> auto& { return p.rules.min_new_tokens; },
      "N: smallest number of tokens before the end token");
  declare.count(
      "--beams", [](P & p) -> auto& { return p.beams; },
      "N: number of beams; 1 takes the most probable token at each step");
  declare.number(
      "--length-penalty", [](P & p) -> auto& { return p.length_penalty; },
      "P: power of the length by which the log-probability of a beam is divided");
  command.option<EarlyStopping>(
      "--early-stopping", P().early_stopping,
      {{"no", EarlyStopping::no}, {"yes", EarlyStopping::yes}, {"never", EarlyStopping::never}},
      "end of beam search: when no better beam is likely, when N have finished, when none is possible",
      [&o](EarlyStopping when) {
        o.given.push_back({"--early-stopping", [when](P& p) { p.early_stopping = when; }});
      });
  declare.count(
      "--num-return", [](P & p) -> auto& { return p.num_return; },
      "N: number of answers to each text, best first; needs beams or samples");
  declare.number(
      "--temperature", [](P & p) -> auto& { return p.sampling.temperature; },
      "T: divisor of the logits before drawing, above 0");
  declare.count(
      "--top-k", [](P & p) -> auto& { return p.sampling.top_k; },
      "K: draw from the K most probable tokens; 0: from all");
  declare.number(
      "--top-p", [](P & p) -> auto& { return p.sampling.top_p; },
      "P: draw from the fewest tokens with total probability P");
  declare.number(
      "--min-p", [](P & p) -> auto& { return p.sampling.min_p; },
      "P: draw from tokens with at least P times the probability of the best one");
  declare.count(
      "--seed", [](P & p) -> auto& { return p.sampling.seed; },
      "N: seed of the random numbers; equal seeds give equal tokens on every machine");
  declare.number(
      "--repetition-penalty", [](P & p) -> auto& { return p.rules.repetition_penalty; },
      "P: divisor of the scores of tokens that already occur; negative scores are multiplied");
  declare.count(
      "--no-repeat-ngram", [](P & p) -> auto& { return p.rules.no_repeat_ngram; },
      "N: length of token sequences that may not occur twice; 0: all may");
}

}  // namespace

void GenerationOptions::note_idle(const GenerationParameters& whole, cli::Report& report) const {
  const auto note = [&](std::initializer_list<const char*> of, const char* needed) {
    std::vector<std::string> idle;
    for (const char* option : of)
      if (std::any_of(given.begin(), given.end(), [&](const Given& each) { return each.option == option; }))
        idle.emplace_back(option);
    if (!idle.empty())
      report.note(attn::listed(idle) + (idle.size() == 1 ? " changes" : " change") + " nothing without " + needed);
  };
  if (!whole.sampling.enabled) note({"--temperature", "--top-k", "--top-p", "--min-p", "--seed"}, "--sample");
  if (whole.beams == 1) note({"--length-penalty", "--early-stopping"}, "--beams");
}

bool GenerationOptions::speaks_of(const std::string& text) const {
  return std::any_of(given.begin(), given.end(),
                     [&](const Given& each) { return text.find(each.option) != std::string::npos; });
}

GenerationParameters GenerationOptions::over(GenerationParameters of_model) const {
  const auto applied = [this](GenerationParameters p) {
    for (const Given& option : given) option.apply(p);
    return p;
  };
  const auto asks_for = [this](const char* name) {
    return std::any_of(given.begin(), given.end(), [name](const Given& option) { return option.option == name; });
  };
  if (asks_for("--sample") && asks_for("--no-sample"))
    throw attn::Error(attn::ErrorKind::usage, "--sample", "and --no-sample exclude each other");
  of_model = without_idle(of_model, applied(of_model));
  if (asks_for("--max-new-tokens")) of_model.max_length = 0;
  if (asks_for("--min-new-tokens")) of_model.rules.min_length = 0;
  GenerationParameters whole = applied(of_model);
  validate(whole);
  return whole;
}

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
  command.flag("--list-families", o.list_families,
               "print the model_type and architectures of the models that run, by task, and stop");
  command.option("--task", o.task, "NAME: task of the model, by default that of its architecture");
  command.values(attn::task_names());
  add_generation_options(command, o.generation);
  command.flag("--ignore-end", o.ignore_end, "continue after the end token, up to the largest number of tokens");
  command.repeatable("--stop", "TEXT: end an answer before this text",
                     [&o](const std::string& text) { o.parameters.generation.stop.push_back(text); });
  command.group("Lines");
  command.flag("--chat", o.chat, "chats in JSON, for the folder's chat template");
  command.changes(cli::Effect::form);
  command.flag("--json-lines", o.json_lines,
               "read each text as JSON: a string, several in brackets, or an object with text and pair");
  command.option("--batch", o.parameters.batch_rows, "N: number of lines of similar length that are computed together");
  command.option("--on-error", o.on_error, {{"stop", OnError::stop}, {"skip", OnError::skip}},
                 "action for a bad line: end the run, or print an empty line and a note");
  command.changes(cli::Effect::nothing);
  command.flag("--resume", o.resume,
               "keep finished lines in .NAME.partial beside the output NAME, and take up those of a run that was cut "
               "short; SIGTERM and SIGINT end with 75");
  command.changes(cli::Effect::numbers);
  cli::add_shard(command, o.shard, "of the lines of a file on standard input, of about as many bytes");
  command.option(
      "--max-length", o.max_length,
      "N: largest number of tokens of a text, special ones included; longer texts are cut; 0 cuts nothing (default the "
      "model's positions, or as a folder of sentence-transformers sets it)");
  command.option(
      "--stride", o.stride,
      "N: step of the windows in which perplexity and log-probabilities read long texts; 0: longer texts are bad lines "
      "(default half of the positions)");
  command.flag("--no-answer", o.no_answer, "allow an empty answer to a question, with its probability");
  command.option(
      "--aggregate", o.aggregation,
      {{"simple", attn::Aggregation::simple},
       {"first", attn::Aggregation::first},
       {"average", attn::Aggregation::average},
       {"max", attn::Aggregation::max}},
      "label of a word of several tokens: each token its own, that of the first, of their mean probabilities, "
      "of the surest");
  command.option("--best", o.best, "N: number of labels, answers or tokens for a mask, most probable first");
  command.group("Values of --emit");
  command.repeatable("--emit-layers|--layers", o.capture.layers,
                     "N,...: layers of hidden states and attentions; -1 is the last", "all");
  command.repeatable("--emit-heads", o.capture.heads, "N,...: heads of attentions; -1 is the last", "all");
  command.option("--pool", o.pooling, poolings,
                 "pooling of the vectors of a text, for models without a head and --emit pooled, by default as the "
                 "folder sets it, else mean");
  command.flag("--normalize-embeddings|--normalize", o.normalize, "scale pooled vectors to length 1");
  command.option("--dimensions", o.dimensions,
                 "N: number of coordinates of a vector to keep, the first ones; vectors of length 1 are scaled to it "
                 "again (default all)");
  command.option("--prompt", o.prompt,
                 "NAME: prompt of the folder to put before each text, such as query (default as the folder sets it)");
  command.option("--prompt-text", o.prompt_text, "TEXT: text to put before each text, instead of a prompt by name");
  command.group("Layers of PyTorch");
  command.input("--encoder|--decoder", o.encoder,
                "FILE[:/PREFIX]: state dict of nn.TransformerEncoder, TransformerDecoder, Transformer or of one layer, "
                "instead of -m; the operands are tensors in the order of forward(): x; tgt memory; src tgt");
  command.repeatable("--heads", o.heads,
                     "N: number of heads of the layers of --encoder; with -m, another name of --emit-heads", "none");
  command.flag("--pre-norm|--norm-first", o.layers.parameters.norm_first,
               "norm the input of each sublayer, and not its sum");
  command.option("--activation", o.layers.activation, "NAME: activation of the layers, such as gelu");
  command.option("--epsilon|--eps,--layer-norm-eps", o.layers.parameters.epsilon,
                 "NUMBER: added to the variance by the norms");
  command.option("--layout", o.layers.layout,
                 cli::Choices<attn::Layout>{{"batch-first", attn::Layout::batch_first},
                                            {"length-batch", attn::Layout::length_batch}},
                 "axes of sequences: (B, L, d), or (L, B, d) as PyTorch has them without batch_first");
  command.flag("--causal", o.layers.parameters.causal,
               "exclude keys after the query's position: in the decoder, or in an encoder alone");
  command.input("--src-mask", o.layers.source_mask,
                "mask of the encoder's attention, (L, L), (B, L, L) or (B, H, L, L): 0 excludes, floats are added");
  command.input("--tgt-mask", o.layers.target_mask, "mask of the decoder's attention to itself");
  command.input("--memory-mask", o.layers.memory_mask, "mask of the decoder's attention to the memory, (T, S) ...");
  command.input("--src-key-padding-mask|--src-padding-mask", o.layers.source_padding,
                "mask of the keys of the encoder, (B, S)");
  command.input("--tgt-key-padding-mask|--tgt-padding-mask", o.layers.target_padding,
                "mask of the keys of the decoder, (B, T)");
  command.input("--memory-key-padding-mask|--memory-padding-mask", o.layers.memory_padding,
                "mask of the rows of the memory, (B, S)");
  command.option("--mask-type", o.layers.parameters.mask_type, cli::mask_types(),
                 "type of these masks; auto decides by their elements");
  command.flag("--mask-invert", o.layers.parameters.mask_invert,
               "exclude keys where these masks are not 0, as PyTorch does for boolean ones");
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
  o.output.json_text = "print everything, one JSON object a line";
  o.output.makes = [&o] {
    using cli::ResultKind;
    return !o.list && !o.list_families && o.wants_tensors() ? ResultKind::tensors : ResultKind::text;
  };
  o.output.writes_beside = [&o] { return !o.trace.empty(); };
  command.seldom({"--list-families",
                  "--encoder",
                  "--heads",
                  "--pre-norm",
                  "--activation",
                  "--epsilon",
                  "--layout",
                  "--causal",
                  "--src-mask",
                  "--tgt-mask",
                  "--memory-mask",
                  "--src-key-padding-mask",
                  "--tgt-key-padding-mask",
                  "--memory-key-padding-mask",
                  "--mask-type",
                  "--mask-invert",
                  "--on-error",
                  "--resume",
                  "--shard",
                  "--normalize-embeddings",
                  "--dimensions",
                  "--prompt-text",
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
                  "--aggregate",
                  "--json-lines",
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
  if (encoder.given() || ids.given() || pixels.given() || decoder_ids.given() || replay.given() || !to.empty() ||
      !output.emit.empty())
    return true;
  return cli::names_tensors(output);
}

void check(const Options& o, const cli::Session& session) {
  const auto require = [](bool holds, const char* option, const char* detail) {
    if (!holds) throw Error(ErrorKind::usage, option, detail);
  };
  require(o.model.empty() || !o.encoder.given(), "--encoder", "excludes --model");
  if (!o.encoder.given()) {
    require(!o.model.empty(), "--model", "is required; give the folder of a model, or layers with --encoder");
    for (const char* option : {"--pre-norm", "--activation", "--epsilon", "--layout", "--causal", "--src-mask",
                               "--tgt-mask", "--memory-mask", "--src-key-padding-mask", "--tgt-key-padding-mask",
                               "--memory-key-padding-mask", "--mask-type", "--mask-invert"})
      require(!session.was_given(option), option, "is for the layers of --encoder");
  } else {
    if (session.was_given("--attention-mask"))
      throw Error(ErrorKind::usage, "--attention-mask, --mask or --padding-mask", "is for the ids of a --model",
                  "--src-mask and --src-key-padding-mask are those of the layers of --encoder");
    for (const char* option : {"--ids", "--decoder-ids", "--type-ids", "--pixels", "--perm-mask", "--target-mapping",
                               "--mems", "--task", "--from", "--to", "--replay"})
      require(!session.was_given(option), option, "is for a model of --model");
  }
  require(!o.ids.given() || o.text.empty(), "--ids", "excludes TEXT");
  require(!o.pixels.given() || (o.text.empty() && !o.ids.given()), "--pixels", "excludes TEXT and --ids");
  require(!o.replay.given() || o.text.empty(), "--replay", "excludes TEXT");
  require(!o.replay.given() || (!o.ids.given() && !o.pixels.given() && !o.decoder_ids.given()), "--replay",
          "excludes --ids and --pixels");
  require(!o.mask.given() || o.ids.given() || o.decoder_ids.given(), "--attention-mask", "needs --ids");
  require(!o.type_ids.given() || o.ids.given(), "--type-ids", "needs --ids");
  require(!o.permutation_mask.given() || o.ids.given(), "--perm-mask", "needs --ids");
  require(!o.target_mapping.given() || o.ids.given(), "--target-mapping", "needs --ids");
  require(!o.memories.given() || o.ids.given(), "--mems", "needs --ids");
  const bool reads_texts = !o.ids.given() && !o.decoder_ids.given() && !o.replay.given() && !o.pixels.given();
  require(o.prompt.empty() || reads_texts, "--prompt", "is for texts");
  require(!o.prompt_text || reads_texts, "--prompt-text", "is for texts");
  require(!o.prompt_text || o.prompt.empty(), "--prompt-text", "excludes --prompt");
  require(!o.dimensions || *o.dimensions > 0, "--dimensions", "must be at least 1");
  const bool some_stages = !o.from.empty() || !o.to.empty();
  require(!some_stages || !(o.permutation_mask.given() || o.target_mapping.given() || o.memories.given()), "--to",
          "excludes --perm-mask, --target-mapping and --mems");
  require(o.from.empty() || o.replay.given(), "--from", "needs --replay");
  require(o.from.empty() == !o.replay.given(), "--replay", "needs --from");
  require(o.best > 0, "--best", "must be at least 1");
  require(o.on_error == OnError::stop || o.trace.empty(), "--on-error", "excludes --trace, a run of all lines as one");
  require(o.trace.empty() || !attn::io::is_one_output(attn::io::parse_operand(o.trace).source, o.output.operand.source),
          "--trace", "and --output are one file; give two");
  for (const char* option : {"--emit-layers", "--emit-heads", "--heads"})
    require(!session.was_given(option) || !o.output.emit.empty() || o.list || o.encoder.given(), option,
            "chooses from what --emit hidden_states and --emit attentions write, and there is no --emit");
  require(!o.list || (o.text.empty() && o.trace.empty()), "--list", "computes nothing; leave out TEXT and --trace");
  const bool in_floats = o.wants_tensors() || o.list || !session.dtype() || attn::is_floating(*session.dtype());
  require(in_floats, "--dtype", "must be a floating type: lines of text are computed in floats");
  require(!o.chat || (!o.ids.given() && !o.decoder_ids.given() && !o.replay.given()), "--chat", "is for texts");
  require(!o.chat || !o.json_lines, "--chat", "excludes --json-lines");
  require(!o.json_lines || reads_texts, "--json-lines", "is for texts");
  require(!o.resume || !o.output.operand.is_standard_stream(), "--resume", "needs -o FILE");
  require(!o.shard || o.trace.empty(), "--shard", "excludes --trace, a run of all lines as one");
  require(!o.resume || o.trace.empty(), "--resume", "excludes --trace, a run of all lines as one");
  for (const std::string& text : o.parameters.generation.stop) {
    require(!text.empty(), "--stop", "has an empty text");
    require(!attn::find_invalid_utf8(text), "--stop", "is not UTF-8, and answers are; no answer would end before it");
  }
  require(o.parameters.batch_rows > 0, "--batch", "must be at least 1");
}

namespace {

/// Options that are for some tasks alone. Scripts keep one set of options for a loop or a batch, but not for models of
/// different tasks.
struct Purpose {
  const char* models;             ///< what the options are for
  std::vector<attn::Task> tasks;  ///< empty: all
  std::vector<const char*> options;
  enum class Of : std::uint8_t { all, texts, pooled } of = Of::all;  ///< pooled: also for --emit pooled
};

const std::vector<Purpose>& purposes() {
  using attn::Task;
  using Of = Purpose::Of;
  static const std::vector<Purpose> all{
      {"models that generate",
       {Task::generate},
       {"--sample", "--no-sample", "--max-new-tokens", "--min-new-tokens", "--beams", "--length-penalty",
        "--early-stopping", "--num-return", "--temperature", "--top-k", "--top-p", "--min-p", "--seed",
        "--repetition-penalty", "--no-repeat-ngram", "--ignore-end", "--stop", "--chat"}},
      {"models that make vectors", {Task::embed}, {"--pool", "--normalize-embeddings", "--dimensions"}, Of::pooled},
      {"models that make vectors of texts or classify them",
       {Task::embed, Task::classify},
       {"--prompt", "--prompt-text"},
       Of::texts},
      {"models that label words", {Task::label_tokens}, {"--aggregate"}},
      {"models that answer questions", {Task::answer}, {"--no-answer"}},
      {"labels, choices, answers and tokens for a mask",
       {Task::classify, Task::choose, Task::answer, Task::fill_mask},
       {"--best"}},
      {"the tasks perplexity and log-probabilities", {Task::score_tokens}, {"--stride"}},
      {"models that read text", {}, {"--json-lines", "--max-length"}, Of::texts}};
  return all;
}

}  // namespace

void check_task(const Options& o, const attn::OpenedModel& opened, const cli::Session& session) {
  const attn::ModelDescription& model = opened.description;
  for (const Purpose& purpose : purposes()) {
    const bool is_of_task = purpose.tasks.empty() ||
                            std::find(purpose.tasks.begin(), purpose.tasks.end(), model.task) != purpose.tasks.end();
    const bool pools = purpose.of == Purpose::Of::pooled && o.output.wants("pooled");
    if ((is_of_task || pools) && !(purpose.of == Purpose::Of::texts && opened.sees())) continue;
    for (const char* option : purpose.options)
      if (session.was_given(option))
        throw Error(ErrorKind::usage, option,
                    std::string("is for ") + purpose.models + ", and the task of this one is " +
                        (o.task.empty() ? task_name(model) : o.task),
                    "leave it out, or name another --task");
  }
}

}  // namespace transformer_run
