#include "transformer-run/plan.hpp"

#include <attn/transformer/stages.hpp>

#include <algorithm>

namespace transformer_run {

void plan(const OpenedModel& opened, attn::DType compute, const attn::GenerationParameters& generation,
          std::size_t rows, std::size_t length, cli::Session& session) {
  const attn::ModelDescription& model = opened.description;
  const std::size_t most = model.max_positions;
  const std::size_t tokens = generation.max_new_tokens == 0 ? most : std::min(most, generation.max_new_tokens);
  const std::size_t sequences = rows * std::max(generation.beams, generation.num_return);
  cli::Plan plan;
  std::size_t widest = model.width;
  for (const attn::StageSummary& stage : summarize(model, attn::Weights(*opened.weights))) {
    const bool in_encoder = stage.name.rfind("encoder/", 0) == 0;
    plan.flops +=
        static_cast<double>(stage.flops) * static_cast<double>(in_encoder ? rows * length : sequences * tokens);
    plan.memory += stage.parameters * element_size(compute);  // as the products want them packed
  }
  if (model.encoder) {
    plan.flops += static_cast<double>(attention_flops(*model.encoder)) * static_cast<double>(rows * length * length);
    widest = std::max(widest, model.encoder->block.hidden_width);
  }
  if (model.decoder)
    plan.flops += static_cast<double>(attention_flops(*model.decoder)) / 2 *
                  static_cast<double>(sequences * tokens * (tokens / 2 + length));
  plan.memory += sequences * tokens * cache_bytes(model, compute);
  plan.memory += rows * length * (4 * model.width + widest) * element_size(compute);
  session.plan(plan);
}

}  // namespace transformer_run
