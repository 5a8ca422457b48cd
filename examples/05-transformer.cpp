// A transformer: the encoder-decoder of "Attention Is All You Need", figure 1, layer by layer, beside the whole model.
//
//     x = norm(x + attention(x, x))         in each layer; then, in the decoder,
//     x = norm(x + attention(x, memory))    memory being what the encoder made of the text; then
//     x = norm(x + FFN(x))
//     logits = x E^T                        E the table of the embedding
//
// The same in the shell:
// $ transformer-run -m dates "3 mars 2021"

#include <attn/attn.hpp>

#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xsort.hpp>
#include <xtensor/xview.hpp>

#include <cmath>
#include <cstdio>

using Matrix = xt::xtensor<float, 2>;
using Vector = xt::xtensor<float, 1>;
using Ids = std::vector<std::int64_t>;

Matrix matrix(const std::string& name) { return attn::read<float, 2>("dates/model.safetensors:/" + name); }
Vector vector(const std::string& name) { return attn::read<float, 1>("dates/model.safetensors:/" + name); }

Matrix attention(const Matrix& x, const Matrix& memory, const std::string& name, bool causal) {
  const Matrix w = matrix(name + ".in_proj_weight");  // W^Q, W^K and W^V, one below the other
  const Vector b = vector(name + ".in_proj_bias");
  const auto part = [d = w.shape(1)](std::size_t i) { return xt::range(i * d, (i + 1) * d); };
  attn::MultiHeadMatrices<float> matrices{xt::view(w, part(0)), xt::view(w, part(1)), xt::view(w, part(2)),
                                          matrix(name + ".out_proj.weight")};
  matrices.query_bias = xt::view(b, part(0));
  matrices.key_bias = xt::view(b, part(1));
  matrices.value_bias = xt::view(b, part(2));
  matrices.output_bias = vector(name + ".out_proj.bias");
  attn::MultiHeadParameters parameters{4};
  parameters.pooling.causal = causal;
  return attn::multi_head_attention(x, memory, memory, matrices, parameters);
}

Matrix feed_forward(const Matrix& x, const std::string& name) {
  return attn::feed_forward(x, {matrix(name + ".linear1.weight"), vector(name + ".linear1.bias"),
                                matrix(name + ".linear2.weight"), vector(name + ".linear2.bias")});
}

Matrix norm(const Matrix& x, const std::string& name) {
  return attn::layer_norm(x, vector(name + ".weight"), vector(name + ".bias"));
}

Matrix embedded(const Ids& ids) {
  const xt::xtensor<std::int64_t, 1> sequence = xt::adapt(ids);
  return attn::apply_positions(attn::embed(sequence, matrix("embedding.weight"), std::sqrt(128.0)));
}

Matrix encode(const Ids& ids) {
  Matrix x = embedded(ids);
  for (const std::string name : {"transformer.encoder.layers.0", "transformer.encoder.layers.1"}) {
    x = norm(x + attention(x, x, name + ".self_attn", false), name + ".norm1");
    x = norm(x + feed_forward(x, name), name + ".norm2");
  }
  return norm(x, "transformer.encoder.norm");
}

Matrix decode(const Ids& ids, const Matrix& memory) {
  Matrix x = embedded(ids);
  for (const std::string name : {"transformer.decoder.layers.0", "transformer.decoder.layers.1"}) {
    x = norm(x + attention(x, x, name + ".self_attn", true), name + ".norm1");
    x = norm(x + attention(x, memory, name + ".multihead_attn", false), name + ".norm2");
    x = norm(x + feed_forward(x, name), name + ".norm3");
  }
  return attn::linear(norm(x, "transformer.decoder.norm"), matrix("embedding.weight"));
}

int main() {
  const attn::LoadedModel model = attn::load("dates");
  const auto text = model.encode({"3 mars 2021"});
  constexpr std::int64_t start = 1, end = 2;

  // Layer by layer: the most probable token, and again with this token behind the others.
  const Matrix memory = encode(Ids(text.begin(), text.end()));
  Ids ids = {start};
  Matrix logits;
  while (ids.back() != end && ids.size() < 64) {
    logits = decode(ids, memory);
    ids.push_back(static_cast<std::int64_t>(xt::argmax(xt::view(logits, -1))()));
  }
  std::printf("%s\n", model.decode(ids).c_str());

  // The whole model: the same answer, and the same bits.
  ids.pop_back();
  const xt::xtensor<std::int64_t, 2> read = xt::view(xt::adapt(ids), xt::newaxis());
  const auto of_model = model.logits(text, read);
  return model.generate("3 mars 2021") == model.decode(ids) && xt::view(of_model, 0) == logits ? 0 : 1;
}
