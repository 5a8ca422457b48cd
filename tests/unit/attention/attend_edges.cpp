// The rulings on hard cases: excluded keys, huge scores, nothing to attend with, mixed dtypes, windows that are empty.

#include "support/attention.hpp"

#include <attn/simd/attention_bf16.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace attn;
using support::Closeness;
using support::for_each_isa;
using support::number;
using support::pooling_bound;
using support::Random;
using support::random_inputs;
using support::reference;
using support::same_bits;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// A copy of x with value at the flat index.
TensorView with_element(const TensorView& x, std::size_t at, double value) {
  Tensor out(DType::f64, x.shape);
  const TensorView from = cast(x, DType::f64);
  std::copy_n(from.contiguous_data<double>(), out.size(), out.data_as<double>());
  out.data_as<double>()[at] = value;
  return cast(out.view(x.name), x.dtype);
}

}  // namespace

TEST_CASE("a closed kernel reaches keys at exactly its width") {
  for_each_isa([](const Execution& execution) {
    Tensor q(DType::f64, {100, 1}), k(DType::f64, {100, 1});
    for (int i = 0; i < 100; ++i) q.data_as<double>()[i] = k.data_as<double>()[i] = i;
    AttendParameters boxcar;
    boxcar.score = Score::kernel;
    boxcar.kernel = Kernel::boxcar;
    boxcar.normalize = Normalize::none;
    boxcar.bandwidth = {10};
    const AttendInputs in{q.view(), k.view(), broadcast_to(element(element(k.view(), 1), 0), {100, 1})};
    for (const Execution& engine : {execution, reference()}) {
      const TensorView counts = attend(in, boxcar, {}, engine).output;
      for (std::size_t i = 10; i < 90; ++i) CHECK(number(counts, i) == 21);
    }
  });
}

TEST_CASE("NaN and infinity in excluded keys have no effect; NaN that is attended stays in its rows") {
  for_each_isa([](const Execution& execution) {
    Random random(29);
    for (const bool by_length : {true, false}) {
      AttendInputs in = random_inputs(random, DType::f32, 20, 40, 8, 8);
      AttendParameters parameters;
      if (by_length) {
        Tensor lengths(DType::i64, {2});
        lengths.data_as<std::int64_t>()[0] = 39;
        lengths.data_as<std::int64_t>()[1] = 0;
        in.valid_lens = lengths.view();
      } else {
        Tensor bias = Tensor::zeros(DType::f32, {1, 40});
        bias.data_as<float>()[39] = -std::numeric_limits<float>::infinity();
        in.bias = bias.view();
      }
      const AttendResult clean = attend(in, parameters, {}, execution);
      // Key 39 of every head, and with lengths of 0 all of batch 1.
      AttendInputs poisoned = in;
      for (std::size_t g = 0; g < 4; ++g) {
        poisoned.key = with_element(poisoned.key, (g * 40 + 39) * 8 + 3, g % 2 ? not_a_number : infinity);
        poisoned.value = with_element(poisoned.value, (g * 40 + 39) * 8 + 5, g % 2 ? infinity : not_a_number);
      }
      CHECK(same_bits(attend(poisoned, parameters, {}, execution).output, clean.output));
      CHECK(clean.empty_rows == (by_length ? 4u * 20 : 0u));
    }
    AttendInputs in = random_inputs(random, DType::f32, 20, 40, 8, 8);
    AttendParameters causal;
    causal.causal = true;
    const AttendResult clean = attend(in, causal, {}, execution);
    in.key = with_element(in.key, 10 * 8, not_a_number);  // key 10 of head 0 of batch 0: queries 10.. of heads 0 and 1
    const AttendResult hit = attend(in, causal, {}, execution);
    for (std::size_t row = 0; row < 2 * 4 * 20; ++row) {
      const bool affected = row < 2 * 20 && row % 20 >= 10;
      for (std::size_t c = 0; c < 8; ++c) {
        if (affected)
          CHECK(std::isnan(number(hit.output, row * 8 + c)));
        else
          CHECK(number(hit.output, row * 8 + c) == number(clean.output, row * 8 + c));
      }
    }
  });
}

