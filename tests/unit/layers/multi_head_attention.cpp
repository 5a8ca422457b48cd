#include <doctest/doctest.h>

#include "support/closeness.hpp"
#include "support/random.hpp"

#include <attn/attention/attend.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/layers/multi_head_attention.hpp>
#include <attn/layers/relative_positions.hpp>

#include <cmath>

using namespace attn;
using support::Random;
using support::same_bits;

namespace {

Linear identity(std::size_t width) {
  Tensor eye = Tensor::zeros(DType::f64, {width, width});
  for (std::size_t i = 0; i < width; ++i) eye.as<double, 2>()(i, i) = 1;
  return {eye.view("identity"), std::nullopt, DType::f64};
}

/// nn.MultiheadAttention's tensors for a width of 8.
TensorMap random_weights(DType dtype = DType::f64, std::size_t width = 8) {
  Random random(7);
  TensorMap map("m");
  map.add("in_proj_weight", random.tensor(dtype, {3 * width, width}));
  map.add("in_proj_bias", random.tensor(dtype, {3 * width}));
  map.add("out_proj.weight", random.tensor(dtype, {width, width}));
  map.add("out_proj.bias", random.tensor(dtype, {width}));
  return map;
}

MultiHeadAttention attention_of(TensorMap& map, MultiHeadParameters parameters) {
  return MultiHeadAttention::load(Weights(map), parameters, Weights(map).compute_dtype());
}

MultiHeadParameters heads(std::size_t count, bool causal = false) {
  MultiHeadParameters parameters;
  parameters.heads = count;
  parameters.pooling.causal = causal;
  return parameters;
}

}  // namespace

TEST_CASE("mha: one head and identity projections are attend") {
  Random random(1);
  const auto x = random.tensor(DType::f64, {2, 5, 4}), memory = random.tensor(DType::f64, {2, 7, 4});
  const MultiHeadAttention attention(heads(1), {ProjectionMaps{identity(4), identity(4), identity(4)}, identity(4)});
  AttendInputs inputs;
  inputs.query = x;
  inputs.key = inputs.value = memory;
  CHECK(same_bits(attention(x, attention.project_memory(memory, memory)).output, attend(inputs, {}).output));
}

TEST_CASE("mha: maps under names of no family are loaded by these names") {
  Random random(9);
  TensorMap given = random_weights(), other("other");
  const TensorView in = given.read("in_proj_weight"), in_bias = given.read("in_proj_bias");
  for (const auto& [name, rows] : {std::pair{"wq", "0:8"}, {"wk", "8:16"}, {"wv", "16:24"}}) {
    other.add(std::string("own.") + name + ".weight", slice(in, parse_slab(rows, "test")));
    other.add(std::string("own.") + name + ".bias", slice(in_bias, parse_slab(rows, "test")));
  }
  for (const char* part : {"weight", "bias"})
    other.add(std::string("own.wo.") + part, given.read(std::string("out_proj.") + part));
  const auto x = random.tensor(DType::f64, {2, 5, 8});
  const auto attention =
      MultiHeadAttention::load(Weights(other), {"own", "wq", "wk", "wv", "", "wo"}, heads(2), DType::f64);
  CHECK(same_bits(attention(x).output, attention_of(given, heads(2))(x).output));
}

TEST_CASE("mha: H heads are H attentions over slices of the projections") {
  Random random(2);
  TensorMap map = random_weights();
  const auto attention = attention_of(map, heads(4));
  const auto x = random.tensor(DType::f64, {2, 5, 8});
  const auto result = attention(x, {}, nullptr, {true, false});
  const ProjectionMaps& maps = *attention.weights().projection;
  const auto q = maps.query(x), k = maps.key(x), v = maps.value(x);
  for (const char* part : {":,:,0:2", ":,:,6:8"}) {
    AttendInputs inputs;
    inputs.query = slice(q, parse_slab(part, "test"));
    inputs.key = slice(k, parse_slab(part, "test"));
    inputs.value = slice(v, parse_slab(part, "test"));
    const auto head = attend(inputs, {}, {true, false});
    const std::string axis = part[4] == '0' ? ":,0" : ":,3";
    CHECK(same_bits(slice(*result.weights, parse_slab(axis, "test")), *head.weights));
  }
  const auto pooled = attention.attend_heads(attention.project_query(x), attention.project_memory(x, x), {}).output;
  CHECK(same_bits(attention.merge(element(pooled, 1)), element(result.output, 1)));
}

