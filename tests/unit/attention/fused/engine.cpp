// The fused engine and the reference engine: the same numbers, whatever the sizes and options.

#include "support/fused.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <sstream>

using namespace attn;
using support::Closeness;
using support::forced;
using support::in_f64;
using support::Random;
using support::Result;
using support::run;
using support::same_bits;
using support::score_scale;
using support::weight_rounding;

namespace {

struct Case {
  AttendInputs inputs;
  AttendParameters parameters;
  std::string text;
};

/// Sizes around the register tiles (6 rows; 64, 32, 16 keys), the vectors and the blocks of 512 keys.
std::size_t around(Random& random, std::initializer_list<std::size_t> sizes) {
  const std::size_t size = *(sizes.begin() + random.between(0, sizes.size() - 1)) + random.between(0, 2);
  return size > 0 ? size - 1 : 0;
}

Case random_case(Random& random, DType dtype) {
  Case c;
  AttendInputs& in = c.inputs;
  AttendParameters& p = c.parameters;
  const std::size_t groups = random.between(1, 3), H_kv = random.between(1, 2), H = H_kv * groups;
  const std::size_t B = random.between(1, 2), L = std::max<std::size_t>(1, around(random, {1, 6, 7, 12, 48, 70}));
  const std::size_t S = std::max<std::size_t>(1, around(random, {1, 4, 8, 16, 32, 64, 128, 512, 600, 1024}));
  const std::size_t d = std::max<std::size_t>(1, around(random, {1, 4, 8, 16, 33, 64})),
                    d_v = std::max<std::size_t>(1, around(random, {1, 4, 8, 16, 32, 64, 80}));
  in.query = random.tensor(dtype, {B, H, L, d});
  in.key = random.tensor(dtype, {B, H_kv, S, d});
  in.value = random.tensor(dtype, {B, H_kv, S, d_v});
  const Score kinds[] = {Score::scaled_dot, Score::scaled_dot, Score::dot,     Score::cosine,
                         Score::bilinear,   Score::additive,   Score::gaussian};
  p.score = kinds[random.between(0, 6)];
  if (p.score == Score::dot) p.scale = 0.2;
  if (p.score == Score::gaussian) {
    p.bandwidth.assign(random.between(0, 1) == 0 ? 1 : d, std::sqrt(static_cast<double>(d)));
    if (p.bandwidth.size() > 1) p.bandwidth.back() *= 3;
  }
  if (p.score == Score::bilinear) {
    // Products with matrices are cut at 512 inputs.
    const std::size_t d_q = std::max<std::size_t>(1, around(random, {1, 8, 9, 64, 512}));
    in.query = random.tensor(dtype, {B, H, L, d_q});
    in.bilinear = random.tensor(dtype, {d_q, d});
    p.scale = 0.1;
  }
  if (p.score == Score::additive) {
    const std::size_t h = std::max<std::size_t>(1, around(random, {1, 8, 20, 64, 128}));
    in.query_weight = random.tensor(dtype, {h, d});
    in.key_weight = random.tensor(dtype, {h, d});
    in.score_weight = random.tensor(dtype, {h});
  }
  const auto sometimes = [&] { return random.between(0, 3) == 0; };
  if (sometimes()) p.softcap = 2;
  if (sometimes()) p.causal = true;
  if (p.causal && sometimes()) p.causal_bottom_right = true;
  if (sometimes())
    p.window =
        Window{static_cast<std::int64_t>(random.between(0, 40)), static_cast<std::int64_t>(random.between(0, 40)) - 1};
  if (sometimes()) p.alibi = true;
  if (sometimes()) in.bias = random.tensor(dtype, {1, H, L, S});
  if (sometimes()) in.sinks = random.tensor(dtype, {H});
  if (sometimes()) {
    Tensor lengths(DType::i64, {B});
    for (std::size_t b = 0; b < B; ++b)
      lengths.data_as<std::int64_t>()[b] = static_cast<std::int64_t>(random.between(0, S));
    in.valid_lens = lengths.view();
  }
  if (sometimes()) {
    Tensor mask(DType::u8, {L, S});
    for (std::size_t at = 0; at < L * S; ++at) mask.data_as<std::uint8_t>()[at] = random.between(0, 2) > 0;
    in.mask = mask.view();
  }
  std::ostringstream text;
  text << name_of(dtype) << " score " << static_cast<int>(p.score) << " B " << B << " H " << H << "/" << H_kv << " L "
       << L << " S " << S << " d " << d << " d_v " << d_v << " softcap " << p.softcap << " causal " << p.causal
       << p.causal_bottom_right << " window " << p.window.has_value() << " alibi " << p.alibi << " bias "
       << in.bias.has_value() << " sinks " << in.sinks.has_value() << " lengths " << in.valid_lens.has_value()
       << " mask " << in.mask.has_value();
  c.text = text.str();
  return c;
}

/// Not always a softmax.
Case random_weights(Random& random, DType dtype) {
  Case c = random_case(random, dtype);
  AttendParameters& p = c.parameters;
  const std::size_t kind = random.between(0, 5);
  if (kind < 3) return c;
  c.inputs.sinks.reset();
  p.normalize = kind == 3 ? Normalize::uniform : Normalize::none;
  if (kind < 5 || p.score == Score::bilinear || p.score == Score::additive) return c;
  c.inputs.bias.reset();
  p.alibi = false;
  p.softcap = 0;
  p.score = Score::kernel;
  p.kernel = std::array{Kernel::boxcar, Kernel::parabolic, Kernel::tricube, Kernel::cosine}[random.between(0, 3)];
  p.normalize = Normalize::sum;
  p.bandwidth = {2 * std::sqrt(static_cast<double>(c.inputs.key.shape[3]))};
  p.scale.reset();
  return c;
}

}  // namespace

