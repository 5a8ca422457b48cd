#include <attn/core/constants.hpp>
#include <attn/transformer/decoding/next_token.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace attn;

namespace {}

TEST_CASE("log softmax: probabilities sum to one, large scores do no harm") {
  std::vector<double> scores{1000, 1001, 999};
  log_softmax(scores);
  double sum = 0;
  for (const double score : scores) sum += std::exp(score);
  CHECK(std::abs(sum - 1) < 1e-12 * 3);
  CHECK(scores[1] - scores[0] == doctest::Approx(1).epsilon(1e-12));
}

TEST_CASE("log softmax: the sum of all, whatever their number, in the accuracy of long double") {
  for (const std::size_t count : {1, 7, 8, 9, 37001}) {
    std::vector<double> scores(count);
    for (std::size_t i = 0; i < count; ++i) scores[i] = std::sin(static_cast<double>(i)) * 9;
    long double total = 0;
    for (const double score : scores) total += std::exp(static_cast<long double>(score));
    const double first = scores[0], expected = static_cast<double>(scores[0] - std::log(total));
    log_softmax(scores);
    CHECK(std::abs(scores[0] - expected) <= 1e-14 * (1 + std::abs(first)));
  }
}

TEST_CASE("reproducible exp: within 2 ulp, to the bit the same everywhere") {
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const double x = -700 * std::pow(10, -i * 5e-5);
    const long double exact = std::exp(static_cast<long double>(x));
    const double ulp = std::nextafter(static_cast<double>(exact), 2) - static_cast<double>(exact);
    worst = std::max(worst, static_cast<double>(std::abs(reproducible_exp(x) - exact)) / ulp);
  }
  CHECK(worst <= 2);
  CHECK(reproducible_exp(0) == 1);
  CHECK(reproducible_exp(-0.3) == 0x1.7b4c869c37c05p-1);
  CHECK(reproducible_exp(-123.25) == 0x1.23990be0fc67p-178);
  CHECK(reproducible_exp(-701) == 0);
  CHECK(reproducible_exp(-attn::infinity) == 0);
  CHECK(std::isnan(reproducible_exp(std::nan(""))));
}

TEST_CASE("reproducible exp and log softmax: the same bits with every instruction set") {
  for (const std::size_t count : {0, 1, 2, 7, 8, 9, 15, 16, 17, 1001}) {
    std::vector<double> scores(count);
    for (std::size_t i = 0; i < count; ++i) scores[i] = -std::fabs(std::sin(static_cast<double>(i))) * 50;
    if (count > 8) scores[8] = -attn::infinity;
    std::vector<double> powers, logs;
    for (const double score : scores) powers.push_back(reproducible_exp(score));
    for (const Isa isa : available_isas()) {
      std::vector<double> of_isa = scores, logs_of_isa = scores;
      reproducible_exp(of_isa, isa);
      CHECK(of_isa == powers);
      log_softmax(logs_of_isa, isa);
      if (logs.empty()) logs = logs_of_isa;
      CHECK(logs_of_isa == logs);
    }
  }
}

TEST_CASE("reproducible log: within 2 ulp, to the bit the same everywhere") {
  double worst = 0;
  for (int i = -200000; i <= 200000; ++i) {
    const double x = std::pow(10, i * (i % 2 == 0 ? 1e-6 : 1e-3));
    const long double exact = std::log(static_cast<long double>(x));
    const double near = std::fabs(static_cast<double>(exact)), ulp = std::nextafter(near, 1e9) - near;
    worst = std::max(worst, static_cast<double>(std::abs(reproducible_log(x) - exact)) / ulp);
  }
  CHECK(worst <= 2);
  CHECK(reproducible_log(1) == 0);
  CHECK(reproducible_log(37000) == 0x1.5098f8856b1bfp+3);
  CHECK(std::isnan(reproducible_log(std::nan(""))));
}

TEST_CASE("reproducible power: as products where the exponent is whole, near the exact one elsewhere") {
  CHECK(reproducible_power(7, 0) == 1);
  CHECK(reproducible_power(7, 1) == 7);
  CHECK(reproducible_power(7, 2) == 49);
  CHECK(reproducible_power(7, -2) == 1.0 / 49);
  CHECK(reproducible_power(0.5, 10) == 0x1p-10);
  CHECK(reproducible_power(0, 3) == 0);
  CHECK(reproducible_power(1, 0.7) == 1);
  double worst = 0;
  for (const double x : {1.0, 2.0, 3.0, 11.0, 1000.0, 1048576.0})
    for (double p = -50; p <= 50; p += 0.0625) {
      const long double exact = std::pow(static_cast<long double>(x), static_cast<long double>(p));
      worst = std::max(worst, static_cast<double>(std::abs(reproducible_power(x, p) - exact) / exact));
    }
  CHECK(worst < 1e-14);
  CHECK(reproducible_power(37, 0.6) == 0x1.174cd00c3d3ap+3);
}

TEST_CASE("sigmoid: of both signs, however large") {
  CHECK(sigmoid(0) == 0.5);
  CHECK(sigmoid(-1000) == 0);
  CHECK(sigmoid(1000) == 1);
  for (const double x : {-30.0, -2.5, 0.1, 4.0}) CHECK(std::abs(sigmoid(x) * (1 + std::exp(-x)) - 1) < 1e-15);
  CHECK(std::isnan(sigmoid(std::nan(""))));
}
