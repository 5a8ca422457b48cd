#pragma once
// All kinds of positional encodings behind two functions: the table, and its application to a sequence of vectors.

#include <attn/attention/shapes.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/layers/positional_encoding.hpp>
#include <attn/layers/relative_positions.hpp>
#include <attn/layers/rotary.hpp>

#include <optional>

namespace ATTN_API attn {

enum class EncodingKind : std::uint8_t {
  sinusoidal,  ///< added to x
  learned,     ///< a table of its own is added to x
  rotary,      ///< pairs of coordinates are rotated
  alibi,       ///< a bias on the scores, by distance
  t5,          ///< a bias on the scores, learned, by bucket of distance
  xlnet        ///< encodings of distances, from which the model projects its keys of positions
};

/// A positional encoding and its wiring. The initialisers are the defaults of posenc.
struct PositionalEncoding {
  EncodingKind kind = EncodingKind::sinusoidal;
  double base = 10000;      ///< wavelengths run from 2 pi to base * 2 pi
  std::int64_t offset = 0;  ///< position of the first row
  SinusoidLayout columns = SinusoidLayout::interleaved;
  RotaryEncoding rotary;  ///< its base is the one above
  RelativeBuckets buckets;
};

/// Tensors that an encoding may need.
struct PositionInputs {
  std::optional<TensorView> table;         ///< learned: (positions, d); t5: (buckets, H)
  std::optional<TensorView> positions;     ///< (L) or (B, L): of the rows, instead of offset, offset + 1 ...
  std::optional<TensorView> cosine, sine;  ///< rotary: by position, or by row (B, L, w): given_rotary_table()
  std::optional<TensorView> slopes;        ///< alibi: (H)
};

/// Sizes of a table.
struct PositionSizes {
  std::size_t length = 0;                 ///< L
  std::optional<std::size_t> width = {};  ///< d: columns of sinusoidal and xlnet; of a head for rotary
  std::optional<std::size_t> heads = {};  ///< H of alibi; must agree with slopes and table
  std::optional<std::size_t> keys = {};   ///< S of the biases; none: offset + L
};

/// The numbers that the encoding adds or multiplies, f64 if computed, and in the computing type of the table if
/// learned:
///
///     sinusoidal, learned  (L, d)             alibi, t5  (H, L, S)
///     rotary               (2, L, r / 2): cosines, sines
///     xlnet                (L + S - 1, d): the distances L - 1 + offset down to offset - S + 1
///
/// Throws Error(usage) for a missing size or tensor that the kind needs, and for a size that a tensor contradicts.
TensorView position_table(const PositionalEncoding& encoding, const PositionSizes& sizes, const PositionInputs& inputs,
                          const Execution& execution = {});

/// The place of the heads in the vectors to rotate. 3 axes without packed heads or a layout are refused.
struct HeadAxes {
  std::optional<std::size_t> heads;  ///< packed, (B, L, heads * d)
  std::optional<Layout> layout;
};

/// x with its positions: for sinusoidal and learned x (..., L, d), or (L, B, d) by the layout; for rotary the heads
/// (B, H, L, d), or as in `axes`.
/// The result has the computing type of x. Throws Error(usage) for the kinds that are biases.
TensorView apply_positions(const TensorView& x, const PositionalEncoding& encoding, const PositionInputs& inputs,
                           const HeadAxes& axes = {}, const Execution& execution = {});

/// Gradients of a loss by what an encoding is computed from; none for what the kind does not use.
struct PositionGradients {
  std::optional<TensorView> x, table, slopes;
};

/// The gradients by the table and the slopes for dy, that by position_table(). Throws as position_table() does, and
/// Error(data) if dy has another shape.
PositionGradients position_table_vjp(const TensorView& dy, const PositionalEncoding& encoding,
                                     const PositionSizes& sizes, const PositionInputs& inputs);

/// The gradients by x and a learned table for dy, that by apply_positions(), which has the shape of x: dy itself, or
/// for rotary dy rotated back.
PositionGradients apply_positions_vjp(const TensorView& dy, const PositionalEncoding& encoding,
                                      const PositionInputs& inputs, const HeadAxes& axes = {},
                                      const Execution& execution = {});

}  // namespace attn
