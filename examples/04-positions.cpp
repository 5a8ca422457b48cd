// Positional encodings: sinusoidal ones, which are added to vectors, and rotary ones, which turn them.
//
//     PE(pos, 2j) = sin(pos / 10000^(2j / d)),   PE(pos, 2j + 1) = cos(the same)       Vaswani et al. 2017, section 3.5
//     (x_a, x_b) -> (x_a cos t - x_b sin t, x_a sin t + x_b cos t),   t = pos / 10000^(2j / d),  (a, b) = (j, j + d /
//     2)
//                                                                                      Su et al. 2021
// The same in the shell:
// $ posenc --length 4 --dim 6 -O csv --precision 6 | sed 1d
// $ posenc --length 4 --dim 6 | posenc --kind rotary -O csv --precision 6 | sed 1d

#include <attn/attn.hpp>

#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include <cstdio>

using Matrix = xt::xtensor<double, 2>;

void print(const Matrix& x) {
  for (std::size_t i = 0; i < x.shape(0); ++i)
    for (std::size_t j = 0; j < x.shape(1); ++j) std::printf("%.6g%s", x(i, j), j + 1 < x.shape(1) ? "," : "\n");
}

double distance(const Matrix& a, const Matrix& b) { return xt::amax(xt::abs(a - b))(); }

int main() {
  constexpr std::size_t length = 4, d = 6;

  // The formulas, with xtensor.
  const xt::xtensor<double, 1> pos = xt::arange<double>(length), j = xt::arange<double>(d / 2);
  const Matrix t = xt::view(pos, xt::all(), xt::newaxis()) / xt::pow(10000.0, 2 * j / d);  // (L, d / 2)
  Matrix added = xt::zeros<double>({length, d});
  xt::view(added, xt::all(), xt::range(0, d, 2)) = xt::sin(t);
  xt::view(added, xt::all(), xt::range(1, d, 2)) = xt::cos(t);
  const auto a = xt::view(added, xt::all(), xt::range(0, d / 2)), b = xt::view(added, xt::all(), xt::range(d / 2, d));
  Matrix turned = xt::zeros<double>({length, d});
  xt::view(turned, xt::all(), xt::range(0, d / 2)) = a * xt::cos(t) - b * xt::sin(t);
  xt::view(turned, xt::all(), xt::range(d / 2, d)) = a * xt::sin(t) + b * xt::cos(t);

  // The library. apply_positions(x) adds the table to x.
  const auto table = attn::position_table<double, 2>({}, {length, d});
  attn::PositionalEncoding rotary;
  rotary.kind = attn::EncodingKind::rotary;
  const Matrix rotated = attn::apply_positions(table, rotary);

  print(table);
  print(rotated);
  return distance(table, added) < 1e-14 && distance(rotated, turned) < 1e-14 ? 0 : 1;
}
