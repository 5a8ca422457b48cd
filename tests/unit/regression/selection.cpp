// Chosen bandwidths: the criterion at the width that is found against the criterion on a grid of widths.
#include <attn/regression/bandwidth_selection.hpp>
#include <attn/regression/predictors.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "support/random.hpp"

using namespace attn;

namespace {

// A signal with noise; places dense on the left and sparse on the right, with a sample far away.
Samples signal(std::size_t n, double noise, bool weighted) {
  support::Random random(11);
  Tensor x(DType::f64, {n}), y(DType::f64, {n}), weights(DType::f64, {n});
  for (std::size_t i = 0; i < n; ++i) {
    const double at = std::pow(random.uniform(), 3);
    x.data_as<double>()[i] = i == 0 ? 1e4 : at;
    y.data_as<double>()[i] = std::sin(12 * at) + noise * random.normal();
    weights.data_as<double>()[i] = std::pow(10.0, -2 * random.uniform());
  }
  Samples samples{x.view("x"), y.view("y"), std::nullopt};
  if (weighted) samples.weights = weights.view("weights");
  return samples;
}

void check_is_least(const KernelRegression& regression, Smoother smoother, Criterion criterion) {
  SelectionParameters parameters;
  parameters.criterion = criterion;
  const Selection chosen = select_bandwidth(regression, smoother, parameters);
  const auto at = [&](double h) {
    smoother.bandwidth = Bandwidth::number(h);
    return bandwidth_criterion(regression, smoother, criterion, Loss::squared);
  };
  const double h = chosen.bandwidth.values[0];
  CHECK(at(h) == chosen.criterion);
  double least = chosen.criterion;
  for (double octave = -5; octave <= 5; octave += 1) least = std::min(least, at(h * std::exp2(octave)));
  for (const double share : {-0.03, -0.01, 0.01, 0.03}) least = std::min(least, at(h * (1 + share)));
  // A parabola with its minimum 0.2 % away is 2e-6 of the curve's bend above it.
  CHECK(chosen.criterion - least <= 1e-7 * std::abs(least));
}

}  // namespace

TEST_CASE("the width that is chosen has the least criterion, of few samples and of many, smooth and rough") {
  for (const std::size_t n : {300u, 66000u})
    for (const bool hard : {false, true}) {
      const KernelRegression regression(signal(n, hard ? 1e-2 : 0.5, hard));
      for (const Kernel kernel : {Kernel::gaussian, Kernel::triweight})
        for (const Criterion criterion : {Criterion::leave_one_out, Criterion::aicc}) {
          // Of many samples three of the cases, for time.
          const bool is_cv = criterion == Criterion::leave_one_out, is_gaussian = kernel == Kernel::gaussian;
          if (n > 300 && (hard ? is_gaussian || !is_cv : is_gaussian != is_cv)) continue;
          CAPTURE(n);
          CAPTURE(hard);
          CAPTURE(name_of(kernel));
          CAPTURE(criterion == Criterion::aicc);
          Smoother smoother;
          smoother.kernel = kernel;
          check_is_least(regression, smoother, criterion);
        }
    }
}

namespace {

// The least criterion at the widths between all neighbouring distances of samples in [low, high].
double least_of_all_steps(const KernelRegression& regression, Smoother smoother, Criterion criterion, Loss loss,
                          const TensorView& x, double low, double high) {
  const auto at = x.as<double, 2>();
  std::vector<double> distances{low, high};
  for (std::size_t a = 0; a < at.shape[0]; ++a)
    for (std::size_t b = 0; b < a; ++b) {
      double square = 0;
      for (std::size_t j = 0; j < at.shape[1]; ++j) square += (at(a, j) - at(b, j)) * (at(a, j) - at(b, j));
      const double apart = std::sqrt(square);
      if (apart > low && apart < high) distances.push_back(apart);
    }
  std::sort(distances.begin(), distances.end());
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 1; k < distances.size(); ++k) {
    if (!(distances[k] > distances[k - 1] * (1 + 1e-9))) continue;
    smoother.bandwidth = Bandwidth::number(0.5 * (distances[k - 1] + distances[k]));
    least = std::min(least, bandwidth_criterion(regression, smoother, criterion, loss));
  }
  return least;
}

