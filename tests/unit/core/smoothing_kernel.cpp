// Smoothing kernels: the table of weights, and the factors between the conventions of scale, each from its definition.
#include <attn/core/error.hpp>
#include <attn/core/smoothing_kernel.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>

using attn::Kernel;
using attn::kernel_weight;
using attn::ScaleConvention;

namespace {

// Midpoint sums of f over [0, end]; the error of the sums used here is below 1e-7 of their value.
double integrate(const std::function<double(double)>& f, double end) {
  constexpr int steps = 400000;
  double total = 0;
  for (int i = 0; i < steps; ++i) total += f(end * (i + 0.5) / steps);
  return total * end / steps;
}

}  // namespace

TEST_CASE("kernels weigh as their formulas say") {
  CHECK(kernel_weight(Kernel::gaussian, 2) == std::exp(-2.0));
  CHECK(kernel_weight(Kernel::boxcar, 1) == 1);
  CHECK(kernel_weight(Kernel::boxcar, std::nextafter(1, 2)) == 0);
  CHECK(kernel_weight(Kernel::triangular, 0.25) == 0.75);
  CHECK(kernel_weight(Kernel::epanechnikov, 0.25) == 0.75);
  CHECK(kernel_weight(Kernel::parabolic, 0.5) == 0.75);
  CHECK(kernel_weight(Kernel::biweight, 0.5) == 0.5625);
  CHECK(kernel_weight(Kernel::triweight, 0.5) == 0.421875);
  CHECK(kernel_weight(Kernel::tricube, 0.5) == 0.669921875);
  CHECK(kernel_weight(Kernel::cosine, 0.5) == std::cos(std::acos(-1.0) / 4));
  CHECK(kernel_weight(Kernel::laplace, 3) == std::exp(-3.0));
  CHECK(kernel_weight(Kernel::constant, 1e9) == 1);
}

TEST_CASE("every kernel is 1 at 0, compact ones are 0 from 1 on, and NaN stays NaN") {
  for (const Kernel kernel : attn::all_kernels()) {
    CAPTURE(attn::name_of(kernel));
    CHECK(kernel_weight(kernel, 0) == 1);
    if (attn::is_compact(kernel)) CHECK(kernel_weight(kernel, 1.5) == 0);
    if (attn::is_compact(kernel) && kernel != Kernel::boxcar) CHECK(kernel_weight(kernel, 1) == 0);
    if (kernel != Kernel::constant) CHECK(std::isnan(kernel_weight(kernel, std::nan(""))));
  }
}

TEST_CASE("names and kernels are one to one") {
  for (const Kernel kernel : attn::all_kernels()) CHECK(attn::kernel_from_name(attn::name_of(kernel)) == kernel);
  CHECK_THROWS_AS(attn::kernel_from_name("gauss"), attn::Error);
}

TEST_CASE("sd gives a standard deviation of one, ksmooth puts the quartiles at a quarter") {
  for (const Kernel kernel : attn::all_kernels()) {
    if (kernel == Kernel::constant) continue;
    CAPTURE(attn::name_of(kernel));
    const double end = attn::is_compact(kernel) ? 1.0 : 40.0;
    const double mass = integrate([&](double u) { return kernel_weight(kernel, u); }, end);
    const double variance = integrate([&](double u) { return u * u * kernel_weight(kernel, u); }, end) / mass;
    const double sd = attn::kernel_scale(kernel, ScaleConvention::sd);
    CHECK(std::abs(sd * sd * variance - 1) < 1e-6);
    const double quartile = 0.25 / attn::kernel_scale(kernel, ScaleConvention::ksmooth);
    CHECK(std::abs(integrate([&](double u) { return kernel_weight(kernel, u); }, quartile) / mass - 0.5) < 1e-6);
    CHECK(attn::kernel_scale(kernel, ScaleConvention::halfwidth) == 1);
  }
  CHECK(attn::kernel_scale(Kernel::parabolic, ScaleConvention::sqrt5) == std::sqrt(5.0));
}
