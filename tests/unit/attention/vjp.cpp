// The gradients of attention: both engines against central differences, and what must hold whatever the numbers are.

#include "support/attention.hpp"

#include <attn/attention/vjp.hpp>
#include <attn/core/shape.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace attn;
using support::Closeness;
using support::for_each_isa;
using support::number;
using support::Random;
using support::random_inputs;
using support::reference;
using support::same_bits;

namespace {

using Member = std::optional<TensorView> AttendInputs::*;

constexpr Member optional_members[] = {
    &AttendInputs::mask,       &AttendInputs::padding,     &AttendInputs::bias,     &AttendInputs::sinks,
    &AttendInputs::past_key,   &AttendInputs::past_value,  &AttendInputs::bilinear, &AttendInputs::query_weight,
    &AttendInputs::key_weight, &AttendInputs::score_weight};

/// Every gradient with its name.
std::vector<std::pair<std::string, TensorView>> all_of(const AttendGradients& gradient) {
  std::vector<std::pair<std::string, TensorView>> all{
      {"query", gradient.inputs.query}, {"key", gradient.inputs.key}, {"value", gradient.inputs.value}};
  for (std::size_t at = 0; at < std::size(optional_members); ++at)
    if (const auto& x = gradient.inputs.*optional_members[at]) all.emplace_back(std::to_string(at), *x);
  if (gradient.bandwidth) all.emplace_back("bandwidth", *gradient.bandwidth);
  return all;
}

double inner(const TensorView& a, const TensorView& b) {
  double sum = 0;
  for (std::size_t at = 0; at < a.size(); ++at) sum += number(a, at) * number(b, at);
  return sum;
}

/// x + step u.
TensorView moved(const TensorView& x, const TensorView& u, double step) {
  Tensor out(DType::f64, x.shape);
  for (std::size_t at = 0; at < x.size(); ++at) out.data_as<double>()[at] = number(x, at) + step * number(u, at);
  return out.view();
}

/// A call in f64 with random tensors.
struct Case {
  AttendInputs in;
  AttendParameters parameters;
  AttendCotangents dy;
};

Case random_case(Random& random, int trial) {
  Case c;
  const std::size_t L = random.between(1, 9), S = random.between(1, 11), d = random.between(1, 9), d_v = 3;
  c.in = random_inputs(random, DType::f64, L, S, d, d_v);
  constexpr Score scores[] = {Score::scaled_dot, Score::dot,      Score::cosine, Score::bilinear,
                              Score::additive,   Score::gaussian, Score::kernel};
  c.parameters.score = scores[trial % 7];
  c.parameters.scale = 0.7;
  const bool is_kernel = c.parameters.score == Score::kernel;
  if (is_kernel) {
    constexpr Kernel kernels[] = {Kernel::gaussian,  Kernel::triangular, Kernel::parabolic, Kernel::biweight,
                                  Kernel::triweight, Kernel::tricube,    Kernel::cosine,    Kernel::laplace};
    c.parameters.kernel = kernels[trial / 7 % 8];
    if (random.between(0, 2) == 0) c.parameters.normalize = Normalize::none;
  } else if (random.between(0, 4) == 0) {
    c.parameters.normalize = c.parameters.score == Score::gaussian ? Normalize::none : Normalize::uniform;
  }
  c.parameters.bandwidth = {4};
  if (random.between(0, 1) == 0) {
    c.parameters.bandwidth.clear();
    for (std::size_t at = 0; at < d; ++at) c.parameters.bandwidth.push_back(3 + random.uniform());
  }
  c.parameters.causal = random.between(0, 2) == 0;
  if (random.between(0, 3) == 0) c.parameters.window = Window{2, 3};
  const bool is_softmax = !is_kernel && !c.parameters.normalize;
  if (c.parameters.score == Score::bilinear) c.in.bilinear = random.tensor(DType::f64, {d, d});
  if (c.parameters.score == Score::additive) {
    c.in.query_weight = random.tensor(DType::f64, {5, d});
    c.in.key_weight = random.tensor(DType::f64, {5, d});
    c.in.score_weight = random.tensor(DType::f64, {5});
  }
  if (is_softmax) {
    if (random.between(0, 1) == 0) c.parameters.softcap = 2;
    if (random.between(0, 1) == 0) c.in.bias = random.tensor(DType::f64, {1, 4, L, S});
    if (random.between(0, 1) == 0) c.in.mask = random.tensor(DType::f64, {2, 1, 1, S});
    if (random.between(0, 1) == 0) c.in.sinks = random.tensor(DType::f64, {4});
    if (random.between(0, 1) == 0) c.dy.lse = random.tensor(DType::f64, {2, 4, L});
    if (random.between(0, 1) == 0) c.dy.weights = random.tensor(DType::f64, {2, 4, L, S});
  }
  c.dy.output = random.tensor(DType::f64, {2, 4, L, d_v});
  return c;
}

/// <dy, f(in)>.
double loss(const Case& c, const AttendInputs& in, const AttendParameters& parameters) {
  AttendRequest request;
  request.lse = c.dy.lse.has_value();
  request.weights = c.dy.weights.has_value();
  const AttendResult y = attend(in, parameters, request, reference());
  double sum = inner(c.dy.output, y.output);
  if (c.dy.weights) sum += inner(*c.dy.weights, *y.weights);
  for (std::size_t at = 0; c.dy.lse && at < y.lse->size(); ++at)
    if (std::isfinite(number(*y.lse, at))) sum += number(*c.dy.lse, at) * number(*y.lse, at);
  return sum;
}

}  // namespace

