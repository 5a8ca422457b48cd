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

/// The block of keys [first, last) of the problem.
AttentionProblem keys_of(const AttentionProblem& problem, std::size_t first, std::size_t last) {
  AttentionProblem part = problem;
  part.first_key = first;
  for (TensorView* x : {&part.key, &part.value}) {
    x->data =
        static_cast<const char*>(x->data) + static_cast<std::ptrdiff_t>(first * element_size(x->dtype)) * x->strides[2];
    x->shape[2] = last - first;
  }
  return part;
}

/// The result of a state that has seen all keys.
Result finished(const AttentionProblem& problem, AttentionState state) {
  const AttentionSizes& n = problem.sizes;
  Result result{Tensor(problem.compute, {n.batch, n.heads, n.queries, n.value_width}),
                Tensor(problem.compute, {n.batch, n.heads, n.queries})};
  const auto H = static_cast<std::ptrdiff_t>(n.heads), L = static_cast<std::ptrdiff_t>(n.queries),
             d_v = static_cast<std::ptrdiff_t>(n.value_width);
  fused_engine.finish(problem, std::move(state), {result.output.data(), {H * L * d_v, L * d_v, d_v}, result.lse.data()},
                      native_isa());
  return result;
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

TEST_CASE("squares of distances are expanded for the keys alone that lose nothing by it") {
  for (const Isa isa : available_isas())
    for (const DType dtype : {DType::f32, DType::f64}) {
      // Two clouds, one at the origin and one so far away that a product keeps nothing of a distance within it. Their
      // keys lie side by side in all panels but the first.
      Random random(17);
      const std::size_t L = 13, S = 600, d = 20;
      const auto clouds = [&](std::size_t rows, std::size_t near) {
        Tensor x(DType::f64, {1, 1, rows, d});
        for (std::size_t at = 0; at < x.size(); ++at)
          x.data_as<double>()[at] = random.normal() / 4 + (at / d < near || at / d % 3 == 0 ? 0 : 3000);
        return cast(x.view(), dtype);
      };
      const AttendInputs in{clouds(L, 0), clouds(S, 64), random.tensor(dtype, {1, 1, S, 5})};
      AttendParameters parameters;
      parameters.score = Score::gaussian;
      const AttentionProblem problem = make_problem(in, parameters);
      const Result fused = run(fused_engine, problem, forced(isa));
      const Result plain = run(reference_engine, make_problem(in_f64(in), parameters), {});
      // Scores that count are up to d / 8 in size, their terms up to 16.
      const double epsilon = dtype == DType::f64 ? support::epsilon<double>() : support::epsilon<float>();
      const double bound = epsilon * (support::bound::pooling + 2 * 16) * support::scale_of(in.value);
      const Closeness near(in_f64(fused.output.view()), plain.output.view(), bound);
      CHECK_MESSAGE(near.ok(), near.worst());
      AttendInputs one = in;
      one.query.shape[2] = 1;
      const Result alone = run(fused_engine, make_problem(one, parameters), forced(isa));
      CHECK(std::memcmp(alone.output.view().data, fused.output.view().data, 5 * element_size(dtype)) == 0);
    }
}

TEST_CASE("bandwidths for each coordinate tell apart keys that lie far from 0, as one bandwidth does") {
  for (const Isa isa : available_isas())
    for (const DType dtype : {DType::f64, DType::f32})
      for (const std::size_t d : {2, 7, 8, 24})
        for (const std::size_t L : {3, 40}) {
          CAPTURE(isa);
          CAPTURE(dtype);
          CAPTURE(d);
          CAPTURE(L);
          Random random(18);
          AttendParameters parameters;
          parameters.score = Score::gaussian;
          parameters.bandwidth.clear();
          for (std::size_t c = 0; c < d; ++c) parameters.bandwidth.push_back(std::exp(random.normal()));
          // Every third key lies near 0, where squares are expanded; the others and the queries of theirs do not.
          const auto cloud = [&](std::size_t rows) {
            Tensor x(DType::f64, {1, 1, rows, d});
            for (std::size_t at = 0; at < x.size(); ++at)
              x.data_as<double>()[at] =
                  parameters.bandwidth[at % d] * (random.normal() + (at / d % 3 == 0 ? 0 : 10000));
            return cast(x.view(), dtype);
          };
          const AttendInputs in{cloud(L), cloud(200), random.tensor(dtype, {1, 1, 200, 5})};
          const Result fused = run(fused_engine, make_problem(in, parameters), forced(isa));
          const Result plain = run(reference_engine, make_problem(in_f64(in), parameters), {});
          // The twin divides in f64, before it subtracts.
          const double divided = 4 * 10000 * support::epsilon<double>();
          const double epsilon = dtype == DType::f64 ? support::epsilon<double>() : support::epsilon<float>();
          const double bound = (epsilon * (support::bound::pooling + 2 * 16) + divided) * static_cast<double>(d) *
                               support::scale_of(in.value);
          const Closeness near(in_f64(fused.output.view()), plain.output.view(), bound);
          CHECK_MESSAGE(near.ok(), near.worst());
        }
}

TEST_CASE("a bandwidth whose square no number holds is one like any other") {
  for (const Isa isa : available_isas())
    for (const DType dtype : {DType::f64, DType::f32})
      for (const double h : dtype == DType::f64 ? std::vector<double>{1e-200, 1e200} : std::vector<double>{1e-30, 1e30})
        for (const std::size_t d : {3, 9}) {
          CAPTURE(isa);
          CAPTURE(dtype);
          CAPTURE(h);
          CAPTURE(d);
          Random random(19);
          const auto points = [&](std::size_t rows) {
            Tensor x(DType::f64, {1, 1, rows, d});
            for (std::size_t at = 0; at < x.size(); ++at) x.data_as<double>()[at] = h * random.normal();
            return cast(x.view(), dtype);
          };
          const AttendInputs in{points(5), points(50), random.tensor(dtype, {1, 1, 50, 4})};
          AttendParameters parameters;
          parameters.score = Score::gaussian;
          parameters.bandwidth = {h};
          const Result fused = run(fused_engine, make_problem(in, parameters), forced(isa));
          const Result plain = run(reference_engine, make_problem(in_f64(in), parameters), {});
          const double epsilon = dtype == DType::f64 ? support::epsilon<double>() : support::epsilon<float>();
          const double bound = epsilon * (support::bound::pooling + 2 * 16) * support::scale_of(in.value);
          const Closeness near(in_f64(fused.output.view()), plain.output.view(), bound);
          CHECK_MESSAGE(near.ok(), near.worst());
        }
}

TEST_CASE("weights are as near to the truth where scores are large as where they are small") {
  // Scores are whole numbers, that no product rounds: what is left is the softmax of their differences. Numbers of
  // bf16 are products as they are, so that their scale comes in later.
  constexpr std::size_t S = 700, d = 24;
  for (const Isa isa : available_isas())
    for (const DType dtype : {DType::f32, DType::f64, DType::bf16})
      for (const std::size_t L : {1, 3, 40})
        for (const double size : {0.0, 40000.0, -40000.0})
          for (const bool by_bias : {false, true}) {
            CAPTURE(name_of(isa));
            CAPTURE(name_of(dtype));
            CAPTURE(L);
            CAPTURE(size);
            CAPTURE(by_bias);
            Random random(20);
            const auto whole = [&](std::size_t rows, double last) {
              Tensor x(DType::f64, {1, 1, rows, d});
              for (std::size_t at = 0; at < x.size(); ++at)
                x.data_as<double>()[at] = at % d == d - 1 ? last : static_cast<double>(random.between(0, 4)) - 2;
              return cast(x.view(), dtype);
            };
            AttendInputs in{whole(L, by_bias ? 0 : size / 8), whole(S, 32), random.tensor(dtype, {1, 1, S, 5})};
            AttendParameters parameters;
            parameters.scale = 0.25;
            Tensor bias(DType::f64, {L, S});
            std::fill_n(bias.data_as<double>(), bias.size(), size);
            if (by_bias) in.bias = cast(bias.view(), dtype == DType::bf16 ? DType::f32 : dtype);
            const Result fused = run(fused_engine, make_problem(in, parameters), forced(isa));
            const Result plain = run(reference_engine, make_problem(in_f64(in), parameters), {});
            const double epsilon = dtype == DType::f64 ? support::epsilon<double>() : support::epsilon<float>();
            const double bound =
                (epsilon * support::bound::pooling + weight_rounding(dtype)) * support::scale_of(in.value);
            const Closeness near(in_f64(fused.output.view()), plain.output.view(), bound);
            REQUIRE_MESSAGE(near.ok(), near.worst());
          }
}

TEST_CASE("scores of wide keys lose no more than those of narrow ones, and have the same bits alone") {
  // The log-sum-exp of one key is its score.
  constexpr std::size_t H = 60, L = 13;
  for (const Isa isa : available_isas())
    for (const DType dtype : {DType::f32, DType::f64, DType::f16})
      for (const Score score : {Score::dot, Score::gaussian})
        for (const std::size_t d : {64, 128, 129, 256, 300, 2048, 4096}) {
          CAPTURE(name_of(isa));
          CAPTURE(name_of(dtype));
          CAPTURE(static_cast<int>(score));
          CAPTURE(d);
          Random random(21);
          AttendInputs in{random.tensor(dtype, {1, H, L, d}), random.tensor(dtype, {1, H, 1, d}),
                          random.tensor(dtype, {1, H, 1, 2})};
          AttendParameters parameters;
          parameters.score = score;
          if (score == Score::gaussian) parameters.bandwidth = {std::sqrt(static_cast<double>(d))};
          const Result many = run(fused_engine, make_problem(in, parameters), forced(isa));
          const Result plain = run(reference_engine, make_problem(in_f64(in), parameters), {});
          if (dtype != DType::f64) {  // the twin is not nearer itself
            const double bound = 6 * support::epsilon<float>() * support::scale_of(plain.lse.view());
            const Closeness near(in_f64(many.lse.view()), plain.lse.view(), bound);
            CHECK_MESSAGE(near.ok(), near.worst());
          }
          in.query.shape[2] = 1;
          const Result one = run(fused_engine, make_problem(in, parameters), forced(isa));
          TensorView first = many.lse.view();
          first.shape[2] = 1;
          REQUIRE(same_bits(first, one.lse.view()));
        }
}

namespace {

/// The first query of the problem alone.
AttentionProblem first_query(const AttentionProblem& problem, const AttendInputs& in, const AttendParameters& p) {
  AttendInputs one = in;
  one.query.shape[2] = 1;
  AttendParameters parameters = p;
  parameters.causal_bottom_right = false;
  if (p.causal_bottom_right)
    parameters.offset =
        static_cast<std::int64_t>(problem.sizes.keys) - static_cast<std::int64_t>(problem.sizes.queries);
  return make_problem(one, parameters);
}

/// States of consecutive leaves, cut at random.
std::vector<AttentionState> parts_of(const AttentionProblem& problem, Random& random, const Execution& execution) {
  std::vector<AttentionState> parts;
  const std::size_t S = problem.sizes.keys;
  for (std::size_t first = 0, last; first < S; first = last) {
    last = std::min(first + random.between(1, 3) * leaf_keys, S);
    fused_engine.fold(keys_of(problem, first, last), parts.emplace_back(), execution);
  }
  return parts;
}

}  // namespace

TEST_CASE("rows have the same bits over many leaves: alone, on threads, with keys in blocks, and joined from parts") {
  for (const Isa isa : available_isas()) {
    Random random(25);
    for (const std::size_t S : {1, 511, 4095, 4096, 4097, 12288, 30000})
      for (const DType dtype : {DType::f32, DType::bf16, DType::f64})
        for (const int kind : {0, 1, 2, 3}) {
          CAPTURE(name_of(isa));
          CAPTURE(S);
          CAPTURE(name_of(dtype));
          CAPTURE(kind);
          AttendInputs in{random.tensor(dtype, {1, 2, 9, 16}), random.tensor(dtype, {1, 1, S, 16}),
                          random.tensor(dtype, {1, 1, S, 6})};
          AttendParameters parameters;
          Tensor mask(DType::u8, {9, S});
          if (kind == 1) parameters.causal_bottom_right = true, parameters.window = Window{600, 0};
          if (kind == 2) parameters.score = Score::gaussian, parameters.normalize = Normalize::none;
          if (kind == 3) {
            // Queries that see whole leaves, and leaves that nobody sees.
            parameters.scale = 8;
            for (std::size_t at = 0; at < mask.size(); ++at)
              mask.data_as<std::uint8_t>()[at] = at / S * 1400 < at % S && at % S / leaf_keys != 1;
            in.mask = mask.view();
          }
          const AttentionProblem problem = make_problem(in, parameters);
          const Result whole = run(fused_engine, problem, forced(isa));
          ThreadPool pool(3);
          Execution threaded = forced(isa);
          threaded.pool = &pool;
          CHECK(same_bits(run(fused_engine, problem, threaded).output.view(), whole.output.view()));
          if (kind != 3) {
            const Result alone = run(fused_engine, first_query(problem, in, parameters), threaded);
            CHECK(std::memcmp(alone.output.view().data, whole.output.view().data, 6 * element_size(problem.compute)) ==
                  0);
          }
          AttentionState blocks, joined;
          for (std::size_t first = 0; first < S; first += 2 * leaf_keys)
            fused_engine.fold(keys_of(problem, first, std::min(first + 2 * leaf_keys, S)), blocks, threaded);
          const Result streamed = finished(problem, std::move(blocks));
          CHECK(same_bits(streamed.output.view(), whole.output.view()));
          if (parameters.normalize != Normalize::none) CHECK(same_bits(streamed.lse.view(), whole.lse.view()));
          for (AttentionState& part : parts_of(problem, random, threaded))
            for (StateNode& node : part.nodes) append(joined, std::move(node), Isa::baseline);
          CHECK(same_bits(finished(problem, std::move(joined)).output.view(), whole.output.view()));
          if (S % 2 == 0 || S > 20000) continue;
          const AttentionProblem oracle = make_problem(in_f64(in), parameters);
          const Result plain = run(reference_engine, oracle, {});
          const double epsilon = dtype == DType::f64 ? support::epsilon<double>() : support::epsilon<float>();
          const double sum = kind == 2 ? static_cast<double>(S) : 1;  // of weights
          const double bound =
              sum * (epsilon * (support::bound::pooling + 2 * score_scale(oracle)) + weight_rounding(dtype));
          const Closeness near(in_f64(whole.output.view()), plain.output.view(),
                               bound * support::scale_of(oracle.value));
          CHECK_MESSAGE(near.ok(), near.worst());
        }
  }
}

TEST_CASE("a leaf whose numbers exceed the range of f32 is computed in f64, alone") {
  constexpr std::size_t S = 3 * leaf_keys, d = 4;
  for (const Isa isa : available_isas()) {
    Random random(26);
    AttendInputs in{random.tensor(DType::f32, {1, 1, 7, d}), random.tensor(DType::f32, {1, 1, S, d}),
                    random.tensor(DType::f32, {1, 1, S, 3})};
    Tensor key(DType::f32, in.key.shape), value(DType::f32, in.value.shape);
    std::copy_n(in.key.contiguous_data<float>(), key.size(), key.data_as<float>());
    std::copy_n(in.value.contiguous_data<float>(), value.size(), value.data_as<float>());
    for (std::size_t c = 0; c < d; ++c) key.data_as<float>()[5000 * d + c] = c % 2 == 0 ? 3e38f : -3e38f;
    for (std::size_t j = 9000; j < 9004; ++j) value.data_as<float>()[j * 3] = 3e38f;
    in.key = key.view();
    in.value = value.view();
    const AttentionProblem problem = make_problem(in, {});
    const Result whole = run(fused_engine, problem, forced(isa));
    const Result plain = run(reference_engine, make_problem(in_f64(in), {}), {});
    const Closeness near(in_f64(whole.output.view()), plain.output.view(),
                         1e-5 * support::scale_of(plain.output.view()));
    CHECK_MESSAGE(near.ok(), near.worst());
    AttentionState joined;
    for (AttentionState& part : parts_of(problem, random, forced(isa)))
      for (StateNode& node : part.nodes) append(joined, std::move(node), isa);
    CHECK(same_bits(finished(problem, std::move(joined)).output.view(), whole.output.view()));
  }
}

TEST_CASE("states of other shapes are refused") {
  AttentionSizes sizes;
  sizes.batch = sizes.heads = sizes.kv_heads = 1;
  sizes.queries = 2;
  sizes.value_width = 3;
  AttentionState state;
  append(state, StateNode({0, 0}, sizes), Isa::baseline);
  sizes.value_width = 4;
  CHECK_THROWS_AS(append(state, StateNode({0, 1}, sizes), Isa::baseline), Error);
}
