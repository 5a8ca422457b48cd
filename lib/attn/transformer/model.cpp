#include <attn/transformer/model.hpp>

#include <attn/core/error.hpp>
#include <attn/layers/positional_encoding.hpp>

#include <algorithm>

namespace attn {
namespace {

/// Rows of x: gathered, or a view where all rows are the same one.
TensorView gather(const TensorView& x, const std::vector<std::size_t>& rows) {
  Shape shape = x.shape;
  shape[0] = rows.size();
  if (x.shape[0] == 1 || x.strides[0] == 0) return broadcast_to(slice(x, {{0, 1, 1, false}}), shape);
  const TensorView from = contiguous(x);
  Tensor chosen(x.dtype, shape);
  const std::size_t bytes = x.shape[0] == 0 ? 0 : from.bytes() / x.shape[0];
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::copy_n(static_cast<const char*>(from.data) + rows[i] * bytes, bytes,
                static_cast<char*>(chosen.data()) + i * bytes);
  return chosen.view(x.name);
}

void expect_ids(const TensorView& ids) {
  if (ids.rank() != 2) throw shape_error(ids.name, ids.shape, "(batch, length)");
}

}  // namespace

TokenBatch padded_batch(const std::vector<std::vector<std::int64_t>>& sequences, std::int64_t padding) {
  std::size_t longest = 0, shortest = static_cast<std::size_t>(-1);
  for (const auto& sequence : sequences) {
    longest = std::max(longest, sequence.size());
    shortest = std::min(shortest, sequence.size());
  }
  Tensor ids(DType::i64, {sequences.size(), longest}), mask(DType::u8, {sequences.size(), longest});
  auto* id = ids.data_as<std::int64_t>();
  auto* real = mask.data_as<std::uint8_t>();
  for (const auto& sequence : sequences)
    for (std::size_t j = 0; j < longest; ++j) {
      *real++ = j < sequence.size();
      *id++ = j < sequence.size() ? sequence[j] : padding;
    }
  TokenBatch batch{ids.view("ids"), std::nullopt};
  if (shortest < longest) batch.padding_mask = mask.view("padding mask");
  return batch;
}

std::optional<TensorView> padding_mask_of(const TensorView& ids, std::optional<std::int64_t> padding) {
  if (!padding) return std::nullopt;
  const std::vector<std::int64_t> all = to_integers(ids);
  if (std::find(all.begin(), all.end(), *padding) == all.end()) return std::nullopt;
  Tensor mask(DType::u8, ids.shape);
  std::transform(all.begin(), all.end(), mask.data_as<std::uint8_t>(), [&](std::int64_t id) { return id != *padding; });
  return mask.view("padding mask of " + ids.name);
}

Model::Model(const ModelDescription& description, Source& source, DType compute)
    : description_(description), compute_(compute) {
  const Weights weights(source);
  check_weights(description_, weights);
  const auto table = [&](const InputDescription& input) {
    return Embedding(weights.get(input.tensor + ".weight"), compute_, input.scale);
  };
  if (description_.source) source_ = table(*description_.source);
  if (description_.encoder) encoder_ = Stack::load(weights, *description_.encoder, compute_);
  if (description_.target) target_ = table(*description_.target);
  if (description_.decoder) decoder_ = Stack::load(weights, *description_.decoder, compute_);
  if (description_.head)
    head_ = description_.head->tied
                ? target_->output()
                : Linear::load(weights.scoped(description_.head->tensor), any_extent, description_.width, compute_);
}

TensorView Model::encode(const TokenBatch& source, const Execution& execution, bool attention_weights) const {
  StackRun run = StackRun::encoder(*this, source.padding_mask, execution);
  run.want_attention_weights(attention_weights);
  return run(source.ids);
}

TensorView Model::logits(const TensorView& hidden, const Execution& execution) const {
  TensorView y = (*head_)(hidden, execution);
  execution.show("logits", y);
  return y;
}

StackRun::StackRun(const Model& model, const Stack& stack, const Embedding& table, const InputDescription& input,
                   const Execution& execution)
    : model_(model), stack_(stack), table_(table), input_(input), execution_(execution.within(stack.name)) {}

StackRun StackRun::encoder(const Model& model, const std::optional<TensorView>& padding_mask,
                           const Execution& execution) {
  StackRun run(model, *model.encoder_, *model.source_, *model.description_.source, execution);
  run.self_masks_.padding_mask = padding_mask;
  if (padding_mask) run.execution_.show("padding_mask", *padding_mask);
  return run;
}

StackRun StackRun::decoder(const Model& model, const Memory& memory, std::size_t capacity, const Execution& execution) {
  StackRun run(model, *model.decoder_, *model.target_, *model.description_.target, execution);
  run.caches_.assign(run.blocks(), KeyValueCache(capacity));
  run.cross_masks_.padding_mask = memory.padding_mask;
  for (std::size_t i = 0; i < run.blocks(); ++i)
    run.memories_.push_back(
        run.stack_.blocks[i].project_memory(memory.states, run.execution_.within(std::to_string(i))));
  return run;
}

TensorView StackRun::embed(const TensorView& ids) const {
  expect_ids(ids);
  const std::size_t end = length_ + ids.shape[1], most = model_.description_.max_positions;
  if (end > most)
    throw Error(ErrorKind::data, ids.name,
                std::to_string(end) + " tokens, the model has " + std::to_string(most) + " positions");
  execution_.show("ids", ids);
  TensorView x = table_(ids, execution_);
  execution_.show("embedding", x);
  if (input_.positions == PositionKind::sinusoidal) {
    SinusoidalEncoding encoding;
    encoding.offset = static_cast<std::int64_t>(length_);
    const Tensor positions = sinusoidal_table(ids.shape[1], model_.description_.width, encoding, model_.compute_);
    x = add_positions(x, positions.view("positions"), execution_);
  }
  execution_.show("input", x);
  return x;
}

TensorView StackRun::block(std::size_t i, const TensorView& x) {
  BlockContext context;
  context.self_masks = self_masks_;
  context.cross_masks = cross_masks_;
  context.cache = caches_.empty() ? nullptr : &caches_[i];
  context.memory = memories_.empty() ? nullptr : &memories_[i];
  context.attention_weights = attention_weights_;
  return stack_.blocks[i](x, context, execution_.within(std::to_string(i)));
}

TensorView StackRun::final_norm(const TensorView& x) {
  TensorView y = stack_.final_norm ? (*stack_.final_norm)(x, execution_) : x;
  execution_.show("output", y);
  return y;
}

TensorView StackRun::operator()(const TensorView& ids) {
  TensorView x = embed(ids);
  for (std::size_t i = 0; i < blocks(); ++i) x = block(i, x);
  if (!caches_.empty()) length_ += ids.shape[1];
  return final_norm(x);
}

void StackRun::select(const std::vector<std::size_t>& rows) {
  for (KeyValueCache& cache : caches_) cache.reorder(rows);
  for (KeyValue& memory : memories_) memory = {gather(memory.key, rows), gather(memory.value, rows)};
  if (cross_masks_.padding_mask) cross_masks_.padding_mask = gather(*cross_masks_.padding_mask, rows);
}

Decoding::Decoding(const Model& model, const Memory& memory, std::size_t capacity, const Execution& execution)
    : model_(model), execution_(execution), run_(StackRun::decoder(model, memory, capacity, execution)) {}

TensorView Decoding::advance(const std::vector<std::vector<std::int64_t>>& tokens) {
  const TensorView states = run_(padded_batch(tokens, 0).ids);
  return model_.logits(slice(states, {{}, {-1, std::nullopt, 1, true}}), execution_);
}

}  // namespace attn