TEST_CASE("gradients are the central differences of forward, and both engines agree") {
  Random random(5);
  for (int trial = 0; trial < 112; ++trial) {
    const Case c = random_case(random, trial);
    CAPTURE(trial);
    const AttendGradients actual = attend_vjp(c.in, c.parameters, c.dy),
                          twin = attend_vjp(c.in, c.parameters, c.dy, reference());
    const auto all = all_of(actual), expected = all_of(twin);
    REQUIRE(all.size() == expected.size());
    for (std::size_t at = 0; at < all.size(); ++at) {
      CAPTURE(all[at].first);
      const Closeness near(all[at].second, expected[at].second, 1e-12 * support::scale_of(expected[at].second, 1));
      CHECK_MESSAGE(near.ok(), near.worst());
    }
    // All inputs move together along a random direction.
    AttendInputs plus = c.in, minus = c.in;
    AttendParameters wider = c.parameters, narrower = c.parameters;
    constexpr double step = 1e-5;
    double slope = 0;
    const auto move = [&](const TensorView& x, const TensorView& gradient, TensorView& up, TensorView& down) {
      const TensorView u = random.tensor(DType::f64, x.shape);
      slope += inner(u, gradient);
      up = moved(x, u, step);
      down = moved(x, u, -step);
    };
    move(c.in.query, actual.inputs.query, plus.query, minus.query);
    move(c.in.key, actual.inputs.key, plus.key, minus.key);
    move(c.in.value, actual.inputs.value, plus.value, minus.value);
    for (const Member member : optional_members)
      if (actual.inputs.*member) move(*(c.in.*member), *(actual.inputs.*member), *(plus.*member), *(minus.*member));
    for (std::size_t at = 0; actual.bandwidth && at < c.parameters.bandwidth.size(); ++at) {
      const double u = random.normal();
      slope += u * number(*actual.bandwidth, at);
      wider.bandwidth[at] += step * u;
      narrower.bandwidth[at] -= step * u;
    }
    const double difference = (loss(c, plus, wider) - loss(c, minus, narrower)) / (2 * step);
    CHECK(std::abs(slope - difference) <= 2e-7 * (1 + std::abs(slope)));
  }
}

TEST_CASE("gradients in f32 are near those of the f64 twin at every instruction set") {
  for_each_isa([&](const Execution& execution) {
    Random random(6);
    for (const std::size_t S : {std::size_t{1}, std::size_t{33}, std::size_t{700}}) {
      AttendInputs in = random_inputs(random, DType::f32, 37, S, 20, 17);
      in.bias = random.tensor(DType::f32, {1, 4, 37, S});
      AttendParameters parameters;
      parameters.causal = S == 33;
      parameters.softcap = 5;
      const AttendCotangents dy{random.tensor(DType::f32, {2, 4, 37, 17})};
      AttendInputs wide = in;
      for (TensorView* x : {&wide.query, &wide.key, &wide.value, &*wide.bias}) *x = cast(*x, DType::f64);
      const auto actual = all_of(attend_vjp(in, parameters, dy, execution));
      const auto expected = all_of(attend_vjp(wide, parameters, {cast(dy.output, DType::f64)}, reference()));
      for (std::size_t at = 0; at < actual.size(); ++at) {
        CAPTURE(actual[at].first);
        const double bound = 40 * support::epsilon<float>() * support::scale_of(expected[at].second, 1);
        const Closeness near(actual[at].second, expected[at].second, bound);
        CHECK_MESSAGE(near.ok(), near.worst());
      }
    }
  });
}

