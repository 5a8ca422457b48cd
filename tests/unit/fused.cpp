#include "support/closeness.hpp"
#include "support/execution.hpp"
#include "support/random.hpp"

#include <attn/attention/bf16_block.hpp>
#include <attn/attention/fused.hpp>
#include <attn/attention/fused_block.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

using namespace attn;
using support::Closeness;
using support::forced;
using support::Random;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

struct Case {
  AttendInputs inputs;
  AttendParameters parameters;
  std::string text;
};

struct Result {
  Tensor output, lse;
  std::size_t empty_rows = 0;
};

Result run(const AttentionEngine& engine, const AttentionProblem& problem, const Execution& execution) {
  const AttentionSizes& n = problem.sizes;
  Result result{Tensor(problem.compute, {n.batch, n.heads, n.queries, n.value_width}),
                Tensor(problem.compute, {n.batch, n.heads, n.queries})};
  const auto H = static_cast<std::ptrdiff_t>(n.heads), L = static_cast<std::ptrdiff_t>(n.queries),
             d_v = static_cast<std::ptrdiff_t>(n.value_width);
  const AttentionOutputs outputs{result.output.data(), {H * L * d_v, L * d_v, d_v}, result.lse.data()};
  result.empty_rows = engine.attend(problem, outputs, execution);
  return result;
}

bool same_bits(const Tensor& a, const Tensor& b) {
  const TensorView x = a.view(), y = b.view();
  return x.shape == y.shape && x.dtype == y.dtype && std::memcmp(x.data, y.data, x.bytes()) == 0;
}

TensorView in_f64(const TensorView& x) { return cast(x, DType::f64); }
std::optional<TensorView> in_f64(const std::optional<TensorView>& x) {
  if (!x || !is_floating(x->dtype)) return x;
  return cast(*x, DType::f64);
}
AttendInputs in_f64(const AttendInputs& in) {
  AttendInputs out = in;
  out.query = in_f64(in.query);
  out.key = in_f64(in.key);
  out.value = in_f64(in.value);
  for (auto part :
       {&AttendInputs::mask, &AttendInputs::bias, &AttendInputs::alibi_slopes, &AttendInputs::sinks,
        &AttendInputs::bilinear, &AttendInputs::query_weight, &AttendInputs::key_weight, &AttendInputs::score_weight})
    out.*part = in_f64(in.*part);
  return out;
}

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
  if (p.score == Score::gaussian) p.bandwidth = {std::sqrt(static_cast<double>(d))};
  if (p.score == Score::bilinear) {
    const std::size_t d_q = random.between(1, 9);
    in.query = random.tensor(dtype, {B, H, L, d_q});
    in.bilinear = random.tensor(dtype, {d_q, d});
    p.scale = 0.1;
  }
  if (p.score == Score::additive) {
    const std::size_t h = random.between(1, 20);
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

/// Largest possible score: what errors of scores are relative to.
double score_scale(const AttentionProblem& problem) {
  const double q = support::scale_of(problem.query), k = support::scale_of(problem.key),
               d = static_cast<double>(problem.sizes.key_width);
  switch (problem.score.kind) {
    case Score::cosine: return 1;
    case Score::additive:
      return support::scale_of(problem.score.score_weight) * static_cast<double>(problem.score.score_weight.shape[0]);
    case Score::gaussian:
      return (q + k) * (q + k) * d / 2 * problem.score.inverse_widths[0] * problem.score.inverse_widths[0];
    case Score::bilinear:
      return problem.score.scale * q * k * support::scale_of(problem.score.bilinear) *
             std::sqrt(d * static_cast<double>(problem.sizes.query_width));
    default: return problem.score.scale * q * k * std::sqrt(d);
  }
}

/// Weights may be rounded to bf16, by at most half of 2^-8 of each: in the mean above and in the sum below.
double weight_rounding(DType dtype) { return dtype == DType::bf16 ? std::ldexp(1, -8) : 0; }

}  // namespace

