// The fused engine is as near to the formula where numbers are far apart, far from 0, large or small.

#include "support/fused.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace attn;
using support::Closeness;
using support::forced;
using support::in_f64;
using support::Random;
using support::Result;
using support::run;
using support::same_bits;
using support::weight_rounding;

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
