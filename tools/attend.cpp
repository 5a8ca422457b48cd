// attend: attention pooling over a database of keys and values.

#include "attend/options.hpp"
#include "attend/part.hpp"
#include "cli/numbers.hpp"
#include "cli/result_writer.hpp"
#include "cli/tool.hpp"

#include <attn/attention/attend.hpp>
#include <attn/attention/explain.hpp>
#include <attn/attention/vjp.hpp>

#include <algorithm>

namespace attend_tool {
namespace {

using attn::DType;
using attn::Stage;

const std::vector<std::pair<std::string, Stage>> stages{{"weights", Stage::weights},
                                                        {"scores", Stage::scores},
                                                        {"scores-softcap", Stage::scores_softcap},
                                                        {"scores-masked", Stage::scores_masked}};

attn::AttendRequest request_of(const Options& o, const attn::TensorView& query, const cli::Session& session) {
  attn::AttendRequest request;
  // A result that is written in a wider type than the query's must not be rounded to the query's type first.
  const auto dtype = session.dtype();
  if (dtype && attn::is_floating(*dtype) && attn::element_size(*dtype) >= attn::element_size(query.dtype))
    request.dtype = dtype;
  request.lse = o.output.wants("lse");
  request.top = o.output.emitted_number("topk");
  request.keys = o.output.wants("keys") || o.output.wants("values");
  for (const auto& [name, stage] : stages)
    if (o.output.wants(name)) request.stages.push_back(stage);
  return request;
}

std::string name_of(Stage stage) {
  return std::find_if(stages.begin(), stages.end(), [&](const auto& named) { return named.second == stage; })->first;
}

/// Keys and values that stay in their files, if not all fit --max-memory and they can be read in blocks.
std::optional<attn::StoredDatabase> in_blocks(const Problem& problem, const attn::AttendRequest& request,
                                              const attn::Execution& execution) {
  std::optional<attn::StoredDatabase> database = problem.stored();
  if (!database || !attn::can_attend_stored(problem.in, problem.parameters, request, execution)) return std::nullopt;
  database->block_keys = attn::keys_within(problem.in, problem.parameters, attn::Execution::memory_left());
  return database->block_keys > 0 ? database : std::nullopt;
}

// The tasks: each computes and writes.
void pool(const Options& options, Problem problem, cli::Session& session) {
  const attn::Execution& execution = session.execution();
  const attn::AttendRequest request = request_of(options, problem.in.query, session);
  const std::optional<attn::StoredDatabase> database = in_blocks(problem, request, execution);
  if (!database) read_database(problem, options, session);
  const auto& [in, parameters, key, value, rows] = problem;
  attn::AttendResult result;
  if (database) {
    session.report.detail("keys and values are read " + std::to_string(database->block_keys) + " at a time");
    result = attn::attend_stored(in, *database, parameters, request, execution);
  } else {
    result = attn::attend(in, parameters, request, execution);
  }
  std::vector<cli::Result> results{{"", result.output}};
  for (std::size_t i = 0; i < result.stages.size(); ++i)
    results.push_back({name_of(request.stages[i]), {}, {}, result.stages[i]});
  if (result.lse) results.push_back({"lse", *result.lse});
  if (result.top_weights) results.push_back({"topk", *result.top_weights});
  if (result.top_keys) results.push_back({"topk-keys", *result.top_keys});
  if (options.output.wants("keys")) results.push_back({"keys", *result.keys});
  if (options.output.wants("values")) results.push_back({"values", *result.values});
  cli::note_empty_rows(result, parameters.empty, session.report);
  if (rows == nullptr) return session.write(options.output, results);
  rows->write(std::move(results), in, parameters, database);
}

void write_gradients(const Options& options, const Problem& problem, cli::Session& session) {
  cli::Gradients& gradients = session.gradients;
  const attn::AttendCotangents dy{gradients.cotangent(), gradients.cotangent("weights"), gradients.cotangent("lse")};
  const attn::AttendGradients d = attn::attend_vjp(problem.in, problem.parameters, dy, session.execution());
  std::vector<cli::Gradient> all{{"dq", d.inputs.query}, {"dk", d.inputs.key}, {"dv", d.inputs.value}};
  if (d.inputs.past_key) all.push_back({"dpast_key", *d.inputs.past_key, "past-key"});
  if (d.inputs.past_value) all.push_back({"dpast_value", *d.inputs.past_value, "past-value"});
  cli::add_gradients(all, options.attention, session, d);
  gradients.write(options.output, all);
}

/// A query needs no other query, and a sequence of a batch no other sequence.
std::optional<cli::RowRule> by_rows(const Options& o, std::size_t rank) {
  const cli::AttentionOptions& a = o.attention;
  if (!o.query.given() || !o.key.given() || !o.value.given() || o.past_key.given() || o.shard || o.explain ||
      !a.has_rows())
    return std::nullopt;
  if (rank == 2) return cli::RowRule{1, {&a.mask, &a.bias}, &a.valid_lens, {&o.key, &o.value}};
  if (rank == 4 && a.parameters.layout != attn::Layout::length_batch)
    return cli::RowRule{3, {&o.key, &o.value, &a.mask, &a.bias}, &a.valid_lens};
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
  o.query.keeps_dates = o.key.keeps_dates = [&p] { return p.normalize == attn::Normalize::hard; };
  o.value.keeps_dates = [&o] { return o.key.keeps_dates() || prints_lines(o); };
  command.input("-q,--query", o.query, "queries (B, H, L, d), (B, L, d) or (L, d)");
  command.input("-k,--key", o.key, "keys (B, H_kv, S, d), (B, S, d) or (S, d)");
  command.input(
      "-v,--value", o.value,
      "values (B, H_kv, S, d_v), (B, S, d_v) or (S, d_v); with --emit topk=K alone also lines of text, or none");
  command.option("--heads", p.heads, "N: number of heads in packed tensors, (B, L, N * d)");
  command.option("--kv-heads", p.kv_heads, "N: number of heads in packed keys and values (default --heads)");
  command.option("--layout", p.layout, cli::layouts(),
                 "axes: (B, L, d), (H, L, d), (B, L, H, d) and (L, H, d), or (L, B, d), in this order");
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
    if (prints_lines(o) && !o.output.json) return ResultKind::text;
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
  const Task task = task_of(o, session);
  Problem problem = read_problem(task, o, session);
  if (problem.is_text()) return look_up(o, problem.in, session);
  switch (task) {
    case Task::pool: return pool(o, std::move(problem), session);
    case Task::gradients: return write_gradients(o, problem, session);
    case Task::explanation:
      return session.results.print(attn::explain(problem.in, problem.parameters, parse_index(*o.explain)));
    case Task::state: return write_state(o, problem, session);
    case Task::search: return search(o, std::move(problem), session);
    case Task::search_state: return write_search_state(o, problem, session);
  }
}

}  // namespace
}  // namespace attend_tool

ATTN_TOOL("attend", "attention pooling: score, mask, normalise, pool", attend_tool::Options, attend_tool::declare,
          attend_tool::run)
