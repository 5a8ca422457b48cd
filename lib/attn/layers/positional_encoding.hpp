#pragma once
// Positions added to vectors: sinusoidal and learned tables.

#include <attn/core/execution.hpp>
#include <attn/core/tensor.hpp>

#include <cstdint>
#include <vector>

namespace ATTN_API attn {

/// The order of sines and cosines in a row.
enum class SinusoidLayout : std::uint8_t {
  interleaved,  ///< sin, cos, sin, cos ...: Vaswani et al. 2017
  halves        ///< all sines, then all cosines: tensor2tensor, XLNet
};

/// Sinusoidal positions and their wiring. The initialisers are the defaults of posenc.
///
///     PE(pos, 2j) = sin(pos / base^(2j / d)),   PE(pos, 2j + 1) = cos(the same)     Vaswani et al. 2017, section 3.5
///
/// An odd width has one sine more than cosines.
struct SinusoidalEncoding {
  double base = 10000;      ///< wavelengths run from 2 pi to base * 2 pi; > 0
  std::int64_t offset = 0;  ///< position of the first row
  std::int64_t step = 1;    ///< from one row to the next; -1 counts down
  SinusoidLayout layout = SinusoidLayout::interleaved;
};

/// Listed positions, which may be fractional. Throws Error(data) for one that is not finite.
std::vector<double> listed_positions(const TensorView& positions);

/// The table of `length` positions, (length, width). Angles in f64, rounded once.
/// Throws Error(usage) for a base that is not above 0.
Tensor sinusoidal_table(std::size_t length, std::size_t width, const SinusoidalEncoding& encoding, DType dtype,
                        const Execution& execution = {});
/// The rows of listed positions, (count, width); offset and step are ignored.
Tensor sinusoidal_table(const std::vector<double>& positions, std::size_t width, const SinusoidalEncoding& encoding,
                        DType dtype, const Execution& execution = {});

/// x (..., L, d) plus the rows offset ... offset + L of table (rows, d), in the wider of their computing types. Throws
/// Error(data) if the table has another width than x or lacks one of the rows.
TensorView add_positions(const TensorView& x, const TensorView& table, const Execution& execution = {},
                         std::size_t offset = 0);

/// x (B, L, d) plus row positions(b, l) of table for each; positions (L) or (B, L), integers.
TensorView add_positions(const TensorView& x, const TensorView& table, const TensorView& positions,
                         const Execution& execution = {});

/// The gradient by the table of add_positions(), of its shape, for dy, that by the result: row r is the sum of the dy
/// to which row r was added. The gradient by x is dy.
TensorView add_positions_vjp(const TensorView& dy, const TensorView& table, const Execution& execution = {},
                             std::size_t offset = 0);
TensorView add_positions_vjp(const TensorView& dy, const TensorView& table, const TensorView& positions,
                             const Execution& execution = {});

}  // namespace attn