TEST_CASE("mha: token by token with a cache gives the bits of the whole causal sequence") {
  Random random(3);
  for (const DType dtype : {DType::f32, DType::f64}) {
    TensorMap map = random_weights(dtype);
    auto parameters = heads(2, true);
    parameters.rotary = RotaryEncoding{};
    const auto attention = attention_of(map, parameters);
    const auto x = random.tensor(dtype, {2, 6, 8});
    const auto whole = attention(x).output;
    KeyValueCache cache(2);
    for (const char* part : {":,0:1", ":,1:2", ":,2:5", ":,5:6"}) {
      const Slab slab = parse_slab(part, "test");
      CHECK(same_bits(attention(slice(x, slab), {}, &cache).output, slice(whole, slab)));
    }
  }
}

TEST_CASE("mha: beams that share a memory get the bits that each gets alone") {
  Random random(7);
  TensorMap map = random_weights();
  MultiHeadParameters turning = heads(4);
  turning.rotary.emplace();
  for (const MultiHeadParameters& parameters : {heads(4), turning}) {
    const auto attention = attention_of(map, parameters);
    const auto x = random.tensor(DType::f64, {5, 1, 8}), memory = random.tensor(DType::f64, {1, 7, 8});
    Tensor real = Tensor::zeros(DType::u8, {1, 7});
    std::fill_n(real.data_as<std::uint8_t>(), 4, std::uint8_t{1});
    const KeyValue one = attention.project_memory(memory, memory);
    const auto for_all = [](const TensorView& t, Shape shape) { return broadcast_to(t, std::move(shape)); };
    MultiHeadMasks masks, masks_of_one;
    masks_of_one.padding_mask = real.view();
    masks.padding_mask = for_all(real.view(), {5, 7});
    const auto together =
        attention(x, {for_all(one.key, {5, 4, 7, 2}), for_all(one.value, {5, 4, 7, 2})}, masks).output;
    CHECK(together.shape == Shape{5, 1, 8});
    for (std::size_t b = 0; b < 5; ++b) {
      const auto i = static_cast<std::int64_t>(b);
      CHECK(same_bits(element(together, b),
                      element(attention(slice(x, {{i, i + 1, 1, false}}), one, masks_of_one).output, 0)));
    }
  }
}

TEST_CASE("mha: a padding mask is a boolean mask, with and without another mask") {
  Random random(4);
  TensorMap map = random_weights();
  const auto attention = attention_of(map, heads(2));
  const auto x = random.tensor(DType::f64, {2, 3, 8}), bias = random.tensor(DType::f64, {2, 3, 3});
  Tensor padding(DType::u8, {2, 3}), mask(DType::u8, {2, 1, 3, 3}), extra(DType::u8, {3, 3});
  for (std::size_t i = 0; i < 6; ++i) padding.data_as<std::uint8_t>()[i] = i != 2 && i != 4;
  for (std::size_t i = 0; i < 9; ++i) extra.data_as<std::uint8_t>()[i] = i % 4 != 1;
  for (const bool with_mask : {false, true}) {
    for (std::size_t i = 0; i < 18; ++i)
      mask.data_as<std::uint8_t>()[i] =
          padding.data_as<std::uint8_t>()[i / 9 * 3 + i % 3] && (!with_mask || extra.data_as<std::uint8_t>()[i % 9]);
    for (const bool with_bias : {false, true}) {
      MultiHeadMasks masks, expected;
      masks.padding_mask = padding.view();
      if (with_mask) masks.mask = extra.view();
      expected.mask = mask.view();
      if (with_bias) masks.bias = expected.bias = bias;
      CHECK(same_bits(attention(x, masks).output, attention(x, expected).output));
    }
  }
}

TEST_CASE("mha: an appended zero key takes exp(0) of the denominator and pools nothing") {
  Random random(5);
  TensorMap map = random_weights();
  auto parameters = heads(2, true);
  const auto plain = attention_of(map, parameters);
  parameters.zero_attention = true;
  const auto appended = attention_of(map, parameters);
  const auto x = random.tensor(DType::f64, {1, 4, 8});
  const auto memory = plain.project_memory(x, x);
  const auto without = plain.attend_heads(plain.project_query(x), memory, {}, {true, true});
  const auto with = appended.attend_heads(plain.project_query(x), memory, {}, {true, false});
  CHECK(with.weights->shape == Shape{1, 2, 4, 5});
  const auto lse = without.lse->as<double, 3>();
  for (std::size_t h = 0; h < 2; ++h)
    for (std::size_t i = 0; i < 4; ++i) {
      const double share = std::exp(lse(0, h, i)) / (std::exp(lse(0, h, i)) + 1);
      for (std::size_t c = 0; c < 4; ++c)
        CHECK(std::fabs(with.output.as<double, 4>()(0, h, i, c) - share * without.output.as<double, 4>()(0, h, i, c)) <
              support::bound::pooling * support::epsilon<double>() * support::scale_of(without.output));
      if (i < 3) CHECK(with.weights->as<double, 4>()(0, h, i, 3) == 0);
    }
}

