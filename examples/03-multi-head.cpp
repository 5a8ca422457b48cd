// Multi-head attention: the first encoder layer of a trained model looks at "3 mars 2021" with four heads.
//
//     head_i = attention(X W_i^Q^T, X W_i^K^T, X W_i^V^T),   output = Concat(head_1 .. head_4) W^O^T + b^O
//
// Vaswani et al. 2017, section 3.2.2. The same in the shell, and the first four columns:
// $ embed 1x12xi64=12,4,31,19,36,37,4,11,9,11,10,2 -w dates/model.safetensors:/embedding | posenc |
// >   mha -w dates/model.safetensors:/transformer.encoder.layers.0.self_attn |
// >   tconv '-:/y[0,:,0:4]' -O csv --precision 4 | sed 1d

#include <attn/attn.hpp>

#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include <cmath>
#include <cstdio>

using Matrix = xt::xtensor<float, 2>;
using Vector = xt::xtensor<float, 1>;

const std::string model = "dates/model.safetensors:/";
const std::string layer = model + "transformer.encoder.layers.0.self_attn.";
constexpr std::size_t heads = 4, width = 128, d = width / heads;

/// A B^T
Matrix product(const Matrix& a, const Matrix& b) {
  return xt::sum(xt::view(a, xt::all(), xt::newaxis(), xt::all()) * b, {2});
}

int main() {
  const xt::xtensor<int, 1> ids = {12, 4, 31, 19, 36, 37, 4, 11, 9, 11, 10, 2};
  const auto table = attn::read<float, 2>(model + "embedding.weight");
  const Matrix x = attn::apply_positions(attn::embed(ids, table, std::sqrt(128.0)));

  // W^Q, W^K and W^V lie one below the other, as PyTorch stores them.
  const auto w = attn::read<float, 2>(layer + "in_proj_weight"), w_o = attn::read<float, 2>(layer + "out_proj.weight");
  const auto b = attn::read<float, 1>(layer + "in_proj_bias"), b_o = attn::read<float, 1>(layer + "out_proj.bias");

  // The formula, with xtensor.
  Matrix merged = xt::zeros<float>({ids.size(), width});
  for (std::size_t i = 0; i < heads; ++i) {
    const auto rows = [i](std::size_t part) { return xt::range(part * width + i * d, part * width + (i + 1) * d); };
    const auto project = [&](std::size_t part) -> Matrix {
      return product(x, xt::view(w, rows(part))) + xt::view(b, rows(part));
    };
    const Matrix q = project(0), k = project(1), v = project(2);
    const Matrix e = xt::exp(product(q, k) / std::sqrt(static_cast<float>(d)));
    const Matrix total = xt::sum(e, {1}, xt::keep_dims);
    const Matrix p = e / total;
    xt::view(merged, xt::all(), xt::range(i * d, (i + 1) * d)) = product(p, xt::transpose(v));
  }
  const Matrix formula = product(merged, w_o) + b_o;

  // The library.
  const auto part = [](std::size_t i) { return xt::range(i * width, (i + 1) * width); };
  attn::MultiHeadMatrices<float> matrices{xt::view(w, part(0)), xt::view(w, part(1)), xt::view(w, part(2)), w_o};
  matrices.query_bias = xt::view(b, part(0));
  matrices.key_bias = xt::view(b, part(1));
  matrices.value_bias = xt::view(b, part(2));
  matrices.output_bias = b_o;
  const Matrix y = attn::multi_head_attention(x, x, x, matrices, {heads});

  for (std::size_t i = 0; i < y.shape(0); ++i) std::printf("%.4g,%.4g,%.4g,%.4g\n", y(i, 0), y(i, 1), y(i, 2), y(i, 3));
  return xt::amax(xt::abs(y - formula))() < 1e-5 ? 0 : 1;
}
