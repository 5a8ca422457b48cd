#include <attn/transformer/inference.hpp>

#include <attn/core/error.hpp>
#include <attn/transformer/decoding/generate.hpp>
#include <attn/transformer/stack/head_input.hpp>
#include <attn/transformer/stack/pass.hpp>

namespace attn {
namespace {

using Tokens = std::vector<std::int64_t>;

/// The ids of row b that are real, or all of them where nothing is masked.
Tokens real_ids(const TokenBatch& batch, std::size_t b) {
  const Tokens ids = to_integers(element(batch.ids, b));
  if (!batch.padding_mask) return ids;
  const Tokens mask = to_integers(element(*batch.padding_mask, b));
  Tokens real;
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (mask[i] != 0) real.push_back(ids[i]);
  return real;
}

/// The tokens before the generated ones in row b of the result: a prompt padded on the left keeps its padding.
Tokens shown_prompt(const TokenBatch& batch, std::size_t b) {
  if (!batch.padding_mask || to_integers(element(*batch.padding_mask, b)).back() == 0) return real_ids(batch, b);
  return to_integers(element(batch.ids, b));
}

/// Classifiers and readers with a decoder have it read the source, shifted right after the start token.
TensorView shifted_right(const TensorView& ids, std::int64_t start) {
  Tensor shifted(DType::i64, ids.shape);
  const Tokens from = to_integers(ids);
  auto* to = shifted.data_as<std::int64_t>();
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = i % ids.shape[1] == 0 ? start : from[i - 1];
  return shifted.view("decoder ids");
}

/// The prompts of a decoder without an encoder, or the start tokens of one with an encoder.
std::vector<Prompt> prompts_of(const Model& model, const TokenBatch& source, const GenerationParameters& generation) {
  std::vector<Prompt> prompts;
  for (std::size_t b = 0; b < source.ids.shape[0]; ++b) prompts.push_back({real_ids(source, b)});
  if (model.description().encoder) {
    std::vector<Prompt> starts = start_prompts(model, prompts.size());
    for (std::size_t b = 0; b < prompts.size(); ++b) starts[b].source = std::move(prompts[b].ids);
    return starts;
  }
  for (const Prompt& prompt : prompts)
    check_prompt(prompt.ids.size(), model.description(), generation, source.ids.name);
  return prompts;
}

/// Rows that have a token: nothing is generated from nothing.
std::vector<std::size_t> rows_with_tokens(const Model& model, const std::vector<Prompt>& prompts) {
  std::vector<std::size_t> rows;
  for (std::size_t b = 0; b < prompts.size(); ++b)
    if (!(model.description().encoder ? prompts[b].source : prompts[b].ids).empty()) rows.push_back(b);
  return rows;
}

/// generate() for the rows that have a token; the others get empty sequences.
std::vector<std::vector<Generated>> generate_where_asked(const Model& model, const std::optional<Memory>& memory,
                                                         const std::vector<Prompt>& prompts,
                                                         const GenerationParameters& generation,
                                                         const Execution& execution, const TokenHook& hook) {
  const std::vector<std::size_t> asked = rows_with_tokens(model, prompts);
  if (asked.size() == prompts.size()) return generate(model, memory, prompts, generation, execution, hook);
  const std::size_t times = generation.num_return;
  std::vector<std::vector<Generated>> all(prompts.size(), std::vector<Generated>(times));
  if (asked.empty()) return all;
  std::vector<Prompt> chosen;
  for (const std::size_t b : asked) chosen.push_back(prompts[b]);
  TokenHook of_all;
  if (hook)
    of_all = [&](std::size_t row, const Tokens& ids) { return hook(asked[row / times] * times + row % times, ids); };
  auto answers = generate(model, rows_of(memory, asked), chosen, generation, execution, of_all);
  for (std::size_t i = 0; i < asked.size(); ++i) all[asked[i]] = std::move(answers[i]);
  return all;
}

/// Generates, writes down ids and scores, and returns the rows that a pass over them would take.
std::vector<Tokens> generate_rows(const Model& model, const TokenBatch& source, const std::optional<Memory>& memory,
                                  const GenerationParameters& generation, const Execution& execution,
                                  const TokenHook& hook, InferenceResult& result) {
  const std::vector<Prompt> prompts = prompts_of(model, source, generation);
  result.generated = generate_where_asked(model, memory, prompts, generation, execution, hook);
  std::vector<Tokens> shown, fed;
  Tensor scores(DType::f64, {prompts.size() * generation.num_return});
  for (std::size_t b = 0; b < prompts.size(); ++b)
    for (const Generated& sequence : result.generated[b]) {
      scores.data_as<double>()[shown.size()] = sequence.score;
      fed.push_back(prompts[b].ids);
      shown.push_back(model.description().encoder ? prompts[b].ids : shown_prompt(source, b));
      for (Tokens* row : {&fed.back(), &shown.back()})
        row->insert(row->end(), sequence.ids.begin(), sequence.ids.end());
      if (!sequence.ids.empty()) fed.back().pop_back();
    }
  // Where there is no padding token, rows end with the end token. transformers fills the rows of beams with the first
  // one where the padding token is 0, too, and ours are equal.
  const SpecialTokens& tokens = model.description().tokens;
  const std::optional<std::int64_t> usual = generation.filling ? generation.filling : tokens.padding;
  std::int64_t filling = usual.value_or(tokens.end.empty() ? 0 : tokens.end.front());
  if (generation.beams > 1 && filling == 0 && !generation.end_tokens.empty()) filling = generation.end_tokens.front();
  result.ids = padded_batch(shown, filling).ids;
  result.scores = scores.view("scores");
  return fed;
}

}  // namespace

TensorView states_to_pool(const ModelDescription& description, const InferenceResult& result) {
  if (!description.head || !description.head->is_vector) return result.encoder ? *result.encoder : *result.decoder;
  return reshaped(*result.head, {result.head->shape[0], 1, result.head->shape[1]});
}

void expect_batches(const ModelDescription& description, const TokenBatch& source,
                    const std::optional<TensorView>& target) {
  const bool sees = description.source && description.source->pictures;
  if (!sees && source.ids.rank() != 2) throw shape_error(source.ids.name, source.ids.shape, "(batch, length)");
  if (!sees && source.padding_mask && source.padding_mask->shape != source.ids.shape)
    throw shape_error(source.padding_mask->name, source.padding_mask->shape,
                      to_string(source.ids.shape) + " as the ids");
  if (description.source && !sees) expect_types(source, *description.source);
  if (!sees && description.encoder) check_length(source.ids.shape[1], description, source.ids.name);
  const std::size_t batch = source.ids.shape.empty() ? 0 : source.ids.shape[0];
  if (target && (target->rank() != 2 || target->shape[0] != batch))
    throw shape_error(target->name, target->shape, "(" + std::to_string(batch) + ", length): a row for each source");
}

InferenceResult infer(const Model& model, const TokenBatch& source, const std::optional<TensorView>& target,
                      const GenerationParameters& generation, const InferenceRequest& request,
                      const Execution& execution, const TokenHook& hook) {
  const ModelDescription& description = model.description();
  expect_batches(description, source, target);
  InferenceResult result;
  const bool is_vectors = description.task == Task::embed && description.encoder && !target;
  const bool generates = description.decoder && !is_vectors && !target && !description.decoder_reads_source &&
                         (description.encoder || description.task == Task::generate);
  const bool looks_again = request.decoder || request.logits || request.attention_weights || execution.trace;
  if (generates && looks_again && !description.encoder && !description.is_causal())
    throw Error(ErrorKind::usage, "--emit",
                "needs one pass over all generated tokens, which would not repeat the steps of this model",
                "give the tokens as --decoder-ids");

  std::optional<Memory> memory;
  if (description.encoder) {
    StackRun run = StackRun::encoder(model, execution);
    run.want_attention_weights(request.attention_weights);
    run.want_memories(request.memories);
    result.encoder = run(source);
    result.memories = run.memories();
    memory = Memory{*result.encoder, source.padding_mask};
  }
  if (!description.decoder || is_vectors) {
    if (description.head && !description.decoder)
      result.head = model.logits(seen_by_head(model, *result.encoder, source), execution, source);
    return result;
  }

  std::optional<TokenBatch>& fed = result.fed;
  if (target) {
    fed = TokenBatch{*target};
    if (!description.encoder) fed->padding_mask = source.padding_mask;
  } else if (description.decoder_reads_source) {
    fed = TokenBatch{shifted_right(source.ids, description.tokens.start.value_or(0))};
  } else if (!generates) {
    fed = source;
  } else {
    Execution untraced = execution;
    untraced.trace = nullptr;
    const std::vector<Tokens> rows = generate_rows(model, source, memory, generation, untraced, hook, result);
    fed = padded_batch(rows, description.tokens.padding.value_or(0));
    if (!looks_again) return result;
    if (description.encoder) fed->padding_mask.reset();  // rows end at different places, and nothing looks back
  }
  StackRun decoder = StackRun::decoder(model, memory_for(fed->ids, memory), fed->ids.shape[1], execution);
  decoder.want_attention_weights(request.attention_weights);
  result.decoder = decoder(*fed);
  if (description.head) result.head = model.logits(seen_by_head(model, *result.decoder, source), execution);
  return result;
}

}  // namespace attn
