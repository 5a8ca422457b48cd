// Products of f32 as pieces of bf16 in tiles, where the processor has them: as near as vectors, at the ends of the
// range of f32 too, and the same bits for few rows and for many. What holds of any engine is tested of all.

#include "support/fused.hpp"

#include <attn/attention/fused/bf16x3.hpp>

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

namespace {

TensorView times(Random& random, double factor, Shape shape) {
  Tensor x(DType::f32, std::move(shape));
  for (std::size_t at = 0; at < x.size(); ++at) x.data_as<float>()[at] = static_cast<float>(factor * random.normal());
  return x.view();
}

/// Mean square of a - b.
double distance(const TensorView& a, const TensorView& b) {
  double sum = 0;
  for (std::size_t at = 0; at < element_count(a.shape); ++at) {
    const double difference = static_cast<double>(a.contiguous_data<float>()[at]) - b.contiguous_data<double>()[at];
    sum += difference * difference;
  }
  return sum / static_cast<double>(element_count(a.shape));
}

/// Results are those of the reference engine within a bound of epsilons of the values, and a row alone has the same
/// bits.
void check_rows(const AttendInputs& in, const AttendParameters& parameters, Isa isa, const char* what) {
  INFO(std::string(what));
  CAPTURE(name_of(isa));
  const Result fused = run(fused_engine, make_problem(in, parameters), forced(isa));
  const Result plain = run(reference_engine, make_problem(in_f64(in), parameters), {});
  const double bound = support::epsilon<float>() * 2 * support::bound::pooling * support::scale_of(in.value) +
                       4 * static_cast<double>(std::numeric_limits<float>::denorm_min());
  const Closeness near(in_f64(fused.output.view()), plain.output.view(), bound);
  CHECK_MESSAGE(near.ok(), near.worst());
  const std::size_t d_v = in.value.shape[3];
  for (std::size_t i = 0; i < in.query.shape[2]; ++i) {
    AttendInputs one = in;
    one.query.shape[2] = 1;
    one.query.data =
        static_cast<const char*>(in.query.data) + static_cast<std::ptrdiff_t>(i * sizeof(float)) * in.query.strides[2];
    const Result alone = run(fused_engine, make_problem(one, parameters), forced(isa));
    CHECK(std::memcmp(alone.output.view().data, fused.output.view().contiguous_data<float>() + i * d_v,
                      d_v * sizeof(float)) == 0);
  }
}

}  // namespace

TEST_CASE("tiles of pieces are no further from f64 than vectors, over sizes that straddle tiles") {
  const auto levels = available_isas();
  if (std::find(levels.begin(), levels.end(), Isa::amxbf16) == levels.end()) return;
  Random random(3);
  double tiles = 0, vectors = 0;
  for (const Score score : {Score::scaled_dot, Score::cosine, Score::gaussian})
    for (const std::size_t d : {1, 15, 16, 31, 33, 64})
      for (const std::size_t rows : {1, 16, 17, 33}) {
        const std::size_t S = 3 * rows + 160, d_v = d + rows % 3;
        const AttendInputs in{times(random, 1, {1, 1, rows, d}), times(random, 1, {1, 1, S, d}),
                              times(random, 1, {1, 1, S, d_v})};
        AttendParameters parameters;
        parameters.score = score;
        parameters.bandwidth = {std::sqrt(static_cast<double>(d))};
        const Result plain = run(reference_engine, make_problem(in_f64(in), parameters), {});
        const AttentionProblem problem = make_problem(in, parameters);
        tiles += distance(run(fused_engine, problem, forced(Isa::amxbf16)).output.view(), plain.output.view());
        vectors += distance(run(fused_engine, problem, forced(Isa::avx512)).output.view(), plain.output.view());
      }
  CHECK(tiles > 0);
  CHECK(tiles <= vectors);
}

