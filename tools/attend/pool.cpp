#include "attend/part.hpp"

#include <attn/attention/attend.hpp>
#include <attn/attention/vjp.hpp>

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

}  // namespace

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

}  // namespace attend_tool
