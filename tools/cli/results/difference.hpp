#pragma once
// The difference of two tensors, as --check and tdiff report it.

#include <attn/core/execution.hpp>
#include <attn/core/tensor.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cli {

/// Two elements are equal if |a - b| <= atol + rtol |b|, or if they are at most `ulps` floats of the narrower type
/// apart. NaN equals NaN, and an infinity equals itself.
struct Tolerance {
  double rtol = 0, atol = 0;
  std::optional<std::uint64_t> ulps;
};

struct Difference {
  std::size_t count = 0;       ///< elements compared
  std::size_t differing = 0;   ///< elements beyond the tolerance
  attn::Shape worst;           ///< index of the element that is farthest beyond it, or farthest apart if none is
  double apart = 0;            ///< |a - b| there
  std::string a_text, b_text;  ///< the two values there; strings too
  double absolute = 0;         ///< largest |a - b|; infinite where only one is finite, and where no f64 holds it
  double relative = 0;         ///< largest |a - b| / |b|
  std::uint64_t ulps = 0;      ///< largest distance in units in the last place
  bool all_finite = true;      ///< no differing pair has one finite and one non-finite element, or strings

  /// Elements by size of |a - b|: equal, then below each of the limits (and not below the one before), and the rest.
  static constexpr std::array<double, 17> limits = {1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8,
                                                    1e-7,  1e-6,  1e-5,  1e-4,  1e-3,  1e-2,  1e-1,  1};
  std::array<std::size_t, limits.size() + 2> histogram{};

  /// The narrower float type, if elements differ but all are equal when rounded to it.
  std::optional<attn::DType> equal_as;

  bool equal() const noexcept { return differing == 0; }
};

/// Throws Error(data) naming both when the shapes differ, or when one holds strings and the other numbers.
/// `progress` receives the number of compared elements.
Difference difference(const attn::TensorView& a, const attn::TensorView& b, const Tolerance& tolerance,
                      const attn::ProgressHook& progress = {});

/// The difference of two tensors that are seen in parts.
class RunningDifference {
 public:
  /// Of tensors with the dtypes and the shape of these, whose elements are not looked at. Throws as difference() does.
  RunningDifference(const attn::TensorView& a, const attn::TensorView& b, const Tolerance& tolerance,
                    const attn::ProgressHook& progress = {});
  ~RunningDifference();
  /// The next elements of both, as many.
  void see(const attn::TensorView& a, const attn::TensorView& b);
  Difference result() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Brings the columns of b into the order of those of a, if both have names. Returns why they do not match, or nothing.
std::string align_columns(const std::vector<std::string>& a_names, const std::vector<std::string>& b_names,
                          attn::TensorView& b);

/// "[:,0]": the part of a tensor of shape `a` that has shape `b`, where axes of 1 are all that a has more; else empty.
std::string part_of_shape(const attn::Shape& a, const attn::Shape& b);

/// "2 of 6 elements differ; worst [0,1]: 1 against 1.5, apart 0.5", and `remedy` if they are equal_as another type.
std::string to_string(const Difference& d, const std::string& remedy);

}  // namespace cli
