// Which keys a row looks at.
#include <attn/regression/windows/weight_rows.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "support/random.hpp"

using namespace attn;

namespace {

// Keys that find() looked at, its last look alone.
std::size_t looked_at(const WeightRows::Scratch& scratch) {
  std::size_t keys = 0;
  for (const KeyRun run : scratch.runs) keys += run.end - run.begin;
  return keys;
}

double sum_of(const WeightRow& row) {
  double sum = 0;
  for (const double weight : row.weight) sum += weight;
  return sum;
}

}  // namespace

TEST_CASE("weight rows: keys near the query that count little take the reach further, not to every key") {
  support::Random random(5);
  const std::size_t n = 4000;
  for (const std::size_t d : {std::size_t{1}, std::size_t{2}}) {
    Tensor x(DType::f64, {n, d}), y(DType::f64, {n}), weights(DType::f64, {n});
    for (std::size_t i = 0; i < n * d; ++i) x.data_as<double>()[i] = random.uniform();
    for (std::size_t i = 0; i < n; ++i) {
      y.data_as<double>()[i] = random.normal();
      // From 1 down to 1e-120, where no sample has a full one near.
      const double place = x.data_as<double>()[i * d];
      weights.data_as<double>()[i] = random.uniform() * (place > 0.5 ? std::pow(10.0, -240 * (place - 0.5)) : 1);
    }
    const KernelRegression regression({x.view("x"), y.view("y"), weights.view("weights")});
    const KernelRegression::Prepared& samples = regression.prepared();
    Smoother smoother;
    smoother.bandwidth = Bandwidth::number(1e-3);
    WeightRow near, all;
    WeightRows::Scratch scratch;
    const WeightRows restricted(samples, row_parameters(samples, smoother, true));
    const WeightRows every(samples, row_parameters(samples, smoother, false));
    std::vector<double> q(d);
    for (std::size_t i = 0; i < n; i += 7) {
      for (std::size_t j = 0; j < d; ++j) q[j] = samples.x.column(j)[i];
      restricted.find(q.data(), i, false, near, scratch);
      CHECK(looked_at(scratch) < n / 4);
      every.find(q.data(), i, false, all, scratch);
      REQUIRE(near.count() > 0);
      CHECK(near.log_factor == all.log_factor);
      CHECK(std::abs(sum_of(near) - sum_of(all)) <= 1e-14 * sum_of(all));
    }
  }
}

TEST_CASE("weight rows: beside keys that all count nothing, every key is looked at") {
  const std::size_t n = 200;
  Tensor x(DType::f64, {n}), y(DType::f64, {n}), weights = Tensor::zeros(DType::f64, {n});
  for (std::size_t i = 0; i < n; ++i) {
    x.data_as<double>()[i] = static_cast<double>(i);
    y.data_as<double>()[i] = 1;
  }
  weights.data_as<double>()[n - 1] = 1;
  const KernelRegression regression({x.view("x"), y.view("y"), weights.view("weights")});
  Smoother smoother;
  smoother.bandwidth = Bandwidth::number(1);
  const WeightRows rows(regression.prepared(), row_parameters(regression.prepared(), smoother, true));
  WeightRow row;
  WeightRows::Scratch scratch;
  const double q = 0;
  rows.find(&q, WeightRows::no_self, false, row, scratch);
  REQUIRE(row.count() == 1);
  CHECK(row.key[0] == n - 1);
}