/// The widths that cv chooses are as good as any of these, up to the share `slack` of the criterion.
void check_beats(const KernelRegression& regression, Kernel kernel, const std::vector<Bandwidth>& widths,
                 double slack) {
  Smoother smoother;
  smoother.kernel = kernel;
  const Selection chosen = select_bandwidth(regression, smoother, {});
  double least = chosen.criterion;
  for (const Bandwidth& width : widths) {
    smoother.bandwidth = width;
    least = std::min(least, bandwidth_criterion(regression, smoother, Criterion::leave_one_out, Loss::squared));
  }
  CAPTURE(name_of(kernel));
  CHECK(chosen.criterion <= least * (1 + slack));
}

}  // namespace

TEST_CASE("boxcar: the least of all steps is found, for every criterion, in time and in space") {
  support::Random random(21);
  for (const std::size_t d : {1u, 2u})
    for (const bool causal : {false, true})
      for (const bool in_places : {false, true})  // many samples in one place
        for (const int kind : {0, 1, 2, 3}) {
          const std::size_t n = 40;
          const auto criterion = kind == 1 ? Criterion::aicc : Criterion::leave_one_out;
          const Loss loss = kind == 2 ? Loss::log : kind == 3 ? Loss::brier : Loss::squared;
          const std::size_t outputs = kind >= 2 ? 3 : 1 + (in_places ? 1 : 0);
          Tensor x(DType::f64, {n, d}), y(DType::f64, {n, outputs}), weights(DType::f64, {n});
          for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < d; ++j)
              x.data_as<double>()[i * d + j] =
                  in_places ? static_cast<double>(random.between(0, 9)) / 8 : random.uniform();
            const double from = std::sin(4 * x.data_as<double>()[i * d]);
            const auto label = static_cast<std::size_t>(1.5 + from + 0.4 * random.normal());
            for (std::size_t c = 0; c < outputs; ++c)
              y.data_as<double>()[i * outputs + c] =
                  kind >= 2 ? (std::min<std::size_t>(label, 2) == c ? 1.0 : 0.0) : from + 0.3 * random.normal();
            weights.data_as<double>()[i] = static_cast<double>(random.between(0, 3));
          }
          Samples samples{x.view("x"), y.view("y"), std::nullopt};
          if (in_places) samples.weights = weights.view("weights");
          const KernelRegression regression(samples);
          Smoother smoother;
          smoother.kernel = Kernel::boxcar;
          smoother.causal = causal;
          smoother.decay = causal && d == 1 ? 0.7 : 0;
          SelectionParameters parameters;
          parameters.criterion = criterion;
          parameters.loss = loss;
          parameters.isotropic = true;
          CAPTURE(d);
          CAPTURE(causal);
          CAPTURE(in_places);
          CAPTURE(kind);
          const Selection chosen = select_bandwidth(regression, smoother, parameters);
          // Of a width that holds one or two samples to one that holds all.
          const double low = d == 1 ? 1.0 / n : 0.1, high = 2;
          const double least = least_of_all_steps(regression, smoother, criterion, loss, x.view(), low, high);
          CHECK(chosen.criterion <= least + 1e-12 * std::abs(least));
        }
}

TEST_CASE("kernels that end: no width of a fine grid has a lesser criterion, though it leaps") {
  support::Random random(31);
  std::vector<Bandwidth> widths;
  for (double octave = -9; octave <= 7; octave += 0.003) widths.push_back(Bandwidth::number(std::exp2(octave)));
  for (const bool in_places : {false, true}) {
    const std::size_t n = 60;
    Tensor x(DType::f64, {n}), y(DType::f64, {n});
    for (std::size_t i = 0; i < n; ++i) {
      x.data_as<double>()[i] =
          in_places ? static_cast<double>(random.between(0, 40)) / 20 : -std::log(1 - random.uniform());
      y.data_as<double>()[i] = std::sin(5 * x.data_as<double>()[i]) + 0.1 * random.normal();
    }
    const KernelRegression regression({x.view("x"), y.view("y"), std::nullopt});
    CAPTURE(in_places);
    for (const Kernel kernel : {Kernel::triangular, Kernel::parabolic, Kernel::triweight, Kernel::cosine})
      check_beats(regression, kernel, widths, 1e-6);
  }
}

