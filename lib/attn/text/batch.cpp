#include <attn/text/batch.hpp>

#include <algorithm>

namespace attn::text {

namespace {

/// Rows that were added together, in sequence.
struct Part {
  std::vector<std::size_t> ends;  ///< of each row, in tokens
  TensorView ids, type_ids;       ///< i32
  TensorView offsets;             ///< (tokens, 2), i32; empty where the encodings have none
};

/// `member` of all encodings, narrowed.
template <class Member>
TensorView joined(const std::vector<Encoding>& encodings, Member member) {
  std::vector<std::int64_t> all;
  for (const Encoding& encoding : encodings) member(encoding, all);
  const TensorView wide{all.data(), DType::i64, {all.size()}, {1}, nullptr, "tokens"};
  return cast(wide, DType::i32);
}

}  // namespace

struct EncodingBatch::Rows {
  PaddingOptions options;
  std::size_t count = 0, length = 0;
  std::vector<Part> parts;
};

EncodingBatch::EncodingBatch(const PaddingOptions& options, std::size_t min_length) : rows_(std::make_shared<Rows>()) {
  rows_->options = options;
  rows_->length = (min_length + options.multiple - 1) / options.multiple * options.multiple;
}

void EncodingBatch::add(const std::vector<Encoding>& encodings) {
  Part part;
  std::size_t end = 0;
  for (const Encoding& encoding : encodings) {
    const std::size_t multiple = rows_->options.multiple;
    rows_->length = std::max(rows_->length, (encoding.size() + multiple - 1) / multiple * multiple);
    part.ends.push_back(end += encoding.size());
  }
  rows_->count += encodings.size();
  const auto append = [](std::vector<std::int64_t>& all, const std::vector<TokenId>& some) {
    all.insert(all.end(), some.begin(), some.end());
  };
  part.ids = joined(encodings, [&](const Encoding& e, auto& all) { append(all, e.ids); });
  part.type_ids = joined(encodings, [&](const Encoding& e, auto& all) { append(all, e.type_ids); });
  part.offsets = joined(encodings, [](const Encoding& encoding, auto& all) {
    for (const Span& span : encoding.offsets)
      all.insert(all.end(), {static_cast<std::int64_t>(span.begin), static_cast<std::int64_t>(span.end)});
  });
  rows_->parts.push_back(std::move(part));
}

/// write(part, first token, count, where to).
template <class T, class Write>
TensorProducer EncodingBatch::filled(T fill, std::size_t width, Write&& write) const {
  Shape shape{rows_->count, rows_->length};
  if (width > 1) shape.push_back(width);
  const auto produce = [rows = rows_, fill, width, write](const ByteConsumer& consume) {
    constexpr std::size_t most = 8192;  // elements at a time
    const std::size_t row_width = rows->length * width;
    std::vector<T> some;
    const auto flush = [&] {
      if (!some.empty()) consume(some.data(), some.size() * sizeof(T));
      some.clear();
    };
    for (const Part& part : rows->parts) {
      std::size_t first = 0;
      for (const std::size_t end : part.ends) {
        const std::size_t count = end - first, begin = some.size();
        some.resize(begin + row_width, fill);
        const std::size_t padding = rows->options.side == Side::left ? rows->length - count : 0;
        write(part, first, count, some.data() + begin + padding * width);
        first = end;
        if (some.size() >= most) flush();
      }
    }
    flush();
  };
  return {dtype_of_v<T>, std::move(shape), produce};
}

namespace {

/// `width` numbers of each token.
void widen(const TensorView& numbers, std::size_t first, std::size_t count, std::int64_t* to) {
  if (numbers.size() > 0) std::copy_n(numbers.contiguous_data<std::int32_t>() + first, count, to);
}

}  // namespace

TensorProducer EncodingBatch::ids() const {
  return filled<std::int64_t>(
      rows_->options.id, 1,
      [](const Part& part, std::size_t first, std::size_t count, auto* to) { widen(part.ids, first, count, to); });
}

TensorProducer EncodingBatch::mask() const {
  return filled<std::uint8_t>(
      0, 1, [](const Part&, std::size_t, std::size_t count, auto* to) { std::fill_n(to, count, std::uint8_t{1}); });
}

TensorProducer EncodingBatch::type_ids() const {
  return filled<std::int64_t>(
      rows_->options.type_id, 1,
      [](const Part& part, std::size_t first, std::size_t count, auto* to) { widen(part.type_ids, first, count, to); });
}

TensorProducer EncodingBatch::offsets() const {
  return filled<std::int64_t>(0, 2, [](const Part& part, std::size_t first, std::size_t count, auto* to) {
    widen(part.offsets, 2 * first, 2 * count, to);
  });
}

}  // namespace attn::text
