#include <attn/transformer/inference.hpp>

#include <attn/core/error.hpp>

#include <algorithm>

namespace attn {
namespace {

using Tokens = std::vector<std::int64_t>;

/// Start token and generated tokens of every row, one behind the other.
std::vector<Tokens> with_start(std::int64_t start, const std::vector<Generated>& generated) {
  std::vector<Tokens> rows;
  for (const Generated& sequence : generated) {
    Tokens& row = rows.emplace_back(Tokens{start});
    row.insert(row.end(), sequence.ids.begin(), sequence.ids.end());
  }
  return rows;
}

}  // namespace

std::size_t new_tokens(const ModelDescription& model, const GenerationParameters& generation, std::size_t prompt) {
  const std::size_t room = model.max_positions > prompt ? model.max_positions - prompt : 0;
  return generation.max_new_tokens == 0 ? room : std::min(room, generation.max_new_tokens);
}

InferenceResult infer(const Model& model, const TokenBatch& source, const std::optional<TensorView>& target,
                      const GenerationParameters& generation, const InferenceRequest& request,
                      const Execution& execution) {
  InferenceResult result;
  result.encoder = model.encode(source, execution);
  const Memory memory{result.encoder, source.padding_mask};
  const SpecialTokens& special = model.description().tokens;
  const std::size_t batch = source.ids.shape[0];
  std::optional<TensorView> fed = target;

  if (!target) {
    GenerationParameters limited = generation;
    limited.max_new_tokens = new_tokens(model.description(), generation, 1);
    Decoding decoding(model, memory, limited.max_new_tokens + 1, execution);
    std::vector<Prompt> prompts;
    for (std::size_t b = 0; b < batch; ++b) prompts.push_back({{*special.start}, b});
    std::vector<Tokens> rows = with_start(*special.start, generate(decoding, prompts, limited));
    result.ids = padded_batch(rows, special.padding.value_or(0)).ids;
    if (!request.decoder && !request.logits) return result;
    for (Tokens& row : rows) row.pop_back();
    fed = padded_batch(rows, special.padding.value_or(0)).ids;
  } else if (target->rank() != 2 || target->shape[0] != batch) {
    throw shape_error(target->name, target->shape, "(" + std::to_string(batch) + ", length), a row for each source");
  }

  Decoding decoding(model, memory, fed->shape[1], execution);
  result.decoder = decoding.hidden(*fed);
  if (request.logits || target) result.logits = model.logits(*result.decoder, execution);
  return result;
}

}  // namespace attn
