#include <attn/text/batch.hpp>

#include <algorithm>

namespace attn::text {

EncodingBatch pad(const std::vector<Encoding>& encodings, const PaddingOptions& options, std::size_t min_length) {
  std::size_t length = min_length;
  for (const Encoding& encoding : encodings) length = std::max(length, encoding.size());
  length = (length + options.multiple - 1) / options.multiple * options.multiple;
  const bool offsets =
      std::any_of(encodings.begin(), encodings.end(), [](const Encoding& e) { return !e.offsets.empty(); });
  const std::size_t rows = encodings.size();
  EncodingBatch batch{Tensor(DType::i64, {rows, length}), Tensor(DType::u8, {rows, length}),
                      Tensor(DType::i64, {rows, length}), std::nullopt};
  if (offsets) batch.offsets = Tensor::zeros(DType::i64, {rows, length, 2});
  std::fill_n(batch.ids.data_as<std::int64_t>(), rows * length, options.id);
  std::fill_n(batch.type_ids.data_as<std::int64_t>(), rows * length, options.type_id);
  std::fill_n(batch.mask.data_as<std::uint8_t>(), rows * length, std::uint8_t{0});
  for (std::size_t row = 0; row < rows; ++row) {
    const Encoding& encoding = encodings[row];
    const std::size_t begin = row * length + (options.side == Side::left ? length - encoding.size() : 0);
    std::copy(encoding.ids.begin(), encoding.ids.end(), batch.ids.data_as<std::int64_t>() + begin);
    std::copy(encoding.type_ids.begin(), encoding.type_ids.end(), batch.type_ids.data_as<std::int64_t>() + begin);
    std::fill_n(batch.mask.data_as<std::uint8_t>() + begin, encoding.size(), std::uint8_t{1});
    for (std::size_t i = 0; i < encoding.offsets.size(); ++i) {
      std::int64_t* const span = batch.offsets->data_as<std::int64_t>() + 2 * (begin + i);
      span[0] = static_cast<std::int64_t>(encoding.offsets[i].begin);
      span[1] = static_cast<std::int64_t>(encoding.offsets[i].end);
    }
  }
  return batch;
}

}  // namespace attn::text