TEST_CASE("mha: grouped queries are repeated keys and values") {
  Random random(6);
  const auto q = random.tensor(DType::f64, {8, 8}), k = random.tensor(DType::f64, {4, 8}),
             v = random.tensor(DType::f64, {4, 8}), x = random.tensor(DType::f64, {5, 8});
  const auto repeated = [](const TensorView& w) {
    Tensor twice(DType::f64, {8, 8});
    for (std::size_t row = 0; row < 8; ++row)
      for (std::size_t c = 0; c < 8; ++c) twice.as<double, 2>()(row, c) = w.as<double, 2>()(row / 4 * 2 + row % 2, c);
    return Linear(twice.view(), std::nullopt, DType::f64);
  };
  auto parameters = heads(4);
  const Linear query(q, std::nullopt, DType::f64);
  const MultiHeadAttention all(parameters, {ProjectionMaps{query, repeated(k), repeated(v)}});
  parameters.key_value_heads = 2;
  const ProjectionMaps shared{query, Linear(k, std::nullopt, DType::f64), Linear(v, std::nullopt, DType::f64)};
  const MultiHeadAttention grouped(parameters, {shared});
  CHECK(same_bits(grouped(x).output, all(x).output));
  CHECK(grouped(x).output.shape == Shape{5, 8});
}

TEST_CASE("mha: the names of other checkpoints hold the same maps") {
  Random random(8);
  TensorMap map = random_weights();
  const auto x = random.tensor(DType::f64, {3, 8});
  const auto expected = attention_of(map, heads(2))(x).output;
  const auto w = map.read("in_proj_weight"), b = map.read("in_proj_bias"), o = map.read("out_proj.weight"),
             ob = map.read("out_proj.bias");
  const auto part = [&](const TensorView& from, int i) {
    return slice(from, {AxisSlab{8 * i, 8 * (i + 1), 1, false}});
  };
  TensorMap separate("s"), gpt2("g"), pytorch("p");
  const char* names[] = {"self.query", "self.key", "self.value"};
  const char* plain[] = {"q_proj_weight", "k_proj_weight", "v_proj_weight"};
  for (int i = 0; i < 3; ++i) {
    separate.add(std::string(names[i]) + ".weight", part(w, i));
    separate.add(std::string(names[i]) + ".bias", part(b, i));
    pytorch.add(plain[i], part(w, i));
  }
  separate.add("output.dense.weight", o);
  separate.add("output.dense.bias", ob);
  pytorch.add("in_proj_bias", b);
  pytorch.add("out_proj.weight", o);
  pytorch.add("out_proj.bias", ob);
  gpt2.add("c_attn.weight", transposed(w, {1, 0}));
  gpt2.add("c_attn.bias", b);
  gpt2.add("c_proj.weight", transposed(o, {1, 0}));
  gpt2.add("c_proj.bias", ob);
  for (TensorMap* other : {&separate, &pytorch, &gpt2})
    CHECK(same_bits(attention_of(*other, heads(2))(x).output, expected));
}

TEST_CASE("mha: weights that do not fit are named") {
  TensorMap map("m");
  map.add("in_proj_weight", Tensor::zeros(DType::f32, {48, 32}).view());
  CHECK_THROWS_WITH_AS(
      attention_of(map, heads(4)),
      "weights m: in_proj_weight has shape (48, 32), expected (96, 32) = 3 x embed_dim by embed_dim; is "
      "this a checkpoint of another kind, with separate q, k and v?",
      Error);
  TensorMap right = random_weights();
  CHECK_THROWS_AS(attention_of(right, heads(3)), Error);
  TensorMap empty("e");
  CHECK_THROWS_WITH_AS(attention_of(empty, heads(1)), "weights e: has no tensor in_proj_weight; the file is empty",
                       Error);
}

TEST_CASE("rotary: scores depend on the distance alone, and pairs keep their length") {
  Random random(9);
  const auto x = random.tensor(DType::f64, {1, 1, 1, 6}), y = random.tensor(DType::f64, {1, 1, 1, 6});
  for (const bool interleaved : {false, true}) {
    const auto at = [&](const TensorView& v, std::int64_t position) {
      const Positions where{position, std::nullopt};
      return rotate(v, rotary_table(1, 6, {10000, 4, interleaved, 1}, where, DType::f64), interleaved);
    };
    const auto dot = [](const TensorView& a, const TensorView& b) {
      double sum = 0;
      for (std::size_t i = 0; i < 6; ++i) sum += a.as<double, 4>()(0, 0, 0, i) * b.as<double, 4>()(0, 0, 0, i);
      return sum;
    };
    CHECK(std::fabs(dot(at(x, 12), at(y, 7)) - dot(at(x, 5), at(y, 0))) < 64 * support::epsilon<double>());
    CHECK(std::fabs(dot(at(x, 3), at(x, 3)) - dot(x, x)) < 16 * support::epsilon<double>());
    CHECK(same_bits(at(x, 0), x));
    CHECK(at(x, 9).as<double, 4>()(0, 0, 0, 5) == x.as<double, 4>()(0, 0, 0, 5));
  }
  CHECK_THROWS_AS(rotary_table(1, 6, {10000, 5, false, 1}, {}, DType::f64), Error);
}

