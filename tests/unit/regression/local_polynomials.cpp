// Local polynomials where they are hardest: at sparse edges, between clusters and beyond all samples.
#include <attn/regression/weights.hpp>

#include <doctest/doctest.h>

#include <cmath>

#include "support/closeness.hpp"
#include "support/execution.hpp"
#include "support/random.hpp"
#include "support/regression_twin.hpp"

using namespace attn;

namespace {

constexpr std::size_t samples = 60, queries = 90;

// Most samples near each other, some sparse on both sides, d coordinates alike.
Samples sparse_samples(std::size_t d, double offset) {
  support::Random random(17);
  Tensor x(DType::f64, {samples, d}), y(DType::f64, {samples});
  for (std::size_t i = 0; i < samples; ++i) {
    const double reach = i % 10 == 0 ? 6 : 1;
    for (std::size_t j = 0; j < d; ++j) x.data_as<double>()[i * d + j] = offset + reach * (random.uniform() - 0.5);
    y.data_as<double>()[i] = 2 + random.normal();
  }
  return {x.view("x"), y.view("y"), std::nullopt};
}

TensorView places_around(std::size_t d, double offset) {
  support::Random random(18);
  Tensor q(DType::f64, {queries, d});
  for (std::size_t i = 0; i < queries * d; ++i)
    q.data_as<double>()[i] = offset + (i < queries * d / 3       ? 1
                                       : i < queries * d * 2 / 3 ? 4
                                                                 : 20) *
                                          (random.uniform() - 0.5);
  return q.view("q");
}

// sum_r |l_qr y_r| of each query: what the error of a fit is a few roundings of.
std::vector<double> sizes_of(const std::shared_ptr<const KernelRegression>& regression, const TensorView& y,
                             const TensorView& q, const Smoother& smoother) {
  const Execution execution;
  std::vector<double> weights, sizes(queries, 0.0);
  dense_weights(regression, q, smoother, false, execution).produce([&](const void* bytes, std::size_t count) {
    const auto* first = static_cast<const double*>(bytes);
    weights.insert(weights.end(), first, first + count / sizeof(double));
  });
  for (std::size_t i = 0; i < queries * samples; ++i)
    sizes[i / samples] += std::abs(weights[i] * y.contiguous_data<double>()[i % samples]);
  return sizes;
}

}  // namespace

TEST_CASE("local polynomials from moments keep to 1e-10 of sum |l y|, with all that a request may ask for") {
  support::Random random(19);
  for (int round = 0; round < 120; ++round) {
    const std::size_t n = random.between(5, 160), outputs = random.between(1, 3);
    const double offset = round % 3 == 0 ? 1e6 : 0;
    const bool has_weights = random.uniform() < 0.5, is_rounded = random.uniform() < 0.3;
    Tensor x(DType::f64, {n}), y(DType::f64, {n, outputs}), weights(DType::f64, {n}), q(DType::f64, {queries});
    const auto place = [&] { return offset + (is_rounded ? std::round(20 * random.uniform()) / 20 : random.normal()); };
    for (std::size_t i = 0; i < n; ++i) {
      x.data_as<double>()[i] = place();
      weights.data_as<double>()[i] = 0.1 + random.uniform();
      for (std::size_t c = 0; c < outputs; ++c)
        y.data_as<double>()[i * outputs + c] = 3 + random.normal() * (c == 2 && i % 7 == 0 ? 1e4 : 1);
    }
    for (std::size_t i = 0; i < queries; ++i) q.data_as<double>()[i] = place() + (i % 2 == 0 ? 0.01 : 0);
    Samples given{x.view("x"), y.view("y"), std::nullopt};
    if (has_weights) given.weights = weights.view("weights");
    const KernelRegression regression(given);
    Smoother smoother;
    smoother.kernel = all_kernels()[random.between(0, all_kernels().size() - 1)];
    smoother.bandwidth = Bandwidth::number(std::pow(10.0, -1.5 + 2.5 * random.uniform()));
    smoother.degree = random.between(1, 2);
    smoother.causal = is_compact(smoother.kernel) && random.uniform() < 0.3;
    const bool is_series = smoother.kernel == Kernel::gaussian || smoother.kernel == Kernel::laplace;
    smoother.method = is_series ? Method::series : Method::window;
    RegressionRequest request;
    request.derivative = request.standard_error = request.effective_size = request.local_degree = true;
    const bool at_samples = random.uniform() < 0.5;
    request.self_weight = at_samples;
    request.leave_one_out = at_samples && random.uniform() < 0.5;
    CAPTURE(round);
    CAPTURE(n);
    CAPTURE(name_of(smoother.kernel));
    CAPTURE(to_string(smoother.bandwidth));
    CAPTURE(smoother.degree);
    CAPTURE(smoother.causal);
    CAPTURE(request.leave_one_out);
    const auto evaluate = [&](const Execution& execution) {
      return at_samples ? regression.evaluate(smoother, request, execution)
                        : regression.evaluate(q.view("q"), smoother, request, execution);
    };
    const RegressionResult fast = evaluate({}), twin = evaluate(support::reference());
    CHECK(fast.method == smoother.method);
    CHECK(fast.empty_windows == twin.empty_windows);
    CHECK(fast.lowered_degrees == twin.lowered_degrees);
    const auto near = [](const TensorView& actual, const TensorView& expected, double floor = 0) {
      const support::Closeness closeness(actual, expected, 1e-10 * support::scale_of(expected, floor));
      CHECK_MESSAGE(closeness.ok(), closeness.worst());
    };
    near(fast.fit, twin.fit);
    // Slopes of straight data are what is left of y over the width.
    near(*fast.derivative, *twin.derivative, support::scale_of(y.view("y")) / smoother.bandwidth.values[0]);
    near(*fast.standard_error, *twin.standard_error);
    near(*fast.effective_size, *twin.effective_size);
    if (at_samples) near(*fast.self_weight, *twin.self_weight);
  }
}

