// Attention of few queries in tiles of pieces: keys and values are read once, as they lie in memory, and split just
// before they are used, in the nearest cache, while tiles multiply what was split before. Included by
// attention_bf16x3_amxbf16.cpp alone.
//
// Products are those of many queries bit for bit. Keys are the left operands here, queries the right ones: so keys need
// no transposition, and the pieces go in the same order.
#pragma once

namespace attn::simd::amxbf16 {
namespace {

/// Keys whose values go through all columns before the next ones, and how far ahead what is asked for lies.
constexpr std::ptrdiff_t keys_together = 64;

/// What comes next is asked for in the order in which it lies in memory, whatever the order in which it is split,
/// evenly and into the L2 cache: which is how the processor sees ahead by itself and has most requests under way.
template <class Stored>
struct RowsInOrder {
  const Stored* row;
  std::ptrdiff_t stride, width, column = 0;

  /// Rows that lie keys_together ahead of these.
  RowsInOrder(const void* rows, std::ptrdiff_t row_stride, std::size_t row_width)
      : row(static_cast<const Stored*>(rows) + keys_together * row_stride),
        stride(row_stride),
        width(static_cast<std::ptrdiff_t>(row_width)) {}

  /// The lines of so many elements.
  template <std::ptrdiff_t elements>
  __attribute__((always_inline)) void fetch() {
    constexpr std::ptrdiff_t line = 64 / static_cast<std::ptrdiff_t>(sizeof(Stored));
#pragma GCC unroll 4
    for (std::ptrdiff_t c = 0; c < elements; c += line) __builtin_prefetch(row + column + c, 0, 2);
    column += elements;
    if (column < width) return;
    column = 0;
    row += stride;
  }

  /// With `left` rows to go, these have all been asked for: others are next.
  void go_on(std::ptrdiff_t left, RowsAfter& after) {
    if (left > keys_together || after.rows == nullptr) return;
    row = static_cast<const Stored*>(after.rows);
    stride = after.stride;
    width = static_cast<std::ptrdiff_t>(after.width);
    column = 0;
    after.rows = nullptr;
  }
};

/// Does a task's parts beside the products of a step.
template <class Task>
struct Portions {
  Task& task;
  std::size_t left;

  __attribute__((always_inline)) void operator()() {
    constexpr std::size_t most = (Task::parts + products_of_step - 1) / products_of_step;
    const std::size_t now = left < most ? left : most;
    if (now == most)
      task(most);
    else if (now > 0)
      task(now);
    left -= now;
  }
};

/// Splits a step of 32 keys into two tiles of rows, one key at a time.
template <class Stored>
class KeySplitter {
 public:
  static constexpr std::size_t parts = 2 * side;
  KeySplitter(const KeyPanel& keys, std::ptrdiff_t first, std::ptrdiff_t c, std::uint16_t* tiles,
              RowsInOrder<Stored>& ahead)
      : key_(static_cast<const Stored*>(keys.keys) + first * keys.stride + c),
        stride_(keys.stride),
        present_(static_cast<std::ptrdiff_t>(keys.depth) - c),
        left_(static_cast<std::ptrdiff_t>(keys.count) - first),
        tiles_(tiles),
        ahead_(ahead) {}
  /// The next `rows` of them.
  __attribute__((always_inline)) void operator()(std::size_t rows) {
    const V<float> scale = set1<float>(key_scale);
    const bool is_whole = left_ >= static_cast<std::ptrdiff_t>(rows) && present_ >= step;
    for (std::size_t r = 0; r < rows; ++r, --left_, key_ += stride_) {
      if (is_whole) {
        ahead_.template fetch<step>();
        store_pieces(widen(key_) * scale, widen(key_ + side) * scale, tiles_);
      } else {
        const std::ptrdiff_t present = left_ > 0 ? present_ : 0;
        store_pieces(load_present(key_, present) * scale, load_present(key_ + side, present - side) * scale, tiles_);
      }
      tiles_ += ++row_ == side ? tile - (side - 1) * step : step;
    }
  }

