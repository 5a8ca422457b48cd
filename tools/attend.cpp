// attend: attention pooling over a database of keys and values.

#include "attend/part.hpp"
#include "attend/sources.hpp"
#include "cli/numbers.hpp"
#include "cli/results.hpp"
#include "cli/results/head_attributes.hpp"
#include "cli/tool.hpp"

#include <attn/attention/explain.hpp>

#include <algorithm>

namespace {

using attend_tool::Options;
using attend_tool::source_of;
using attend_tool::stored;
using attend_tool::unread;
using attn::DType;

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

/// The files of keys and values, if they may be read in blocks.
struct Located {
  std::optional<attn::StoredTensor> key, value;
  explicit operator bool() const noexcept { return key && value; }
};

Located locate(const Options& o, cli::Session& session) {
  if (o.past_key.given() || o.past_value.given() || o.explain || session.gradients.wanted()) return {};
  return {stored(o.key, o, session.inputs), stored(o.value, o, session.inputs)};
}

/// The layout of the queries, whose heads may be an axis by an attribute of theirs.
attn::Layout layout_of(const Options& o, std::size_t rank, cli::Session& session) {
  const attn::AttendParameters& p = o.attention.parameters;
  if (rank != 3 || session.was_given("--layout") || !cli::are_handed_heads_first(source_of(o.query, o), session.inputs))
    return p.layout;
  if (p.heads || p.kv_heads)
    throw attn::Error(attn::ErrorKind::usage, p.heads ? "--heads" : "--kv-heads",
                      "is for packed tensors, but by the attribute heads_layout of the queries, heads are an axis",
                      "leave it out");
  return attn::Layout::heads_first;
}

void run(const Options& o, cli::Session& session) {
  if (o.shard || o.output.wants("state")) session.inputs.keep_record({"--key", "--value"});
  if (attend_tool::searches(o)) return attend_tool::search(o, session);
  const bool is_state = o.output.wants("state");
  std::optional<attend_tool::QueryRows> rows;
  if (o.shard && !is_state) {
    const std::size_t rank = session.inputs.shape(source_of(o.query, o)).size();
    rows.emplace(o, layout_of(o, rank, session), session);
  }
  const Located located = locate(o, session);
  attn::AttendInputs in{rows ? rows->read_queries() : session.widened(session.read(source_of(o.query, o))),
                        located ? unread(*located.key) : session.read(source_of(o.key, o)),
                        located ? unread(*located.value) : session.read(source_of(o.value, o))};
  const auto is_text = [](const attn::TensorView* x) { return x->dtype == DType::string; };
  const auto tensors = {&in.query, &in.key, &in.value};
  const bool looks_up_text = std::any_of(tensors.begin(), tensors.end(), is_text);
  if (looks_up_text) return attend_tool::look_up(o, in, session);
  attn::AttendParameters parameters =
      cli::read_attention_options(rows ? rows->shared_options() : o.attention, session, in);
  if (!parameters.scale) parameters.scale = cli::handed_scale(source_of(o.query, o), session.inputs);
  parameters.layout = layout_of(o, in.query.rank(), session);
  if (is_state) {
    std::optional<attn::StoredDatabase> database;
    if (located) database = {*located.key, *located.value};
    if (!located) in.key = session.read(source_of(o.key, o)), in.value = session.read(source_of(o.value, o));
    return attend_tool::write_state(o, in, database, parameters, session);
  }
  in.past_key = session.read(o.past_key);
  in.past_value = session.read(o.past_value);
  if (rows) rows->read_masks(in, parameters);
  std::optional<attn::StoredDatabase> database;
  if (located) {
    if (const std::size_t keys = attend_tool::keys_at_a_time(o, in, parameters, session)) {
      database = attn::StoredDatabase{*located.key, *located.value, keys};
    } else {
      in.key = session.read(source_of(o.key, o));
      in.value = session.read(source_of(o.value, o));
    }
  }
  if (session.gradients.wanted()) return attend_tool::write_gradients(o, in, parameters, session);
  if (o.explain) return session.results.print(attn::explain(in, parameters, parse_index(*o.explain)));
  attend_tool::pool(o, in, database, parameters, rows ? &*rows : nullptr, session);
}

}  // namespace

ATTN_TOOL("attend", "attention pooling: score, mask, normalise, pool", Options, declare, run)
