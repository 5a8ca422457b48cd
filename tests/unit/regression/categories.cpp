// Columns of categories: a fit at a query is that of the numbers alone, each sample weighted by its factor there.
#include <attn/regression/bandwidth_selection.hpp>
#include <attn/regression/nadaraya_watson.hpp>
#include <attn/regression/weights.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "support/errors.hpp"
#include "support/execution.hpp"
#include "support/random.hpp"

using namespace attn;

namespace {

constexpr std::size_t asked_points = 12;

struct Case {
  std::size_t n, numbers;
  std::vector<Category> categories;
  Tensor x, q, y, weights;

  std::size_t columns() const { return numbers + categories.size(); }
  const Category* category(std::size_t column) const {
    for (const Category& one : categories)
      if (one.column == column) return &one;
    return nullptr;
  }
};

Case random_case(support::Random& random, std::size_t numbers) {
  Case made;
  made.n = random.between(8, 120);
  made.numbers = numbers;
  const std::size_t columns = numbers + random.between(1, 3);
  for (std::size_t j = 0; made.categories.size() + numbers < columns; ++j)
    if (random.uniform() < 0.5 || columns - j == columns - numbers - made.categories.size()) {
      Category category;
      category.column = j;
      category.levels = random.between(2, 4);
      if (random.uniform() < 0.4)
        for (std::size_t level = 0; level < category.levels; ++level)
          category.positions.push_back(static_cast<double>(level * level));
      made.categories.push_back(category);
    }
  made.x = Tensor(DType::f64, {made.n, columns});
  made.q = Tensor(DType::f64, {asked_points, columns});
  made.y = Tensor(DType::f64, {made.n, 2});
  made.weights = Tensor(DType::f64, {made.n});
  for (Tensor* table : {&made.x, &made.q})
    for (std::size_t i = 0; i < table->shape()[0]; ++i)
      for (std::size_t j = 0; j < columns; ++j) {
        const Category* category = made.category(j);
        table->data_as<double>()[i * columns + j] =
            category != nullptr ? static_cast<double>(random.between(0, category->levels - 1)) : random.uniform();
      }
  for (std::size_t i = 0; i < made.n; ++i) {
    made.y.data_as<double>()[2 * i] = random.normal();
    made.y.data_as<double>()[2 * i + 1] = 3 + random.normal();
    made.weights.data_as<double>()[i] = 0.2 + random.uniform();
  }
  return made;
}

double factor(CategoryKernel kernel, const Category& category, double lambda, double a, double b) {
  if (category.positions.empty()) {
    if (kernel == CategoryKernel::li_racine) return a == b ? 1 : lambda;
    return a == b ? 1 - lambda : lambda / static_cast<double>(category.levels - 1);
  }
  const double away =
      std::abs(category.positions[static_cast<std::size_t>(a)] - category.positions[static_cast<std::size_t>(b)]);
  if (kernel == CategoryKernel::li_racine) return std::pow(lambda, away);
  return a == b ? 1 : 0.5 * std::pow(lambda, away);  // over 1 - lambda, which is 0 at the end
}

// The regression of the numbers, with the factors at row `at` of `points` in the weights.
KernelRegression numbers_alone(Case& made, const Smoother& smoother, Tensor& points, std::size_t at, bool leave_out) {
  const std::size_t columns = made.columns();
  Tensor x = Tensor::zeros(DType::f64, {made.n, std::max<std::size_t>(1, made.numbers)}), weights(DType::f64, {made.n});
  for (std::size_t i = 0; i < made.n; ++i) {
    double weight = made.weights.data_as<double>()[i];
    std::size_t number = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      const double value = made.x.data_as<double>()[i * columns + j];
      const Category* category = made.category(j);
      if (category == nullptr)
        x.data_as<double>()[i * made.numbers + number++] = value;
      else
        weight *= factor(smoother.category_kernel, *category, smoother.bandwidth.values[columns == 1 ? 0 : j],
                         points.data_as<double>()[at * columns + j], value);
    }
    weights.data_as<double>()[i] = leave_out && i == at ? 0 : weight;
  }
  return KernelRegression({x.view("x"), made.y.view("y"), weights.view("weights")});
}

