#include <attn/transformer/stack/pass.hpp>

#include <attn/core/error.hpp>
#include <attn/core/reduce.hpp>
#include <attn/core/shape.hpp>
#include <attn/layers/embedding.hpp>
#include <attn/layers/positional_encoding.hpp>
#include <attn/layers/relative_positions.hpp>
#include <attn/transformer/stack/block.hpp>

#include <algorithm>

namespace attn {
namespace {

/// Ids to vectors: rows of a table, with positions and types added, normalised if the model does.
class TokenInput : public Input {
 public:
  TokenInput(const Weights& weights, const InputDescription& description, std::size_t width,
             std::optional<std::int64_t> padding, DType compute);

  const char* name() const noexcept override { return "ids"; }
  std::size_t length(const TokenBatch& batch) const override {
    if (batch.ids.rank() != 2) throw shape_error(batch.ids.name, batch.ids.shape, "(batch, length)");
    return batch.ids.shape[1];
  }
  TensorView operator()(const TokenBatch& batch, std::size_t first, const Execution& execution) const override;
  void vjp(const TokenBatch& batch, const TensorView& dy, ParameterGradients& parameters,
           const Execution& execution) const override;

 private:
  TensorView sum(const TokenBatch& batch, std::size_t first, const Execution& execution) const;
  TensorView position_rows(const TokenBatch& batch, std::size_t first) const;

  InputDescription description_;
  DType compute_;
  Embedding table_;
  std::optional<Embedding> positions_, types_;
  std::optional<Norm> norm_;
  std::optional<Linear> projection_;
  std::int64_t padding_;
};

/// Pictures, or the frames of videos, to vectors: the patches after a class token, plus learned embeddings of places
/// and times. The tokens of a video are in order of patches, the frames of a patch side by side.
class PictureInput : public Input {
 public:
  PictureInput(const Weights& weights, const InputDescription& input, std::size_t width, DType compute);

  const char* name() const noexcept override { return "pixels"; }
  std::size_t length(const TokenBatch& batch) const override;
  TensorView operator()(const TokenBatch& batch, std::size_t first, const Execution& execution) const override;
  void vjp(const TokenBatch& batch, const TensorView& dy, ParameterGradients& parameters,
           const Execution& execution) const override;

 private:
  PictureDescription description_;
  PatchEmbedding patches_;
  TensorView class_token_, positions_;
  std::optional<TensorView> times_;
  std::optional<Norm> norm_;
};

/// Vectors that are there already.
class VectorInput : public Input {
 public:
  VectorInput(std::size_t width, DType compute) : width_(width), compute_(compute) {}

  const char* name() const noexcept override { return "x"; }
  std::size_t length(const TokenBatch& batch) const override {
    if (batch.ids.rank() != 3 || batch.ids.shape[2] != width_)
      throw shape_error(batch.ids.name, batch.ids.shape,
                        "(batch, length, " + std::to_string(width_) + "), the width of the layers");
    return batch.ids.shape[1];
  }
  TensorView operator()(const TokenBatch& batch, std::size_t, const Execution&) const override {
    return contiguous(cast(batch.ids, compute_));
  }
  void vjp(const TokenBatch&, const TensorView&, ParameterGradients&, const Execution&) const override {}

