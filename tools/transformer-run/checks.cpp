#include "transformer-run/options.hpp"

#include "cli/result_writer.hpp"

#include <attn/core/error.hpp>
#include <attn/core/utf8.hpp>
#include <attn/io/output_place.hpp>

#include <algorithm>

namespace transformer_run {

using attn::Error;
using attn::ErrorKind;
using attn::Pooling;

namespace {

bool any_contains(const std::vector<std::string>& words, const std::string& part) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return word.find(part) != std::string::npos; });
}

}  // namespace

void expect_no_generation(const Options& o, const std::string& reason) {
  std::string option = o.generation.given.empty() ? "" : o.generation.given.front().option;
  if (option.empty() && o.ignore_end) option = "--ignore-end";
  if (option.empty() && !o.parameters.generation.stop.empty()) option = "--stop";
  if (!option.empty()) throw Error(ErrorKind::usage, option, "would do nothing, as " + reason, "leave it out");
}

void check(const Options& o, attn::Task task, const cli::Session& session) {
  if (o.wants_tensors() || o.list) return;
  session.refuse({"--header", "--no-header", "--delim", "--missing", "--slab"},
                 "no table or tensor is read or written");
  if (o.json) session.refuse({"--precision"}, "JSON keeps all digits of numbers");
  if (task == attn::Task::generate) session.refuse({"--precision"}, "generated text has no numbers");
  const bool chooses = task == attn::Task::classify || task == attn::Task::choose || task == attn::Task::answer ||
                       task == attn::Task::fill_mask;
  if (!chooses) session.refuse({"--best"}, "this task has no best ones to choose from");
  if (task != attn::Task::embed) session.refuse({"--pool", "--normalize"}, "this task makes no vectors");
  if (task != attn::Task::score_tokens) session.refuse({"--stride"}, "this task scores no tokens");
}

void check(const Options& o, const cli::Session& session) {
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
  require(o.capture.heads.empty() || any_contains(o.output.emit, "attentions"), "--heads",
          "needs --emit of attentions");
  require(o.capture.layers.empty() || any_contains(o.output.emit, "attentions") ||
              any_contains(o.output.emit, "hidden_states"),
          "--layers", "needs --emit of attentions or hidden states");
  if (o.trace.empty()) session.refuse({"--trace-filter"}, "there is no trace", "give --trace");
  if (!o.trace.empty()) session.refuse({"--stride", "--batch"}, "a trace is of one pass over all lines");
  if (o.wants_tensors()) {
    session.refuse({"--json", "--best", "--stop", "--on-error", "--batch", "--stride"},
                   "the result is tensors, of one batch");
    if (!o.emits("pooled")) session.refuse({"--pool", "--normalize"}, "nothing is pooled", "add --emit pooled");
  }
  require(o.best > 0, "--best", "must be at least 1");
  require(o.on_error == OnError::stop || o.trace.empty(), "--on-error", "excludes --trace, a run of all lines as one");
  require(o.trace.empty() ||
              !attn::io::is_one_output(attn::io::parse_operand(o.trace).source, cli::output_operand(o.output).source),
          "--trace", "and --output are one file; give two");
  if (o.decoder_ids.given()) expect_no_generation(o, "--decoder-ids is given: nothing is generated");
  if (!o.to.empty()) expect_no_generation(o, "--to is given: stages generate nothing");
  if (o.replay.given()) expect_no_generation(o, "--replay is given: stages generate nothing");
  if (o.list) {
    session.refuse({"--json"}, "--list is for people");
    session.refuse({"--ids", "--pixels", "--decoder-ids", "--replay", "--to", "--engine", "--batch", "--on-error",
                    "--stride", "--best", "--pool", "--normalize"},
                   "--list computes nothing");
    expect_no_generation(o, "--list computes nothing");
    require(o.text.empty(), "--list", "computes nothing; leave out TEXT");
    require(o.trace.empty(), "--list", "computes nothing; leave out --trace");
  }
  for (const std::string& text : o.parameters.generation.stop) {
    require(!text.empty(), "--stop", "has an empty text");
    require(!attn::find_invalid_utf8(text), "--stop", "is not UTF-8, and answers are; no answer would end before it");
  }
  require(o.parameters.batch_rows > 0, "--batch", "must be at least 1");
}

}  // namespace transformer_run
