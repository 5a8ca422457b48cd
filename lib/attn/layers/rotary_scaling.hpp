#pragma once
// Scaling of rotary positions for texts longer than those in a model's training.

#include <attn/core/api.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ATTN_API attn {

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

}  // namespace attn