 private:
  std::size_t width_;
  DType compute_;
};

TokenInput::TokenInput(const Weights& weights, const InputDescription& d, std::size_t width,
                       std::optional<std::int64_t> padding, DType compute)
    : description_(d),
      compute_(compute),
      table_(weights.get(d.tensor + ".weight"), compute, d.scale),
      padding_(padding.value_or(-1)) {
  if (d.positions == PositionKind::learned) positions_.emplace(weights.get(d.position_tensor + ".weight"), compute);
  if (!d.type_tensor.empty()) types_.emplace(weights.get(d.type_tensor + ".weight"), compute);
  const std::size_t own = d.width == 0 ? width : d.width;
  if (!d.norm.empty()) norm_ = Norm::load(weights.scoped(d.norm), own, d.norm_parameters, compute);
  if (!d.projection.empty()) projection_ = Linear::load(weights.scoped(d.projection), width, own, compute);
}

/// The row of the learned table for each token.
TensorView TokenInput::position_rows(const TokenBatch& batch, std::size_t first) const {
  const std::size_t length = batch.ids.shape[1];
  Tensor rows(DType::i64, batch.ids.shape);
  auto* row = rows.data_as<std::int64_t>();
  const auto offset = static_cast<std::int64_t>(description_.position_offset);
  const std::vector<std::int64_t> ids = to_integers(batch.ids);
  for (std::size_t i = 0, real = first; i < ids.size(); ++i) {
    if (i % length == 0) real = first;
    if (description_.rule == PositionRule::real_only)
      row[i] = ids[i] == padding_ ? offset : offset + static_cast<std::int64_t>(++real);
    else
      row[i] = offset + static_cast<std::int64_t>(first + i % length);
  }
  return rows.view("positions");
}

/// The types of a batch, 0 where it has none.
TensorView types_of(const TokenBatch& batch) {
  return batch.types ? *batch.types : Tensor::zeros(DType::i64, batch.ids.shape).view("token types");
}

/// The vectors before the norm.
TensorView TokenInput::sum(const TokenBatch& batch, std::size_t first, const Execution& execution) const {
  expect_types(batch, description_);
  const std::size_t length = batch.ids.shape[1];
  TensorView x = table_(batch.ids, execution);
  execution.show("embedding", x);
  if (types_) {
    const TensorView of_types = (*types_)(types_of(batch), execution);
    execution.show("types", of_types);
    x = add_residual(x, of_types, execution);
  }
  if (description_.positions == PositionKind::sinusoidal) {
    SinusoidalEncoding encoding;
    encoding.layout = description_.sinusoids;
    encoding.offset = static_cast<std::int64_t>(first);
    const Tensor table = sinusoidal_table(length, table_.width(), encoding, compute_, execution);
    execution.show("positions", table.view());
    x = add_positions(x, table.view("positions"), execution);
  } else if (positions_) {
    const TensorView of_positions = (*positions_)(position_rows(batch, first), execution);
    execution.show("positions", of_positions);
    x = add_residual(x, of_positions, execution);
  }
  return x;
}

TensorView TokenInput::operator()(const TokenBatch& batch, std::size_t first, const Execution& execution) const {
  TensorView x = sum(batch, first, execution);
  if (norm_) {
    execution.show("embedding_sum", x);
    x = (*norm_)(x, execution);
  }
  if (!projection_) return x;
  execution.show("embedding_narrow", x);
  return (*projection_)(x, execution);
}

void TokenInput::vjp(const TokenBatch& batch, const TensorView& dy, ParameterGradients& parameters,
                     const Execution& execution) const {
  TensorView dx = dy, x;
  if (norm_ || projection_) x = sum(batch, 0, execution);
  if (projection_) {
    const LinearGradients d = projection_->vjp(norm_ ? (*norm_)(x, execution) : x, dx, execution);
    parameters.add(*projection_, d);
    dx = d.x;
  }
  if (norm_) {
    const NormGradients d = norm_->vjp(x, dx, execution);
    parameters.add(*norm_, d);
    dx = d.x;
  }
  parameters.add(table_.table(), table_.vjp(batch.ids, dx, execution));
  if (types_) parameters.add(types_->table(), types_->vjp(types_of(batch), dx, execution));
  if (positions_) parameters.add(positions_->table(), positions_->vjp(position_rows(batch, 0), dx, execution));
}

PictureInput::PictureInput(const Weights& weights, const InputDescription& input, std::size_t width, DType compute)
    : description_(*input.pictures),
      patches_(weights.get(description_.projection + ".weight"), weights.find(description_.projection + ".bias"),
               compute),
      class_token_(cast(weights.get(description_.class_token), compute)),
      positions_(cast(weights.get(description_.positions), compute)) {
  if (!description_.times.empty()) times_ = cast(weights.get(description_.times), compute);
  if (!input.norm.empty()) norm_ = Norm::load(weights.scoped(input.norm), width, input.norm_parameters, compute);
}

std::size_t PictureInput::length(const TokenBatch& batch) const {
  const PictureDescription& d = description_;
  const std::size_t count = batch.ids.shape.empty() ? 0 : batch.ids.shape[0];
  Shape expected{count, d.channels, d.height, d.width};
  if (d.frames > 0) expected.insert(expected.begin() + 1, d.frames);
  if (batch.ids.shape != expected)
    throw shape_error(batch.ids.name, batch.ids.shape,
                      to_string(expected) + (d.frames > 0 ? " = (videos, frames, channels, height, width)"
                                                          : " = (pictures, channels, height, width)"));
  return d.tokens();
}

TensorView PictureInput::operator()(const TokenBatch& batch, std::size_t, const Execution& execution) const {
  const PictureDescription& d = description_;
  const std::size_t frames = std::max<std::size_t>(d.frames, 1), pictures = batch.ids.shape[0] * frames;
  const TensorView embedded = patches_(reshaped(batch.ids, {pictures, d.channels, d.height, d.width}), execution);
  execution.show("embedding", embedded);
  const std::size_t patches = d.patches(), width = embedded.shape[2];
  const std::size_t together = d.frames_apart ? 1 : frames;  // frames of one row
  Tensor x(embedded.dtype, {pictures / together, d.tokens(), width});
  visit_compute_dtype(embedded.dtype, [&](auto element) {
    using T = decltype(element);
    const T *patch = embedded.contiguous_data<T>(), *class_token = class_token_.contiguous_data<T>(),
            *position = positions_.contiguous_data<T>(), *time = times_ ? times_->contiguous_data<T>() : nullptr;
    execution.parallel(pictures / together, [&](std::size_t row, std::size_t) {
      T* to = x.data_as<T>() + row * d.tokens() * width;
      for (std::size_t j = 0; j < width; ++j) *to++ = class_token[j] + position[j];
      for (std::size_t i = 0; i < patches; ++i)
        for (std::size_t t = 0; t < together; ++t)
          for (std::size_t j = 0; j < width; ++j) {
            const T placed = patch[((row * together + t) * patches + i) * width + j] + position[(i + 1) * width + j];
            *to++ = time == nullptr ? placed : placed + time[t * width + j];
          }
    });
  });
  if (!norm_) return x.view(batch.ids.name);
  execution.show("embedding_sum", x.view());
  return (*norm_)(x.view(batch.ids.name), execution);
}

void PictureInput::vjp(const TokenBatch& batch, const TensorView& dy, ParameterGradients& parameters,
                       const Execution& execution) const {
  if (description_.frames > 0) throw Error(ErrorKind::usage, "gradients", "of videos are not computed");
  const std::size_t tokens = dy.shape[1], width = dy.shape[2];
  const TensorView of_places = sum_to(dy, {1, tokens, width});
  parameters.add(positions_, of_places);
  parameters.add(class_token_, slice(of_places, {{}, {0, 1, 1, false}}));
  const auto last = static_cast<std::int64_t>(tokens);
  const LinearGradients d = patches_.vjp(batch.ids, contiguous(slice(dy, {{}, {1, last, 1, false}})), execution);
  parameters.add(patches_.projection(), d);
}

}  // namespace

std::unique_ptr<Input> make_input(const Weights& weights, const InputDescription& description, std::size_t width,
                                  std::optional<std::int64_t> padding, DType compute) {
  if (description.pictures) return std::make_unique<PictureInput>(weights, description, width, compute);
  if (description.vectors) return std::make_unique<VectorInput>(width, compute);
  return std::make_unique<TokenInput>(weights, description, width, padding, compute);
}

StackRun::StackRun(const Model& model, const Stack& stack, const Input& input, const StackDescription& description,
                   const Execution& execution)
    : model_(model),
      stack_(stack),
      input_(input),
      description_(description),
      execution_(execution.within(stack.name)) {}

StackRun StackRun::encoder(const Model& model, const Execution& execution) {
  return {model, *model.parts_->encoder, *model.parts_->source, *model.description_.encoder, execution};
}

StackRun StackRun::decoder(const Model& model, const std::optional<Memory>& memory, std::optional<std::size_t> capacity,
                           const Execution& execution) {
  StackRun run(model, *model.parts_->decoder, *model.parts_->target, *model.description_.decoder, execution);
  if (capacity) run.caches_.assign(run.blocks(), KeyValueCache(*capacity));
  if (!memory) return run;
  run.memory_states_ = memory->states;
  run.cross_masks_.padding_mask = memory->padding_mask;
  run.cross_masks_.mask = memory->mask;
  for (std::size_t i = 0; i < run.blocks(); ++i)
    run.memories_.push_back(
        run.stack_.blocks[i].project_memory(memory->states, run.execution_.within(std::to_string(i))));
  return run;
}

void StackRun::keep_from(std::size_t layer, const Dropout& dropout) {
  if (description_.two_streams) throw Error(ErrorKind::usage, "gradients", "of two streams are not computed");
  kept_from_ = layer;
  dropout_ = dropout;
  kept_.resize(blocks());
}

TensorView StackRun::embed(const TokenBatch& batch) {
  const std::size_t length = input_.length(batch);
  check_length(length_ + length, model_.description_, batch.ids.name);
  if (const Shape rows{batch.ids.shape[0], length}; batch.padding_mask && batch.padding_mask->shape != rows)
    throw shape_error(batch.padding_mask->name, batch.padding_mask->shape,
                      to_string(rows) + " as the " + (batch.ids.rank() == 2 ? "ids" : "input"));
  self_masks_.padding_mask = batch.padding_mask;
  self_masks_.mask = batch.mask;
  if (batch.padding_mask) execution_.show("padding_mask", *batch.padding_mask);
  execution_.show(input_.name(), batch.ids);
  if (batch.types) execution_.show("type_ids", *batch.types);
  if (batch.permutation_mask) execution_.show("perm_mask", *batch.permutation_mask);
  if (batch.target_mapping) execution_.show("target_mapping", *batch.target_mapping);
  if (batch.answer_mask) execution_.show("answer_mask", *batch.answer_mask);
  for (std::size_t i = 0; i < batch.memories.size(); ++i)
    execution_.show("mems/" + std::to_string(i), batch.memories[i]);
  TensorView x = dropout_(input_(batch, length_, execution_), execution_);
  execution_.show("input", x);
  if (description_.two_streams)
    begin_streams(batch);
  else if (batch.permutation_mask || batch.target_mapping || !batch.memories.empty())
    throw Error(ErrorKind::usage, model_.description_.model_type, "has no second stream and no memory");
  return x;
}

void StackRun::resume(const TokenBatch& batch) {
  if (batch.target_mapping)
    throw Error(ErrorKind::usage, "--from",
                "cannot be a layer if the run has a target mapping: its targets cannot be resumed",
                "give --from encoder/embedding");
  self_masks_.padding_mask = batch.padding_mask;
  if (description_.two_streams) begin_streams(batch);
}

void StackRun::begin_streams(const TokenBatch& batch) {
  const std::size_t rows = batch.ids.shape[0], length = batch.ids.shape[1], width = description_.block.width;
  if (!batch.memories.empty() && batch.memories.size() != blocks())
    throw Error(ErrorKind::data, batch.memories.front().name,
                "is one of " + std::to_string(batch.memories.size()) + " memories, the model has " +
                    std::to_string(blocks()) + " layers");
  past_ = batch.memories.empty() || batch.memories.front().shape.empty() ? 0 : batch.memories.front().shape[0];
  for (const TensorView& memory : batch.memories)
    if (memory.shape != Shape{past_, rows, width})
      throw shape_error(memory.name, memory.shape, to_string(Shape{past_, rows, width}) + " = (M, batch, width)");
  states_ = remembered_ = {};
  remembered_.assign(batch.memories.begin(), batch.memories.end());
  caches_.assign(blocks(), KeyValueCache(past_ + length));
  for (std::size_t i = 0; i < batch.memories.size() && past_ > 0; ++i)
    stack_.blocks[i].remember(cast(transposed(batch.memories[i], {1, 0, 2}), model_.compute_), caches_[i], execution_);

  const StreamMasks masks = stream_masks(batch, *description_.two_streams, past_);
  self_masks_ = {};
  self_masks_.mask = masks.content;
  if (batch.types) self_masks_.segments = segments_of(*batch.types, past_);
  targets_.reset();
  if (!batch.target_mapping) return;
  const TensorView& mapping = *batch.target_mapping;
  if (mapping.rank() != 3 || mapping.shape[0] != rows || mapping.shape[2] != length)
    throw shape_error(mapping.name, mapping.shape,
                      "(" + std::to_string(rows) + ", targets, " + std::to_string(length) + ")");
  targets_ =
      Targets{contiguous(broadcast_to(*stack_.mask_vector, {rows, mapping.shape[1], width})), mapping, self_masks_};
  targets_->masks.mask = masks.targets;
  execution_.show("targets", targets_->states);
}

BlockContext StackRun::context_of(std::size_t i, std::size_t tokens) {
  BlockContext context;
  context.self_masks = self_masks_;
  if (stack_.relative_bias) {
    const RelativeSpan span{tokens, length_ + tokens, static_cast<std::int64_t>(length_)};
    if (!bias_ || bias_->shape[1] != span.queries || bias_->shape[2] != span.keys)
      bias_ = bucketed_bias(*stack_.relative_bias, description_.relative_bias->buckets, span, model_.compute_)
                  .view("relative bias");
    context.self_masks.bias = bias_;
  }
  context.cross_masks = cross_masks_;
  context.cache = caches_.empty() ? nullptr : &caches_[i];
  context.memory = memories_.empty() ? nullptr : &memories_[i];
  context.attention_weights = attention_weights_;
  context.dropout = dropout_.below(i);
  if (kept_from_ && i >= *kept_from_) context.kept = &kept_[i];
  return context;
}

TensorView StackRun::block(std::size_t i, const TensorView& x) {
  BlockContext context = context_of(i, x.shape[1]);
  const Execution execution = execution_.within(std::to_string(i));
  if (!description_.two_streams) return stack_.blocks[i](x, context, execution);
  if (wants_memories_) {
    const auto before = remembered_.empty() ? std::nullopt : std::optional(remembered_[i]);
    states_.push_back(remembered(x, before, *description_.two_streams));
  }
  const TensorView y = stack_.blocks[i](x, context, execution);
  if (targets_) {
    context.self_masks = targets_->masks;
    context.mapping = targets_->mapping;
    context.past = past_;
    targets_->states = stack_.blocks[i](targets_->states, context, execution.within("targets"));
  }
  return y;
}

TensorView StackRun::final_norm(const TensorView& x) {
  if (kept_from_) before_norm_ = x;
  TensorView y = stack_.final_norm ? (*stack_.final_norm)(x, execution_) : targets_ ? targets_->states : x;
  execution_.show("output", y);
  return y;
}

TensorView StackRun::operator()(const TokenBatch& batch) {
  TensorView x = embed(batch);
  for (std::size_t i = 0; i < blocks(); ++i) x = block(i, x);
  if (!caches_.empty() && !description_.two_streams) length_ += batch.ids.shape[1];
  return final_norm(x);
}

std::optional<TensorView> StackRun::vjp(const TokenBatch& batch, const TensorView& dy, bool visits_input,
                                        ParameterGradients& parameters) {
  TensorView d = dy;
  if (stack_.final_norm) {
    const NormGradients of_norm = stack_.final_norm->vjp(before_norm_, d, execution_);
    parameters.add(*stack_.final_norm, of_norm);
    d = of_norm.x;
  }
  std::optional<TensorView> by_memory, by_bias;
  const auto add = [&](std::optional<TensorView>& sum, const std::optional<TensorView>& term) {
    if (term) sum = sum ? add_residual(*sum, *term, execution_) : *term;
  };
  for (std::size_t i = blocks(); i-- > *kept_from_;) {
    const Block::Gradients of_block =
        stack_.blocks[i].vjp(memory_states_, context_of(i, d.shape[1]), d, parameters, execution_);
    add(by_memory, of_block.memory);
    add(by_bias, of_block.bias);
    d = of_block.x;
    kept_.pop_back();
  }
  if (by_bias)
    parameters.add(*stack_.relative_bias,
                   bucketed_bias_vjp(*by_bias, *stack_.relative_bias, description_.relative_bias->buckets,
                                     {d.shape[1], d.shape[1], 0})
                       .view());
  if (visits_input) input_.vjp(batch, dropout_(d, execution_), parameters, execution_);
  return by_memory;
}

void StackRun::select(const std::vector<std::size_t>& rows) {
  execution_.parallel(caches_.size(), [&](std::size_t i, std::size_t) { caches_[i].reorder(rows); });
  for (KeyValue& memory : memories_) memory = {rows_of(memory.key, rows), rows_of(memory.value, rows)};
  if (cross_masks_.padding_mask) cross_masks_.padding_mask = rows_of(*cross_masks_.padding_mask, rows);
}

}  // namespace attn