TEST_CASE("kernels that end, in several columns: nothing of a grid is better by a thousandth") {
  support::Random random(41);
  const std::size_t n = 50;
  const TensorView x = random.tensor(DType::f64, {n, 2});
  Tensor y(DType::f64, {n});
  for (std::size_t i = 0; i < n; ++i)
    y.data_as<double>()[i] = x.as<double, 2>()(i, 0) * x.as<double, 2>()(i, 1) + 0.1 * random.normal();
  const KernelRegression regression({x, y.view("y"), std::nullopt});
  std::vector<Bandwidth> widths;
  for (double a = -3; a <= 5; a += 0.15)
    for (double b = -3; b <= 5; b += 0.15) widths.push_back(Bandwidth::per_coordinate({std::exp2(a), std::exp2(b)}));
  for (const Kernel kernel : {Kernel::boxcar, Kernel::parabolic}) check_beats(regression, kernel, widths, 1e-3);
}

TEST_CASE("cv and AICc in several columns: what plain loops find, and no width of a grid is better") {
  support::Random random(5);
  const std::size_t n = 60;
  const TensorView x = random.tensor(DType::f64, {n, 2});
  Tensor y(DType::f64, {n});
  const auto at = x.as<double, 2>();
  for (std::size_t i = 0; i < n; ++i)
    y.data_as<double>()[i] = std::sin(2 * at(i, 0)) + 0.2 * at(i, 1) + 0.3 * random.normal();
  const double* value = y.data_as<double>();
  // (1/n) sum (y_i - m_-i)^2, and log s^2 + (1 + tr / n) / (1 - (tr + 2) / n), as they are written.
  const auto plain = [&](Criterion criterion, double h0, double h1) {
    double squares = 0, trace = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double total = 0, sum = 0;
      for (std::size_t k = 0; k < n; ++k) {
        if (criterion == Criterion::leave_one_out && k == i) continue;
        const double u0 = (at(i, 0) - at(k, 0)) / h0, u1 = (at(i, 1) - at(k, 1)) / h1;
        const double weight = std::exp(-0.5 * (u0 * u0 + u1 * u1));
        total += weight;
        sum += weight * value[k];
      }
      squares += (value[i] - sum / total) * (value[i] - sum / total) / n;
      trace += 1 / total;
    }
    return criterion == Criterion::leave_one_out ? squares
                                                 : std::log(squares) + (1 + trace / n) / (1 - (trace + 2) / n);
  };
  const KernelRegression regression({x, y.view("y"), std::nullopt});
  for (const Criterion criterion : {Criterion::leave_one_out, Criterion::aicc}) {
    Smoother smoother;
    SelectionParameters parameters;
    parameters.criterion = criterion;
    const Selection chosen = select_bandwidth(regression, smoother, parameters);
    REQUIRE(chosen.bandwidth.values.size() == 2);
    const double h0 = chosen.bandwidth.values[0], h1 = chosen.bandwidth.values[1];
    CHECK(chosen.criterion == doctest::Approx(plain(criterion, h0, h1)).epsilon(1e-12));
    double least = std::numeric_limits<double>::infinity();
    for (double a = -4; a <= 6; a += 0.1)
      for (double b = -4; b <= 6; b += 0.1) least = std::min(least, plain(criterion, std::exp2(a), std::exp2(b)));
    CHECK(chosen.criterion <= least + 1e-10 * std::abs(least));
  }
}

