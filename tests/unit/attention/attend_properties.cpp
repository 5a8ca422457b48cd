// What must hold of attention whatever the numbers are, for every instruction set that this machine has.

#include "support/attention.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace attn;
using support::Closeness;
using support::for_each_isa;
using support::pooling_bound;
using support::Random;
using support::random_inputs;
using support::reference;
using support::same_bits;

namespace {

TensorView rows(const TensorView& x, std::size_t first, std::size_t last) {
  TensorView part = x;
  part.shape[2] = last - first;
  const auto skipped = static_cast<std::ptrdiff_t>(first) * x.strides[2];
  part.data = static_cast<const char*>(x.data) + skipped * static_cast<std::ptrdiff_t>(element_size(x.dtype));
  return part;
}

}  // namespace

TEST_CASE("f32 is as near to the f64 twin as f32 can be, over shapes that straddle tiles and vectors") {
  const std::size_t lengths[] = {1, 2, 7, 8, 9, 17, 33, 96, 97, 130};
  const std::size_t widths[] = {1, 3, 8, 15, 16, 17, 48, 64, 65};
  for_each_isa([&](const Execution& execution) {
    Random random(21);
    for (int trial = 0; trial < 24; ++trial) {
      const std::size_t L = lengths[random.between(0, 9)], S = trial % 6 == 0 ? 1100 : lengths[random.between(0, 9)];
      const std::size_t d = widths[random.between(0, 8)], d_v = widths[random.between(0, 8)];
      const AttendInputs in = random_inputs(random, DType::f32, L, S, d, d_v);
      AttendParameters parameters;
      parameters.causal = random.between(0, 1) == 1;
      if (random.between(0, 2) == 0) parameters.window = Window{5, 40};
      if (random.between(0, 2) == 0) parameters.softcap = 4;
      parameters.alibi = random.between(0, 3) == 0;
      constexpr Score scores[] = {Score::scaled_dot, Score::dot, Score::cosine, Score::gaussian};
      parameters.score = scores[random.between(0, 3)];
      if (parameters.score == Score::dot) parameters.scale = 0.2;
      AttendRequest request;
      request.lse = true;
      const AttendResult actual = attend(in, parameters, request, execution);
      AttendInputs wide = in;
      for (TensorView* x : {&wide.query, &wide.key, &wide.value}) *x = cast(*x, DType::f64);
      const AttendResult expected = attend(wide, parameters, request, reference());
      CAPTURE(L);
      CAPTURE(S);
      CAPTURE(d);
      CAPTURE(d_v);
      CAPTURE(static_cast<int>(parameters.score));
      // A score is a sum of d products of size about 1, and its error moves a weight by as much of itself.
      const double growth = 1 + std::sqrt(static_cast<double>(d)) * (parameters.score == Score::gaussian ? 4 : 1);
      const Closeness near(actual.output, expected.output, growth * pooling_bound(DType::f32, in.value));
      CHECK_MESSAGE(near.ok(), near.worst());
      CHECK(actual.empty_rows == expected.empty_rows);
      const double lse_bound =
          growth * support::bound::pooling * support::epsilon<float>() * support::scale_of(*expected.lse, 1);
      const Closeness lse_near(*actual.lse, *expected.lse, lse_bound);
      CHECK_MESSAGE(lse_near.ok(), lse_near.worst());
    }
  });
}

TEST_CASE("what is no softmax is as near to the f64 twin, over shapes that straddle tiles and vectors") {
  const std::size_t lengths[] = {1, 2, 7, 9, 33, 50, 97};
  const std::size_t widths[] = {1, 3, 8, 17, 48};
  for_each_isa([&](const Execution& execution) {
    Random random(33);
    for (int trial = 0; trial < 40; ++trial) {
      const std::size_t L = lengths[random.between(0, 6)], S = trial % 8 == 0 ? 1100 : lengths[random.between(0, 6)];
      const std::size_t d = widths[random.between(0, 4)], d_v = widths[random.between(0, 4)];
      const DType dtype = random.between(0, 1) ? DType::f32 : DType::f64;
      AttendInputs in = random_inputs(random, dtype, L, S, d, d_v);
      constexpr Normalize normalisers[] = {Normalize::sum, Normalize::none, Normalize::hard, Normalize::uniform};
      AttendParameters parameters;
      parameters.normalize = normalisers[trial % 4];
      parameters.causal = random.between(0, 1) == 1;
      if (random.between(0, 2) == 0) parameters.window = Window{5, 40};
      parameters.score = Score::gaussian;
      parameters.bandwidth = {3.5};
      if (random.between(0, 2) > 0) {
        parameters.score = Score::kernel;
        // Kernels that are continuous: rounding moves no key across an edge.
        constexpr Kernel kernels[] = {Kernel::triangular, Kernel::biweight, Kernel::tricube, Kernel::cosine,
                                      Kernel::laplace};
        parameters.kernel = kernels[random.between(0, 4)];
        parameters.bandwidth = {2.5 * std::sqrt(static_cast<double>(d)) + 3};
      }
      const AttendResult actual = attend(in, parameters, {}, execution);
      for (TensorView* x : {&in.query, &in.key, &in.value}) *x = cast(*x, DType::f64);
      const AttendResult expected = attend(in, parameters, {}, reference());
      CAPTURE(L);
      CAPTURE(S);
      CAPTURE(d);
      CAPTURE(static_cast<int>(*parameters.normalize));
      CAPTURE(static_cast<int>(parameters.score));
      const double terms = *parameters.normalize == Normalize::none ? std::sqrt(static_cast<double>(S)) : 1;
      const double growth = 4 * (1 + std::sqrt(static_cast<double>(d)));
      const Closeness near(actual.output, expected.output, terms * growth * pooling_bound(dtype, in.value));
      CHECK_MESSAGE(near.ok(), near.worst());
      CHECK(actual.empty_rows == expected.empty_rows);
    }
  });
}

