#pragma once
// Positions added to vectors.

#include <attn/core/execution.hpp>
#include <attn/core/tensor.hpp>

#include <cstdint>

namespace attn {

/// Sinusoidal positions and their wiring. The initialisers are the defaults of posenc.
///
///     PE(pos, 2j) = sin(pos / base^(2j / d)),   PE(pos, 2j + 1) = cos(the same)     Vaswani et al. 2017, section 3.5
///
/// An odd width ends in a sine.
struct SinusoidalEncoding {
  double base = 10000;      ///< wavelengths run from 2 pi to base * 2 pi; > 0
  std::int64_t offset = 0;  ///< position of the first row
};

/// The table of `length` positions, (length, width). Angles in f64, rounded once.
Tensor sinusoidal_table(std::size_t length, std::size_t width, const SinusoidalEncoding& encoding, DType dtype);

/// x (..., L, d) plus the first L rows of table (at least L rows, d), in the wider of their computing types.
TensorView add_positions(const TensorView& x, const TensorView& table, const Execution& execution = {});

}  // namespace attn
