#include <attn/transformer/batch.hpp>

#include <attn/core/error.hpp>

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

}  // namespace attn