TEST_CASE("the widest heads for tiles of pieces take no more than 6 MiB of a thread, and wider ones go to vectors") {
  for (const Isa isa : available_isas())
    for (const std::size_t width : {768, 769}) {
      const AttendInputs in{Tensor::zeros(DType::f32, {960, width}).view(),
                            Tensor::zeros(DType::f32, {9, width}).view(), Tensor::zeros(DType::f32, {9, width}).view()};
      AttendParameters gaussian;
      gaussian.score = Score::gaussian;
      const AttentionProblem problem = make_problem(in, gaussian);
      const fused::Plan<float> plan(problem, isa);
      CHECK((plan.bf16x3 != nullptr) == (isa == Isa::amxbf16 && width == 768));
      if (plan.bf16x3 == nullptr) continue;
      const fused::RowBlock block{0, 0, 0, std::min(plan.rows_at_once(), problem.sizes.queries)};
      CHECK(fused::Bf16x3BlockOfRows(plan, block).bytes() <= (6 << 20));
    }
}

TEST_CASE("numbers at the ends of the range of f32 pool to what the reference engine says") {
  for (const Isa isa : available_isas()) {
    Random random(21);
    const Shape q{1, 1, 5, 20}, k{1, 1, 300, 20}, v{1, 1, 300, 7};
    for (const double factor : {1e-44, 1e-38, 1e-30, 1e18, 1e20, 1e36})
      check_rows({times(random, 1, q), times(random, 1, k), times(random, factor, v)}, {}, isa, "values");
    for (const auto& [of_queries, of_keys] :
         {std::pair{1e-40, 1.0}, std::pair{1.0, 1e-42}, std::pair{1e37, 1e-38}, std::pair{1e-38, 1e37},
          std::pair{1e-15, 1e15}, std::pair{1e20, 1e-20}, std::pair{1e-27, 1e27}})
      check_rows({times(random, of_queries, q), times(random, of_keys, k), times(random, 1, v)}, {}, isa,
                 "queries and keys");
    // One number beside others, of another size.
    AttendInputs in{times(random, 1, q), times(random, 1, k), times(random, 1, v)};
    Tensor mixed(DType::f32, in.value.shape);
    std::copy_n(in.value.contiguous_data<float>(), mixed.size(), mixed.data_as<float>());
    for (std::size_t j = 0; j < 300; ++j) mixed.data_as<float>()[j * 7 + 3] *= 1e-38f;
    in.value = mixed.view();
    check_rows(in, {}, isa, "a column of the smallest");
  }
}

TEST_CASE("a key or value beyond what tiles hold matters to the rows that attend to it, and to no other") {
  for (const Isa isa : available_isas()) {
    Random random(22);
    const std::size_t L = 40, S = 90, d = 20;
    for (const float bad : {1e30f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()})
      for (const bool in_keys : {false, true}) {
        CAPTURE(name_of(isa));
        CAPTURE(bad);
        CAPTURE(in_keys);
        AttendInputs in{times(random, 1, {1, 1, L, d}), times(random, 1, {1, 1, S, d}), times(random, 1, {1, 1, S, d})};
        AttendParameters causal;
        causal.causal = true;
        causal.offset = 30;
        const Result clean = run(fused_engine, make_problem(in, causal), forced(isa));
        Tensor changed(DType::f32, {1, 1, S, d});
        std::copy_n((in_keys ? in.key : in.value).contiguous_data<float>(), changed.size(), changed.data_as<float>());
        changed.data_as<float>()[50 * d + 3] = bad;  // seen from row 20 on
        (in_keys ? in.key : in.value) = changed.view();
        const Result result = run(fused_engine, make_problem(in, causal), forced(isa));
        const Result plain = run(reference_engine, make_problem(in_f64(in), causal), {});
        const auto* const out = result.output.view().contiguous_data<float>();
        CHECK(std::memcmp(out, clean.output.view().contiguous_data<float>(), 20 * d * sizeof(float)) == 0);
        for (std::size_t at = 20 * d; at < L * d; ++at) {
          const double expected = plain.output.view().contiguous_data<double>()[at];
          if (std::isfinite(expected))
            CHECK(std::abs(static_cast<double>(out[at]) - expected) <=
                  support::epsilon<float>() * support::bound::pooling * std::max(4.0, std::abs(expected)));
          else
            CHECK(!std::isfinite(out[at]));
        }
      }
  }
}