TEST_CASE("huge scores are stable, and finite in is finite out") {
  for_each_isa([](const Execution& execution) {
    for (const double size : {1e4, 1e30}) {
      Tensor q(DType::f32, {1, 1}), k(DType::f32, {3, 1}), v(DType::f32, {3, 1});
      q.data_as<float>()[0] = 1;
      for (int j = 0; j < 3; ++j) {
        k.data_as<float>()[j] = static_cast<float>(size * (j - 1));
        v.data_as<float>()[j] = static_cast<float>(j + 1);
      }
      for (const double sign : {1.0, -1.0}) {
        AttendParameters parameters;
        parameters.scale = sign;
        CHECK(number(attend({q.view(), k.view(), v.view()}, parameters, {}, execution).output, 0) ==
              (sign > 0 ? 3 : 1));
      }
    }
  });
}

TEST_CASE("nothing to attend with: L = 0, S = 0, d = 0, d_v = 0, H = 0") {
  for_each_isa([](const Execution& execution) {
    const auto empty = [](Shape shape) { return Tensor::zeros(DType::f32, std::move(shape)).view(); };
    CHECK(attend({empty({0, 4}), empty({3, 4}), empty({3, 2})}, {}, {}, execution).output.shape == Shape{0, 2});
    const AttendResult no_keys = attend({empty({2, 4}), empty({0, 4}), empty({0, 2})}, {}, {}, execution);
    CHECK(no_keys.empty_rows == 2);
    CHECK(number(no_keys.output, 3) == 0);
    CHECK(attend({empty({2, 4}), empty({3, 4}), empty({3, 0})}, {}, {}, execution).output.shape == Shape{2, 0});
    Random random(30);
    const TensorView value = random.tensor(DType::f32, {3, 2});
    AttendParameters average;
    average.normalize = Normalize::uniform;
    const TensorView no_width = attend({empty({2, 0}), empty({3, 0}), value}, {}, {}, execution).output;
    const Closeness near(no_width, attend({empty({2, 0}), empty({3, 0}), value}, average, {}, execution).output,
                         pooling_bound(DType::f32, value));
    CHECK_MESSAGE(near.ok(), near.worst());
    CHECK_THROWS_AS(attend({empty({1, 0, 2, 4}), empty({1, 0, 3, 4}), empty({1, 0, 3, 2})}, {}, {}, execution), Error);
    CHECK_THROWS_AS(attend({empty({1, 3, 2, 4}), empty({1, 2, 3, 4}), empty({1, 2, 3, 2})}, {}, {}, execution), Error);
  });
}

TEST_CASE("more scores than 32 bits can count") {
  constexpr std::size_t n = 70000;  // n * n = 4.9e9; a window of one key leaves n of them to be computed
  Random random(34);
  const TensorView key = Tensor::zeros(DType::f32, {n, 1}).view(), value = random.tensor(DType::f32, {n, 1});
  AttendParameters itself;
  itself.window = Window{0, 0};
  CHECK(same_bits(attend({key, key, value}, itself).output, value));
  itself.normalize = Normalize::uniform;
  CHECK(same_bits(attend({key, key, value}, itself).output, value));
}