TEST_CASE("fused attention is the reference engine's, over sizes that straddle every tile, on every instruction set") {
  for (const Isa isa : available_isas()) {
    Random random(11);
    for (int round = 0; round < 180; ++round) {
      const DType dtype = std::array{DType::f32, DType::bf16, DType::f64}[round % 3];
      const Case c = random_case(random, dtype);
      CAPTURE(c.text);
      CAPTURE(name_of(isa));
      const AttentionProblem problem = make_problem(c.inputs, c.parameters);
      const AttentionProblem oracle = make_problem(in_f64(c.inputs), c.parameters);
      const Result fused = run(fused_engine, problem, forced(isa)), plain = run(reference_engine, oracle, {});
      const double epsilon = dtype == DType::f64 ? support::epsilon<double>() : support::epsilon<float>();
      const double bound = (epsilon * (support::bound::pooling + 2 * score_scale(oracle)) + weight_rounding(dtype)) *
                           support::scale_of(oracle.value);
      const Closeness near(in_f64(fused.output.view()), plain.output.view(), bound);
      REQUIRE_MESSAGE(near.ok(), near.worst());
      const Closeness near_lse(
          in_f64(fused.lse.view()), plain.lse.view(),
          epsilon * (support::bound::pooling + 2 * score_scale(oracle)) + weight_rounding(dtype) / 2);
      REQUIRE_MESSAGE(near_lse.ok(), near_lse.worst());
      CHECK(fused.empty_rows == plain.empty_rows);
    }
  }
}