TEST_CASE("NaN behind a mask has no effect, and what is masked has the gradient 0") {
  Random random(7);
  for (const Engine engine : {Engine::automatic, Engine::reference})
    for (const DType dtype : {DType::f32, DType::f64})
      for (const Score score : {Score::scaled_dot, Score::cosine, Score::gaussian, Score::additive}) {
        Execution execution;
        execution.engine = engine;
        AttendInputs in = random_inputs(random, dtype, 9, 40, 16, 8);
        in.query_weight = random.tensor(dtype, {4, 16});
        in.key_weight = random.tensor(dtype, {4, 16});
        in.score_weight = random.tensor(dtype, {4});
        AttendParameters parameters;
        parameters.score = score;
        Tensor lengths(DType::i64, {2});
        lengths.data_as<std::int64_t>()[0] = 0;
        lengths.data_as<std::int64_t>()[1] = 30;
        in.valid_lens = lengths.view();
        const AttendCotangents dy{random.tensor(dtype, {2, 4, 9, 8})};
        const auto expected = all_of(attend_vjp(in, parameters, dy, execution));
        const auto spoil = [](TensorView& x, std::size_t first_of_second) {
          Tensor spoilt(x.dtype, x.shape);
          for (std::size_t at = 0; at < x.size(); ++at) {
            const std::size_t row = at / x.shape[3] % x.shape[2], batch = at / (x.shape[1] * x.shape[2] * x.shape[3]);
            const bool keeps = batch == 1 && row < first_of_second;
            const double value = keeps ? number(x, at) : std::numeric_limits<double>::quiet_NaN();
            if (x.dtype == DType::f64) spoilt.data_as<double>()[at] = value;
            if (x.dtype == DType::f32) spoilt.data_as<float>()[at] = static_cast<float>(value);
          }
          x = spoilt.view();
        };
        spoil(in.key, 30);
        spoil(in.value, 30);
        spoil(in.query, 9);
        const auto actual = all_of(attend_vjp(in, parameters, dy, execution));
        for (std::size_t at = 0; at < actual.size(); ++at) CHECK(same_bits(actual[at].second, expected[at].second));
        const TensorView &dq = actual[0].second, &dk = actual[1].second;
        CHECK(number(dq, 0) == 0);
        CHECK(number(dk, dk.size() - 1) == 0);
        CHECK(number(dk, dk.size() - 11 * 16) != 0);
      }
}

TEST_CASE("gradients have the same bits for any number of threads, and a batch has those of its slices") {
  ThreadPool pool(3);
  Execution many;
  many.pool = &pool;
  for (const DType dtype : {DType::f32, DType::f64}) {
    Random random(8);
    AttendInputs in = random_inputs(random, dtype, 1300, 70, 24, 16);  // two tasks for each key-value head
    in.bias = random.tensor(dtype, {4, 1300, 70});
    AttendParameters parameters;
    parameters.causal = true;
    const AttendCotangents dy{random.tensor(dtype, {2, 4, 1300, 16})};
    const auto alone = all_of(attend_vjp(in, parameters, dy)), threads = all_of(attend_vjp(in, parameters, dy, many));
    for (std::size_t at = 0; at < alone.size(); ++at) CHECK(same_bits(alone[at].second, threads[at].second));
    AttendInputs second = in;
    const auto half = [](const TensorView& x) { return copied(slice(x, {{1, 2}})); };
    for (TensorView* x : {&second.query, &second.key, &second.value}) *x = half(*x);
    const auto slices = all_of(attend_vjp(second, parameters, {half(dy.output)}));
    for (std::size_t at = 0; at < 3; ++at) CHECK(same_bits(half(alone[at].second), slices[at].second));
  }
}

TEST_CASE("gradients have the shapes and layouts of what was given") {
  Random random(9);
  const std::size_t B = 2, L = 5, S = 6, P = 3, H = 4, d = 8;
  const auto heads = [&](std::size_t count, std::size_t rows) {
    return random.tensor(DType::f64, {B, count, rows, d});
  };
  AttendInputs in{heads(H, L), heads(2, S), heads(2, S)};
  in.past_key = random.tensor(DType::f64, {1, 2, P, d});
  in.past_value = random.tensor(DType::f64, {1, 2, P, d});
  AttendCotangents dy{heads(H, L)};
  const AttendGradients plain = attend_vjp(in, {}, dy);
  CHECK(plain.inputs.key.shape == in.key.shape);
  CHECK(plain.inputs.past_key->shape == in.past_key->shape);
  const auto packed = [&](const TensorView& x) {
    return reshaped(contiguous(transposed(x, {0, 2, 1, 3})), {x.shape[0], x.shape[2], x.shape[1] * d});
  };
  AttendParameters side_by_side;
  side_by_side.heads = H;
  side_by_side.kv_heads = 2;
  const AttendInputs joined{packed(in.query),     packed(in.key),        packed(in.value), {}, {}, {}, {}, {}, {},
                            packed(*in.past_key), packed(*in.past_value)};
  const AttendGradients other = attend_vjp(joined, side_by_side, {packed(dy.output)});
  CHECK(same_bits(other.inputs.query, packed(plain.inputs.query)));
  CHECK(same_bits(other.inputs.key, packed(plain.inputs.key)));
  CHECK(same_bits(*other.inputs.past_value, packed(*plain.inputs.past_value)));
  dy.output = random.tensor(DType::f64, {B, H, L, d + 1});
  CHECK_THROWS_AS(attend_vjp(in, {}, dy), Error);
}