TEST_CASE("mixed dtypes are computed in the widest and written as the query's; 16 bits are storage") {
  for_each_isa([](const Execution& execution) {
    Random random(31);
    const AttendInputs wide = random_inputs(random, DType::f64, 5, 30, 8, 4);
    AttendInputs mixed = wide;
    mixed.query = cast(wide.query, DType::f32);
    AttendInputs rounded = wide;
    rounded.query = cast(mixed.query, DType::f64);
    const TensorView output = attend(mixed, {}, {}, execution).output;
    CHECK(output.dtype == DType::f32);
    CHECK(same_bits(output, cast(attend(rounded, {}, {}, execution).output, DType::f32)));
    for (const DType half : {DType::f16, DType::bf16}) {
      AttendInputs stored = wide, widened;
      for (TensorView* x : {&stored.query, &stored.key, &stored.value}) *x = cast(*x, half);
      widened = stored;
      for (TensorView* x : {&widened.query, &widened.key, &widened.value}) *x = cast(*x, DType::f64);
      const TensorView narrow = attend(stored, {}, {}, execution).output;
      CHECK(narrow.dtype == half);
      // Rounded once on the way out; with bf16 products the scores and weights are rounded too.
      const double eps = half == DType::f16 ? std::exp2(-10) : std::exp2(-7);
      const Closeness near(narrow, attend(widened, {}, {}, reference()).output,
                           2 * eps * support::scale_of(wide.value, 1));
      CHECK_MESSAGE(near.ok(), near.worst());
      AttendRequest lse;
      lse.lse = true;
      lse.dtype = DType::f32;
      const TensorView exact = *attend(widened, {}, lse, reference()).lse;
      // Weights of 8 bits have sums that differ by up to 2^-9.
      const bool rounds_weights = half == DType::bf16 && simd::bf16_attention_kernels(execution.isa) != nullptr;
      const double bound = rounds_weights ? std::log1p(std::exp2(-9)) : 0;
      const Closeness sums(*attend(stored, {}, lse, execution).lse, exact,
                           bound + 8 * support::epsilon<float>() * support::scale_of(exact, 1));
      CHECK_MESSAGE(sums.ok(), sums.worst());
    }
  });
}

TEST_CASE("a smoothing kernel weighs by distance; where it reaches nothing the row is what was asked for") {
  Tensor q(DType::f64, {2, 1}), k(DType::f64, {3, 1}), v(DType::f64, {3, 1});
  std::copy_n(std::array<double, 2>{1.5, 9}.data(), 2, q.data_as<double>());
  std::copy_n(std::array<double, 3>{1, 2, 4}.data(), 3, k.data_as<double>());
  std::copy_n(std::array<double, 3>{10, 20, 40}.data(), 3, v.data_as<double>());
  const AttendInputs in{q.view(), k.view(), v.view()};
  AttendParameters kernel;
  kernel.score = Score::kernel;
  kernel.kernel = Kernel::boxcar;
  AttendResult r = attend(in, kernel);
  CHECK(number(r.output, 0) == 15);
  CHECK(number(r.output, 1) == 0);
  CHECK(r.empty_rows == 1);
  kernel.empty = EmptyRows::nan;
  CHECK(std::isnan(number(attend(in, kernel).output, 1)));
  kernel.empty = EmptyRows::nearest;
  CHECK(number(attend(in, kernel).output, 1) == 40);
  AttendRequest request;
  request.weights = true;
  CHECK(number(*attend(in, kernel, request).weights, 5) == 1);
  kernel.empty = EmptyRows::error;
  CHECK_THROWS_WITH_AS(attend(in, kernel), "attention: 1 query has no key left", Error);
  kernel.softcap = 3;
  CHECK_THROWS_AS(attend(in, kernel), Error);
}