TEST_CASE("few rows that read wide values where they lie have the bits of many that pack them") {
  constexpr std::size_t many = 40, S = 300;
  for (const Isa isa : available_isas())
    for (const DType dtype : {DType::f32, DType::f16, DType::bf16, DType::f64})
      for (const std::size_t group : {1, 2, 3, 4, 6, 7})
        for (const std::size_t d_v : {64, 128, 160, 256, 336}) {
          const double hidden = d_v == 128 || d_v == 336 ? 1 : std::nan("");  // values of keys that take no part
          CAPTURE(name_of(isa));
          CAPTURE(name_of(dtype));
          CAPTURE(group);
          CAPTURE(d_v);
          Random random(31);
          const std::size_t d = 28 + group;  // keys end within the squares that are transposed, and with them
          AttendInputs in{random.tensor(dtype, {1, group, many, d}), random.tensor(dtype, {1, 1, S, d}), {}};
          Tensor value(DType::f64, {1, 1, S, d_v}), mask(DType::u8, {1, S});
          for (std::size_t j = 0; j < S; ++j) {
            mask.data_as<std::uint8_t>()[j] = j % 7 != 3;
            for (std::size_t c = 0; c < d_v; ++c)
              value.data_as<double>()[j * d_v + c] = j % 7 != 3 ? random.normal() : hidden;
          }
          in.value = cast(value.view(), dtype);
          in.mask = mask.view();
          const Result all = run(fused_engine, make_problem(in, {}), forced(isa));
          in.query.shape[2] = 1;  // the first query of each head
          const Result few = run(fused_engine, make_problem(in, {}), forced(isa));
          const std::size_t bytes = d_v * element_size(few.output.view().dtype);
          const auto* const a = static_cast<const unsigned char*>(all.output.view().data);
          const auto* const b = static_cast<const unsigned char*>(few.output.view().data);
          for (std::size_t h = 0; h < group; ++h) CHECK(std::memcmp(a + h * many * bytes, b + h * bytes, bytes) == 0);
          CHECK(!std::isnan(in_f64(few.output.view()).contiguous_data<double>()[0]));
        }
}

TEST_CASE("a row of fused attention has the same bits on threads") {
  for (const Isa isa : available_isas()) {
    Random random(23);
    for (int round = 0; round < 60; ++round) {
      const Case c = random_weights(random, std::array{DType::f32, DType::bf16, DType::f64}[round % 3]);
      CAPTURE(c.text);
      CAPTURE(name_of(isa));
      const AttentionProblem problem = make_problem(c.inputs, c.parameters);
      const Result whole = run(fused_engine, problem, forced(isa));
      ThreadPool pool(3);
      Execution threaded = forced(isa);
      threaded.pool = &pool;
      CHECK(same_bits(run(fused_engine, problem, threaded).output.view(), whole.output.view()));
    }
  }
}

TEST_CASE("decoding with a cache gives the bits of one causal pass") {
  for (const Isa isa : available_isas())
    for (const DType dtype : {DType::f32, DType::f64, DType::bf16}) {
      Random random(31);
      const std::size_t H = 4, L = 530, d = 20, d_v = 24;
      const AttendInputs in{random.tensor(dtype, {1, H, L, d}), random.tensor(dtype, {1, 2, L, d}),
                            random.tensor(dtype, {1, 2, L, d_v})};
      AttendParameters causal;
      causal.causal = true;
      const Result whole = run(fused_engine, make_problem(in, causal), forced(isa));
      for (const std::size_t i : {std::size_t{0}, std::size_t{5}, std::size_t{63}, std::size_t{64}, std::size_t{511},
                                  std::size_t{512}, std::size_t{529}}) {
        const auto part = [&](const TensorView& x, std::size_t first, std::size_t last) {
          TensorView y = x;
          y.shape[2] = last - first;
          y.data = static_cast<const char*>(x.data) +
                   static_cast<std::ptrdiff_t>(first * element_size(x.dtype)) * x.strides[2];
          return y;
        };
        const Result step =
            run(fused_engine,
                make_problem({part(in.query, i, i + 1), part(in.key, 0, i + 1), part(in.value, 0, i + 1)}, {}),
                forced(isa));
        const std::size_t size = element_size(step.output.dtype()), row = d_v * size;
        for (std::size_t h = 0; h < H; ++h)
          CHECK(std::memcmp(static_cast<const char*>(step.output.view().data) + h * row,
                            static_cast<const char*>(whole.output.view().data) + (h * L + i) * row, row) == 0);
      }
    }
}
