// How often confidence bands cover the curve, by simulation: tables of y = curve(x) + error at n even places in [0, 1],
// the width chosen by cv for each table, bands of level 0.95.
//
//     bench-coverage TABLES [--threads N] [FILTER]      TABLES of each kind, as 1000; FILTER: sine, bump, line
//
// A line gives the share of tables whose pointwise and corrected bands cover the curve inside (the mean over 0.1, 0.15
// ... 0.9) and at the ends (0 and 1), and the share whose simultaneous band covers it at all of 0, 0.05 ... 1. With
// errors that correlate, a second line has the width of cv:block=13.

#include "measure.hpp"

#include <attn/core/constants.hpp>
#include <attn/regression/bands.hpp>
#include <attn/regression/bandwidth_selection.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace attn;

constexpr std::size_t places = 21;  // of queries
constexpr double level = 0.95;

enum class Errors { equal, unequal, correlated };

double curve_at(const std::string& curve, double x) {
  if (curve == "sine") return std::sin(2 * pi * x);
  if (curve == "bump") return x + 2 * std::exp(-128 * (x - 0.5) * (x - 0.5));
  return x;
}

/// Normal errors of standard deviation 0.3 in the mean; unequal: from 0.1 to 0.5; correlated: 0.6^k at k samples apart.
std::vector<double> errors_of(Errors kind, std::size_t n, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<double> errors(n);
  double last = normal(random);
  for (std::size_t i = 0; i < n; ++i) {
    const double fresh = normal(random);
    last = kind == Errors::correlated && i > 0 ? 0.6 * last + 0.8 * fresh : fresh;
    const double x = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
    errors[i] = last * (kind == Errors::unequal ? 0.1 + 0.4 * x : 0.3);
  }
  return errors;
}

struct Coverage {
  double inside = 0, ends = 0, all = 0;
  void add(const TensorView& band, const std::vector<double>& truth) {
    const double* border = band.contiguous_data<double>();
    bool covers_all = true;
    for (std::size_t i = 0; i < places; ++i) {
      const bool covers = border[2 * i] <= truth[i] && truth[i] <= border[2 * i + 1];
      covers_all = covers_all && covers;
      if (i == 0 || i + 1 == places) ends += covers ? 0.5 : 0;
      if (i >= 2 && i + 2 < places) inside += covers ? 1.0 / (places - 4) : 0;
    }
    all += covers_all ? 1 : 0;
  }
};

/// Of one table: pointwise, corrected, simultaneous.
using Bands = std::array<Coverage, 3>;

void cover(const std::string& curve, Errors kind, std::size_t n, std::size_t degree, std::size_t block,
           std::size_t table, Bands& bands) {
  std::mt19937_64 random(1000 * table + n);
  Tensor x(DType::f64, {n}), y(DType::f64, {n}), q(DType::f64, {places});
  const std::vector<double> errors = errors_of(kind, n, random);
  for (std::size_t i = 0; i < n; ++i) {
    x.data_as<double>()[i] = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
    y.data_as<double>()[i] = curve_at(curve, x.data_as<double>()[i]) + errors[i];
  }
  std::vector<double> truth(places);
  for (std::size_t i = 0; i < places; ++i) {
    q.data_as<double>()[i] = static_cast<double>(i) / (places - 1);
    truth[i] = curve_at(curve, q.data_as<double>()[i]);
  }
  const KernelRegression regression({x.view("x"), y.view("y"), std::nullopt});
  Smoother smoother;
  smoother.degree = degree;
  SelectionParameters parameters;
  parameters.block = block;
  parameters.curve = false;
  smoother.bandwidth = select_bandwidth(regression, smoother, parameters).bandwidth;
  const TensorView queries = q.view("q");
  RegressionRequest request;
  request.standard_error = true;
  const RegressionResult fit = regression.evaluate(queries, smoother, request);
  bands[0].add(confidence_band(fit.fit, *fit.standard_error, level), truth);
  bands[2].add(band_around(fit.fit, *fit.standard_error,
                           {tube_critical_value(tube_length(regression, queries, smoother), level)}),
               truth);
  request.residual_degree = degree;
  smoother.degree = corrected_degree(degree);
  const RegressionResult corrected = regression.evaluate(queries, smoother, request);
  bands[1].add(confidence_band(corrected.fit, *corrected.standard_error, level), truth);
}

void print(const std::string& curve, Errors kind, std::size_t n, std::size_t degree, std::size_t block,
           std::size_t tables, const Execution& execution) {
  std::vector<Bands> of_table(tables);
  execution.parallel(
      tables, [&](std::size_t table, std::size_t) { cover(curve, kind, n, degree, block, table, of_table[table]); });
  const auto mean = [&](std::size_t kind_of_band, double Coverage::*part) {
    double total = 0;
    for (const Bands& bands : of_table) total += bands[kind_of_band].*part;
    return total / static_cast<double>(tables);
  };
  const char* const errors = kind == Errors::equal ? "equal" : kind == Errors::unequal ? "unequal" : "AR(1) 0.6";
  std::printf("%-5s %-9s %4zu %6zu %-11s %9.3f %5.3f %10.3f %5.3f %13.3f\n", curve.c_str(), errors, n, degree,
              block > 1 ? ("cv:block=" + std::to_string(block)).c_str() : "cv", mean(0, &Coverage::inside),
              mean(0, &Coverage::ends), mean(1, &Coverage::inside), mean(1, &Coverage::ends), mean(2, &Coverage::all));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const long tables = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 0;
  if (tables < 1) {
    std::fprintf(stderr, "usage: bench-coverage TABLES [--threads N] [sine|bump|line]\n");
    return 2;
  }
  const bench::Arguments arguments = bench::parse(argc - 1, argv + 1);
  std::printf("curve errors       n degree width       pointwise  ends  corrected  ends  simultaneous\n");
  for (const char* curve : {"sine", "bump", "line"}) {
    if (!arguments.selects(curve)) continue;
    for (const std::size_t n : {std::size_t{100}, std::size_t{500}})
      for (const Errors kind : {Errors::equal, Errors::unequal, Errors::correlated})
        for (std::size_t degree = 0; degree <= 2; ++degree)
          for (const std::size_t block : {std::size_t{1}, std::size_t{13}})
            if (block == 1 || kind == Errors::correlated)
              print(curve, kind, n, degree, block, static_cast<std::size_t>(tables), arguments.execution);
  }
  return arguments.status();
}
