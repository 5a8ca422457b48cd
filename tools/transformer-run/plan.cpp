#include "transformer-run/plan.hpp"

#include "cli/result_writer.hpp"
#include "transformer-run/lines.hpp"
#include "transformer-run/text_rules.hpp"

#include <attn/transformer/stages.hpp>

#include <algorithm>

namespace transformer_run {
namespace {

/// Numbers of tokens and sequences: in floating point, as products of what a user may ask for exceed 64 bits.
struct Sizes {
  double tokens;     ///< that a decoder sees of one sequence, prompt and answer
  double sequences;  ///< that one row becomes
  double length;     ///< of the row itself
};

/// Where no maximum is asked for, an answer ends where the model ends it: so many tokens are counted for it.
constexpr std::size_t likely_answer = 1024;

Sizes sizes_of(const attn::ModelDescription& model, const attn::GenerationParameters& generation,
               const BatchSize& batch) {
  const auto length = static_cast<double>(batch.length);
  if (batch.decoded > 0) return {static_cast<double>(batch.decoded), 1, length};
  const std::size_t most = model.max_positions, prompt = model.encoder ? 1 : batch.length;
  const std::size_t room = most > prompt ? most - prompt : 0;
  const std::size_t fresh = std::min(room, generation.max_new_tokens == 0 ? likely_answer : generation.max_new_tokens);
  return {static_cast<double>(prompt + fresh), static_cast<double>(std::max(generation.beams, generation.num_return)),
          length};
}

/// Hidden states and attention maps, as states of their stack say; nothing where those have a shape of their own.
std::optional<attn::TensorInfo> planned_capture(const attn::Captured& captured, const attn::ModelDescription& model,
                                                const Options& options, const attn::TensorInfo& encoder,
                                                const attn::TensorInfo& decoder) {
  using Kind = attn::Captured::Kind;
  attn::TensorInfo info = captured.in_encoder ? encoder : decoder;
  const attn::BlockDescription& block = (captured.in_encoder ? model.encoder : model.decoder)->block;
  if (block.time_attention || options.target_mapping.given() || options.memories.given()) return std::nullopt;
  if (captured.kind == Kind::states) return info;
  const std::size_t heads = captured.chosen.empty() ? captured.heads : captured.chosen.size();
  const std::size_t keys = (captured.kind == Kind::cross_attention ? encoder : info).shape[1];
  info.shape = {info.shape[0], heads, info.shape[1], keys};
  return info;
}

}  // namespace

std::size_t MemoryNeeds::rows_within(std::size_t bytes) const {
  const double rows = (static_cast<double>(bytes) - weights) / std::max(row, 1.0);
  return static_cast<std::size_t>(std::clamp(rows, 1.0, 1e9));
}

MemoryNeeds memory_needs(const OpenedModel& opened, attn::DType compute, const attn::GenerationParameters& generation,
                         const BatchSize& batch) {
  const attn::ModelDescription& model = opened.description;
  const Sizes n = sizes_of(model, generation, batch);
  const auto element = static_cast<double>(element_size(compute));
  MemoryNeeds needs{0, 0};
  for (const attn::StageSummary& stage : summarize(model, opened.weights))
    for (const attn::TensorInfo& tensor : stage.weights)
      needs.weights += static_cast<double>(attn::element_count(tensor.shape)) *
                       std::min(element, static_cast<double>(element_size(tensor.dtype)));
  const auto width = static_cast<double>(model.width);
  const auto widest = [&](const std::optional<attn::StackDescription>& stack) {
    return 4 * width + static_cast<double>(stack ? std::max(stack->block.hidden_width, model.width) : 0);
  };
  if (model.encoder) needs.row += n.length * widest(model.encoder) * element;
  if (!model.decoder) return needs;
  needs.row += n.sequences * n.tokens * static_cast<double>(cache_bytes(model, compute));
  const double at_once = batch.decoded > 0 ? n.tokens : model.encoder ? 1 : n.length;
  needs.row += n.sequences * at_once * widest(model.decoder) * element;
  if (model.head) {
    const double kept = batch.all_logits ? n.sequences * n.tokens : n.sequences;
    const double searched = generation.beams > 1 ? n.sequences : 1;  // rows of scores that are looked at together
    needs.row += static_cast<double>(model.head->outputs) * (kept * element + searched * sizeof(double));
  }
  return needs;
}

void plan(const OpenedModel& opened, attn::DType compute, const attn::GenerationParameters& generation,
          const BatchSize& batch, cli::Session& session, const PlannedResults& planned) {
  const attn::ModelDescription& model = opened.description;
  const Sizes n = sizes_of(model, generation, batch);
  const auto rows = static_cast<double>(batch.rows);
  cli::Plan plan;
  for (const attn::StageSummary& stage : summarize(model, opened.weights)) {
    const bool in_encoder = stage.name.rfind("encoder/", 0) == 0;
    plan.flops += static_cast<double>(stage.flops) * rows * (in_encoder ? n.length : n.sequences * n.tokens);
  }
  if (model.encoder) plan.flops += static_cast<double>(attention_flops(*model.encoder)) * rows * n.length * n.length;
  if (model.decoder)
    plan.flops += static_cast<double>(attention_flops(*model.decoder)) / 2 * rows * n.sequences * n.tokens *
                  (n.tokens / 2 + n.length);
  constexpr double largest = 9e18;  // beyond it a number of bytes is no std::size_t
  const MemoryNeeds needs = memory_needs(opened, compute, generation, batch);
  double kept = 0;
  for (auto info = planned.results.end() - static_cast<std::ptrdiff_t>(planned.captured); info != planned.results.end();
       ++info)
    kept += static_cast<double>(attn::element_count(info->shape) * element_size(compute));
  plan.memory = static_cast<std::size_t>(std::min(largest, needs.weights + rows * needs.row + kept));
  if (needs.weights > static_cast<double>(memory_left()))
    plan.fix = "the weights alone are " + std::to_string(static_cast<std::size_t>(needs.weights)) + "; allow more";
  else if (model.task == attn::Task::generate)
    plan.fix = "fewer --beams, --num-return or --max-new-tokens need less";
  else if (batch.rows > 1)
    plan.fix = "fewer rows need less";
  plan.ready = planned.results;
  session.plan(plan);
}

PlannedResults planned_results(const OpenedModel& opened, attn::DType compute,
                               const attn::GenerationParameters& generation, const BatchSize& batch,
                               const Options& options, const std::vector<attn::Captured>& captured) {
  const attn::ModelDescription& model = opened.description;
  const bool is_given = batch.decoded > 0, generates = model.decoder && !is_given && model.task == attn::Task::generate;
  const std::size_t rows = batch.rows * (generates ? generation.num_return : 1);
  const auto most = static_cast<std::size_t>(sizes_of(model, generation, batch).tokens);
  const std::size_t decoded = is_given ? batch.decoded : generates ? most : batch.length;
  const auto vectors = [&](std::size_t count, std::size_t tokens, std::size_t width) {
    return attn::TensorInfo{"", compute, {count, tokens, width}};
  };
  const attn::TensorInfo ids{"", attn::DType::i64, {rows, decoded}};
  const auto encoder = vectors(batch.rows, batch.length, model.width);
  const auto decoder = vectors(rows, generates ? decoded - 1 : decoded, model.width);
  attn::TensorInfo head = model.decoder ? decoder : encoder;
  if (model.head) head.shape.back() = model.head->outputs > 0 ? model.head->outputs : model.width;
  if (model.head && model.head->over != attn::HeadDescription::Over::every_token)
    head.shape = {head.shape.front(), head.shape.back()};
  if (model.head && model.head->search) {
    const auto& [starts, ends] = std::pair(model.head->search->starts, model.head->search->ends);
    head.shape = {head.shape[0], std::min(starts, batch.length) * std::min(ends, batch.length), 4};
  }
  const bool pools = opened.pools();
  const attn::TensorInfo pooled{"", compute, {batch.rows, model.width}};

  PlannedResults planned;
  std::vector<attn::TensorInfo>& results = planned.results;
  const auto add = [&](const std::string& name, attn::TensorInfo info) {
    info.name = name;
    results.push_back(std::move(info));
  };
  add(cli::result_name(options.output), generates                        ? ids
                                        : model.head && !pools           ? head
                                        : wants_vectors(options, opened) ? pooled
                                        : model.decoder                  ? decoder
                                                                         : encoder);
  const std::pair<const char*, attn::TensorInfo> others[] = {
      {"ids", ids},         {"scores", {"", attn::DType::f64, {rows}}},
      {"encoder", encoder}, {"decoder", decoder},
      {"logits", head},     {"pooler_output", head},
      {"pooled", pooled}};
  for (const auto& [name, info] : others)
    if (options.emits(name)) add(name, info);
  const std::size_t others_end = results.size();
  for (const attn::Captured& each : captured)
    if (const auto info = planned_capture(each, model, options, encoder, decoder)) add(each.dataset, *info);
  planned.captured = results.size() - others_end;
  return planned;
}

}  // namespace transformer_run