TensorView numbers_of(Case& made, Tensor& points, std::size_t at) {
  Tensor q = Tensor::zeros(DType::f64, {1, std::max<std::size_t>(1, made.numbers)});
  std::size_t number = 0;
  for (std::size_t j = 0; j < made.columns(); ++j)
    if (made.category(j) == nullptr) q.data_as<double>()[number++] = points.data_as<double>()[at * made.columns() + j];
  return q.view("q");
}

Smoother random_smoother(support::Random& random, Case& made) {
  Smoother smoother;
  smoother.kernel = all_kernels()[random.between(0, all_kernels().size() - 1)];
  if (smoother.kernel == Kernel::constant) smoother.kernel = Kernel::gaussian;
  smoother.category_kernel = random.uniform() < 0.5 ? CategoryKernel::li_racine : CategoryKernel::aitchison_aitken;
  if (made.numbers > 0) smoother.degree = random.between(0, 2);
  const double most = random.uniform();
  std::vector<double> values(made.columns());
  for (std::size_t j = 0; j < values.size(); ++j) {
    const Category* category = made.category(j);
    values[j] = category == nullptr
                    ? 0.2 + 2 * random.uniform()
                    : widest_lambda(smoother.category_kernel, *category) * (most < 0.1   ? 0
                                                                            : most > 0.9 ? 1
                                                                                         : random.uniform());
  }
  smoother.bandwidth = values.size() == 1 ? Bandwidth::number(values[0]) : Bandwidth::per_coordinate(values);
  return smoother;
}

void check_rows(const TensorView& found, std::size_t row, const TensorView& expected, double tolerance) {
  const std::size_t count = expected.size();
  for (std::size_t c = 0; c < count; ++c) {
    const double a = found.contiguous_data<double>()[row * count + c], b = expected.contiguous_data<double>()[c];
    if (std::isnan(b))
      CHECK(std::isnan(a));
    else
      CHECK(std::abs(a - b) <= tolerance * (1 + std::abs(b)));
  }
}

}  // namespace

TEST_CASE("categories multiply weights: all kernels, degrees, methods, at asked_points, at samples and left out") {
  support::Random random(41);
  for (int round = 0; round < 160; ++round) {
    Case made = random_case(random, static_cast<std::size_t>(round) % 4);
    const Smoother smoother = random_smoother(random, made);
    CAPTURE(round);
    CAPTURE(name_of(smoother.kernel));
    CAPTURE(smoother.degree);
    Samples samples{made.x.view("x"), made.y.view("y"), made.weights.view("weights"), made.categories};
    const KernelRegression regression(samples);
    Smoother exact;
    exact.kernel = smoother.kernel;
    exact.degree = smoother.degree;
    exact.method = Method::direct;
    std::vector<double> widths;
    for (std::size_t j = 0; j < made.columns(); ++j)
      if (made.category(j) == nullptr) widths.push_back(smoother.bandwidth.values[j]);
    exact.bandwidth =
        widths.size() < 2 ? Bandwidth::number(widths.empty() ? 1 : widths[0]) : Bandwidth::per_coordinate(widths);
    RegressionRequest request;
    request.effective_size = request.local_degree = true;
    request.derivative = made.numbers > 0;
    std::vector<Method> methods{Method::automatic, Method::direct};
    if (made.numbers == 1) methods.push_back(is_compact(smoother.kernel) ? Method::window : Method::series);
    for (const Method method : methods) {
      Smoother with = smoother;
      with.method = method;
      // Only direct and tree find derivatives at degree 0 and all effective sizes.
      RegressionRequest asked = request;
      if (method != Method::direct && smoother.degree == 0) asked.derivative = asked.effective_size = false;
      const RegressionResult result = regression.evaluate(made.q.view("q"), with, asked);
      for (std::size_t i = 0; i < asked_points; ++i) {
        const RegressionResult expected =
            numbers_alone(made, smoother, made.q, i, false).evaluate(numbers_of(made, made.q, i), exact, asked);
        if (expected.local_degree->contiguous_data<std::int64_t>()[0] < static_cast<std::int64_t>(smoother.degree))
          continue;  // where ranks are lost, rounding decides
        check_rows(result.fit, i, expected.fit, 1e-8);
        if (asked.effective_size) check_rows(*result.effective_size, i, *expected.effective_size, 1e-7);
      }
      RegressionRequest left;
      left.leave_one_out = left.local_degree = true;
      const RegressionResult others = regression.evaluate(with, left);
      for (std::size_t i = 0; i < std::min<std::size_t>(made.n, 8); ++i) {
        RegressionRequest plain;
        plain.local_degree = true;
        const RegressionResult expected =
            numbers_alone(made, smoother, made.x, i, true).evaluate(numbers_of(made, made.x, i), exact, plain);
        if (expected.local_degree->contiguous_data<std::int64_t>()[0] < static_cast<std::int64_t>(smoother.degree))
          continue;
        check_rows(others.fit, i, expected.fit, 1e-8);
      }
    }
  }
}

