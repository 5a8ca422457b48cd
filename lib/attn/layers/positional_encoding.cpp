#include <attn/layers/positional_encoding.hpp>

#include <cmath>

namespace attn {

Tensor sinusoidal_table(std::size_t length, std::size_t width, const SinusoidalEncoding& encoding, DType dtype) {
  if (!(encoding.base > 0)) throw Error(ErrorKind::usage, "base", std::to_string(encoding.base) + " is not above 0");
  Tensor table(dtype, {length, width});
  visit_compute_dtype(dtype, [&](auto element) {
    using T = decltype(element);
    const auto pe = table.as<T, 2>();
    for (std::size_t l = 0; l < length; ++l)
      for (std::size_t i = 0; i < width; ++i) {
        const double position = static_cast<double>(static_cast<std::int64_t>(l) + encoding.offset);
        const double angle =
            position / std::pow(encoding.base, static_cast<double>(i - i % 2) / static_cast<double>(width));
        pe(l, i) = static_cast<T>(i % 2 == 0 ? std::sin(angle) : std::cos(angle));
      }
  });
  return table;
}

TensorView add_positions(const TensorView& x, const TensorView& table, const Execution& execution) {
  if (x.rank() < 2) throw shape_error(x.name, x.shape, "(..., L, d)");
  const std::size_t length = x.shape[x.rank() - 2], width = x.shape.back();
  if (table.rank() != 2 || table.shape[0] < length || table.shape[1] != width)
    throw shape_error(table.name.empty() ? "table" : table.name, table.shape,
                      "at least " + std::to_string(length) + " positions of width " + std::to_string(width));
  const DType compute = wider(compute_dtype(x.dtype), compute_dtype(table.dtype));
  const TensorView input = cast(x, compute), positions = cast(table, compute);
  Tensor y(compute, x.shape);
  visit_compute_dtype(compute, [&](auto element) {
    using T = decltype(element);
    const T *in = input.contiguous_data<T>(), *pe = positions.contiguous_data<T>();
    T* out = y.data_as<T>();
    const std::size_t part = length * width;
    execution.parallel(part > 0 ? y.size() / part : 0, [&](std::size_t b, std::size_t) {
      for (std::size_t i = 0; i < part; ++i) out[b * part + i] = in[b * part + i] + pe[i];
    });
  });
  return y.view(x.name);
}

}  // namespace attn
