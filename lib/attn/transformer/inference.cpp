#include <attn/transformer/inference.hpp>

#include <attn/core/error.hpp>

#include <algorithm>
#include <numeric>

namespace attn {
namespace {

using Tokens = std::vector<std::int64_t>;

/// As many new tokens as were asked for and as the model has positions for behind a prompt of this length.
GenerationParameters limited(const Model& model, const GenerationParameters& generation, std::size_t prompt) {
  const std::size_t positions = model.description().max_positions;
  const std::size_t room = positions > prompt ? positions - prompt : 0;
  GenerationParameters result = generation;
  result.max_new_tokens = generation.max_new_tokens == 0 ? room : std::min(room, generation.max_new_tokens);
  return result;
}

/// Row b of the memory, alone.
Memory row_of(const Memory& memory, std::size_t b) {
  const auto i = static_cast<std::int64_t>(b);
  const Slab row{{i, i + 1, 1, false}};
  Memory one{slice(memory.states, row), std::nullopt};
  if (memory.padding_mask) one.padding_mask = slice(*memory.padding_mask, row);
  return one;
}

/// Each of `rows` rows `times` times, side by side.
std::vector<std::size_t> repeated_rows(std::size_t rows, std::size_t times) {
  std::vector<std::size_t> indices(rows * times);
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = i / times;
  return indices;
}

TensorView repeated(const TensorView& x, std::size_t times) {
  if (times == 1) return x;
  Shape shape = x.shape;
  shape.insert(shape.begin() + 1, times);
  TensorView wide = x;
  wide.shape.insert(wide.shape.begin() + 1, 1);
  wide.strides.insert(wide.strides.begin() + 1, 0);
  const TensorView copies = contiguous(broadcast_to(wide, shape));
  Shape flat = x.shape;
  flat[0] *= times;
  return reshaped(copies, flat);
}

}  // namespace

std::vector<std::vector<Generated>> generate(const Model& model, const Memory& memory,
                                             const GenerationParameters& parameters,
                                             const std::vector<std::uint64_t>& streams, const Execution& execution,
                                             const TokenHook& hook) {
  const std::size_t rows = memory.states.shape[0], times = parameters.num_return;
  const Tokens prompt{*model.description().tokens.start};
  const GenerationParameters p = limited(model, parameters, prompt.size());
  const std::size_t capacity = prompt.size() + p.max_new_tokens;
  std::vector<std::vector<Generated>> sequences(rows);
  if (p.beams > 1) {
    for (std::size_t b = 0; b < rows; ++b) {
      Decoding decoding(model, row_of(memory, b), capacity, execution);
      sequences[b] = beam_search(decoding, prompt, p);
    }
    return sequences;
  }
  Decoding decoding(model, memory, capacity, execution);
  if (times > 1) decoding.select(repeated_rows(rows, times));
  std::vector<Prompt> prompts;
  for (std::size_t i = 0; i < rows * times; ++i) prompts.push_back({prompt, streams[i / times] * times + i % times});
  std::vector<Generated> all = generate(decoding, prompts, p, hook);
  for (std::size_t i = 0; i < all.size(); ++i) sequences[i / times].push_back(std::move(all[i]));
  return sequences;
}

InferenceResult infer(const Model& model, const TokenBatch& source, const std::optional<TensorView>& target,
                      const GenerationParameters& generation, const InferenceRequest& request,
                      const Execution& execution) {
  InferenceResult result;
  const std::size_t batch = source.ids.rank() == 2 ? source.ids.shape[0] : 0;
  if (target && (target->rank() != 2 || target->shape[0] != batch))
    throw shape_error(target->name, target->shape, "(" + std::to_string(batch) + ", length): a row for each source");
  result.encoder = model.encode(source, execution, request.attention_weights);
  Memory memory{result.encoder, source.padding_mask};
  std::optional<TensorView> fed = target;

  if (!target) {
    Execution untraced = execution;
    untraced.trace = nullptr;
    std::vector<std::uint64_t> streams(batch);
    std::iota(streams.begin(), streams.end(), 0);
    result.generated = generate(model, memory, generation, streams, untraced);

    const SpecialTokens& special = model.description().tokens;
    const std::int64_t padding = special.padding.value_or(0);
    std::vector<Tokens> rows;
    Tensor scores(DType::f64, {batch * generation.num_return});
    for (const auto& sequences : result.generated)
      for (const Generated& sequence : sequences) {
        scores.data_as<double>()[rows.size()] = sequence.score;
        Tokens& row = rows.emplace_back(Tokens{*special.start});
        row.insert(row.end(), sequence.ids.begin(), sequence.ids.end());
      }
    result.ids = padded_batch(rows, padding).ids;
    result.scores = scores.view("scores");
    if (!request.decoder && !request.logits && !request.attention_weights && !execution.trace) return result;
    for (Tokens& row : rows) row.pop_back();
    fed = padded_batch(rows, padding).ids;
    memory.states = repeated(memory.states, generation.num_return);
    if (memory.padding_mask) memory.padding_mask = repeated(*memory.padding_mask, generation.num_return);
  }

  StackRun decoder = StackRun::decoder(model, memory, fed->shape[1], execution);
  decoder.want_attention_weights(request.attention_weights);
  result.decoder = decoder(*fed);
  result.logits = model.logits(*result.decoder, execution);
  return result;
}

}  // namespace attn
