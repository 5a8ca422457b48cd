#include <attn/regression/search/minimise.hpp>

#include <algorithm>
#include <cmath>

namespace attn {

double minimise_on_line(const std::function<double(double)>& f, double low, double high, double tolerance) {
  constexpr double golden = 0.38196601125010515;
  double x = low + golden * (high - low), w = x, v = x, fx = f(x), fw = fx, fv = fx, move = 0, last = 0;
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double middle = 0.5 * (low + high), near = tolerance;
    if (std::abs(x - middle) <= 2 * near - 0.5 * (high - low)) break;
    double p = 0, q = 0, r = 0;
    if (std::abs(last) > near) {
      r = (x - w) * (fx - fv);
      q = (x - v) * (fx - fw);
      p = (x - v) * q - (x - w) * r;
      q = 2 * (q - r);
      if (q > 0) p = -p;
      q = std::abs(q);
      r = last;
      last = move;
    }
    if (std::abs(p) < std::abs(0.5 * q * r) && p > q * (low - x) && p < q * (high - x)) {
      move = p / q;
      if (x + move - low < 2 * near || high - x - move < 2 * near) move = x < middle ? near : -near;
    } else {
      last = x < middle ? high - x : low - x;
      move = golden * last;
    }
    const double u = x + (std::abs(move) >= near ? move : move > 0 ? near : -near), fu = f(u);
    if (fu <= fx) {
      (u < x ? high : low) = x;
      v = w, fv = fw;
      w = x, fw = fx;
      x = u, fx = fu;
    } else {
      (u < x ? low : high) = u;
      if (fu <= fw || w == x) {
        v = w, fv = fw;
        w = u, fw = fu;
      } else if (fu <= fv || v == x || v == w) {
        v = u, fv = fu;
      }
    }
  }
  return x;
}

void minimise_by_simplex(const std::function<double(const std::vector<double>&)>& f, const std::vector<double>& start,
                         double value, const std::vector<double>& sides, double tolerance) {
  struct Corner {
    std::vector<double> at;
    double value;
  };
  const std::size_t d = start.size();
  std::vector<Corner> corners{{start, value}};
  for (std::size_t j = 0; j < d; ++j) {
    std::vector<double> at = start;
    at[j] += sides[j];
    corners.push_back({at, f(at)});
  }
  const auto blend = [&](const std::vector<double>& a, const std::vector<double>& b, double t) {
    std::vector<double> at(d);
    for (std::size_t j = 0; j < d; ++j) at[j] = a[j] + t * (b[j] - a[j]);
    return at;
  };
  for (std::size_t iteration = 0; iteration < 200 * d; ++iteration) {
    std::stable_sort(corners.begin(), corners.end(),
                     [](const Corner& a, const Corner& b) { return a.value < b.value; });
    double size = 0;
    for (std::size_t j = 0; j < d; ++j) size = std::max(size, std::abs(corners.back().at[j] - corners[0].at[j]));
    if (size < tolerance) return;
    std::vector<double> centre(d, 0.0);
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j) centre[j] += corners[i].at[j] / static_cast<double>(d);
    Corner& worst = corners.back();
    const auto trial = [&](double t) {
      Corner corner{blend(centre, worst.at, t), 0};
      corner.value = f(corner.at);
      return corner;
    };
    const Corner reflected = trial(-1);
    if (reflected.value < corners[0].value) {
      const Corner expanded = trial(-2);
      worst = expanded.value < reflected.value ? expanded : reflected;
    } else if (reflected.value < corners[d - 1].value) {
      worst = reflected;
    } else {
      const Corner contracted = trial(reflected.value < worst.value ? -0.5 : 0.5);
      if (contracted.value < std::min(reflected.value, worst.value)) {
        worst = contracted;
      } else {
        for (std::size_t i = 1; i <= d; ++i) {
          corners[i].at = blend(corners[0].at, corners[i].at, 0.5);
          corners[i].value = f(corners[i].at);
        }
      }
    }
  }
}

}  // namespace attn