TEST_CASE("AICc in several columns: one that tells nothing is smoothed away, as if it were not there") {
  support::Random random(8);
  const std::size_t n = 80;
  const TensorView x = random.tensor(DType::f64, {n, 3});
  Tensor y(DType::f64, {n}), others(DType::f64, {n, 2});
  for (std::size_t i = 0; i < n; ++i) {
    others.data_as<double>()[2 * i] = x.as<double, 2>()(i, 0);
    others.data_as<double>()[2 * i + 1] = x.as<double, 2>()(i, 2);
    y.data_as<double>()[i] = std::sin(4 * x.as<double, 2>()(i, 0)) + 0.2 * random.normal();
  }
  SelectionParameters parameters;
  parameters.criterion = Criterion::aicc;
  const Selection chosen = select_bandwidth(KernelRegression({x, y.view("y"), std::nullopt}), {}, parameters);
  const Selection without =
      select_bandwidth(KernelRegression({others.view("x"), y.view("y"), std::nullopt}), {}, parameters);
  // By chance these samples have a use for the last column.
  CHECK(chosen.smoothed_away == std::vector<std::size_t>{1});
  CHECK(std::isinf(chosen.bandwidth.values[1]));
  CHECK_FALSE(chosen.at_border);
  CHECK(chosen.criterion <= without.criterion + 1e-7);
}

TEST_CASE("values whose squares no number holds: the criterion is that of values divided by a power of two") {
  const Samples plain = signal(300, 0.5, false);
  for (const double factor : {0x1p900, 0x1p-900}) {
    Tensor y = Tensor::zeros(DType::f64, {300});
    for (std::size_t i = 0; i < 300; ++i) y.data_as<double>()[i] = plain.y.contiguous_data<double>()[i] * factor;
    const KernelRegression usual(plain), scaled({plain.x, y.view("y"), std::nullopt});
    const Selection a = select_bandwidth(usual, {}, {}), b = select_bandwidth(scaled, {}, {});
    CHECK(a.bandwidth.values == b.bandwidth.values);
    const double unit = unit_of_criterion(scaled, Criterion::leave_one_out, Loss::squared) / factor;
    CHECK(b.criterion * unit * unit == doctest::Approx(a.criterion).epsilon(1e-13));
    CHECK(unit_of_criterion(usual, Criterion::leave_one_out, Loss::squared) == 1);
  }
}

TEST_CASE("the curve says which of its rows are exact") {
  for (const std::size_t n : {300u, 66000u}) {
    const KernelRegression regression(signal(n, 0.5, false));
    Smoother smoother;
    const Selection chosen = select_bandwidth(regression, smoother, {});
    const auto curve = chosen.curve->as<double, 2>();
    std::size_t exact = 0, wrong = 0;
    for (std::size_t i = 0; i < curve.shape[0]; ++i) {
      if (curve(i, 2) == 0) continue;
      ++exact;
      smoother.bandwidth = Bandwidth::number(curve(i, 0));
      wrong += bandwidth_criterion(regression, smoother, Criterion::leave_one_out, Loss::squared) != curve(i, 1);
    }
    CHECK(wrong == 0);
    CHECK(exact >= 5);
    CHECK((exact == curve.shape[0]) == (n == 300));
  }
}

TEST_CASE("samples without weight change neither widths nor criteria") {
  support::Random random(5);
  constexpr std::size_t n = 40, more = 15;
  for (const Kernel kernel : {Kernel::gaussian, Kernel::triangular, Kernel::boxcar})
    for (const Criterion criterion : {Criterion::leave_one_out, Criterion::aicc}) {
      Tensor x(DType::f64, {n + more}), y(DType::f64, {n + more}), weights = Tensor::zeros(DType::f64, {n + more});
      for (std::size_t i = 0; i < n + more; ++i) {
        x.data_as<double>()[i] = i < n ? random.uniform() : 3 * random.normal();
        y.data_as<double>()[i] = std::sin(6 * x.data_as<double>()[i]) + 0.3 * random.normal();
        if (i < n) weights.data_as<double>()[i] = 1;
      }
      std::vector<std::size_t> first(n);
      std::iota(first.begin(), first.end(), std::size_t{0});
      Smoother smoother;
      smoother.kernel = kernel;
      SelectionParameters parameters;
      parameters.criterion = criterion;
      const KernelRegression all({x.view("x"), y.view("y"), weights.view("weights")});
      const KernelRegression few(rows_of(Samples{x.view(), y.view(), std::nullopt}, first));
      const Selection a = select_bandwidth(all, smoother, parameters), b = select_bandwidth(few, smoother, parameters);
      CAPTURE(name_of(kernel));
      CHECK(a.bandwidth.values == b.bandwidth.values);
      CHECK(a.criterion == doctest::Approx(b.criterion).epsilon(1e-13));
    }
}