TEST_CASE("fused attention is the naive twin, over sizes that straddle every tile, on every instruction set") {
  for (const Isa isa : available_isas()) {
    Random random(11);
    for (int round = 0; round < 180; ++round) {
      const DType dtype = std::array{DType::f32, DType::bf16, DType::f64}[round % 3];
      const Case c = random_case(random, dtype);
      CAPTURE(c.text);
      CAPTURE(name_of(isa));
      const AttentionProblem problem = make_problem(c.inputs, c.parameters);
      const AttentionProblem oracle = make_problem(in_f64(c.inputs), c.parameters);
      REQUIRE(fused_supports(problem));
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

TEST_CASE("a row of fused attention has the same bits alone, in a batch, on threads, and with keys in blocks") {
  for (const Isa isa : available_isas()) {
    Random random(23);
    for (int round = 0; round < 60; ++round) {
      const Case c = random_case(random, std::array{DType::f32, DType::bf16, DType::f64}[round % 3]);
      CAPTURE(c.text);
      CAPTURE(name_of(isa));
      const AttentionProblem problem = make_problem(c.inputs, c.parameters);
      const Result whole = run(fused_engine, problem, forced(isa));
      ThreadPool pool(3);
      Execution threaded = forced(isa);
      threaded.pool = &pool;
      CHECK(same_bits(run(fused_engine, problem, threaded).output, whole.output));

      // Keys in blocks.
      AttentionState state = fused_engine.start(problem);
      const std::size_t S = problem.sizes.keys;
      for (std::size_t first = 0; first < S; first += fused_engine.key_block) {
        AttentionProblem part = problem;
        part.first_key = first;
        const auto rows = [&](const TensorView& x) {
          TensorView y = x;
          y.shape[2] = std::min(fused_engine.key_block, S - first);
          y.data = static_cast<const char*>(x.data) +
                   static_cast<std::ptrdiff_t>(first * element_size(x.dtype)) * x.strides[2];
          return y;
        };
        part.key = rows(problem.key);
        part.value = rows(problem.value);
        fused_engine.fold(part, state, threaded);
      }
      Result streamed{Tensor(problem.compute, whole.output.shape()), Tensor(problem.compute, whole.lse.shape())};
      const auto H = static_cast<std::ptrdiff_t>(problem.sizes.heads),
                 L = static_cast<std::ptrdiff_t>(problem.sizes.queries),
                 d_v = static_cast<std::ptrdiff_t>(problem.sizes.value_width);
      fused_engine.finish(problem, state, {streamed.output.data(), {H * L * d_v, L * d_v, d_v}, streamed.lse.data()});
      CHECK(same_bits(streamed.output, whole.output));
      CHECK(same_bits(streamed.lse, whole.lse));
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

TEST_CASE("excluded keys have no effect on fused attention, whatever they hold") {
  for (const Isa isa : available_isas())
    for (const auto& [dtype, by_mask] : {std::pair{DType::f32, false}, std::pair{DType::f32, true},
                                         std::pair{DType::bf16, false}, std::pair{DType::bf16, true}}) {
      Random random(41);
      const std::size_t L = 20, S = 700, d = 17;
      AttendInputs in{random.tensor(dtype, {1, 1, L, d}), random.tensor(dtype, {1, 1, S, d}),
                      random.tensor(dtype, {1, 1, S, d})};
      AttendParameters parameters;
      parameters.window = Window{3, 600};
      if (by_mask) {
        Tensor mask(DType::u8, {L, S});
        for (std::size_t i = 0; i < L; ++i)
          for (std::size_t j = 0; j < S; ++j) mask.data_as<std::uint8_t>()[i * S + j] = j + 3 >= i && j <= i + 600;
        in.mask = mask.view();
        parameters.window.reset();
      }
      const Result clean = run(fused_engine, make_problem(in, parameters), forced(isa));
      // Key 3 is seen by queries up to 6, key 615 by queries from 15 on.
      for (const float bad : {static_cast<float>(not_a_number), std::numeric_limits<float>::infinity()}) {
        const auto spoil = [&](const TensorView& x) {
          Tensor copy(DType::f32, x.shape);
          const TensorView wide = cast(x, DType::f32);
          std::copy_n(wide.contiguous_data<float>(), S * d, copy.data_as<float>());
          for (const std::size_t j : {std::size_t{3}, std::size_t{615}})
            std::fill_n(copy.data_as<float>() + j * d, d, bad);
          return cast(copy.view(), x.dtype);
        };
        AttendInputs spoiled = in;
        spoiled.key = spoil(in.key);
        spoiled.value = spoil(in.value);
        const Result result = run(fused_engine, make_problem(spoiled, parameters), forced(isa));
        for (std::size_t i = 0; i < L; ++i) {
          const float* const row = result.output.view().contiguous_data<float>() + i * d;
          if (i > 6 && i < 15)
            CHECK(std::memcmp(row, clean.output.view().contiguous_data<float>() + i * d, d * sizeof(float)) == 0);
          else
            CHECK(std::count_if(row, row + d, [](float x) { return std::isfinite(x); }) == 0);
        }
        if (!by_mask) continue;
        // As few rows as are read without packing.
        const auto part = [](const TensorView& x, std::size_t axis, std::size_t first, std::size_t count) {
          TensorView y = x;
          y.shape[axis] = count;
          y.data = static_cast<const char*>(x.data) +
                   static_cast<std::ptrdiff_t>(first * element_size(x.dtype)) * x.strides[axis];
          return y;
        };
        AttendInputs few = spoiled;
        few.query = part(in.query, 2, 7, 7);
        few.mask = part(*in.mask, 0, 7, 7);
        const Result alone = run(fused_engine, make_problem(few, parameters), forced(isa));
        CHECK(std::memcmp(alone.output.view().data, clean.output.view().contiguous_data<float>() + 7 * d,
                          7 * d * sizeof(float)) == 0);
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

TEST_CASE("fused attention at the borders: no keys, no queries, no width, huge scores") {
  for (const Isa isa : available_isas()) {
    Random random(5);
    const auto attend_to = [&](Shape q, Shape k, Shape v) {
      return run(
          fused_engine,
          make_problem({random.tensor(DType::f32, q), random.tensor(DType::f32, k), random.tensor(DType::f32, v)}, {}),
          forced(isa));
    };
    const Result no_keys = attend_to({1, 2, 3, 4}, {1, 2, 0, 4}, {1, 2, 0, 5});
    CHECK(no_keys.empty_rows == 6);
    for (std::size_t at = 0; at < no_keys.output.size(); ++at)
      CHECK(no_keys.output.view().contiguous_data<float>()[at] == 0);
    CHECK(attend_to({1, 2, 0, 4}, {1, 2, 3, 4}, {1, 2, 3, 5}).output.size() == 0);
    CHECK(attend_to({1, 2, 3, 4}, {1, 2, 3, 4}, {1, 2, 3, 0}).output.size() == 0);

    AttendInputs huge{random.tensor(DType::f32, {1, 1, 2, 3}), random.tensor(DType::f32, {1, 1, 40, 3}),
                      random.tensor(DType::f32, {1, 1, 40, 3})};
    AttendParameters parameters;
    parameters.scale = 1e30;
    const Result steep = run(fused_engine, make_problem(huge, parameters), forced(isa));
    const Result plain = run(reference_engine, make_problem(in_f64(huge), parameters), {});
    const Closeness near(in_f64(steep.output.view()), plain.output.view(), 0);
    CHECK_MESSAGE(near.ok(), near.worst());
  }
}

TEST_CASE("what goes beyond the range of f32 on the way still ends as a number: the naive twin's") {
  for (const Isa isa : available_isas())
    for (const DType dtype : {DType::f32, DType::bf16}) {
      CAPTURE(name_of(isa));
      CAPTURE(name_of(dtype));
      Random random(7);
      const auto times = [&](double factor, Shape shape) {
        Tensor x(DType::f64, std::move(shape));
        for (std::size_t at = 0; at < x.size(); ++at) x.data_as<double>()[at] = factor * random.normal();
        return cast(x.view(), dtype);
      };
      const auto check = [&](const AttendInputs& in, const AttendParameters& parameters, const char* what) {
        INFO(std::string(what));
        const AttentionProblem problem = make_problem(in, parameters);
        const Result fused = run(fused_engine, problem, forced(isa)),
                     plain = run(reference_engine, make_problem(in_f64(in), parameters), {});
        const Closeness near(in_f64(fused.output.view()), plain.output.view(),
                             (support::epsilon<float>() * support::bound::pooling + weight_rounding(dtype)) *
                                 support::scale_of(in.value));
        CHECK_MESSAGE(near.ok(), near.worst());
        CHECK(fused.empty_rows == plain.empty_rows);
      };
      AttendInputs huge{times(1e30, {1, 2, 9, 6}), times(1e30, {1, 1, 600, 6}), times(1, {1, 1, 600, 5})};
      check(huge, {}, "scores of 1e60");
      AttendParameters masked;
      masked.causal = true;
      Tensor mask(DType::u8, {9, 600});
      for (std::size_t at = 0; at < mask.size(); ++at) mask.data_as<std::uint8_t>()[at] = at < 600 ? 0 : at % 3 != 0;
      huge.mask = mask.view();
      check(huge, masked, "masked, row 0 empty");
      huge.mask.reset();
      AttendParameters by_score;
      by_score.score = Score::gaussian;
      check(huge, by_score, "gaussian");
      by_score.score = Score::cosine;
      check(huge, by_score, "cosine");
      by_score.score = Score::dot;
      by_score.scale = -1e-20;
      by_score.softcap = 5;
      check(huge, by_score, "capped");

      AttendInputs sums{times(1, {1, 1, 9, 6}), times(1, {1, 1, 600, 6}), times(5e37, {1, 1, 600, 5})};
      check(sums, {}, "values whose sum is beyond");
      sums.value = times(1, {1, 1, 600, 5});
      Tensor lowest(DType::f32, {9, 600});
      std::fill_n(lowest.data_as<float>(), lowest.size(), 0.0f);
      std::fill_n(lowest.data_as<float>(), 1200, std::numeric_limits<float>::lowest());
      sums.mask = lowest.view();
      check(sums, {}, "a row of the lowest number added");
    }
}

TEST_CASE("what is beyond f32 on the way ends as a number in weights, stages and the other normalisers too") {
  Random random(9);
  const auto times = [&](double factor, Shape shape) {
    Tensor x(DType::f32, std::move(shape));
    for (std::size_t at = 0; at < x.size(); ++at) x.data_as<float>()[at] = static_cast<float>(factor * random.normal());
    return x.view();
  };
  // Row 0 stays within f32, so that rows of both kinds are mixed.
  Tensor query(DType::f32, {1, 2, 9, 6});
  const TensorView far = times(1e30, {1, 2, 9, 6});
  for (std::size_t at = 0; at < query.size(); ++at)
    query.data_as<float>()[at] = far.contiguous_data<float>()[at] * (at < 6 ? 1e-34f : 1);
  const AttendInputs huge{query.view(), times(1e30, {1, 1, 600, 6}), times(1, {1, 1, 600, 5})};
  const AttendInputs sums{times(1, {1, 2, 9, 6}), times(1, {1, 1, 600, 6}), times(1e38, {1, 1, 600, 5})};

  const auto check = [&](const AttendInputs& in, const AttendParameters& parameters) {
    AttendRequest request;
    request.weights = true;
    request.top = 3;
    const AttendResult plain = attend(in_f64(in), parameters, request, support::reference());
    for (const Isa isa : available_isas()) {
      CAPTURE(name_of(isa));
      const AttendResult fast = attend(in, parameters, request, forced(isa));
      const auto near = [&](const TensorView& a, const TensorView& b, double scale) {
        return Closeness(in_f64(a), in_f64(b), support::epsilon<float>() * support::bound::pooling * scale);
      };
      const Closeness output = near(fast.output, plain.output, support::scale_of(plain.output)),
                      weights = near(*fast.weights, *plain.weights, support::scale_of(*plain.weights)),
                      top = near(*fast.top_weights, *plain.top_weights, support::scale_of(*plain.top_weights));
      CHECK_MESSAGE(output.ok(), output.worst());
      CHECK_MESSAGE(weights.ok(), weights.worst());
      CHECK_MESSAGE(top.ok(), top.worst());
      CHECK(Closeness(*fast.top_keys, *plain.top_keys, 0).ok());
    }
  };
  for (const Normalize normalize : {Normalize::softmax, Normalize::sum, Normalize::hard, Normalize::uniform}) {
    CAPTURE(static_cast<int>(normalize));
    AttendParameters parameters;
    parameters.score = Score::dot;
    parameters.normalize = normalize;
    check(huge, parameters);
    parameters.causal = true;
    parameters.offset = 300;
    check(huge, parameters);
    if (normalize == Normalize::softmax || normalize == Normalize::uniform) check(sums, parameters);
  }
  AttendParameters capped;
  capped.score = Score::dot;
  capped.scale = -1e-20;
  capped.softcap = 5;
  check(huge, capped);
  AttendParameters gaussian;
  gaussian.score = Score::gaussian;
  check(huge, gaussian);
}

TEST_CASE("a block of rows takes at most 6 MiB of its thread, whatever the score, the dtype and the width") {
  constexpr double most = 6 << 20;
  const auto bytes_of = [](const AttentionProblem& problem, Isa isa, auto type) -> double {
    using T = decltype(type);
    const fused::Plan<T> plan(problem, isa, 1);
    const fused::RowBlock block{0, 0, 0, std::min(plan.rows_at_once(), problem.sizes.queries)};
    if constexpr (std::is_same_v<T, float>)
      if (plan.bf16 != nullptr) return static_cast<double>(fused::Bf16BlockOfRows(plan, block).bytes());
    return static_cast<double>(fused::BlockOfRows<T>(plan, block).bytes());
  };
  for (const Isa isa : available_isas())
    for (const std::size_t queries : {std::size_t{5}, std::size_t{480}})
      for (const std::size_t width : {std::size_t{1}, std::size_t{64}, std::size_t{1000}, std::size_t{1025},
                                      std::size_t{4096}, std::size_t{8191}})
        for (const std::size_t value_width : {std::size_t{1}, width})
          for (const DType dtype : {DType::f32, DType::f64, DType::bf16, DType::f16})
            for (const Score score : {Score::scaled_dot, Score::gaussian, Score::cosine}) {
              CAPTURE(name_of(isa));
              CAPTURE(width);
              CAPTURE(name_of(dtype));
              AttendParameters parameters;
              parameters.score = score;
              const auto zeros = [&](std::size_t count, std::size_t of) {
                return broadcast_to(Tensor::zeros(dtype, {1, of}).view(), {count, of});
              };
              const AttentionProblem problem =
                  make_problem({zeros(queries, width), zeros(9, width), zeros(9, value_width)}, parameters);
              CHECK((dtype == DType::f64 ? bytes_of(problem, isa, double{}) : bytes_of(problem, isa, float{})) <= most);
            }
}

TEST_CASE("heads too wide to be packed whole: the naive twin, and the bits of a row alone") {
  struct Sizes {
    std::size_t queries, keys, width, value_width;
    DType dtype;
  };
  const Sizes sizes[] = {{100, 40, 1030, 5, DType::f32},
                         {8, 530, 1030, 1031, DType::f32},
                         {50, 40, 520, 515, DType::f64},
                         {9, 40, 1040, 1040, DType::f16},
                         {9, 40, 2050, 2050, DType::bf16}};
  for (const Sizes& n : sizes)
    for (const Score score : {Score::scaled_dot, Score::gaussian}) {
      CAPTURE(n.width);
      Random random(13);
      const AttendInputs in{random.tensor(n.dtype, {1, 1, n.queries, n.width}),
                            random.tensor(n.dtype, {1, 1, n.keys, n.width}),
                            random.tensor(n.dtype, {1, 1, n.keys, n.value_width})};
      AttendParameters parameters;
      parameters.score = score;
      parameters.bandwidth = {30};
      parameters.causal = true;
      parameters.offset = 5;
      const AttentionProblem oracle = make_problem(in_f64(in), parameters);
      const Result plain = run(reference_engine, oracle, {});
      const double epsilon = n.dtype == DType::f64 ? support::epsilon<double>() : support::epsilon<float>();
      const double bound =
          epsilon * (support::bound::pooling + 2 * score_scale(oracle)) * support::scale_of(oracle.value);
      for (const Isa isa : available_isas()) {
        CAPTURE(name_of(isa));
        parameters.offset = 5;
        const Result all = run(fused_engine, make_problem(in, parameters), forced(isa));
        const Closeness near(in_f64(all.output.view()), plain.output.view(), bound);
        CHECK_MESSAGE(near.ok(), near.worst());
        for (const std::size_t i : {std::size_t{0}, n.queries - 1}) {
          AttendInputs one = in;
          one.query.shape[2] = 1;
          one.query.data = static_cast<const unsigned char*>(in.query.data) + i * n.width * element_size(n.dtype);
          parameters.offset = static_cast<std::int64_t>(5 + i);
          const Result row = run(fused_engine, make_problem(one, parameters), forced(isa));
          const std::size_t bytes = n.value_width * element_size(row.output.dtype());
          const auto* const whole = static_cast<const unsigned char*>(all.output.view().data);
          CHECK(std::memcmp(row.output.view().data, whole + i * bytes, bytes) == 0);
        }
      }
    }
}
