#include "transformer-run/listing.hpp"

#include <cstdio>

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

}  // namespace

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

}  // namespace transformer_run