TEST_CASE("local polynomials are off by a few roundings of sum |l y|, at sparse edges and beyond all samples too") {
  for (const std::size_t d : {1u, 2u})
    for (const double offset : {0.0, 1e6}) {
      const Samples samples = sparse_samples(d, offset);
      const auto regression = std::make_shared<const KernelRegression>(samples);
      const TensorView q = places_around(d, offset);
      for (const Kernel kernel : {Kernel::gaussian, Kernel::laplace, Kernel::parabolic, Kernel::triweight})
        for (const double h : {0.3, 1.0, 4.0})
          for (const std::size_t degree : {1u, 2u}) {
            Smoother smoother;
            smoother.kernel = kernel;
            smoother.bandwidth = Bandwidth::number(h);
            smoother.degree = degree;
            CAPTURE(d);
            CAPTURE(offset);
            CAPTURE(name_of(kernel));
            CAPTURE(h);
            CAPTURE(degree);
            const RegressionResult fast = regression->evaluate(q, smoother);
            const RegressionResult twin = support::twin(*regression, q, smoother);
            const std::vector<double> sizes = sizes_of(regression, samples.y, q, smoother);
            CHECK(fast.lowered_degrees == twin.lowered_degrees);
            double worst = 0;  // of roundings
            for (std::size_t i = 0; i < queries; ++i) {
              const double a = fast.fit.as<double, 1>()(i), b = twin.fit.as<double, 1>()(i);
              CHECK(std::isnan(a) == std::isnan(b));
              if (!std::isnan(a)) worst = std::max(worst, std::abs(a - b) / sizes[i] / support::epsilon<double>());
            }
            CHECK(worst < 100);
          }
    }
}

TEST_CASE("polynomials in 2 to 4 dimensions from moments are those of the twin, on every instruction set") {
  constexpr Kernel kernels[] = {Kernel::boxcar,    Kernel::triangular, Kernel::parabolic, Kernel::biweight,
                                Kernel::triweight, Kernel::tricube,    Kernel::cosine};
  for (const Isa isa : available_isas()) {
    support::Random random(29);
    for (int round = 0; round < 60; ++round) {
      const std::size_t d = random.between(2, 4), n = random.between(64, 200), outputs = random.between(1, 2);
      const bool is_clustered = random.between(0, 2) == 0;
      Tensor x(DType::f64, {n, d}), y(DType::f64, {n, outputs}), weights(DType::f64, {n});
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < d; ++j)
          x.data_as<double>()[i * d + j] =
              is_clustered ? static_cast<double>(random.between(0, 2)) + 1e-3 * random.normal() : 3 * random.uniform();
        for (std::size_t c = 0; c < outputs; ++c) y.data_as<double>()[i * outputs + c] = 2 + random.normal();
        weights.data_as<double>()[i] = 0.1 + random.uniform();
      }
      Samples given{x.view("x"), y.view("y"), std::nullopt};
      if (random.between(0, 1) == 1) given.weights = weights.view("w");
      Smoother smoother;
      smoother.degree = random.between(1, 2);
      smoother.kernel = kernels[random.between(0, 6)];
      smoother.bandwidth.kind = Bandwidth::Kind::per_coordinate;
      smoother.bandwidth.values.clear();
      for (std::size_t j = 0; j < d; ++j) smoother.bandwidth.values.push_back(0.6 + 2 * random.uniform());
      RegressionRequest request;
      request.derivative = true;
      request.leave_one_out = random.between(0, 2) == 0;
      request.self_weight = !request.leave_one_out;
      request.local_degree = request.standard_error = request.effective_size = true;
      Execution execution;
      execution.isa = isa;
      const KernelRegression regression(given);
      smoother.method = Method::tree;
      const RegressionResult moments = regression.evaluate(smoother, request, execution);
      const RegressionResult twin = support::twin(regression, smoother, request);
      CAPTURE(name_of(isa));
      CAPTURE(name_of(smoother.kernel));
      CAPTURE(d);
      CAPTURE(smoother.degree);
      CAPTURE(round);
      const auto is_near = [](const TensorView& a, const TensorView& b, double bound) {
        for (std::size_t i = 0; i < a.size(); ++i) {
          const double left = a.contiguous_data<double>()[i], right = b.contiguous_data<double>()[i];
          if (std::isnan(left) != std::isnan(right) || std::abs(left - right) > bound * (10 + std::abs(right)))
            return false;
        }
        return true;
      };
      CHECK(is_near(moments.fit, twin.fit, 1e-10));
      CHECK(is_near(*moments.derivative, *twin.derivative, 1e-8));
      CHECK(is_near(*moments.standard_error, *twin.standard_error, 1e-9));
      CHECK(is_near(*moments.effective_size, *twin.effective_size, 1e-10));
      if (request.self_weight) CHECK(is_near(*moments.self_weight, *twin.self_weight, 1e-10));
      CHECK(moments.lowered_degrees == twin.lowered_degrees);
      CHECK(moments.empty_windows == twin.empty_windows);
    }
  }
}
