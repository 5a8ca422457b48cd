#include <attn/transformer/decoding/generate.hpp>

#include <attn/core/error.hpp>
#include <attn/core/shape.hpp>
#include <attn/transformer/decoding/beam_search.hpp>
#include <attn/transformer/stack/pass.hpp>

#include <algorithm>
#include <map>

namespace attn {
namespace {

/// A decoder that keeps the keys and values of the tokens it has seen. A row keeps its place in the batch while a
/// sequence continues from it, in any order of rows: only duplicated rows are copied.
class Decoding : public Continuation {
 public:
  Decoding(const Model& model, const std::optional<Memory>& memory, std::size_t capacity, const Execution& execution)
      : model_(model), execution_(execution), run_(StackRun::decoder(model, memory, capacity, execution)) {}

  TensorView advance(const std::vector<std::vector<std::int64_t>>& tokens) override {
    if (places_.empty())
      for (std::size_t i = 0; i < tokens.size(); ++i) places_.push_back(i);
    std::vector<std::vector<std::int64_t>> placed(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) placed[places_[i]] = tokens[i];
    const TensorView last = slice(run_(padded_batch(placed, 0)), {{}, {-1, std::nullopt, 1, true}});
    return model_.logits(rows_of(last, places_), execution_);
  }

  void select(const std::vector<std::size_t>& rows) override {
    if (places_.empty()) return run_.select(rows);
    std::vector<std::optional<std::size_t>> places(rows.size()), sources(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (const std::size_t place = places_[rows[i]]; place < rows.size() && !sources[place])
        places[i] = sources[place] = place;
    std::size_t free = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (places[i]) continue;
      while (sources[free]) ++free;
      sources[free] = places_[rows[i]];
      places[i] = free;
    }
    std::vector<std::size_t> of_places;
    for (const auto& source : sources) of_places.push_back(*source);
    run_.select(of_places);
    places_.clear();
    for (const auto& place : places) places_.push_back(*place);
  }

 private:
  const Model& model_;
  Execution execution_;
  StackRun run_;
  std::vector<std::size_t> places_;  ///< of the rows in the batch; empty before the first tokens: one after another
};

/// Two streams: after the tokens comes one more, which none of them sees and whose target is the next token. The states
/// of a step are the memory of the next one, except those of the last two positions: of the token before the new one,
/// which is computed again since it can now see the new one, and of the placeholder of the new one.
class StreamDecoding : public Continuation {
 public:
  StreamDecoding(const Model& model, const Execution& execution) : model_(model), execution_(execution) {}

  TensorView advance(const std::vector<std::vector<std::int64_t>>& tokens) override {
    rows_.resize(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) rows_[i].insert(rows_[i].end(), tokens[i].begin(), tokens[i].end());
    StackRun run = StackRun::decoder(model_, std::nullopt, 0, execution_);
    const bool remembers = model_.description().decoder->two_streams->generates_by_memory;
    run.want_memories(remembers);
    const TensorView states = run(batch());
    if (remembers) memories_ = run.memories();
    for (TensorView& memory : memories_)
      memory = slice(memory, {{0, static_cast<std::int64_t>(std::max(memory.shape[0], computed_anew)) -
                                      static_cast<std::int64_t>(computed_anew)}});
    return model_.logits(slice(states, {{}, {0, 1, 1, true}}), execution_);
  }

  void select(const std::vector<std::size_t>& rows) override {
    std::vector<std::vector<std::int64_t>> chosen;
    for (const std::size_t row : rows) chosen.push_back(rows_[row]);
    rows_ = std::move(chosen);
    for (TensorView& memory : memories_) memory = transposed(rows_of(transposed(memory, {1, 0, 2}), rows), {1, 0, 2});
  }

 private:
  static constexpr std::size_t computed_anew = 2;

  TokenBatch batch() const {
    std::vector<std::vector<std::int64_t>> last = rows_;
    for (auto& ids : last) {
      if (!memories_.empty() && ids.size() > computed_anew) ids.erase(ids.begin(), ids.end() - computed_anew);
      ids.push_back(0);  // any id: only its target is looked at, which does not know it
    }
    TokenBatch batch = padded_batch(last, 0);
    const std::size_t rows = last.size(), length = last.front().size();
    Tensor hidden = Tensor::zeros(DType::u8, {rows, length, length});
    for (std::size_t i = 0; i < rows * length; ++i) hidden.data_as<std::uint8_t>()[(i + 1) * length - 1] = 1;
    Tensor target = Tensor::zeros(DType::f32, {rows, 1, length});
    for (std::size_t i = 0; i < rows; ++i) target.data_as<float>()[(i + 1) * length - 1] = 1;
    batch.permutation_mask = hidden.view("who does not see whom");
    batch.target_mapping = target.view("the next token's place");
    batch.memories = memories_;
    return batch;
  }

