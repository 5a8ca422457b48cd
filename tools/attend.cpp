// attend: attention pooling over a database of keys and values.

#include "attend/options.hpp"
#include "cli/numbers.hpp"
#include "cli/results.hpp"
#include "cli/tool.hpp"

#include <attn/attention/explain.hpp>

#include <algorithm>

namespace {

using attend_tool::Options;
using attend_tool::Task;

/// A query needs no other query, and a sequence of a batch no other sequence. The type of a mask is decided by all of
/// it, and the last query is at the last key.
std::optional<cli::RowRule> by_rows(const Options& o, std::size_t rank) {
  const cli::AttentionOptions& a = o.attention;
  const bool has_type = !a.mask.given() || a.parameters.mask_type != attn::MaskType::automatic;
  if (!o.query.given() || !o.key.given() || !o.value.given() || o.past_key.given() || o.shard || o.explain ||
      !has_type || a.parameters.causal_bottom_right)
    return std::nullopt;
  if (rank == 2) return cli::RowRule{1, {&a.mask, &a.bias}, &a.valid_lens};
  if (rank == 4) return cli::RowRule{3, {&o.key, &o.value, &a.mask, &a.bias}, &a.valid_lens};
  return std::nullopt;
}

void declare(cli::Command& command, Options& o) {
  attn::AttendParameters& p = o.attention.parameters;
  command.usage("[-q OPERAND] [-k OPERAND] [-v OPERAND] [OPTION]... [INPUT]");
  command.example("posenc --length 30 --dim 16 | attend --causal --emit weights -o y.h5");
  command.example("attend --score gaussian --bandwidth 2 -q linspace=0,60,7 -k mcycle.csv:/times -v mcycle.csv:/accel");
  command.example("attend --normalize hard -q str=Smith -k names.csv:/last -v names.csv:/first");
  command.input(o.input, "source of the tensors whose option is omitted: datasets q, k and v, or one dataset for all");
  command.group("Queries, keys, values");
  o.query.takes_text = o.key.takes_text = o.value.takes_text = true;
  command.input("-q,--query", o.query, "queries (B, H, L, d), (B, L, d) or (L, d)");
  command.input("-k,--key", o.key, "keys (B, H_kv, S, d), (B, S, d) or (S, d)");
  command.input(
      "-v,--value", o.value,
      "values (B, H_kv, S, d_v), (B, S, d_v) or (S, d_v); with --emit topk=K alone also lines of text, or none");
  command.option("--heads", p.heads, "N: number of heads in packed tensors, (B, L, N * d)");
  command.option("--kv-heads", p.kv_heads, "N: number of heads in packed keys and values (default --heads)");
  command.option("--layout", p.layout, cli::layouts(),
                 "axes if not packed: (B, L, d), (H, L, d), or (B, L, H, d) and (L, H, d), in this order");
  for (cli::Input* x : {&o.query, &o.past_key, &o.past_value}) x->takes_no_rows = true;
  command.input("--past-key", o.past_key, "past keys, (B, H_kv, P, d) or as in --layout, put before the others");
  command.input("--past-value", o.past_value, "values of the past keys");
  cli::add_attention_options(command, o.attention);
  command.flag("--nearest", o.nearest, "find the nearest key in a look-up of text");
  command.option("--explain", o.explain, "INDEX: print the computation of one query, such as 0,1,5, as lines of text");
  cli::add_shard(command, o.shard, "of the queries, or with --emit state of the keys; tmerge joins the parts");
  o.output.known_emits = {"weights", "scores", "scores-softcap", "scores-masked", "lse",
                          "topk=K",  "keys",   "values",         "state"};
  o.output.names_all = [&o] { return o.output.wants("state"); };
  o.output.makes = [&o] {
    using cli::ResultKind;
    if (o.explain) return ResultKind::text;
    if (attend_tool::prints_lines(o)) return ResultKind::text;
    // A look-up of text, if that is what is read.
    const bool may_be_text = o.attention.parameters.normalize == attn::Normalize::hard;
    return may_be_text && !cli::names_tensors(o.output) ? ResultKind::tensors_or_text : ResultKind::tensors;
  };
  command.seldom({"--kv-heads", "--layout", "--past-key", "--past-value", "--softcap", "--m", "--wq", "--wk", "--wv",
                  "--mask-type", "--mask-invert", "--causal-bottom-right", "--bias", "--alibi-slopes", "--sinks",
                  "--empty", "--nearest", "--explain", "--shard"});
  o.output.rows_of = &o.query;
  o.output.by_rows = [&o](std::size_t rank) { return by_rows(o, rank); };
  o.output.has_gradients = true;
  command.output(o.output);
}

std::vector<std::size_t> parse_index(const std::string& text) {
  std::vector<std::size_t> index;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    index.push_back(cli::parse_size("--explain", text.substr(from, comma - from)));
    from = comma + 1;
  }
  return index;
}

void run(const Options& o, cli::Session& session) {
  if (o.shard || o.output.wants("state")) session.inputs.keep_record({"--key", "--value"});
  const Task task = attend_tool::task_of(o, session);
  attend_tool::Problem problem = attend_tool::read_problem(task, o, session);
  if (problem.is_text()) return attend_tool::look_up(o, problem.in, session);
  switch (task) {
    case Task::pool: return attend_tool::pool(o, std::move(problem), session);
    case Task::gradients: return attend_tool::write_gradients(o, problem, session);
    case Task::explanation:
      return session.results.print(attn::explain(problem.in, problem.parameters, parse_index(*o.explain)));
    case Task::state: return attend_tool::write_state(o, problem, session);
    case Task::search: return attend_tool::search(o, std::move(problem), session);
    case Task::search_state: return attend_tool::write_search_state(o, problem, session);
  }
}

}  // namespace

ATTN_TOOL("attend", "attention pooling: score, mask, normalise, pool", Options, declare, run)