TEST_CASE("a window is the explicit mask") {
  for_each_isa([](const Execution& execution) {
    Random random(22);
    for (const auto& [left, right] : {std::pair{3, 0}, std::pair{0, 5}, std::pair{-1, 2}, std::pair{20, -1}}) {
      AttendInputs in = random_inputs(random, DType::f32, 70, 90, 16, 8);
      AttendParameters windowed;
      windowed.window = Window{left, right};
      windowed.offset = 4;
      const AttendResult by_window = attend(in, windowed, {}, execution);
      Tensor mask = Tensor::zeros(DType::u8, {70, 90});
      for (int i = 0; i < 70; ++i)
        for (int j = 0; j < 90; ++j)
          mask.data_as<std::uint8_t>()[i * 90 + j] =
              (left < 0 || j >= i + 4 - left) && (right < 0 || j <= i + 4 + right) ? 1 : 0;
      in.mask = mask.view();
      CHECK(same_bits(by_window.output, attend(in, {}, {}, execution).output));
    }
  });
}

TEST_CASE("a batch is its slices, and threads change no bit") {
  ThreadPool pool(2);
  for_each_isa([&](Execution execution) {
    Random random(23);
    const AttendInputs in = random_inputs(random, DType::f32, 37, 600, 20, 12);
    AttendParameters parameters;
    parameters.causal_bottom_right = true;
    const AttendResult whole = attend(in, parameters, {}, execution);
    for (std::size_t b = 0; b < 2; ++b) {
      const AttendInputs slice{element(in.query, b), element(in.key, b), element(in.value, b)};
      AttendParameters sliced = parameters;
      sliced.layout = Layout::heads_first;
      CHECK(same_bits(attend(slice, sliced, {}, execution).output, element(whole.output, b)));
    }
    // A query alone is the query among others.
    AttendInputs last = in;
    last.query = rows(in.query, 36, 37);
    CHECK(same_bits(attend(last, parameters, {}, execution).output, contiguous(rows(whole.output, 36, 37))));
    execution.pool = &pool;
    CHECK(same_bits(attend(in, parameters, {}, execution).output, whole.output));
  });
}

TEST_CASE("permuted keys and values give the same, up to the order of addition") {
  for_each_isa([](const Execution& execution) {
    Random random(24);
    const AttendInputs in = random_inputs(random, DType::f32, 9, 130, 16, 8);
    AttendInputs reversed = in;
    for (TensorView* x : {&reversed.key, &reversed.value}) {
      x->data = static_cast<const float*>(x->data) + 129 * x->strides[2];
      x->strides[2] = -x->strides[2];
    }
    const Closeness near(attend(reversed, {}, {}, execution).output, attend(in, {}, {}, execution).output,
                         2 * pooling_bound(DType::f32, in.value));
    CHECK_MESSAGE(near.ok(), near.worst());
  });
}

TEST_CASE("infinite temperature is the average, none is a look-up") {
  for_each_isa([](const Execution& execution) {
    Random random(25);
    const AttendInputs in = random_inputs(random, DType::f64, 11, 70, 16, 8);
    AttendParameters hot, average;
    hot.scale = 0;
    average.normalize = Normalize::uniform;
    const Closeness mean(attend(in, hot, {}, execution).output, attend(in, average, {}, execution).output,
                         pooling_bound(DType::f64, in.value));
    CHECK_MESSAGE(mean.ok(), mean.worst());
    AttendParameters cold, look_up;
    cold.scale = 1e12;
    look_up.normalize = Normalize::hard;
    CHECK(same_bits(attend(in, cold, {}, execution).output, attend(in, look_up, {}, execution).output));
  });
}

