// Attention: each query pools the values by how well it fits their keys.
//
//     attention(Q, K, V) = softmax(Q K^T / sqrt(d)) V              Vaswani et al. 2017, equation 1
//
// The same in the shell:
// $ attend -q 2x2xf64=1,0,0,1 -k 3x2xf64=1,2,3,4,5,7 -v 3x1xf64=1,2,6 --emit weights -o attended.h5
// $ tconv attended.h5:/weights -O csv --precision 6 | sed 1d
// $ tconv attended.h5:/y -O csv --precision 6 | sed 1d

#include <attn/attn.hpp>

#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include <cmath>
#include <cstdio>

using Matrix = xt::xtensor<double, 2>;

void print(const Matrix& x) {
  for (std::size_t i = 0; i < x.shape(0); ++i)
    for (std::size_t j = 0; j < x.shape(1); ++j) std::printf("%.6g%s", x(i, j), j + 1 < x.shape(1) ? "," : "\n");
}

int main() {
  const Matrix q = {{1, 0}, {0, 1}}, k = {{1, 2}, {3, 4}, {5, 7}}, v = {{1}, {2}, {6}};

  // The formula, with xtensor.
  const Matrix scores = xt::sum(xt::view(q, xt::all(), xt::newaxis(), xt::all()) * k, {2}) / std::sqrt(2.0);  // (L, S)
  const Matrix top = xt::amax(scores, {1}, xt::keep_dims);
  const Matrix e = xt::exp(scores - top);
  const Matrix total = xt::sum(e, {1}, xt::keep_dims);
  const Matrix p = e / total;
  const Matrix formula = xt::sum(xt::view(p, xt::all(), xt::all(), xt::newaxis()) * v, {1});

  // The library.
  const Matrix weights = attn::attention_weights(q, k);
  const Matrix pooled = attn::attend(q, k, v);

  print(weights);
  print(pooled);
  return xt::amax(xt::abs(pooled - formula))() < 1e-14 ? 0 : 1;
}
