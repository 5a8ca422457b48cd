#include <attn/transformer/model.hpp>

#include <attn/core/error.hpp>
#include <attn/transformer/checkpoint.hpp>
#include <attn/transformer/stack/pass.hpp>

#include <algorithm>

namespace attn {

void check_length(std::size_t tokens, const ModelDescription& model, const std::string& subject,
                  const std::string& fix) {
  if (tokens > model.max_positions)
    throw Error(ErrorKind::data, subject,
                "has " + std::to_string(tokens) + " tokens, the model has " + std::to_string(model.max_positions) +
                    " positions",
                fix);
}

void expect_types(const TokenBatch& batch, const InputDescription& input) {
  if (!batch.types) return;
  if (input.type_tensor.empty() && !input.types_are_segments)
    throw Error(ErrorKind::usage, batch.types->name, "the model has no token types");
  if (batch.types->shape != batch.ids.shape)
    throw shape_error(batch.types->name, batch.types->shape, to_string(batch.ids.shape) + " as the ids");
}

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
  TokenBatch batch{ids.view("ids")};
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

std::optional<Memory> rows_of(const std::optional<Memory>& memory, const std::vector<std::size_t>& rows) {
  if (!memory) return std::nullopt;
  Memory chosen{rows_of(memory->states, rows), std::nullopt};
  if (memory->padding_mask) chosen.padding_mask = rows_of(*memory->padding_mask, rows);
  return chosen;
}

std::optional<Memory> memory_for(const TensorView& decoded, const std::optional<Memory>& memory) {
  if (!memory || memory->states.shape.at(0) == decoded.shape.at(0)) return memory;
  const std::size_t texts = memory->states.shape[0], rows = decoded.shape[0];
  if (texts == 0 || rows % texts != 0)
    throw shape_error(decoded.name, decoded.shape,
                      "a multiple of the " + std::to_string(texts) + " rows of the encoder's output");
  std::vector<std::size_t> text_of_row(rows);
  for (std::size_t i = 0; i < rows; ++i) text_of_row[i] = i / (rows / texts);
  return rows_of(memory, text_of_row);
}

Model::Model(const ModelDescription& description, Source& source, DType compute)
    : description_(description), compute_(compute_dtype(compute)) {
  const Weights weights = checked_weights(description_, source);
  const auto input = [&](const InputDescription& d) {
    return make_input(weights, d, description_.width, description_.tokens.padding, compute_);
  };
  Parts parts;
  if (description_.source) parts.source = input(*description_.source);
  if (description_.encoder) parts.encoder = Stack::load(weights, *description_.encoder, compute);
  if (description_.target) parts.target = input(*description_.target);
  if (description_.decoder) parts.decoder = Stack::load(weights, *description_.decoder, compute);
  if (description_.head) parts.head.emplace(weights, *description_.head, description_.width, compute);
  parts_ = std::make_unique<const Parts>(std::move(parts));
}

Model::~Model() = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;

TensorView Model::encode(const TokenBatch& source, const Execution& execution, bool attention_weights) const {
  StackRun run = StackRun::encoder(*this, execution);
  run.want_attention_weights(attention_weights);
  return run(source);
}

TensorView Model::logits(const TensorView& hidden, const Execution& execution, const TokenBatch& batch) const {
  TensorView y = (*parts_->head)(hidden, execution, batch);
  execution.show(description_.head->result, y);
  return y;
}

TensorView Model::logits_vjp(const TensorView& hidden, const TensorView& dy, ParameterGradients& parameters,
                             const Execution& execution) const {
  return parts_->head->vjp(hidden, dy, parameters, execution);
}

}  // namespace attn
