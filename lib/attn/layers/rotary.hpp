#pragma once
// Rotary positions: pairs of coordinates rotated by an angle proportional to the position.

#include <attn/core/execution.hpp>
#include <attn/core/export.hpp>
#include <attn/core/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ATTN_API attn {

// Scaling of rotary positions for texts longer than those in a model's training.

/// The kinds defined by transformers; f_j = base^(-2j / r) is the unscaled frequency of the pair j.
enum class RotaryScalingKind : std::uint8_t {
  dynamic,  ///< beyond the original length L a larger base: base (factor n / L - (factor - 1))^(r / (r - 2)) at length
            ///< n
  yarn,     ///< f_j / factor for slow pairs, f_j for fast ones, a ramp between (Peng et al. 2023)
  llama3,   ///< the same with borders in wavelengths
  longrope  ///< f_j divided by its own factor, from one list up to the original length and another beyond
};

struct RotaryScaling {
  RotaryScalingKind kind = RotaryScalingKind::yarn;
  double factor = 1;
  double original_length = 0;   ///< number of positions in the model's training
  double attention_factor = 1;  ///< multiplies cosines and sines
  double fast = 32, slow = 1;   ///< yarn: rotations within the original length; llama3: high_freq and low_freq_factor
  bool truncate = true;         ///< yarn: the ramp's borders are whole pairs
  std::vector<double> short_factors, long_factors;  ///< longrope, one for each pair
};

/// Do the frequencies of a text change when it grows?
bool follows_length(const RotaryScaling& scaling) noexcept;

/// The angle of each of the r / 2 pairs at position 1, for a sequence whose last position is length - 1.
/// source  transformers, modeling_rope_utils.py; there in single precision, here in double
std::vector<double> scaled_frequencies(const RotaryScaling& scaling, double base, std::size_t width,
                                       std::size_t length);

/// yarn's default factor of cosines and sines: 0.1 mscale ln(factor) + 1.
double yarn_magnitude(double factor, double mscale = 1);

/// Wiring of rotary positions (Su et al. 2021). The initialisers are the defaults of posenc and mha.
///
///     (x_a, x_b) -> (x_a cos t - x_b sin t, x_a sin t + x_b cos t),   t = pos / base^(2j / r) for the pair j
///
/// The pair j is (j, j + r / 2), or (2j, 2j + 1) when interleaved; coordinates from r on are unchanged.
struct RotaryEncoding {
  double base = 10000;
  std::size_t width = 0;     ///< r, even; 0: the whole head
  bool interleaved = false;  ///< pairs are neighbours (GPT-J), not from the two halves (GPT-NeoX, Llama)
  double scaling = 1;        ///< divisor of the positions: linear interpolation (Chen et al. 2023)
  std::optional<RotaryScaling> stretching = std::nullopt;  ///< other frequencies for long texts
};

/// The positions of a tensor's rows: first, first + 1, ..., or the integers in `listed`, (L) or (B, L).
struct Positions {
  std::int64_t first = 0;
  std::optional<TensorView> listed;
};

/// Cosines and sines of the angles, (L, r / 2), or (B or 1, L, r / 2) for listed positions of two axes.
struct RotaryTable {
  TensorView cosine, sine;
};

/// Given cosines and sines for heads of that width: (P, w), (B, L, w), (B, 1, L, w) or (B, L, 1, w), where B = 1 serves
/// all batches. w is r / 2, or r with two equal columns for each pair, as determined from `encoding` or the columns.
/// Throws Error(data) for other shapes, and if the two columns of a pair differ.
RotaryTable given_rotary_table(const TensorView& cosine, const TensorView& sine, std::size_t head_width,
                               const RotaryEncoding& encoding);

/// r, with 0 resolved to the whole head. Throws Error(usage) for an odd r, an r above head_width or unlike the number
/// of longrope factors, and a base or scaling that is not above 0.
std::size_t rotary_width(const RotaryEncoding& encoding, std::size_t head_width);

/// Throws Error(data) unless there is a position for each row: (L) or (B, L).
void expect_positions(const TensorView& positions, std::size_t batch, std::size_t length);

/// Angles in f64, rounded once. `length` is used if positions are not listed. Throws like rotary_width().
RotaryTable rotary_table(std::size_t length, std::size_t head_width, const RotaryEncoding& encoding,
                         const Positions& positions, DType dtype);

/// The heads x (B, H, L, d), with any strides, rotated by the table; in memory the result is (B, L, H, d), so that
/// heads stay side by side. Throws Error(data) if the table does not fit.
TensorView rotate(const TensorView& x, const RotaryTable& table, bool interleaved, const Execution& execution = {});

/// The gradient by x for dy, that by rotate(): dy rotated back.
TensorView rotate_vjp(const TensorView& dy, const RotaryTable& table, bool interleaved,
                      const Execution& execution = {});

}  // namespace attn