TEST_CASE("relative positions: learned distances of queries and of keys are the formula, also behind a past") {
  constexpr std::size_t batch = 2, count = 2, width = 3, queries = 4, keys = 6, past = 2, farthest = 7;
  Random random(31);
  const auto q = random.tensor(DType::f64, {batch, count, queries, width}),
             k = random.tensor(DType::f64, {batch, count, keys, width}),
             v = random.tensor(DType::f64, {batch, count, keys, width}),
             table = random.tensor(DType::f64, {2 * farthest - 1, width});
  const auto at = [](const TensorView& x) { return x.as<double, 4>(); };
  const auto e = table.as<double, 2>();
  for (const LearnedDistances kind : {LearnedDistances::of_query, LearnedDistances::of_query_and_key}) {
    MultiHeadParameters parameters = heads(count);
    parameters.distances = kind;
    MultiHeadWeights weights;
    weights.distances = table;
    AttendRequest request;
    request.weights = true;
    const AttendResult result = MultiHeadAttention(parameters, weights).attend_heads(q, {k, v}, {}, request, {}, past);
    for (std::size_t b = 0; b < batch; ++b)
      for (std::size_t h = 0; h < count; ++h)
        for (std::size_t i = 0; i < queries; ++i) {
          std::vector<double> weight;
          double total = 0;
          for (std::size_t j = 0; j < keys; ++j) {
            double score = 0;
            for (std::size_t c = 0; c < width; ++c) {
              const double distance = e(farthest - 1 + i + past - j, c);
              score += at(q)(b, h, i, c) * (at(k)(b, h, j, c) + distance);
              if (kind == LearnedDistances::of_query_and_key) score += at(k)(b, h, j, c) * distance;
            }
            total += weight.emplace_back(std::exp(score / std::sqrt(3.0)));
          }
          for (std::size_t j = 0; j < keys; ++j)
            CHECK(std::abs(at(*result.weights)(b, h, i, j) - weight[j] / total) < 1e-14);
        }
  }
  MultiHeadParameters parameters = heads(count);
  parameters.distances = LearnedDistances::of_query;
  MultiHeadWeights weights;
  weights.distances = random.tensor(DType::f64, {2 * keys - 3, width});
  CHECK_THROWS_AS(MultiHeadAttention(parameters, weights).attend_heads(q, {k, v}, {}, {}, {}, past), Error);
}

TEST_CASE("relative positions: buckets, ALiBi, and distances counted from the past") {
  RelativeBuckets both, past;
  past.bidirectional = false;
  CHECK(relative_bucket(0, both) == 0);
  CHECK(relative_bucket(-7, both) == 7);
  CHECK(relative_bucket(7, both) == 23);
  CHECK(relative_bucket(-8, both) == 8);
  CHECK(relative_bucket(-100000, both) == 15);
  CHECK(relative_bucket(5, past) == 0);
  CHECK(relative_bucket(-15, past) == 15);
  CHECK(relative_bucket(-128, past) == 31);
  CHECK_THROWS_AS(relative_bucket(1, {1, 128, true}), Error);

  const auto table = Tensor(DType::f64, {32, 2}).view();
  for (std::size_t i = 0; i < 64; ++i) const_cast<double*>(table.contiguous_data<double>())[i] = static_cast<double>(i);
  const Tensor whole = bucketed_bias(table, both, {6, 6, 0}, DType::f64);
  const Tensor last = bucketed_bias(table, both, {2, 6, 4}, DType::f64);
  CHECK(same_bits(last.view(), slice(whole.view(), parse_slab(":,4:6", "test"))));
  CHECK(whole.view().as<double, 3>()(1, 2, 4) == 2 * 18 + 1);
  const Tensor slopes = alibi_bias({0.5}, {2, 3, 1}, DType::f64);
  CHECK(slopes.view().as<double, 3>()(0, 0, 2) == -0.5);
  CHECK(slopes.view().as<double, 3>()(0, 1, 0) == -1);
}