TEST_CASE("the widest width is taken where nothing is better, and nowhere else") {
  support::Random random(31);
  constexpr std::size_t n = 40;
  std::size_t widest = 0;
  for (int trial = 0; trial < 20; ++trial) {
    Tensor x(DType::f64, {n, 1}), y = Tensor::zeros(DType::f64, {n, 2});
    for (std::size_t i = 0; i < n; ++i) {
      // Clusters of labels without a pattern, or pairs of opposites, which predict each other wrong at any width.
      const bool in_pairs = trial % 4 == 0;
      x.data_as<double>()[i] = in_pairs ? static_cast<double>(i / 2)
                                        : 10 * static_cast<double>(random.between(0, 3)) + 0.05 * random.normal();
      y.data_as<double>()[2 * i + (in_pairs ? i % 2 : static_cast<std::size_t>(random.between(0, 1)))] = 1;
    }
    const KernelRegression regression({x.view("x"), y.view("y"), std::nullopt});
    Smoother smoother;
    smoother.kernel = Kernel::boxcar;
    SelectionParameters parameters;
    parameters.loss = Loss::brier;
    const Selection chosen = select_bandwidth(regression, smoother, parameters);
    // Of a width that holds a pair or a cluster to one that holds all.
    const double low = 0.3, high = 100;
    const double least =
        least_of_all_steps(regression, smoother, Criterion::leave_one_out, Loss::brier, x.view(), low, high);
    CHECK(chosen.criterion <= least * (1 + 1e-12));
    const bool is_widest = std::isinf(chosen.bandwidth.values[0]);
    widest += is_widest;
    if (is_widest) CHECK(chosen.at_border);
  }
  CHECK(widest > 0);
  CHECK(widest < 20);
}

TEST_CASE("where no finite width is better, the fit is the least-squares line: straight lines with noise") {
  support::Random random(17);
  std::size_t infinite = 0;
  constexpr std::size_t n = 60;
  for (int trial = 0; trial < 3; ++trial)
    for (const Kernel kernel : {Kernel::gaussian, Kernel::triangular})
      for (const Criterion criterion : {Criterion::leave_one_out, Criterion::aicc}) {
        Tensor x(DType::f64, {n}), y(DType::f64, {n}), q(DType::f64, {1});
        double mean_x = 0, mean_y = 0, square = 0, product = 0;
        for (std::size_t i = 0; i < n; ++i) {
          x.data_as<double>()[i] = random.normal();
          y.data_as<double>()[i] = 2 * x.data_as<double>()[i] + 0.3 * random.normal();
          mean_x += x.data_as<double>()[i] / n;
          mean_y += y.data_as<double>()[i] / n;
        }
        for (std::size_t i = 0; i < n; ++i) {
          square += (x.data_as<double>()[i] - mean_x) * (x.data_as<double>()[i] - mean_x);
          product += (x.data_as<double>()[i] - mean_x) * (y.data_as<double>()[i] - mean_y);
        }
        const KernelRegression regression({x.view("x"), y.view("y"), std::nullopt});
        Smoother smoother;
        smoother.kernel = kernel;
        smoother.degree = 1;
        SelectionParameters parameters;
        parameters.criterion = criterion;
        const Selection chosen = select_bandwidth(regression, smoother, parameters);
        smoother.bandwidth = Bandwidth::number(std::numeric_limits<double>::infinity());
        CHECK(chosen.criterion <= bandwidth_criterion(regression, smoother, criterion, Loss::squared));
        if (!std::isinf(chosen.bandwidth.values[0])) continue;
        ++infinite;
        CHECK(chosen.is_widest);
        q.data_as<double>()[0] = 10;
        const TensorView fit = regression.evaluate(q.view("q"), smoother).fit;
        const double line = mean_y + product / square * (10 - mean_x);
        CHECK(*fit.contiguous_data<double>() == doctest::Approx(line).epsilon(1e-13));
      }
  CHECK(infinite >= 5);
}