TEST_CASE("a look-up gives a tie to the first key, whatever the scale") {
  for_each_isa([](const Execution& execution) {
    Random random(27);
    std::size_t ties = 0;
    for (const DType dtype : {DType::f64, DType::f32})
      for (const std::size_t d : {2, 3, 5, 24}) {
        constexpr std::size_t L = 40, S = 90;
        const auto small_integers = [&](std::size_t rows) {
          Tensor x(DType::f64, {rows, d});
          for (std::size_t at = 0; at < rows * d; ++at)
            x.data_as<double>()[at] = static_cast<double>(random.between(0, 6)) - 3;
          return x;
        };
        Tensor q = small_integers(L), k = small_integers(S);
        Tensor number(DType::f64, {S, 1}), bias = Tensor::zeros(dtype, {L, S});
        for (std::size_t j = 0; j < S; ++j) number.data_as<double>()[j] = static_cast<double>(j);
        AttendInputs in{cast(q.view(), dtype), cast(k.view(), dtype), cast(number.view(), dtype)};
        AttendParameters look_up;
        look_up.normalize = Normalize::hard;
        for (const char* beside : {"nothing", "softcap", "bias", "scale"}) {
          const std::string what = beside;
          CAPTURE(what);
          CAPTURE(d);
          in.bias.reset();
          if (what == "bias") in.bias = bias.view();
          look_up.softcap = what == "softcap" ? 300 : 0;
          look_up.scale.reset();
          if (what == "scale") look_up.scale = 0.3;
          const TensorView found = cast(attend(in, look_up, {}, execution).output, DType::f64);
          for (std::size_t i = 0; i < L; ++i) {
            double product[S];
            for (std::size_t j = 0; j < S; ++j)
              product[j] = std::inner_product(q.data_as<double>() + i * d, q.data_as<double>() + (i + 1) * d,
                                              k.data_as<double>() + j * d, 0.0);
            const double* const best = std::max_element(product, product + S);
            ties += std::count(product, product + S, *best) > 1;
            CHECK(found.contiguous_data<double>()[i] == static_cast<double>(best - product));
          }
        }
      }
    CHECK(ties > 400);
  });
}

TEST_CASE("weights are a distribution, and pool the values to the output") {
  for_each_isa([](const Execution& execution) {
    Random random(26);
    AttendInputs in = random_inputs(random, DType::f64, 13, 70, 5, 3);
    in.sinks = random.tensor(DType::f64, {4});
    for (const bool with_sinks : {true, false}) {
      if (!with_sinks) in.sinks.reset();
      AttendRequest request;
      request.weights = true;
      const AttendResult r = attend(in, {}, request, execution);
      double largest = 0;
      for (std::size_t row = 0; row < 2 * 4 * 13; ++row) {
        const double* const weight = r.weights->contiguous_data<double>() + row * 70;
        const double sum = std::accumulate(weight, weight + 70, 0.0);
        largest = std::max(largest, sum);
        if (with_sinks) continue;
        CHECK(std::abs(sum - 1) <= 70 * support::epsilon<double>());
      }
      if (with_sinks) CHECK(largest < 1);
      const AttendInputs pooled{*r.weights, in.key, in.value};
      // The weights as queries over an identity of keys, without normalisation, are a matrix product with the values.
      Tensor identity = Tensor::zeros(DType::f64, {70, 70});
      for (std::size_t j = 0; j < 70; ++j) identity.data_as<double>()[j * 71] = 1;
      AttendParameters product;
      product.score = Score::dot;
      product.normalize = Normalize::none;
      const TensorView keys = broadcast_to(identity.view(), {2, 2, 70, 70});
      const Closeness near(attend({*r.weights, keys, in.value}, product, {}, execution).output, r.output,
                           pooling_bound(DType::f64, in.value));
      CHECK_MESSAGE(near.ok(), near.worst());
    }
  });
}

TEST_CASE("weights that are shown are as exact by themselves where they are small") {
  for_each_isa([](const Execution& execution) {
    for (const DType dtype : {DType::f32, DType::f64}) {
      constexpr std::size_t S = 600;
      Tensor query(DType::f64, {1, 1}), key(DType::f64, {S, 1});
      query.data_as<double>()[0] = 1;
      const double lowest = dtype == DType::f32 ? -86 : -700;
      for (std::size_t j = 0; j < S; ++j)  // numbers of few digits: no score is rounded
        key.data_as<double>()[j] = std::round(64 * lowest * static_cast<double>(j) / S) / 64;
      const AttendInputs in{cast(query.view(), dtype), cast(key.view(), dtype), cast(key.view(), dtype)};
      AttendParameters dot;
      dot.score = Score::dot;
      AttendRequest request;
      request.weights = true;
      const TensorView weights = cast(*attend(in, dot, request, execution).weights, DType::f64);
      double total = 0;
      for (std::size_t j = 0; j < S; ++j) total += std::exp(key.data_as<double>()[j]);
      const double epsilon = dtype == DType::f32 ? support::epsilon<float>() : support::epsilon<double>();
      for (std::size_t j = 0; j < S; ++j) {
        const double expected = std::exp(key.data_as<double>()[j]) / total;
        CHECK(std::abs(weights.contiguous_data<double>()[j] - expected) <= 4 * epsilon * expected);
      }
    }
  });
}

