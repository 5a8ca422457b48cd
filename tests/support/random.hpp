#pragma once
// Random tensors for tests: the same numbers on every machine.

#include <attn/core/tensor.hpp>

#include <cstdint>
#include <utility>

namespace support {

/// A counter run through SplitMix64 (Steele, Lea and Flood 2014); standard distributions differ between libraries.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// In [0, 1).
  double uniform() { return static_cast<double>(bits() >> 11) / 9007199254740992.0; }
  /// In [low, high].
  std::size_t between(std::size_t low, std::size_t high) { return low + bits() % (high - low + 1); }
  /// Mean 0, variance 1: a sum of twelve uniforms is near enough to normal for tests.
  double normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return sum;
  }
  /// Normal numbers as f64, f32, f16 or bf16.
  attn::TensorView tensor(attn::DType dtype, attn::Shape shape) {
    attn::Tensor x(attn::DType::f64, std::move(shape));
    auto* to = x.data_as<double>();
    for (std::size_t i = 0; i < x.size(); ++i) to[i] = normal();
    return attn::cast(x.view(), dtype);
  }

 private:
  std::uint64_t state_;
};

}  // namespace support
