#include <attn/transformer/inference.hpp>

#include <attn/core/error.hpp>
#include <attn/transformer/decoding/generate.hpp>
#include <attn/transformer/stack/head.hpp>
#include <attn/transformer/stack/pass.hpp>

#include <algorithm>

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

/// The name of a group of one stack, and the place of its tensors.
struct Group {
  std::string name;
  bool in_encoder;
  Captured::Kind kind;
  std::size_t heads;                             ///< of a layer
  std::vector<std::vector<std::string>> places;  ///< one a layer, or of the tokens and of the targets
};

std::vector<Group> groups_of(const StackDescription& stack, bool in_encoder, bool alone, bool targets) {
  using Kind = Captured::Kind;
  const std::string place = stack.name + "/", start = alone ? "" : stack.name + "_";
  const std::size_t heads = stack.block.self_attention.heads;
  Group hidden{start + "hidden_states", in_encoder, Kind::states, heads, {{place + "input"}}};
  Group own{start + "attentions", in_encoder, Kind::self_attention, heads, {}};
  if (targets) hidden.places.push_back({place + "targets"});
  for (std::size_t i = 0; i < stack.layers; ++i) {
    const std::string layer = place + std::to_string(i);
    hidden.places.push_back(
        {i + 1 < stack.layers || stack.states_end_before_norm ? layer + "/output" : place + "output"});
    if (targets) hidden.places.push_back({layer + "/targets/output"});
    own.places.push_back({layer + "/self_attn/weights"});
    if (targets) own.places.back().push_back(layer + "/targets/self_attn/weights");
  }
  std::vector<Group> groups{hidden, own};
  if (!stack.block.cross_attention) return groups;
  Group cross{"cross_attentions", in_encoder, Kind::cross_attention, stack.block.cross_attention->heads, {}};
  for (std::size_t i = 0; i < stack.layers; ++i)
    cross.places.push_back({place + std::to_string(i) + "/cross_attn/weights"});
  groups.push_back(cross);
  return groups;
}

std::vector<Group> groups_of(const ModelDescription& model, bool targets = false) {
  std::vector<Group> groups;
  for (const auto* stack : {&model.encoder, &model.decoder})
    if (*stack)
      for (Group& group : groups_of(**stack, stack == &model.encoder, !model.encoder || !model.decoder, targets))
        groups.push_back(std::move(group));
  return groups;
}

/// Index i of `count`, negative ones from the end.
std::size_t resolved(std::int64_t i, std::size_t count, const std::string& option, const std::string& what) {
  const auto n = static_cast<std::int64_t>(count);
  if (i < -n || i >= n)
    throw Error(ErrorKind::usage, option,
                std::to_string(i) + " is out of range, " + what + " has " + std::to_string(count));
  return static_cast<std::size_t>(i < 0 ? i + n : i);
}

/// The chosen heads of weights (B, H, L, S).
TensorView chosen_heads(const TensorView& weights, const std::vector<std::size_t>& heads) {
  Shape shape = weights.shape;
  shape[1] = heads.size();
  Tensor chosen(weights.dtype, shape);
  const TensorView from = contiguous(weights);
  const std::size_t bytes = shape[2] * shape[3] * element_size(weights.dtype);
  for (std::size_t b = 0; b < shape[0]; ++b)
    for (std::size_t h = 0; h < heads.size(); ++h)
      std::copy_n(static_cast<const char*>(from.data) + (b * weights.shape[1] + heads[h]) * bytes, bytes,
                  static_cast<char*>(chosen.data()) + (b * heads.size() + h) * bytes);
  return chosen.view(weights.name);
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

LayerResult run_layers(const Model& model, const TokenBatch& source, const std::optional<TokenBatch>& target,
                       const std::optional<TensorView>& memory_padding_mask,
                       const std::optional<TensorView>& memory_mask, bool attention_weights,
                       const Execution& execution) {
  StackRun encoder = StackRun::encoder(model, execution);
  encoder.want_attention_weights(attention_weights);
  LayerResult result{encoder(source), std::nullopt};
  if (!target) return result;
  const Memory memory{result.encoder, memory_padding_mask, memory_mask};
  StackRun decoder = StackRun::decoder(model, memory, std::nullopt, execution);
  decoder.want_attention_weights(attention_weights);
  result.decoder = decoder(*target);
  return result;
}

std::vector<std::string> capture_groups(const ModelDescription& model) {
  std::vector<std::string> names;
  for (const Group& group : groups_of(model)) names.push_back(group.name);
  return names;
}

Capture::Capture(const ModelDescription& model, const CaptureParameters& parameters) {
  for (const Group& group : groups_of(model, parameters.targets)) {
    if (std::find(parameters.groups.begin(), parameters.groups.end(), group.name) == parameters.groups.end()) continue;
    needs_attention_weights_ = needs_attention_weights_ || group.kind != Captured::Kind::states;
    std::vector<std::size_t> layers, heads;
    for (const std::int64_t head : parameters.heads)
      heads.push_back(resolved(head, group.heads, "--emit-heads", "a layer of " + group.name));
    for (const std::int64_t layer : parameters.layers)
      layers.push_back(resolved(layer, group.places.size(), "--emit-layers", group.name));
    for (std::size_t i = 0; i < group.places.size(); ++i)
      if (parameters.layers.empty() || std::find(layers.begin(), layers.end(), i) != layers.end())
        for (std::size_t j = 0; j < group.places[i].size(); ++j)
          wanted_[group.places[i][j]] = {
              group.name + "/" + std::to_string(i) + (group.places[i].size() > 1 ? "/" + std::to_string(j) : ""),
              group.in_encoder, group.kind, group.heads, heads};
  }
}

std::vector<Captured> Capture::captured() const {
  std::vector<Captured> all;
  for (const auto& [place, captured] : wanted_) all.push_back(captured);
  std::sort(all.begin(), all.end(), [](const Captured& a, const Captured& b) { return a.dataset < b.dataset; });
  return all;
}

TraceHook Capture::hook(TraceHook next) {
  return [this, next = std::move(next)](const std::string& name, const TensorView& tensor) {
    const auto found = wanted_.find(name);
    if (found != wanted_.end()) {
      const Captured& captured = found->second;
      const bool is_whole = captured.kind == Captured::Kind::states || captured.chosen.empty();
      tensors_[captured.dataset] = is_whole ? tensor : chosen_heads(tensor, captured.chosen);
    }
    if (next) next(name, tensor);
  };
}

}  // namespace attn
