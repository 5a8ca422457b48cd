// attend: attention pooling over a database of keys and values.

#include "cli/attention_options.hpp"
#include "cli/numbers.hpp"
#include "cli/plans.hpp"
#include "cli/tool.hpp"

#include <attn/attention/explain.hpp>
#include <attn/attention/lookup.hpp>

namespace {

using attn::DType;
using attn::Stage;

struct Options {
  cli::Input input{"q"};
  cli::OptionalInput query{"q"}, key{"k"}, value{"v"}, past_key{"past_key"}, past_value{"past_value"};
  cli::AttentionOptions attention;
  bool nearest = false;
  std::optional<std::string> explain;
  cli::Output output;
};

const std::vector<std::pair<std::string, Stage>> stages{{"weights", Stage::weights},
                                                        {"scores", Stage::scores},
                                                        {"scores-softcap", Stage::scores_softcap},
                                                        {"scores-masked", Stage::scores_masked}};

void declare(cli::Command& command, Options& o) {
  attn::AttendParameters& p = o.attention.parameters;
  command.example("posenc --length 30 --dim 16 | attend --causal --emit weights -o y.h5");
  command.example("attend --score gaussian --bandwidth 2 -q linspace=0,60,7 -k mcycle.csv:/times -v mcycle.csv:/accel");
  command.example("attend --normalize hard -q str=Smith -k names.csv:/last -v names.csv:/first");
  command.input(o.input, "what q, k and v are read from where -q, -k and -v name nothing else");
  command.group("Queries, keys, values");
  command.input("-q,--query", o.query, "queries (B, H, L, d), (B, L, d) or (L, d)");
  command.input("-k,--key", o.key, "keys (B, H_kv, S, d), (B, S, d) or (S, d)");
  command.input("-v,--value", o.value, "values (B, H_kv, S, d_v), (B, S, d_v) or (S, d_v)");
  command.option("--heads", p.heads, "N: tensors of 2 or 3 axes are packed, (B, L, N * d)");
  command.option("--kv-heads", p.kv_heads, "N: heads of packed keys and values, where they are fewer");
  command.option("--layout", p.layout,
                 cli::Choices<attn::Layout>{{"batch-first", attn::Layout::batch_first},
                                            {"heads-first", attn::Layout::heads_first}},
                 "what the first of 3 axes is, when they are not packed");
  command.input("--past-key", o.past_key, "keys to put in front, (B, H_kv, P, d)");
  command.input("--past-value", o.past_value, "their values, (B, H_kv, P, d_v)");
  cli::add_attention_options(command, o.attention);
  command.flag("--nearest", o.nearest, "a look-up of text that finds no equal key takes the nearest one");
  command.option("--explain", o.explain, "INDEX: work one query out on paper, as in 0,1,5, instead of writing results");
  o.output.known_emits = {"weights", "scores", "scores-softcap", "scores-masked", "lse", "topk=K", "keys", "values"};
  command.output(o.output);
}

/// -q, -k or -v as given, else INPUT, else standard input, which is not touched where any operand was given.
cli::Input source_of(const cli::OptionalInput& input, const Options& o) {
  const bool any = o.query.given() || o.key.given() || o.value.given();
  cli::Input source = input;
  if (!input.given() && !(any && o.input.text.empty())) source.text = o.input.text.empty() ? "-" : o.input.text;
  return source;
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

/// A database query: the values of the keys that equal the queries, or come nearest to them.
void look_up(const Options& o, const attn::AttendInputs& in, const attn::AttendParameters& parameters,
             cli::Session& session) {
  if (parameters.normalize != attn::Normalize::hard)
    throw attn::Error(attn::ErrorKind::usage, in.value.name, "is text, which cannot be added up",
                      "use --normalize hard");
  const bool text_keys = in.query.dtype == DType::string || in.key.dtype == DType::string;
  std::vector<std::optional<std::size_t>> rows;
  if (!o.nearest)
    rows = attn::find_exact(in.query, in.key);
  else if (text_keys)
    rows = attn::find_nearest_text(in.query, in.key);
  else
    rows = attn::find_best(in, parameters, session.execution());
  for (const auto& row : rows)
    if (!row) session.say_no();
  const attn::TensorView found = attn::take_rows(in.value, rows);
  if (found.dtype != DType::string || o.output.text != "-") return session.write(o.output, found);
  const auto* cell = found.contiguous_data<std::string>();
  const std::size_t columns = found.rank() > 1 ? found.size() / std::max<std::size_t>(rows.size(), 1) : 1;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string line;
    for (std::size_t c = 0; c < columns; ++c) line += (c > 0 ? "," : "") + *cell++;
    session.print(line);
  }
}

void run(const Options& o, cli::Session& session) {
  attn::AttendInputs in{session.read(source_of(o.query, o)), session.read(source_of(o.key, o)),
                        session.read(source_of(o.value, o))};
  const attn::AttendParameters parameters = cli::read_attention_options(o.attention, session, in);
  in.past_key = session.read(o.past_key);
  in.past_value = session.read(o.past_value);
  for (const attn::TensorView* x : {&in.query, &in.key, &in.value})
    if (x->dtype == DType::string) return look_up(o, in, parameters, session);
  if (o.explain) return session.print(attn::explain(in, parameters, parse_index(*o.explain)));

  session.plan(cli::attention_plan(in, parameters, session.execution()));
  attn::AttendRequest request;
  request.lse = session.wants(o.output, "lse");
  request.top = session.emitted_number(o.output, "topk");
  std::vector<cli::Result> results(1);
  for (const auto& [name, stage] : stages) {
    if (!session.wants(o.output, name)) continue;
    request.stages.push_back(stage);
    results.push_back({name, {}});
  }
  const attn::AttendStreams streams =
      attn::attend_streamed(in, parameters, request, session.execution(), session.dtype());
  const attn::AttendResult& result = streams.result;
  results.front().tensor = result.output;
  for (std::size_t i = 0; i < streams.stages.size(); ++i) results[i + 1].producer = streams.stages[i];
  if (result.lse) results.push_back({"lse", *result.lse});
  if (result.top_weights) results.push_back({"topk", *result.top_weights});
  if (result.top_keys) results.push_back({"topk-keys", *result.top_keys});
  if (session.wants(o.output, "keys")) results.push_back({"keys", result.keys});
  if (session.wants(o.output, "values")) results.push_back({"values", result.values});
  cli::note_empty_rows(result.empty_rows, parameters.empty, session);
  session.write(o.output, results);
}

}  // namespace

ATTN_TOOL("attend", "attention pooling: score, mask, normalise, pool", Options, declare, run)