TEST_CASE("a Laplace kernel over its sum is the same from any distance, at every instruction set") {
  constexpr std::size_t keys = 70, width = 3;
  for_each_isa([](const Execution& execution) {
    for (const DType dtype : {DType::f64, DType::f32}) {
      // On a line all keys are so much farther away as the query is, but for rounding; eighths are exact.
      Tensor q = Tensor::zeros(DType::f64, {2, width}), k = Tensor::zeros(DType::f64, {keys, width});
      q.data_as<double>()[0] = 16;
      q.data_as<double>()[width] = 4096;
      for (std::size_t j = 0; j < keys; ++j)
        k.data_as<double>()[j * width] = 0.125 * static_cast<double>(j * 37 % keys);
      const TensorView query = cast(q.view(), dtype), key = cast(k.view(), dtype);
      AttendParameters laplace;
      laplace.score = Score::kernel;
      laplace.kernel = Kernel::laplace;
      laplace.bandwidth = {0.5};
      AttendRequest request;
      request.weights = true;
      for (const Execution& engine : {execution, reference()}) {
        const AttendResult near_and_far = attend({query, key, key}, laplace, request, engine);
        CHECK(near_and_far.empty_rows == 0);
        for (std::size_t j = 0; j < keys; ++j)
          CHECK(number(*near_and_far.weights, j) == number(*near_and_far.weights, keys + j));
        AttendParameters hard = laplace;
        hard.normalize = Normalize::hard;
        CHECK(number(attend({query, key, key}, hard, {}, engine).output, width) == 0.125 * (keys - 1));
      }
    }
  });
}

TEST_CASE("a cosine is one wherever in the range of f64 the vectors lie") {
  for_each_isa([](const Execution& execution) {
    for (const std::size_t width : {2u, 19u})
      for (const double size : {0x1p1020, 0x1p511, 0x1p-448, 0x1p-538, 0x1p-1070}) {
        Tensor q = Tensor::zeros(DType::f64, {1, width}), k = Tensor::zeros(DType::f64, {3, width});
        q.data_as<double>()[0] = 3 * size;
        q.data_as<double>()[width - 1] = 4 * size;
        k.data_as<double>()[0] = k.data_as<double>()[2 * width - 1] = 3;
        k.data_as<double>()[width - 1] = k.data_as<double>()[width] = 4;
        AttendParameters cosine;
        cosine.score = Score::cosine;
        cosine.normalize = Normalize::none;
        Tensor one = Tensor::zeros(DType::f64, {3, 3});
        for (std::size_t j = 0; j < 3; ++j) one.data_as<double>()[4 * j] = 1;
        const TensorView scores = attend({q.view(), k.view(), one.view()}, cosine, {}, execution).output;
        constexpr double bound = 4 * std::numeric_limits<double>::epsilon();
        CHECK(std::abs(number(scores, 0) - 1) <= bound);
        CHECK(std::abs(number(scores, 1) - 0.96) <= bound);
        CHECK(number(scores, 2) == 0);
      }
  });
}

TEST_CASE("what shifts or bends logits is refused for a smoothing kernel; boolean masks are not") {
  Random random(35);
  AttendInputs in{random.tensor(DType::f64, {2, 3}), random.tensor(DType::f64, {4, 3}),
                  random.tensor(DType::f64, {4, 1})};
  AttendParameters kernel;
  kernel.score = Score::kernel;
  kernel.kernel = Kernel::laplace;
  const auto refused = [](const AttendInputs& inputs, const AttendParameters& parameters) {
    CHECK_THROWS_AS(attend(inputs, parameters), Error);
  };
  AttendInputs biased = in, sunk = in, masked = in;
  biased.bias = random.tensor(DType::f64, {2, 4});
  sunk.sinks = random.tensor(DType::f64, {1});
  masked.mask = random.tensor(DType::f64, {2, 4});
  refused(biased, kernel);
  refused(sunk, kernel);
  refused(masked, kernel);
  AttendParameters capped = kernel, sloped = kernel, exponential = kernel;
  capped.softcap = 2;
  sloped.alibi = true;
  exponential.normalize = Normalize::softmax;
  refused(in, capped);
  refused(in, sloped);
  refused(in, exponential);
  AttendInputs boolean = in;
  boolean.mask = cast(Tensor::zeros(DType::u8, {2, 4}).view(), DType::boolean);
  CHECK(attend(boolean, kernel).empty_rows == 2);
}