TEST_CASE("widths and lambdas of degrees 1 and 2: nothing of a grid is better, ends of the range included") {
  support::Random random(23);
  for (int trial = 0; trial < 5; ++trial)
    for (const std::size_t degree : {1u, 2u}) {
      const std::size_t n = random.between(30, 60), levels = random.between(2, 4);
      Tensor x(DType::f64, {n, 2}), y(DType::f64, {n});
      const double shift = trial % 2 == 0 ? 0.2 : 0, noise = trial % 3 == 0 ? 0.2 : 0.6;
      for (std::size_t i = 0; i < n; ++i) {
        double* row = x.data_as<double>() + 2 * i;
        row[0] = static_cast<double>(i < levels ? i : random.between(0, levels - 1));
        row[1] = random.normal();
        y.data_as<double>()[i] = std::sin(row[1]) + shift * row[0] + noise * random.normal();
      }
      const KernelRegression regression({x.view("x"), y.view("y"), std::nullopt, {{0, levels, {}}}});
      Smoother smoother;
      smoother.degree = degree;
      const Selection chosen = select_bandwidth(regression, smoother, {});
      double least = std::numeric_limits<double>::infinity();
      const auto look = [&](double lambda, double h) {
        smoother.bandwidth = Bandwidth::per_coordinate({lambda, h});
        const double value = bandwidth_criterion(regression, smoother, Criterion::leave_one_out, Loss::squared);
        least = std::min(least, std::isnan(value) ? least : value);
      };
      for (double octave = -3; octave <= 7; octave += 0.5)
        for (double lambda = 0; lambda < 1; lambda = lambda == 0 ? 1e-4 : lambda * 1.6)
          look(lambda, octave < 7 ? std::exp2(octave) : std::numeric_limits<double>::infinity());
      for (double octave = -3; octave <= 7; octave += 0.5) look(1, std::exp2(octave));
      CAPTURE(trial);
      CAPTURE(degree);
      CHECK(chosen.criterion <= least * (1 + 1e-9));
    }
}

TEST_CASE("the number of neighbours: no other has a lesser loss") {
  support::Random random(3);
  std::size_t missed = 0;
  for (int trial = 0; trial < 12; ++trial) {
    const std::size_t n = 280 + 10 * static_cast<std::size_t>(trial);
    Tensor x(DType::f64, {n}), y(DType::f64, {n});
    for (std::size_t i = 0; i < n; ++i) {
      x.data_as<double>()[i] = random.normal();
      y.data_as<double>()[i] = (trial % 3 == 0 ? 0 : std::sin(2 * x.data_as<double>()[i])) + 0.7 * random.normal();
    }
    const KernelRegression regression({x.view("x"), y.view("y"), std::nullopt});
    Smoother smoother;
    smoother.kernel = trial % 2 == 0 ? Kernel::tricube : Kernel::boxcar;
    const Selection chosen = select_neighbours(regression, smoother);
    double least = chosen.criterion;
    for (std::size_t k = 1; k < n; ++k) {
      smoother.bandwidth = Bandwidth::nearest(k);
      least = std::min(least, bandwidth_criterion(regression, smoother, Criterion::leave_one_out, Loss::squared));
    }
    CHECK(chosen.criterion <= least * (1 + 1e-3));
    missed += chosen.criterion > least ? 1 : 0;
  }
  CHECK(missed == 0);
}