  const Model& model_;
  Execution execution_;
  std::vector<std::vector<std::int64_t>> rows_;  ///< of tokens so far
  std::vector<TensorView> memories_;             ///< one a layer, (M, B, width)
};

using Tokens = std::vector<std::int64_t>;

/// Limits new tokens to the requested number and to the positions after a prompt of this length; by default to the
/// length that the model was trained for.
GenerationParameters limited(const Model& model, const GenerationParameters& generation, std::size_t prompt) {
  const std::size_t positions = model.description().max_positions;
  const std::size_t room = positions > prompt ? positions - prompt : 0;
  const std::size_t usual = model.description().window();
  GenerationParameters result = generation;
  result.max_new_tokens = std::min(room, generation.max_new_tokens);
  if (generation.max_new_tokens == 0) result.max_new_tokens = usual > prompt ? usual - prompt : 0;
  if (generation.max_new_tokens == 0 && generation.max_length > 0)
    result.max_new_tokens = std::min(room, generation.max_length > prompt ? generation.max_length - prompt : 0);
  if (result.rules.forced_last.empty() && !generation.end_tokens.empty())
    result.rules.forced_last = model.description().tokens.forced_last;
  return result;
}

/// Rows that share a batch: those whose prompts are of one length, or one row for each search with beams.
std::vector<std::vector<std::size_t>> groups_of(const std::vector<Prompt>& prompts) {
  std::map<std::size_t, std::vector<std::size_t>> by_length;
  for (std::size_t b = 0; b < prompts.size(); ++b) by_length[prompts[b].ids.size()].push_back(b);
  std::vector<std::vector<std::size_t>> groups;
  for (auto& [length, rows] : by_length) groups.push_back(std::move(rows));
  return groups;
}

}  // namespace

std::unique_ptr<Continuation> make_continuation(const Model& model, const std::optional<Memory>& memory,
                                                std::size_t capacity, const Execution& execution) {
  if (model.description().decoder->two_streams) return std::make_unique<StreamDecoding>(model, execution);
  return std::make_unique<Decoding>(model, memory, capacity, execution);
}

std::vector<Prompt> start_prompts(const Model& model, std::size_t rows) {
  if (!model.description().tokens.start)
    throw Error(ErrorKind::data, "config.json", "names no token that generation starts with");
  std::vector<Prompt> prompts;
  for (std::size_t b = 0; b < rows; ++b) prompts.push_back({{*model.description().tokens.start}});
  return prompts;
}

void check_prompt(std::size_t tokens, const ModelDescription& model, const GenerationParameters& generation,
                  const std::string& subject) {
  if (model.encoder) return;
  check_length(tokens, model, subject);
  if (tokens > model.window() && generation.max_new_tokens == 0 && generation.max_length == 0)
    throw Error(ErrorKind::data, subject,
                "has " + std::to_string(tokens) + " tokens, but generation ends at " + std::to_string(model.window()),
                "--max-new-tokens N continues from there");
}

std::vector<std::vector<Generated>> generate(const Model& model, const std::optional<Memory>& memory,
                                             const std::vector<Prompt>& prompts, const GenerationParameters& parameters,
                                             const Execution& execution, const TokenHook& hook) {
  const std::size_t times = parameters.num_return;
  std::vector<std::vector<Generated>> sequences(prompts.size());
  for (const std::vector<std::size_t>& rows : groups_of(prompts)) {
    const std::size_t length = prompts[rows.front()].ids.size();
    const GenerationParameters p = limited(model, parameters, length);
    const std::size_t capacity = length + p.max_new_tokens;
    const auto is_cut = [most = p.max_new_tokens](const Generated& one) {
      return most == 0 || (!one.ended && one.ids.size() >= most);
    };
    if (p.beams > 1) {
      for (const std::size_t b : rows) {
        const auto decoding = make_continuation(model, rows_of(memory, {b}), capacity, execution);
        TokenHook of_row;
        if (hook) of_row = [&](std::size_t, const Tokens& ids) { return hook(b * times, ids); };
        sequences[b] = beam_search(*decoding, prompts[b], p, of_row, execution);
        for (Generated& one : sequences[b]) one.is_cut = is_cut(one);
      }
      continue;
    }
    std::vector<std::size_t> sources;
    std::vector<Prompt> starts;
    for (const std::size_t b : rows)
      for (std::size_t i = 0; i < times; ++i) {
        sources.push_back(b);
        starts.push_back({prompts[b].ids, prompts[b].source, i});
      }
    const bool all_as_they_are = times == 1 && rows.size() == prompts.size();
    const auto decoding =
        make_continuation(model, all_as_they_are ? memory : rows_of(memory, sources), capacity, execution);
    TokenHook counted;
    if (hook)
      counted = [&](std::size_t row, const Tokens& ids) { return hook(sources[row] * times + row % times, ids); };
    std::vector<Generated> all = generate_token_by_token(*decoding, starts, p, counted, execution);
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].is_cut = is_cut(all[i]);
      sequences[sources[i]].push_back(std::move(all[i]));
    }
  }
  return sequences;
}

}  // namespace attn