 private:
  const Stored* key_;
  std::ptrdiff_t stride_, present_, left_;
  std::uint16_t* tiles_;
  RowsInOrder<Stored>& ahead_;
  std::ptrdiff_t row_ = 0;
};

/// Scores of 32 keys, (32, 16 queries) as tiles leave them, from key `first` on.
inline void take_columns(const Bf16x3Scores& s, std::ptrdiff_t first, const float* columns) {
  for (std::ptrdiff_t half = 0; half < 2; ++half) {
    V<float> rows[side];
#pragma GCC unroll 16
    for (int j = 0; j < side; ++j) rows[j] = load<float>(columns + (half * side + j) * side);
    transpose<float>(rows);
    float* scores = s.scores + first + half * side;
    float* maxima = s.maxima;
#pragma GCC unroll 16
    for (int r = 0; r < side; ++r, scores += s.stride, maxima += s.stride) {
      if (static_cast<std::size_t>(r) == s.rows) break;
      store<float>(scores, rows[r]);
      store<float>(maxima, max(rows[r], load<float>(maxima)));
    }
  }
}

template <class Stored>
void stream_scores_of(const KeyPanel& keys, const Bf16x3Scores& s) {
  constexpr std::size_t both_tiles = 2 * tile;
  alignas(64) std::uint16_t split[2][both_tiles];
  alignas(64) float columns[2 * side * side];
  const auto count = static_cast<std::ptrdiff_t>(s.columns), depth = static_cast<std::ptrdiff_t>(s.steps) * step;
  RowsInOrder<Stored> ahead(keys.keys, keys.stride, keys.depth);
  RowsAfter after = s.after;
  KeySplitter<Stored> first_step(keys, 0, 0, split[0], ahead);
  first_step(first_step.parts);
  int at = 0;
  for (std::ptrdiff_t first = 0; first < count; first += 2 * side) {
    ahead.go_on(static_cast<std::ptrdiff_t>(keys.count) - first, after);
    if (s.starts == nullptr) {
      zero_block<2, 1>();
    } else {
      for (std::ptrdiff_t j = 0; j < 2 * side; ++j) store<float>(columns + j * side, set1<float>(s.starts[first + j]));
      load_block<2, 1>(columns, side);
    }
    for (std::ptrdiff_t c = 0; c < depth; c += step, at ^= 1) {
      const bool is_last = c + step == depth;
      KeySplitter<Stored> splitter(keys, is_last ? first + 2 * side : first, is_last ? 0 : c + step, split[at ^ 1],
                                   ahead);
      const bool has_next = !is_last || first + 2 * side < count;
      Portions<KeySplitter<Stored>> beside{splitter, has_next ? splitter.parts : 0};
      multiply_pieces<2, 1, 3, true>(
          split[at], tile, s.queries + c / step * tile, 0, 1, [&]() __attribute__((always_inline)) { beside(); });
    }
    store_block<2, 1>(columns, side);
    take_columns(s, first, columns);
  }
}

/// Splits 32 columns of a step of 32 values into two tiles, 16 columns of two values at a time.
template <class Stored>
class ValueSplitter {
 public:
  static constexpr std::size_t parts = side;
  ValueSplitter(const Bf16x3Values& values, std::ptrdiff_t first, std::ptrdiff_t column, std::uint16_t* tiles,
                RowsInOrder<Stored>& ahead)
      : value_(static_cast<const Stored*>(values.values) + first * values.stride + column),
        stride_(values.stride),
        present_(static_cast<std::ptrdiff_t>(values.columns) - column),
        left_(static_cast<std::ptrdiff_t>(values.count) - first),
        tiles_(tiles),
        ahead_(ahead) {}
  /// The next `pairs` of rows.
  __attribute__((always_inline)) void operator()(std::size_t pairs) {
    const V<float> scale = set1<float>(value_scale);
    const bool is_whole = left_ >= static_cast<std::ptrdiff_t>(pairs) + side && present_ >= 2 * side;
    for (std::size_t p = 0; p < pairs; ++p, --left_, value_ += stride_, tiles_ += step) {
      const Stored* const later = value_ + side * stride_;
      if (is_whole) {
        ahead_.template fetch<4 * side>();
        store_pieces(widen(value_) * scale, widen(later) * scale, tiles_);
        store_pieces(widen(value_ + side) * scale, widen(later + side) * scale, tiles_ + tile);
        continue;
      }
      const std::ptrdiff_t present = left_ > 0 ? present_ : 0, later_present = left_ > side ? present_ : 0;
      store_pieces(load_present(value_, present) * scale, load_present(later, later_present) * scale, tiles_);
      store_pieces(load_present(value_ + side, present - side) * scale,
                   load_present(later + side, later_present - side) * scale, tiles_ + tile);
    }
  }

 private:
  const Stored* value_;
  std::ptrdiff_t stride_, present_, left_;
  std::uint16_t* tiles_;
  RowsInOrder<Stored>& ahead_;
};

template <class Stored>
void stream_pool_of(const Bf16x3Values& values, const Bf16x3Pool& p) {
  alignas(64) std::uint16_t split[2][2 * tile];
  const auto columns = static_cast<std::ptrdiff_t>(p.columns), width = (columns + 2 * side - 1) / (2 * side) * 2 * side;
  const auto keys = static_cast<std::ptrdiff_t>(p.steps) * step;
  RowsInOrder<Stored> ahead(values.values, values.stride, values.columns);
  RowsAfter after = p.after;
  ValueSplitter<Stored> first_step(values, 0, 0, split[0], ahead);
  first_step(first_step.parts);
  int at = 0;
  for (std::ptrdiff_t begin = 0; begin < keys; begin += keys_together) {
    const std::ptrdiff_t end = keys - begin < keys_together ? keys : begin + keys_together;
    ahead.go_on(static_cast<std::ptrdiff_t>(values.count) - begin, after);
    for (std::ptrdiff_t column = 0; column < width; column += 2 * side) {
      float* const sums = p.sums + column;
      const bool is_pair = columns - column > side;
      if (begin == 0)
        zero_block<1, 2>();
      else if (is_pair)
        load_block<1, 2>(sums, p.stride);
      else
        load_block<1, 1>(sums, p.stride);
      for (std::ptrdiff_t first = begin; first < end; first += step, at ^= 1) {
        const bool is_last = first + step == end, is_last_column = column + 2 * side == width;
        ValueSplitter<Stored> splitter(values,
                                       !is_last         ? first + step
                                       : is_last_column ? end
                                                        : begin,
                                       !is_last         ? column
                                       : is_last_column ? 0
                                                        : column + 2 * side,
                                       split[at ^ 1], ahead);
        Portions<ValueSplitter<Stored>> beside{splitter, is_last && is_last_column && end == keys ? 0 : splitter.parts};
        multiply_pieces<1, 2>(
            p.weights + first / step * tile, 0, split[at], tile, 1, [&]() __attribute__((always_inline)) { beside(); });
      }
      if (is_pair)
        store_block<1, 2>(sums, p.stride);
      else
        store_block<1, 1>(sums, p.stride);
    }
  }
}

}  // namespace
}  // namespace attn::simd::amxbf16
