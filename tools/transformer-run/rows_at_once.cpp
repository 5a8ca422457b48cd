#include "transformer-run/rows_at_once.hpp"

#include <attn/core/error.hpp>
#include <attn/core/execution.hpp>
#include <attn/transformer/stages.hpp>

#include <algorithm>

namespace transformer_run {
namespace {

/// Bytes of the weights in the form that products use.
double bytes_of_weights(const attn::OpenedModel& opened, attn::DType compute) {
  double bytes = 0;
  for (const attn::StageSummary& stage : summarize(opened.description, opened.weights))
    for (const attn::TensorInfo& tensor : stage.weights)
      bytes += static_cast<double>(attn::element_count(tensor.shape)) *
               static_cast<double>(std::min(element_size(compute), element_size(tensor.dtype)));
  return bytes;
}

/// Bytes of one sequence. A double, since products of user values can exceed 64 bits.
double bytes_of_row(const attn::ModelDescription& model, attn::DType compute,
                    const attn::GenerationParameters& generation, std::size_t length) {
  // Without a maximum the model ends the answer: count this many tokens for it.
  constexpr std::size_t likely_answer = 1024;
  const std::size_t prompt = model.encoder ? 1 : length;
  const std::size_t room = model.max_positions > prompt ? model.max_positions - prompt : 0;
  const std::size_t fresh = std::min(room, generation.max_new_tokens == 0 ? likely_answer : generation.max_new_tokens);
  const auto tokens = static_cast<double>(prompt + fresh), element = static_cast<double>(element_size(compute));
  const auto sequences = static_cast<double>(std::max(generation.beams, generation.num_return));
  const auto hidden = [&](const attn::StackDescription& stack) {
    return element * static_cast<double>(4 * model.width + std::max(stack.block.hidden_width, model.width));
  };
  double bytes = model.encoder ? static_cast<double>(length) * hidden(*model.encoder) : 0;
  if (!model.decoder) return bytes;
  bytes += sequences * tokens * static_cast<double>(cache_bytes(model, compute));
  bytes += sequences * static_cast<double>(prompt) * hidden(*model.decoder);
  if (model.head) {
    const double searched = generation.beams > 1 ? sequences : 1;  // rows of scores that a step searches together
    bytes += static_cast<double>(model.head->outputs) * (sequences * element + searched * sizeof(double));
  }
  return bytes;
}

}  // namespace

std::size_t rows_at_once(const attn::OpenedModel& opened, attn::DType compute,
                         const attn::GenerationParameters& generation, std::size_t length) {
  const double weights = bytes_of_weights(opened, compute);
  const double row = std::max(bytes_of_row(opened.description, compute, generation, length), 1.0);
  constexpr double largest = 9e18;  // above it, bytes do not fit std::size_t
  const double needed = std::min(weights + row, largest), left = static_cast<double>(attn::Execution::memory_left());
  if (needed > left)
    throw attn::Error(attn::ErrorKind::memory, opened.folder.path(),
                      "needs about " + std::to_string(static_cast<std::size_t>(needed)) + " bytes of memory, " +
                          std::to_string(attn::Execution::memory_left()) + " are left",
                      opened.description.task == attn::Task::generate && weights < left
                          ? "fewer --beams, --num-return or --max-new-tokens need less"
                          : "allow more");
  return static_cast<std::size_t>(std::min((left - weights) / row, 1e9));
}

std::size_t likely_length(const attn::OpenedModel& opened) {
  constexpr std::size_t most = 4096;
  return std::min(opened.description.max_positions, most);
}

}  // namespace transformer_run
