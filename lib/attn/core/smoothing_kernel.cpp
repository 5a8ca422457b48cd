#include <attn/core/constants.hpp>
#include <attn/core/error.hpp>
#include <attn/core/smoothing_kernel.hpp>

#include <cmath>
#include <limits>

namespace attn {
namespace {

// sd_inverse: 1 / standard deviation of K as a density on the line. ksmooth: 1/4 divided by its upper quartile, which
// solves integral_0^q K = 1/4 integral K; both by hand or to 40 digits by bisection.
struct Entry {
  Kernel kernel;
  std::string_view name;
  double sd_inverse, ksmooth;
};
constexpr Entry entries[] = {
    {Kernel::gaussian, "gaussian", 1.0, 0.37065055462640048},
    {Kernel::boxcar, "boxcar", 1.7320508075688773, 0.5},
    {Kernel::triangular, "triangular", 2.4494897427831781, 0.85355339059327376},
    {Kernel::parabolic, "parabolic", 2.2360679774997897, 0.71984631039295419},
    {Kernel::biweight, "biweight", 2.6457513110645906, 0.88927567900333874},
    {Kernel::triweight, "triweight", 3.0, 1.0317655064622489},
    {Kernel::tricube, "tricube", 2.6349301969610397, 0.84782145703484154},
    {Kernel::cosine, "cosine-kernel", 2.297603117487197, 0.75},
    {Kernel::laplace, "laplace", 0.70710678118654752, 0.36067376022224085},
    {Kernel::constant, "constant", 1.0, 1.0},
    {Kernel::epanechnikov, "epanechnikov", 2.4494897427831781, 0.85355339059327376},
};

const Entry& entry(Kernel kernel) noexcept { return entries[static_cast<std::size_t>(kernel)]; }

}  // namespace

const std::vector<Kernel>& all_kernels() {
  static const std::vector<Kernel> kernels = [] {
    std::vector<Kernel> all;
    for (const Entry& e : entries) all.push_back(e.kernel);
    return all;
  }();
  return kernels;
}

std::string_view name_of(Kernel kernel) noexcept { return entry(kernel).name; }

std::string_view name_of(ScaleConvention convention) noexcept {
  switch (convention) {
    case ScaleConvention::halfwidth: return "halfwidth";
    case ScaleConvention::sd: return "sd";
    case ScaleConvention::sqrt5: return "sqrt5";
    case ScaleConvention::ksmooth: return "ksmooth";
  }
  return "?";
}

Kernel kernel_from_name(std::string_view name) {
  for (const Entry& e : entries)
    if (e.name == name) return e.kernel;
  const auto name_of_entry = [](const Entry& e) { return e.name; };
  throw Error(ErrorKind::usage, "kernel '" + std::string(name) + "'", "is not known",
              "known are " + listed(entries, ", ", name_of_entry));
}

double kernel_weight(Kernel kernel, double u) noexcept {
  const auto inside = [u](double weight) { return u < 1 ? weight : u >= 1 ? 0.0 : u; };
  const double parabola = (1 - u) * (1 + u);
  switch (kernel) {
    case Kernel::gaussian: return std::exp(-0.5 * u * u);
    case Kernel::boxcar: return u <= 1 ? 1.0 : u > 1 ? 0.0 : u;
    case Kernel::triangular:
    case Kernel::epanechnikov: return inside(1 - u);
    case Kernel::parabolic: return inside(parabola);
    case Kernel::biweight: return inside(parabola * parabola);
    case Kernel::triweight: return inside(parabola * parabola * parabola);
    case Kernel::tricube: {
      const double w = 1 - u * u * u;
      return inside(w * w * w);
    }
    case Kernel::cosine: return inside(std::cos(0.5 * pi * u));
    case Kernel::laplace: return std::exp(-u);
    case Kernel::constant: break;
  }
  return 1.0;
}

double kernel_log_weight(Kernel kernel, double u_squared) noexcept {
  switch (kernel) {
    case Kernel::gaussian: return -0.5 * u_squared;
    case Kernel::laplace: return -std::sqrt(u_squared);
    case Kernel::constant: return 0.0;
    default: return std::log(kernel_weight(kernel, std::sqrt(u_squared)));
  }
}

double kernel_falloff(Kernel kernel, double u) noexcept {
  const double parabola = (1 - u) * (1 + u);
  switch (kernel) {
    case Kernel::gaussian: return 1;
    case Kernel::triangular:
    case Kernel::epanechnikov: return u > 0 ? 1 / (u * (1 - u)) : 0;
    case Kernel::parabolic: return 2 / parabola;
    case Kernel::biweight: return 4 / parabola;
    case Kernel::triweight: return 6 / parabola;
    case Kernel::tricube: return 9 * u / (1 - u * u * u);
    case Kernel::cosine: return 0.5 * pi * (u > 0 ? std::tan(0.5 * pi * u) / u : 0.5 * pi);
    case Kernel::laplace: return u > 0 ? 1 / u : 0;
    case Kernel::boxcar:
    case Kernel::constant: break;
  }
  return 0;
}

bool is_compact(Kernel kernel) noexcept {
  return kernel != Kernel::gaussian && kernel != Kernel::laplace && kernel != Kernel::constant;
}

double kernel_scale(Kernel kernel, ScaleConvention convention) noexcept {
  switch (convention) {
    case ScaleConvention::halfwidth: break;
    case ScaleConvention::sd: return entry(kernel).sd_inverse;
    case ScaleConvention::sqrt5: return kernel == Kernel::parabolic ? 2.2360679774997897 : 1.0;
    case ScaleConvention::ksmooth: return entry(kernel).ksmooth;
  }
  return 1.0;
}

}  // namespace attn
