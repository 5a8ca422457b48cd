// Feed-forward, embedding, positions, the key-value cache: the smaller layers.
#include <doctest/doctest.h>

#include "support/closeness.hpp"
#include "support/random.hpp"

#include <attn/layers/embedding.hpp>
#include <attn/layers/feed_forward.hpp>
#include <attn/layers/key_value_cache.hpp>
#include <attn/layers/positional_encoding.hpp>

#include <cmath>
#include <cstring>

using namespace attn;
using support::Random;
using support::same_bits;

TEST_CASE("activation: values from the definitions") {
  CHECK(activate(Activation::relu, -1) == 0);
  CHECK(std::isnan(activate(Activation::relu, NAN)));
  CHECK(activate(Activation::gelu, 1) == doctest::Approx(0.84134474606854293).epsilon(4e-16));
  CHECK(activate(Activation::gelu_tanh, 1) == doctest::Approx(0.8411919906082768).epsilon(4e-16));
  CHECK(activate(Activation::silu, 1) == doctest::Approx(0.73105857863000490).epsilon(4e-16));
  // Far below zero 1 + erf is rounding alone; the value itself is -20 * Phi(-20).
  CHECK(activate(Activation::gelu, -20) == doctest::Approx(-20 * 2.753624118606233e-89).epsilon(1e-14));
  CHECK(activation_from_name("gelu_new") == Activation::gelu_tanh);
  CHECK(name_of(Activation::gelu_tanh) == "gelu-tanh");
  CHECK(activate(Activation::gelu_10, 11) == 10);
  CHECK(activate(Activation::relu6, 7) == 6);
  CHECK(activate(Activation::mish, 1) == doctest::Approx(0.86509838826731034).epsilon(4e-16));
  CHECK(activate(Activation::mish, 800) == 800);
  CHECK(activation_from_name("quick_gelu") == Activation::quick_gelu);
  CHECK(name_of(Activation::leaky_relu) == "leaky-relu");
  CHECK_THROWS_WITH_AS(activation_from_name("prelu"),
                       "activation 'prelu': is not known; known are none, relu, gelu, gelu-tanh, silu, tanh, sigmoid, "
                       "quick-gelu, gelu-fast, gelu-10, relu2, relu6, leaky-relu, mish, hardswish, laplace",
                       Error);
}

TEST_CASE("feed-forward: two linear maps and what stands between them") {
  Random random(1);
  const auto x = random.tensor(DType::f32, {6, 4}), w1 = random.tensor(DType::f32, {9, 4}),
             w2 = random.tensor(DType::f32, {4, 9}), wg = random.tensor(DType::f32, {9, 4});
  const Linear first(w1, {}, DType::f32), second(w2, {}, DType::f32), gate(wg, {}, DType::f32);
  CHECK(same_bits(FeedForward(Activation::silu, first, second)(x), second(first(x, {}, Activation::silu))));
  const auto up = first(x), act = gate(x, {}, Activation::gelu);
  Tensor hidden(DType::f32, {6, 9});
  for (std::size_t i = 0; i < 54; ++i)
    hidden.data_as<float>()[i] = act.contiguous_data<float>()[i] * up.contiguous_data<float>()[i];
  std::vector<std::string> seen;
  Execution watched;
  watched.trace = [&](const std::string& name, const TensorView&) { seen.push_back(name); };
  CHECK(same_bits(FeedForward(Activation::gelu, first, second, gate)(x, watched.within("encoder/0/ffn")),
                  second(hidden.view())));
  CHECK(seen == std::vector<std::string>{"encoder/0/ffn/up", "encoder/0/ffn/gate", "encoder/0/ffn/hidden",
                                         "encoder/0/ffn/output"});
}