TEST_CASE("a code that is no category is refused, and a lambda out of its range") {
  support::Random random(42);
  Tensor x(DType::f64, {6, 2}), y(DType::f64, {6}), q(DType::f64, {1, 2});
  for (std::size_t i = 0; i < 6; ++i) {
    x.data_as<double>()[2 * i] = random.uniform();
    x.data_as<double>()[2 * i + 1] = static_cast<double>(i % 2);
    y.data_as<double>()[i] = random.uniform();
  }
  const KernelRegression regression({x.view("x"), y.view("y"), std::nullopt, {{1, 2, {}}}});
  Smoother smoother;
  smoother.bandwidth = Bandwidth::per_coordinate({1, 0.5});
  q.data_as<double>()[0] = 0.5;
  q.data_as<double>()[1] = 2;
  CHECK_THROWS_AS(regression.evaluate(q.view("q"), smoother), Error);
  q.data_as<double>()[1] = 1;
  CHECK_NOTHROW(regression.evaluate(q.view("q"), smoother));
  smoother.bandwidth = Bandwidth::per_coordinate({1, 1.5});
  CHECK_THROWS_AS(regression.evaluate(q.view("q"), smoother), Error);
  smoother.bandwidth = Bandwidth::number(1);
  CHECK_THROWS_AS(regression.evaluate(q.view("q"), smoother), Error);
}

TEST_CASE("lambda is chosen along with the widths: 1 for a column that tells nothing, less for one that does") {
  support::Random random(43);
  constexpr std::size_t n = 300;
  Tensor x(DType::f64, {n, 3}), y(DType::f64, {n});
  for (std::size_t i = 0; i < n; ++i) {
    double* row = x.data_as<double>() + 3 * i;
    row[0] = static_cast<double>(random.between(0, 2));
    row[1] = random.uniform();
    row[2] = static_cast<double>(random.between(0, 1));
    y.data_as<double>()[i] = std::sin(6 * row[1]) + 2 * row[0] + 0.3 * random.normal();
  }
  const KernelRegression regression({x.view("x"), y.view("y"), std::nullopt, {{0, 3, {}}, {2, 2, {}}}});
  for (const std::size_t degree : {0u, 1u}) {
    Smoother smoother;
    smoother.degree = degree;
    const Selection chosen = select_bandwidth(regression, smoother, {});
    REQUIRE(chosen.bandwidth.values.size() == 3);
    CHECK(chosen.bandwidth.values[0] < 0.05);
    CHECK(chosen.bandwidth.values[1] < 0.3);
    CHECK(chosen.bandwidth.values[2] > 0.3);
    smoother.bandwidth = chosen.bandwidth;
    for (const std::size_t j : {0u, 1u, 2u})
      for (const double step : {-0.02, 0.02}) {
        Smoother other = smoother;
        other.bandwidth.values[j] = std::clamp(other.bandwidth.values[j] + step, 1e-3, 1.0);
        CHECK(bandwidth_criterion(regression, other, Criterion::leave_one_out, Loss::squared) >=
              chosen.criterion - 1e-12);
      }
  }
}
