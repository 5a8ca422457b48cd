#pragma once
// Which keys a query attends to, and what is added to its scores: a predicate for one pair, for the range of keys of a
// query, for a row, and for a whole tile, so that engines skip empty tiles.

#include <attn/attention/parameters.hpp>
#include <attn/attention/shapes.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace ATTN_API attn {

/// The meaning of a mask or bias of a shape for scores (B, H, L, S): 4 axes, each 1 or as in the scores. Throws
/// Error(data) for a shape that does not fit, and for a shape that fits in two ways.
Shape mask_meaning(const TensorView& mask, const AttentionSizes& sizes, bool has_lengths);

/// The elements of a whole mask, which may be gathered from its parts: they decide the type of a mask if no other does.
class MaskElements {
 public:
  void add(const TensorView& part);
  /// Are they floats that are all 0 or 1?
  bool look_boolean() const noexcept { return is_floating_ && ones_ && !minus_ones_ && !others_; }
  /// Boolean or additive: integers are boolean unless some are negative, floats additive. Throws Error(data) naming the
  /// mask for text, and for numbers that may mean either: floats of 0 and 1, integers of 0 and -1.
  MaskType type(const std::string& mask) const;

 private:
  bool is_floating_ = false, ones_ = false, minus_ones_ = false, negative_ = false, others_ = false;
};

/// The state of a rectangle of queries and keys.
enum class TileKind : std::uint8_t {
  empty,    ///< no query of the tile attends to any key of it
  partial,  ///< ask row(): some pairs are excluded, or something is added to the scores
  full      ///< all attend, nothing is added
};

/// Half-open range of keys.
struct KeyRange {
  std::size_t first = 0, last = 0;
};

/// Slopes 2^(-8 (h + 1) / H) for a power of two H, and its neighbours' for others. Source: Press et al. 2022.
std::vector<double> alibi_slopes(std::size_t heads);

/// All masks and biases of one attention, combined: a key must pass each of them, biases add up.
///
/// Keys are numbered from 0 to S over the whole sequence, also when an engine holds only a block of them. Query i has
/// position i + offset among the keys.
class Mask {
 public:
  Mask() = default;
  /// Everything attends.
  explicit Mask(const AttentionSizes& sizes);

  // Each of these narrows the mask. Errors name the tensors.
  void set_offset(std::int64_t offset) { offset_ = offset; }
  /// Keys up to and including the query's position: j <= i + offset.
  void add_causal() { right_ = 0; }
  /// From `left` before to `right` after the query's position; negative: unlimited. Throws Error(usage) below -1.
  void add_window(std::int64_t left, std::int64_t right);
  /// The last query has the position of the last key: offset = S - L, or valid length - L if lengths are given.
  void align_bottom_right() { bottom_right_ = true; }
  /// (B), (B, L) or (B, H, L), or (L) for one batch: excludes keys from the length on. Throws Error(data) if a length
  /// is not in 0..S.
  void add_lengths(const TensorView& lengths);
  /// Integers or booleans, 0 excludes (not 0 if inverted); any shape that broadcasts to (B, H, L, S), or (B, L, S),
  /// (B*H, L, S), (B, S). Throws Error(data) for other shapes and for a shape that fits in two ways.
  void add_boolean(const TensorView& mask, bool inverted = false);
  /// Floats, added to the scores; -inf excludes. Stored as `compute`, f32 or f64. Shapes as above.
  void add_bias(const TensorView& bias, DType compute);
  /// ALiBi: -slope[h] |i + offset - j| is added (Press et al. 2022). Throws Error(data) unless there are H slopes.
  void add_alibi(std::vector<double> slopes);

  /// Does query i attend to key j?
  bool attends(std::size_t b, std::size_t h, std::size_t i, std::size_t j) const noexcept;
  /// The sum of the biases of a pair, without exclusions other than -inf.
  double bias(std::size_t b, std::size_t h, std::size_t i, std::size_t j) const noexcept;

  /// The rules for the keys of one query, each by itself: the reference engine combines them on its own.
  struct Parts {
    double length;       ///< keys from here on are excluded
    double position;     ///< of the query among the keys
    double left, right;  ///< how far it sees from there; infinity: unlimited
    double slope;        ///< of ALiBi; 0: none
  };
  Parts parts(std::size_t b, std::size_t h, std::size_t i) const noexcept;
  /// For all S keys: whether the boolean masks let a key pass, and the sum of the biases that are tensors.
  void tensors(std::size_t b, std::size_t h, std::size_t i, bool* passes, double* bias) const;

  /// Keys outside the range are excluded; inside it, boolean masks and biases may exclude more. The range is within
  /// 0..S even if the query's position is after the last key.
  KeyRange keys(std::size_t b, std::size_t h, std::size_t i) const noexcept;

  /// out[j - range.first] is the bias of key j; -inf: key j is excluded, and its score must be replaced without being
  /// read. T is float or double.
  template <class T>
  void row(std::size_t b, std::size_t h, std::size_t i, KeyRange range, T* out) const;

  /// Queries [i_first, i_last) against keys [range.first, range.last).
  TileKind classify(std::size_t b, std::size_t h, std::size_t i_first, std::size_t i_last, KeyRange range) const;

  /// The biases that are tensors, in the order in which they were added: (B, H, L, keys) with the strides of the
  /// contiguous tensor given to add_bias(), 0 where it broadcasts.
  const std::vector<TensorView>& biases() const noexcept { return biases_; }

  /// Does every query attend to every key, and is nothing added?
  bool is_trivial() const noexcept {
    return is_ranges_only() && left_ < 0 && right_ < 0 && lengths_.empty() && limit_ == sizes_.keys;
  }
  bool has_bias() const noexcept { return !biases_.empty() || !slopes_.empty(); }
  /// Is every exclusion a range of keys (causal, window, lengths)? Then a full tile reads no tensor.
  bool is_ranges_only() const noexcept { return booleans_.empty() && !has_bias(); }

 private:
  std::int64_t position(std::size_t b, std::size_t h, std::size_t i) const noexcept;
  std::size_t length(std::size_t b, std::size_t h, std::size_t i) const noexcept;
  TensorView spread(const TensorView& mask, const char* what);

  AttentionSizes sizes_;
  std::int64_t offset_ = 0;
  bool bottom_right_ = false;
  std::int64_t left_ = -1, right_ = -1;
  std::size_t limit_ = 0;                        ///< keys from here on are excluded: a mask is shorter than S
  std::vector<std::int64_t> lengths_;            ///< empty: none; else (B, H, L) through the strides
  std::array<std::size_t, 3> length_strides_{};  ///< 0 for shared lengths
  std::vector<TensorView> booleans_;             ///< u8, (B, H, L, S) with broadcast strides
  std::vector<TensorView> biases_;               ///< all f32 or all f64, (B, H, L, S) with broadcast strides
  std::vector<double> slopes_;                   ///< (H)
};

}  // namespace attn
