#include "attend/options.hpp"
#include "cli/plans.hpp"

#include <attn/attention/attend_stored.hpp>
#include <attn/attention/problem.hpp>

#include <algorithm>

namespace attend_tool {

using attn::DType;
using attn::Stage;

namespace {

const std::vector<std::pair<std::string, Stage>> stages{{"weights", Stage::weights},
                                                        {"scores", Stage::scores},
                                                        {"scores-softcap", Stage::scores_softcap},
                                                        {"scores-masked", Stage::scores_masked}};

attn::AttendRequest request_of(const Options& o, const attn::TensorView& query, const cli::Session& session) {
  attn::AttendRequest request;
  // What is written in a wider type than the query's is not rounded to that first.
  const auto dtype = session.dtype();
  if (dtype && attn::is_floating(*dtype) && attn::element_size(*dtype) >= attn::element_size(query.dtype))
    request.dtype = dtype;
  request.lse = cli::Session::wants(o.output, "lse");
  request.top = cli::Session::emitted_number(o.output, "topk");
  request.keys = cli::Session::wants(o.output, "keys") || cli::Session::wants(o.output, "values");
  for (const auto& [name, stage] : stages)
    if (cli::Session::wants(o.output, name)) request.stages.push_back(stage);
  return request;
}

std::string name_of(Stage stage) {
  return std::find_if(stages.begin(), stages.end(), [&](const auto& named) { return named.second == stage; })->first;
}

/// What will be written and computed, before anything is.
cli::Plan plan_of(const attn::AttendInputs& in, const attn::AttendParameters& p, const attn::AttendRequest& request) {
  cli::Plan plan = cli::attention_plan(in, p);
  const DType dtype = plan.results.front().dtype;
  const auto rows = [&](std::size_t width) { return attn::rows_like_query(in.query, width, p.layout, p.heads); };
  for (const Stage stage : request.stages)
    plan.streamed.push_back({name_of(stage), dtype, rows(attn::attention_sizes(in, p).keys)});
  if (request.lse) {
    plan.results.push_back({"lse", dtype, rows(1)});
    plan.results.back().shape.pop_back();
  }
  if (request.top > 0) {
    plan.results.push_back({"topk", dtype, rows(request.top)});
    plan.results.push_back({"topk-keys", DType::i64, rows(request.top)});
  }
  return plan;
}

std::size_t bytes_read(const attn::AttendInputs& in) {
  std::size_t total = in.query.bytes() + in.key.bytes() + in.value.bytes();
  for (const auto* x : {&in.mask, &in.bias, &in.valid_lens, &in.past_key, &in.past_value})
    if (*x) total += (*x)->bytes();
  return total;
}

/// What is held beside blocks of keys and values: the queries and what they found so far.
std::size_t bytes_beside_blocks(const attn::AttendInputs& in, const attn::AttentionSizes& sizes) {
  return bytes_read(in) - in.key.bytes() - in.value.bytes() +
         sizes.batch * sizes.heads * sizes.queries * sizes.value_width * 8;
}

}  // namespace

bool reads_in_blocks(const Options& options, const attn::AttendInputs& in, const attn::AttendParameters& parameters,
                     cli::Session& session) {
  const attn::AttendRequest request = request_of(options, in.query, session);
  if (session.max_memory() == 0 || in.key.rank() == 0 || in.value.rank() == 0 ||
      !attn::can_attend_stored(in, parameters, request, session.execution()))
    return false;
  cli::Plan plan = plan_of(in, parameters, request);
  plan.memory += bytes_read(in) + attn::bytes_made_anew(in, parameters, request, session.execution());
  if (session.memory_to_come(plan) <= session.max_memory()) return false;
  // Blocks have a least size: of few keys they need more than all keys do.
  const attn::AttentionSizes sizes = attn::attention_sizes(in, parameters);
  const std::size_t smallest = attn::block_keys_within(sizes, in.key.dtype, 0);
  return bytes_beside_blocks(in, sizes) + attn::memory_of_blocks(sizes, in.key.dtype, smallest) < plan.memory;
}

void pool_stored(const Options& options, const attn::AttendInputs& in, const attn::StoredTensor& key,
                 const attn::StoredTensor& value, const attn::AttendParameters& parameters, cli::Session& session) {
  const attn::AttendRequest request = request_of(options, in.query, session);
  const attn::AttentionSizes sizes = attn::attention_sizes(in, parameters);
  const std::size_t held = bytes_beside_blocks(in, sizes);
  const std::size_t left = session.max_memory() > held ? session.max_memory() - held : 0;
  const std::size_t block = attn::block_keys_within(sizes, in.key.dtype, left);
  session.detail("keys and values are read " + std::to_string(block) + " at a time");
  cli::Plan plan = plan_of(in, parameters, request);
  plan.memory = attn::memory_of_blocks(sizes, in.key.dtype, block);
  if (session.is_dry_run()) attn::expect_attention(in, parameters, request);
  session.plan(plan);
  const attn::AttendResult result =
      attn::attend_stored(in, {key, value, block}, parameters, request, session.execution());
  std::vector<cli::Result> results{{"", result.output}};
  if (result.lse) results.push_back({"lse", *result.lse});
  cli::note_empty_rows(result, parameters.empty, session);
  session.write(options.output, results);
}

void pool(const Options& options, const attn::AttendInputs& in, const attn::AttendParameters& parameters,
          cli::Session& session) {
  const attn::AttendRequest request = request_of(options, in.query, session);
  cli::Plan plan = plan_of(in, parameters, request);
  plan.memory += attn::bytes_made_anew(in, parameters, request, session.execution());
  if (session.is_dry_run()) attn::expect_attention(in, parameters, request);
  const attn::AttentionSizes n = attn::attention_sizes(in, parameters);
  for (const auto& [name, width] : {std::pair{"keys", n.key_width}, std::pair{"values", n.value_width}}) {
    attn::Shape shape{n.batch, n.kv_heads, n.keys, width};
    if (parameters.layout == attn::Layout::batch_length_heads) std::swap(shape[1], shape[2]);
    if (cli::Session::wants(options.output, name)) plan.ready.push_back({name, attn::attention_dtype(in), shape});
  }
  session.plan(plan);
  const attn::AttendStreams streams = attn::attend_streamed(in, parameters, request, session.execution());
  const attn::AttendResult& result = streams.result;
  std::vector<cli::Result> results{{"", result.output}};
  for (std::size_t i = 0; i < streams.stages.size(); ++i)
    results.push_back({name_of(request.stages[i]), {}, {}, streams.stages[i]});
  if (result.lse) results.push_back({"lse", *result.lse});
  if (result.top_weights) results.push_back({"topk", *result.top_weights});
  if (result.top_keys) results.push_back({"topk-keys", *result.top_keys});
  if (cli::Session::wants(options.output, "keys")) results.push_back({"keys", *result.keys});
  if (cli::Session::wants(options.output, "values")) results.push_back({"values", *result.values});
  cli::note_empty_rows(result, parameters.empty, session);
  session.write(options.output, results);
}

}  // namespace attend_tool
