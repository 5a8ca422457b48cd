// transformer-run: runs a whole model, from text to text or from ids to tensors, or some of its stages.

#include "cli/results/json.hpp"
#include "cli/tool.hpp"
#include "transformer-run/runs.hpp"

#include <attn/transformer/stages.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace transformer_run {
namespace {

std::string row(const std::string& name, const std::string& shape, const std::string& parameters,
                const std::string& flops) {
  char line[256];
  std::snprintf(line, sizeof line, "%-58s %-16s %12s %14s", name.c_str(), shape.c_str(), parameters.c_str(),
                flops.c_str());
  std::string text = line;
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

/// One line for each stage, with its parameters and FLOPs per token, its tensors below it, and totals at the end.
std::vector<std::string> list_model(const attn::ModelDescription& model, const attn::Weights& weights) {
  std::vector<std::string> lines{row("stage", "shape", "parameters", "FLOPs/token")};
  std::size_t parameters = 0, bytes = 0, flops = 0;
  for (const attn::StageSummary& stage : summarize(model, weights)) {
    lines.push_back(row(stage.name, "", std::to_string(stage.parameters), std::to_string(stage.flops)));
    for (const attn::TensorInfo& tensor : stage.weights) {
      lines.push_back(
          row("  " + tensor.name + " " + std::string(name_of(tensor.dtype)), attn::to_string(tensor.shape), "", ""));
      bytes += attn::element_count(tensor.shape) * attn::element_size(tensor.dtype);
    }
    parameters += stage.parameters;
    flops += stage.flops;
  }
  lines.push_back(row("total", "", std::to_string(parameters), std::to_string(flops)));
  lines.push_back("weights: " + std::to_string(bytes) + " bytes");
  for (const auto* stack : {&model.encoder, &model.decoder})
    if (*stack)
      lines.push_back("attention, " + (*stack)->name + ": " + std::to_string(attention_flops(**stack)) +
                      " FLOPs for each pair of a query and a key");
  if (model.decoder && !model.decoder->two_streams)
    lines.push_back("key-value cache: " + std::to_string(cache_bytes(model, weights.compute_dtype())) +
                    " bytes for each token of the decoder");
  const std::string usually = model.decoder ? ", generation ends at " + std::to_string(model.window()) : "";
  lines.push_back("positions: " +
                  (model.usual_positions > 0 ? "no limit" + usually : std::to_string(model.max_positions)));
  return lines;
}

/// The same as JSON: an object for each stage, and one for the whole.
std::vector<cli::Json> list_model_as_json(const attn::ModelDescription& model, const attn::Weights& weights) {
  std::vector<cli::Json> lines;
  std::size_t parameters = 0, bytes = 0, flops = 0;
  for (const attn::StageSummary& stage : summarize(model, weights)) {
    cli::Json tensors = cli::Json::array();
    for (const attn::TensorInfo& tensor : stage.weights) {
      tensors.push_back({{"name", tensor.name}, {"shape", tensor.shape}, {"dtype", name_of(tensor.dtype)}});
      bytes += attn::element_count(tensor.shape) * attn::element_size(tensor.dtype);
    }
    lines.push_back({{"stage", stage.name},
                     {"parameters", stage.parameters},
                     {"flops_per_token", stage.flops},
                     {"weights", std::move(tensors)}});
    parameters += stage.parameters;
    flops += stage.flops;
  }
  cli::Json total{{"stage", "total"}, {"parameters", parameters}, {"flops_per_token", flops}, {"bytes", bytes}};
  for (const auto* stack : {&model.encoder, &model.decoder})
    if (*stack) total["attention_flops_" + (*stack)->name] = attention_flops(**stack);
  if (model.decoder && !model.decoder->two_streams)
    total["cache_bytes_per_token"] = cache_bytes(model, weights.compute_dtype());
  total["positions"] = model.usual_positions > 0 ? cli::Json() : cli::Json(model.max_positions);
  lines.push_back(std::move(total));
  return lines;
}

void run_model(const Options& options, const attn::OpenedModel& opened, cli::Session& session) {
  Traced traced(options, session.execution());
  check_task(options, opened, session);
  if (opened.description.task != attn::Task::score_tokens)  // which reads windows
    cli::note_positions(options.max_length, opened.description.max_positions, session.report);
  const bool makes_rows = options.wants_tensors() && makes_vectors_of_lines(options, opened);
  if ((options.resume || options.shard) && !makes_rows && (options.wants_tensors() || opened.sees()))
    throw attn::Error(attn::ErrorKind::usage, options.resume ? "--resume" : "--shard",
                      "is for lines of text, with lines or vectors as the result");
  if (makes_rows)
    run_vectors(options, opened, traced, session);
  else if (options.wants_tensors())
    run_tensors(options, opened, traced, session);
  else if (opened.sees())
    run_pictures(options, opened, traced, session);
  else if (opened.description.task == attn::Task::score_tokens)
    run_scores(options, opened, traced, session);
  else if (opened.description.task != attn::Task::generate)
    run_task(options, opened, traced, session);
  else
    run_text(options, opened, traced, session);
}

/// The models that run, a line for each task of a family.
void list_families(bool as_json, cli::ResultWriter& results) {
  char line[256];
  if (!as_json) results.print("model_type         task                      architecture");
  for (const attn::FamilyTask& each : attn::family_tasks()) {
    std::snprintf(line, sizeof line,
                  as_json ? R"({"model_type": "%s", "task": "%s", "architecture": "%s"})" : "%-18s %-25s %s",
                  each.model_type.c_str(), each.task.c_str(),
                  each.architecture.empty() && !as_json ? "-" : each.architecture.c_str());
    results.print(line);
  }
}

void run(const Options& options, cli::Session& session) {
  if (options.list_families) return list_families(options.output.json, session.results);
  check(options, session);
  if (options.encoder.given()) {
    attn::TorchLayers layers = open_layers(options, session);
    if (options.list) {
      for (const std::string& line : list_model(layers.description, attn::Weights(layers.weights)))
        session.results.print(line);
      return;
    }
    Traced traced(options, session.execution());
    return run_layers(options, layers, traced, session);
  }
  attn::OpenedModel opened(options.model, options.task);
  const bool some_stages = !options.to.empty() || options.replay.given();
  if (opened.description.task == attn::Task::generate && !options.decoder_ids.given() && !some_stages && !options.list)
    opened.read_generation();
  if (!options.list) return run_model(options, opened, session);
  if (options.output.json)
    for (const cli::Json& line : list_model_as_json(opened.description, opened.weights))
      session.results.print_text(cli::json_line(line));
  else
    for (const std::string& line : list_model(opened.description, opened.weights)) session.results.print(line);
}

}  // namespace
}  // namespace transformer_run

ATTN_TOOL("transformer-run", "run a whole model: text to text, or ids to hidden states and logits",
          transformer_run::Options, transformer_run::declare, transformer_run::run)
