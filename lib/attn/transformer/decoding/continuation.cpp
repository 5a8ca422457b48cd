#include <attn/transformer/decoding/continuation.hpp>

#include <attn/core/shape.hpp>
#include <attn/transformer/stack/pass.hpp>

#include <algorithm>

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

}  // namespace

std::unique_ptr<Continuation> make_continuation(const Model& model, const std::optional<Memory>& memory,
                                                std::size_t capacity, const Execution& execution) {
  if (model.description().decoder->two_streams) return std::make_unique<StreamDecoding>(model, execution);
  return std::make_unique<Decoding>(model, memory, capacity, execution);
}

}  // namespace attn
