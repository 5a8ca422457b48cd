// The fused engine where numbers, sizes and memory end.

#include "support/fused.hpp"

#include <attn/attention/attend.hpp>
#include <attn/attention/fused/bf16.hpp>
#include <attn/attention/fused/bf16x3.hpp>
#include <attn/attention/fused/block.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace attn;
using support::Closeness;
using support::forced;
using support::in_f64;
using support::Random;
using support::Result;
using support::run;
using support::score_scale;
using support::weight_rounding;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

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

TEST_CASE("what goes beyond the range of f32 on the way still ends as a number: the reference engine's") {
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
    const fused::Plan<T> plan(problem, isa);
    const fused::RowBlock block{0, 0, 0, std::min(plan.rows_at_once(), problem.sizes.queries)};
    if constexpr (std::is_same_v<T, float>) {
      if (plan.bf16 != nullptr) return static_cast<double>(fused::Bf16BlockOfRows(plan, block).bytes());
      if (plan.bf16x3 != nullptr) return static_cast<double>(fused::Bf16x3BlockOfRows(plan, block).bytes());
    }
    return static_cast<double>(fused::BlockOfRows<T>(plan, block).bytes());
  };
  for (const Isa isa : available_isas())
    for (const std::size_t queries : {std::size_t{5}, std::size_t{960}})
      for (const std::size_t width : {std::size_t{1}, std::size_t{64}, std::size_t{1000}, std::size_t{1025},
                                      std::size_t{4096}, std::size_t{8191}})
        for (const std::size_t value_width : {std::size_t{1}, width})
          for (const DType dtype : {DType::f32, DType::f64, DType::bf16, DType::f16})
            for (const Score score :
                 {Score::scaled_dot, Score::dot, Score::cosine, Score::bilinear, Score::additive, Score::gaussian}) {
              CAPTURE(name_of(isa));
              CAPTURE(width);
              CAPTURE(name_of(dtype));
              CAPTURE(static_cast<int>(score));
              const auto zeros = [&](std::size_t count, std::size_t of) {
                return broadcast_to(Tensor::zeros(dtype, {1, of}).view(), {count, of});
              };
              AttendParameters parameters;
              parameters.score = score;
              // Matrices of one row or column, so that what takes space is what the block takes.
              const std::size_t query_width = score == Score::bilinear ? 1 : width;
              AttendInputs inputs{zeros(queries, query_width), zeros(9, width), zeros(9, value_width)};
              inputs.bilinear = zeros(1, width);
              inputs.query_weight = inputs.key_weight = zeros(1, width);
              inputs.score_weight = Tensor::zeros(dtype, {1}).view();
              const AttentionProblem problem = make_problem(inputs, parameters);
              CHECK((dtype == DType::f64 ? bytes_of(problem, isa, double{}) : bytes_of(problem, isa, float{})) <= most);
            }
}

TEST_CASE("heads too wide to be packed whole: the reference engine, and the bits of a row alone") {
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
    for (const Score score : {Score::scaled_dot, Score::gaussian, Score::additive}) {
      CAPTURE(n.width);
      CAPTURE(static_cast<int>(score));
      Random random(13);
      AttendInputs in{random.tensor(n.dtype, {1, 1, n.queries, n.width}),
                      random.tensor(n.dtype, {1, 1, n.keys, n.width}),
                      random.tensor(n.dtype, {1, 1, n.keys, n.value_width})};
      if (score == Score::additive) {
        in.query_weight = random.tensor(n.dtype, {20, n.width});
        in.key_weight = random.tensor(n.dtype, {20, n.width});
        in.score_weight = random.tensor(n.dtype, {20});
      }
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
