#include <attn/transformer/model.hpp>

#include <attn/core/error.hpp>
#include <attn/layers/positional_encoding.hpp>

#include <algorithm>

namespace attn {
namespace {

/// Rows of x, copied: the first axis is gathered.
TensorView gather(const TensorView& x, const std::vector<std::size_t>& rows) {
  const TensorView from = contiguous(x);
  Shape shape = x.shape;
  shape[0] = rows.size();
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

TensorView Model::embed(const std::optional<Embedding>& table, const InputDescription& input, const TensorView& ids,
                        std::size_t first_position, const Execution& execution) const {
  expect_ids(ids);
  const std::size_t end = first_position + ids.shape[1];
  if (end > description_.max_positions)
    throw Error(
        ErrorKind::data, ids.name,
        std::to_string(end) + " tokens, the model has " + std::to_string(description_.max_positions) + " positions");
  TensorView x = (*table)(ids, execution);
  execution.show("embedding", x);
  if (input.positions == PositionKind::sinusoidal) {
    SinusoidalEncoding encoding;
    encoding.offset = static_cast<std::int64_t>(first_position);
    const Tensor positions = sinusoidal_table(ids.shape[1], description_.width, encoding, compute_);
    x = add_positions(x, positions.view("positions"), execution);
    execution.show("positions", x);
  }
  return x;
}

TensorView Model::encode(const TokenBatch& source, const Execution& whole, bool attention_weights) const {
  const Execution execution = whole.within(encoder_->name);
  TensorView x = embed(source_, *description_.source, source.ids, 0, execution);
  BlockContext context;
  context.self_masks.padding_mask = source.padding_mask;
  context.attention_weights = attention_weights;
  for (std::size_t i = 0; i < encoder_->blocks.size(); ++i)
    x = encoder_->blocks[i](x, context, execution.within(std::to_string(i)));
  if (encoder_->final_norm) x = (*encoder_->final_norm)(x, execution);
  execution.show("output", x);
  return x;
}

TensorView Model::logits(const TensorView& hidden, const Execution& execution) const {
  TensorView y = (*head_)(hidden, execution);
  execution.show("logits", y);
  return y;
}

Decoding::Decoding(const Model& model, const Memory& memory, std::size_t capacity, const Execution& execution)
    : model_(model), execution_(execution), caches_(model.decoder_->blocks.size(), KeyValueCache(capacity)) {
  cross_masks_.padding_mask = memory.padding_mask;
  const Execution inside = execution_.within(model.decoder_->name);
  for (std::size_t i = 0; i < model.decoder_->blocks.size(); ++i)
    memories_.push_back(model.decoder_->blocks[i].project_memory(memory.states, inside.within(std::to_string(i))));
}

TensorView Decoding::hidden(const TensorView& ids, bool attention_weights) {
  const Stack& stack = *model_.decoder_;
  const Execution execution = execution_.within(stack.name);
  TensorView x = model_.embed(model_.target_, *model_.description_.target, ids, length_, execution);
  BlockContext context;
  context.cross_masks = cross_masks_;
  context.attention_weights = attention_weights;
  for (std::size_t i = 0; i < stack.blocks.size(); ++i) {
    context.cache = &caches_[i];
    context.memory = &memories_[i];
    x = stack.blocks[i](x, context, execution.within(std::to_string(i)));
  }
  if (stack.final_norm) x = (*stack.final_norm)(x, execution);
  execution.show("output", x);
  length_ += ids.shape[1];
  return x;
}

TensorView Decoding::advance(const std::vector<std::vector<std::int64_t>>& tokens) {
  const TensorView states = hidden(padded_batch(tokens, 0).ids);
  return model_.logits(slice(states, {{}, {-1, std::nullopt, 1, true}}), execution_);
}

void Decoding::select(const std::vector<std::size_t>& rows) {
  for (KeyValueCache& cache : caches_) cache.reorder(rows);
  for (KeyValue& memory : memories_) memory = {gather(memory.key, rows), gather(memory.value, rows)};
  if (cross_masks_.padding_mask) cross_masks_.padding_mask = gather(*cross_masks_.padding_mask, rows);
}

}  // namespace attn