TEST_CASE("embedding: rows of the table, scaled, and logits over the same table") {
  Random random(2);
  const auto table = random.tensor(DType::f64, {5, 3});
  Tensor ids(DType::i64, {2, 2});
  const std::int64_t values[] = {4, 0, 2, 2};
  std::memcpy(ids.data(), values, sizeof values);
  const Embedding embedding(renamed(table, "table"), DType::f64, 2);
  const auto y = embedding(ids.view("ids"));
  CHECK(y.shape == Shape{2, 2, 3});
  CHECK(y.as<double, 3>()(0, 0, 1) == 2 * table.as<double, 2>()(4, 1));
  CHECK(embedding.output()(y).shape == Shape{2, 2, 5});
  ids.data_as<std::int64_t>()[3] = 5;
  CHECK_THROWS_WITH_AS(embedding(ids.view("ids")), "ids: element 3 is id 5, the table table has 5 rows", Error);
}

TEST_CASE("positions: sines and cosines of the paper, odd widths, offsets") {
  const auto table = sinusoidal_table(6, 5, {}, DType::f64).view();
  const auto pe = table.as<double, 2>();
  CHECK(pe(0, 0) == 0);
  CHECK(pe(0, 1) == 1);
  CHECK(pe(3, 2) == std::sin(3 / std::pow(10000, 2.0 / 5)));
  CHECK(pe(3, 4) == std::sin(3 / std::pow(10000, 4.0 / 5)));
  SinusoidalEncoding later;
  later.offset = 2;
  CHECK(same_bits(sinusoidal_table(4, 5, later, DType::f64).view(), slice(table, parse_slab("2:", "test"))));
  Random random(3);
  const auto x = random.tensor(DType::f64, {2, 4, 5});
  CHECK(add_positions(x, table).as<double, 3>()(1, 3, 4) == x.as<double, 3>()(1, 3, 4) + pe(3, 4));
  CHECK_THROWS_AS(add_positions(random.tensor(DType::f64, {7, 5}), table), Error);
}

TEST_CASE("key-value cache: what is appended stays, also when the capacity grows") {
  Random random(4);
  const auto k = random.tensor(DType::f32, {2, 3, 7, 4}), v = random.tensor(DType::f32, {2, 3, 7, 5});
  KeyValueCache cache(3);
  for (const char* part : {":,:,0:1", ":,:,1:3", ":,:,3:7"}) {
    const Slab slab = parse_slab(part, "test");
    cache.append({slice(k, slab), slice(v, slab)});
  }
  CHECK(cache.length() == 7);
  CHECK(same_bits(cache.view().key, k));
  CHECK(same_bits(cache.view().value, v));
  cache.reorder({1, 1});
  CHECK(same_bits(element(cache.view().key, 0), element(k, 1)));
  CHECK(same_bits(element(cache.view().value, 1), element(v, 1)));
  KeyValueCache roomy(64);
  roomy.append({k, v});
  roomy.reorder({1, 0, 1});
  for (const std::size_t b : {0, 1, 2}) {
    CHECK(same_bits(element(roomy.view().key, b), element(k, 1 - b % 2)));
    CHECK(same_bits(element(roomy.view().value, b), element(v, 1 - b % 2)));
  }
  // In place: what stays is not touched, so what another would be copied over must not be asked for.
  const void* before = roomy.view().key.data;
  roomy.reorder({1, 1, 2});
  roomy.reorder({2, 1});
  CHECK(roomy.view().key.data == before);
  CHECK(roomy.view().key.shape == Shape{2, 3, 7, 4});
  for (const std::size_t b : {0, 1}) CHECK(same_bits(element(roomy.view().value, b), element(v, 1 - b)));
  CHECK_THROWS_AS(roomy.reorder({1, 0}), Error);
  CHECK_THROWS_AS(roomy.reorder({0, 2}), Error);
  cache.truncate(2);
  CHECK(cache.view().value.shape == Shape{2, 3, 2, 5});
  CHECK_THROWS_AS(cache.append({random.tensor(DType::f32, {1, 3, 1, 4}), random.tensor(DType::f32, {1, 3, 1, 5})}),
                  Error);
}