TEST_CASE("scores far below what tiles hold are told apart, and a sum that leaves their range comes back") {
  for (const Isa isa : available_isas())
    for (const std::size_t L : {1, 3, 20, 40})
      for (const std::size_t d : {1, 3, 64}) {
        CAPTURE(L);
        CAPTURE(d);
        Random random(24);
        // One coordinate decides: scores of -1e27 to -1e31, all of them beyond 2^88.
        const std::size_t S = 70;
        AttendInputs in{times(random, 0, {1, 1, L, d}), times(random, 0, {1, 1, S, d}), times(random, 1, {1, 1, S, d})};
        const auto numbers = [](const TensorView& x) { return static_cast<float*>(const_cast<void*>(x.data)); };
        for (std::size_t i = 0; i < L; ++i) numbers(in.query)[i * d] = 1e28f * static_cast<float>(1 + i);
        for (std::size_t j = 0; j < S; ++j) numbers(in.key)[j * d] = -1 - 0.1f * static_cast<float>(j * 37 % S);
        AttendParameters dot;
        dot.score = Score::dot;
        check_rows(in, dot, isa, "negative scores");
        dot.causal = true;
        dot.offset = 5;
        if (L == 20) {
          const Result fused = run(fused_engine, make_problem(in, dot), forced(isa));
          const Result plain = run(reference_engine, make_problem(in_f64(in), dot), {});
          const Closeness near(in_f64(fused.output.view()), plain.output.view(), 1e-5);
          CHECK_MESSAGE(near.ok(), near.worst());
        }
        if (d < 3) continue;
        // -1e28 and then 3e28: the last key is the best one.
        numbers(in.key)[(S - 1) * d] = -1;
        for (std::size_t i = 0; i < L; ++i) numbers(in.query)[i * d + 1] = 1e28f * static_cast<float>(1 + i);
        numbers(in.key)[(S - 1) * d + 1] = 3;
        dot.causal = false;
        dot.offset = 0;
        check_rows(in, dot, isa, "a partial sum");
      }
}

TEST_CASE("keys that a row does not attend to change none of its bits, with every score") {
  constexpr std::size_t L = 20, S = 40, d = 20;
  for (const Isa isa : available_isas())
    for (const Score score : {Score::scaled_dot, Score::cosine, Score::gaussian})
      for (const float hidden : {9.0f, 1e20f, 1e30f, std::numeric_limits<float>::quiet_NaN()}) {
        CAPTURE(name_of(isa));
        CAPTURE(static_cast<int>(score));
        CAPTURE(hidden);
        Random random(25);
        AttendInputs in{times(random, 1, {1, 1, L, d}), times(random, 1, {1, 1, S, d}), times(random, 1, {1, 1, S, d})};
        AttendParameters causal;
        causal.score = score;
        causal.causal = true;
        causal.offset = 10;
        if (score == Score::gaussian) causal.bandwidth = {4};
        const Result before = run(fused_engine, make_problem(in, causal), forced(isa));
        Tensor keys(DType::f32, in.key.shape);
        std::copy_n(in.key.contiguous_data<float>(), keys.size(), keys.data_as<float>());
        for (std::size_t c = 0; c < d; ++c) keys.data_as<float>()[25 * d + c] *= hidden;  // seen from row 15 on
        in.key = keys.view();
        const Result after = run(fused_engine, make_problem(in, causal), forced(isa));
        CHECK(std::memcmp(after.output.view().data, before.output.view().data, 15 * d * sizeof(float)) == 0);
      }
}

