#pragma once
// Sums over a range of keys whose ends move right: the features of compact kernels, and their moments in two stacks;
// see window_sums.cpp. Internal to lib/attn/regression.

#include <attn/regression/sums.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace attn {

/// K(u) = sum_k c[k] u^k on [0, 1] as features t^j.
template <int Degree>
struct Polynomial {
  static constexpr int features = Degree + 1;
  double c[features];

  static void at_key(double t, double* f) {
    f[0] = 1;
    for (int j = 1; j < features; ++j) f[j] = f[j - 1] * t;
  }
  /// e_j(s) = (-1)^j times the Taylor coefficient of K(sign u) at s: K(sign (s - t)) = sum_j e_j t^j.
  void at_query(double s, double sign, double* e) const {
    double power = 1;
    for (int j = 0; j < features; ++j, power *= sign) e[j] = c[j] * power;
    for (int j = 0; j + 1 < features; ++j)
      for (int k = features - 2; k >= j; --k) e[k] += s * e[k + 1];
    for (int j = 1; j < features; j += 2) e[j] = -e[j];
  }
};

/// cos(pi (s - t) / 2) = cos(pi s / 2) cos(pi t / 2) + sin(pi s / 2) sin(pi t / 2); the first feature of every basis is
/// 1, so that its moment is the mass of the window.
struct Cosine {
  static constexpr double half_pi = 1.57079632679489661923;
  static constexpr int features = 3;
  static void at_key(double t, double* f) {
    f[0] = 1;
    f[1] = std::cos(half_pi * t);
    f[2] = std::sin(half_pi * t);
  }
  void at_query(double s, double, double* e) const {
    at_key(s, e);
    e[0] = 0;
  }
};

/// Moments of the keys in a range whose ends only move right. A fixed number of columns (weights and one column of
/// values) stays in registers; 0: the number of columns of the problem.
template <class Basis, std::size_t Fixed>
class MovingMoments {
 public:
  MovingMoments(const SumsProblem& problem, std::size_t begin)
      : problem_(problem),
        x_(problem.samples.x.column(0)),
        weight_(problem.weight),
        scale_(problem.scale[0]),
        border_(begin),
        begin_(begin),
        end_(begin) {
    for (auto* sums : {&front_, &back_, &recent_, &total_}) sums->assign(length(), 0.0);
  }

  double anchor() const noexcept { return anchor_; }

  /// Moments of [begin, end), column by column.
  const double* move(std::size_t begin, std::size_t end) {
    if (begin >= border_) {
      flip(begin, end);
    } else {
      if (begin != begin_) lower_front(begin);
      for (; end_ < end; ++end_) append(end_);
      begin_ = begin;
    }
    for (std::size_t k = 0; k < length(); ++k) total_[k] = front_[k] + (back_[k] + recent_[k]);
    return total_.data();
  }

 private:
  // Suffix sums are kept only for every stride-th key, and those in between are computed when their stride is entered.
  // This takes little memory, and sums of strides round less than one long chain.
  static constexpr std::size_t stride = 32;

  std::size_t columns() const noexcept { return Fixed != 0 ? Fixed : problem_.columns(); }
  std::size_t length() const noexcept { return columns() * Basis::features; }

  void add(std::size_t i, double* sums) const {
    double f[Basis::features];
    Basis::at_key((x_[i] - anchor_) * scale_, f);
    const double w = weight_ != nullptr ? weight_[i] : 1.0;
    for (int j = 0; j < Basis::features; ++j) sums[j] += w * f[j];
    for (std::size_t c = 1; c < columns(); ++c) {
      const double v = w * problem_.values[c - 1][i];
      for (int j = 0; j < Basis::features; ++j) sums[c * Basis::features + static_cast<std::size_t>(j)] += v * f[j];
    }
  }

  void append(std::size_t i) {
    add(i, recent_.data());
    if (++recent_count_ < stride) return;
    for (std::size_t k = 0; k < length(); ++k) back_[k] += recent_[k];
    std::fill(recent_.begin(), recent_.end(), 0.0);
    recent_count_ = 0;
  }

  // The sums of the front become those of [begin, border).
  void lower_front(std::size_t begin) {
    const std::size_t at = (border_ - begin - 1) / stride;  // strides are counted back from the border
    if (at != stride_) fill_stride(at);
    std::copy_n(fine_.data() + (border_ - begin - 1 - at * stride) * length(), length(), front_.data());
  }

  void fill_stride(std::size_t at) {
    stride_ = at;
    const std::size_t last = border_ - at * stride, first = last > lowest_ + stride ? last - stride : lowest_;
    std::fill(total_.begin(), total_.end(), 0.0);
    fine_.resize(stride * length());
    for (std::size_t i = last; i-- > first;) {
      add(i, total_.data());
      double* fine = fine_.data() + (last - 1 - i) * length();
      for (std::size_t k = 0; k < length(); ++k) fine[k] = coarse_[at * length() + k] + total_[k];
    }
  }

  void flip(std::size_t begin, std::size_t end) {
    border_ = end_ = end;
    begin_ = lowest_ = begin;
    recent_count_ = 0;
    std::fill(back_.begin(), back_.end(), 0.0);
    std::fill(recent_.begin(), recent_.end(), 0.0);
    std::fill(front_.begin(), front_.end(), 0.0);
    if (begin >= end) return;
    anchor_ = x_[end - 1];
    const std::size_t strides = (end - begin - 1) / stride + 1;
    coarse_.assign(strides * length(), 0.0);
    for (std::size_t at = 0; at + 1 < strides; ++at) {
      std::fill(total_.begin(), total_.end(), 0.0);
      for (std::size_t i = end - at * stride; i-- > end - (at + 1) * stride;) add(i, total_.data());
      for (std::size_t k = 0; k < length(); ++k)
        coarse_[(at + 1) * length() + k] = coarse_[at * length() + k] + total_[k];
    }
    fill_stride(strides - 1);
    lower_front(begin);
  }

  const SumsProblem& problem_;
  const double *x_, *weight_;
  double scale_;
  std::size_t border_, begin_, end_, lowest_ = 0, stride_ = 0, recent_count_ = 0;
  double anchor_ = 0;
  std::vector<double> front_, back_, recent_, total_, coarse_, fine_;
};

}  // namespace attn
