#include <attn/layers/rotary_scaling.hpp>

#include <attn/core/constants.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

/// The fractional index of the pair that makes so many rotations within the original length.
double pair_of_turns(double turns, const RotaryScaling& s, double base, double width) {
  return width * std::log(s.original_length / (turns * 2 * pi)) / (2 * std::log(base));
}

void scale_yarn(const RotaryScaling& s, double base, std::size_t width, std::vector<double>& frequencies) {
  const auto r = static_cast<double>(width);
  double low = pair_of_turns(s.fast, s, base, r), high = pair_of_turns(s.slow, s, base, r);
  if (s.truncate) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = std::max(low, 0.0);
  high = std::min(high, r - 1);
  if (low == high) high += 0.001;
  for (std::size_t j = 0; j < frequencies.size(); ++j) {
    const double slow = std::clamp((static_cast<double>(j) - low) / (high - low), 0.0, 1.0);
    frequencies[j] = frequencies[j] / s.factor * slow + frequencies[j] * (1 - slow);
  }
}

void scale_llama3(const RotaryScaling& s, std::vector<double>& frequencies) {
  for (double& f : frequencies) {
    const double wavelength = 2 * pi / f;
    if (wavelength > s.original_length / s.slow) {
      f /= s.factor;
    } else if (wavelength >= s.original_length / s.fast) {
      const double smooth = (s.original_length / wavelength - s.slow) / (s.fast - s.slow);
      f = (1 - smooth) * f / s.factor + smooth * f;
    }
  }
}

}  // namespace

bool follows_length(const RotaryScaling& scaling) noexcept {
  return scaling.kind == RotaryScalingKind::dynamic || scaling.kind == RotaryScalingKind::longrope;
}

std::vector<double> scaled_frequencies(const RotaryScaling& s, double base, std::size_t width, std::size_t length) {
  const auto r = static_cast<double>(width), n = static_cast<double>(length);
  if (s.kind == RotaryScalingKind::dynamic && n > s.original_length)
    base *= std::pow(s.factor * n / s.original_length - (s.factor - 1), r / (r - 2));
  std::vector<double> frequencies(width / 2);
  for (std::size_t j = 0; j < frequencies.size(); ++j) frequencies[j] = std::pow(base, -static_cast<double>(2 * j) / r);
  if (s.kind == RotaryScalingKind::yarn) scale_yarn(s, base, width, frequencies);
  if (s.kind == RotaryScalingKind::llama3) scale_llama3(s, frequencies);
  if (s.kind == RotaryScalingKind::longrope) {
    const std::vector<double>& factors = n > s.original_length ? s.long_factors : s.short_factors;
    for (std::size_t j = 0; j < frequencies.size(); ++j) frequencies[j] /= factors[j];
  }
  return frequencies;
}

double yarn_magnitude(double factor, double mscale) { return factor <= 1 ? 1 : 0.1 * mscale * std::log(factor) + 1; }

}  // namespace attn