TEST_CASE("a past in front is the longer sequence, and causal attention sees it whole") {
  for_each_isa([](const Execution& execution) {
    Random random(27);
    AttendInputs in = random_inputs(random, DType::f32, 5, 12, 8, 6);
    AttendParameters joined, split;
    joined.causal = split.causal = true;
    joined.offset = 7;
    const AttendResult whole = attend(in, joined, {}, execution);
    AttendInputs parts = in;
    parts.past_key = rows(in.key, 0, 7);
    parts.past_value = rows(in.value, 0, 7);
    parts.key = rows(in.key, 7, 12);
    parts.value = rows(in.value, 7, 12);
    AttendRequest request;
    request.keys = true;
    const AttendResult two = attend(parts, split, request, execution);
    CHECK(same_bits(two.output, whole.output));
    CHECK(same_bits(*two.keys, in.key));
    CHECK(same_bits(*two.values, in.value));
  });
}

TEST_CASE("a past that is joined block by block, and dtypes that are made alike so, give the bits of all at once") {
  for_each_isa([](const Execution& execution) {
    Random random(33);
    for (const auto& [now, before] : {std::pair{DType::f32, DType::f32},
                                      {DType::f16, DType::f32},
                                      {DType::bf16, DType::bf16},
                                      {DType::f64, DType::f32}})
      for (const std::size_t past : {0, 511, 512, 14000}) {
        CAPTURE(name_of(now));
        CAPTURE(name_of(before));
        CAPTURE(past);
        constexpr std::size_t S = 14400;
        AttendInputs in{random.tensor(now, {1, 4, 3, 64}), random.tensor(now, {1, 2, S - past, 64}),
                        random.tensor(before, {1, 2, S - past, 32})};
        in.past_key = random.tensor(before, {1, 2, past, 64});
        in.past_value = random.tensor(before, {1, 2, past, 32});
        AttendParameters parameters;
        parameters.causal = true;
        AttendRequest blocks, whole;
        blocks.lse = whole.lse = whole.keys = true;
        const AttendResult some = attend(in, parameters, blocks, execution);
        const AttendResult all = attend(in, parameters, whole, execution);
        CHECK(same_bits(some.output, all.output));
        CHECK(same_bits(*some.lse, *all.lse));
      }
  });
}

TEST_CASE("grouped queries are the repeated heads") {
  for_each_isa([](const Execution& execution) {
    Random random(28);
    const AttendInputs in = random_inputs(random, DType::f32, 6, 40, 8, 8);
    const AttendResult grouped = attend(in, {}, {}, execution);
    for (std::size_t h = 0; h < 4; ++h) {
      const auto head = [](const TensorView& x, std::size_t at) { return element(transposed(x, {1, 0, 2, 3}), at); };
      const AttendInputs one{head(in.query, h), head(in.key, h / 2), head(in.value, h / 2)};
      CHECK(same_bits(attend(one, {}, {}, execution).output, contiguous(head(grouped.output, h))));
    }
  });
}

TEST_CASE("the largest weights come in order, ties by key, and are what the weights hold") {
  Random random(32);
  const AttendInputs in = random_inputs(random, DType::f64, 4, 9, 5, 3);
  AttendRequest request;
  request.weights = true;
  request.top = 3;
  const AttendResult r = attend(in, {}, request);
  for (std::size_t row = 0; row < 2 * 4 * 4; ++row) {
    const double* const weight = r.weights->contiguous_data<double>() + row * 9;
    for (std::size_t rank = 0; rank < 3; ++rank) {
      const auto key = r.top_keys->contiguous_data<std::int64_t>()[row * 3 + rank];
      CHECK(r.top_weights->contiguous_data<double>()[row * 3 + rank] == weight[key]);
      CHECK(std::count_if(weight, weight + 9, [&](double w) { return w > weight[key]; }) == static_cast<long>(rank));
    }
  }
  AttendParameters uniform;
  uniform.normalize = Normalize::uniform;
  CHECK(attend(in, uniform, request).top_keys->contiguous_data<std::int64_t>()[2] == 2);
}