TEST_CASE("rows have the same bits in blocks of any number of rows, with every score") {
  constexpr std::size_t many = 70, S = 333;
  for (const Isa isa : available_isas())
    for (const Score score : {Score::scaled_dot, Score::cosine, Score::bilinear, Score::gaussian})
      for (const std::size_t d : {20, 64})
        for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) {
          CAPTURE(name_of(isa));
          CAPTURE(static_cast<int>(score));
          CAPTURE(d);
          CAPTURE(static_cast<int>(dtype));
          Random random(33);
          AttendInputs in{random.tensor(dtype, {1, 1, many, d}), random.tensor(dtype, {1, 1, S, d}),
                          random.tensor(dtype, {1, 1, S, d + 5})};
          if (score == Score::bilinear) in.bilinear = random.tensor(dtype, {d, d});
          if (score == Score::gaussian) {
            // Some keys so far away that their squares are not expanded.
            Tensor far(DType::f64, {1, 1, S, d});
            const TensorView near = in_f64(in.key);
            for (std::size_t at = 0; at < far.size(); ++at)
              far.data_as<double>()[at] = near.contiguous_data<double>()[at] * (at / d % 50 == 7 ? 9 : 1);
            in.key = cast(far.view(), dtype);
          }
          // Values of keys that take no part are no numbers.
          Tensor mask(DType::u8, {S}), value(DType::f64, in.value.shape);
          const TensorView numbers = in_f64(in.value);
          for (std::size_t j = 0; j < S; ++j) mask.data_as<std::uint8_t>()[j] = j % 7 != 2;
          for (std::size_t at = 0; at < value.size(); ++at)
            value.data_as<double>()[at] = at / (d + 5) % 7 != 2 ? numbers.contiguous_data<double>()[at] : std::nan("");
          in.value = cast(value.view(), dtype);
          in.mask = mask.view();
          AttendParameters parameters;
          parameters.score = score;
          if (score == Score::bilinear) parameters.scale = 0.1;
          if (score == Score::gaussian) parameters.bandwidth = {4};
          const Result all = run(fused_engine, make_problem(in, parameters), forced(isa));
          const float* const every = all.output.view().contiguous_data<float>();
          CHECK(std::none_of(every, every + all.output.size(), [](float x) { return std::isnan(x); }));
          for (const std::size_t rows : {1, 2, 4, 7, 9, 16, 17, 31, 33}) {
            CAPTURE(rows);
            AttendInputs few = in;
            few.query.shape[2] = rows;
            few.query.data = static_cast<const char*>(in.query.data) + 3 * d * element_size(dtype);
            const Result part = run(fused_engine, make_problem(few, parameters), forced(isa));
            CHECK(std::memcmp(part.output.view().data, all.output.view().contiguous_data<float>() + 3 * (d + 5),
                              rows * (d + 5) * sizeof(float)) == 0);
          }
        }
}

TEST_CASE("few rows pass over blocks of keys that a mask excludes whole, as many rows do") {
  for (const Isa isa : available_isas())
    for (const std::size_t L : {1, 2, 3, 16, 17})
      for (const std::size_t excluded : {0, 1, 2}) {
        Random random(23);
        const std::size_t S = 600, d = 20;
        AttendInputs in{times(random, 1, {1, 1, L, d}), times(random, 1, {1, 1, S, d}), times(random, 1, {1, 1, S, d})};
        Tensor mask(DType::u8, {S});
        for (std::size_t j = 0; j < S; ++j) mask.data_as<std::uint8_t>()[j] = j / 256 != excluded;
        in.mask = mask.view();
        check_rows(in, {}, isa, "a block of keys");
      }
}

TEST_CASE("a NaN value is attended to however far below the others its score is") {
  for (const Isa isa : available_isas())
    for (const std::size_t L : {1, 3, 20}) {
      const std::size_t S = 40;
      Tensor query(DType::f32, {1, 1, L, 1}), key(DType::f32, {1, 1, S, 1}), value(DType::f32, {1, 1, S, 1});
      std::fill_n(query.data_as<float>(), L, 2.2e26f);
      std::fill_n(key.data_as<float>(), S, 0.5f);
      std::fill_n(value.data_as<float>(), S, 1.0f);
      key.data_as<float>()[7] = -1.5f;
      value.data_as<float>()[7] = std::numeric_limits<float>::quiet_NaN();
      const Result fused = run(fused_engine, make_problem({query.view(), key.view(), value.view()}, {}), forced(isa));
      for (std::size_t i = 0; i < L; ++i)
        CHECK_MESSAGE(std::isnan(fused.output.view().contiguous_data<float>()[i]), name_of(isa), ", row ", i);
    }
}
