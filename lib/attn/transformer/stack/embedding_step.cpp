#include <attn/transformer/stack/embedding_step.hpp>

#include <attn/core/error.hpp>
#include <attn/core/reduce.hpp>
#include <attn/core/shape.hpp>
#include <attn/layers/embedding.hpp>
#include <attn/layers/positional_encoding.hpp>

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
  return std::make_unique<TokenInput>(weights, description, width, padding, compute);
}

}  // namespace attn
