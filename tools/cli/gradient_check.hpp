#pragma once
// --check-grad: the gradients of a stage against differences of its results.

#include "cli/operands.hpp"
#include "cli/result.hpp"

#include <attn/core/source_sink.hpp>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace cli {

class Report;

/// The gradient of a loss by something that a stage reads.
struct Gradient {
  std::string name;  ///< "dx", "dbias", "d/layer.weight"
  attn::TensorView value;
  std::string of = {};  ///< the name of the parameter's tensor; empty: `name` without its d is an input's name

  std::string moves() const { return of.empty() ? name.substr(1) : of; }
};

/// Runs of a stage in f64 with one input or parameter moved. Its results are kept here instead of being written.
class GradientCheck {
 public:
  /// Compares <dy, (f(x + e u) - f(x - e u)) / 2e> with <vjp, u> for so many random directions u and each input and
  /// parameter x, prints the largest relative error of each, and says no above 1e-5. A direction in which f has a kink
  /// at x is not compared; the line says how many there are.
  void check(const std::function<void()>& run, std::size_t directions,
             const std::function<void(const std::string& line)>& print, Report& report);

  /// What the stage is to read in place of the tensor: in f64, and moved if it is the one to move. An input that has a
  /// gradient of its own moves alone, even if another has the same tensor.
  attn::TensorView moved(const Input& input, const attn::TensorView& tensor) const;
  attn::TensorView moved(const attn::TensorView& tensor) const;
  /// The same tensors, of which each is moved() when it is read.
  attn::Source& moved(attn::Source& source);

  bool is_backward() const noexcept { return is_backward_; }
  /// The random gradient by a result; none if the stage has no such result.
  std::optional<attn::TensorView> cotangent(const std::string& result);
  void keep(std::vector<Gradient> gradients) { gradients_ = std::move(gradients); }
  void keep(const std::vector<Result>& results);

 private:
  /// <dy, (f(x) - f(x - e u)) / e> and <dy, (f(x + e u) - f(x)) / e>.
  struct Slopes {
    double before, after;
    double mean() const { return (before + after) / 2; }
    double jump() const { return after - before; }
  };
  Slopes slopes(const std::function<void()>& run, const Gradient& gradient, const attn::TensorView& direction,
                double step);
  double product_with_results() const;
  attn::TensorView changed(const attn::TensorView& tensor) const;

  bool is_backward_ = false;
  std::string moves_;        ///< the tensor of that name, or the input
  attn::TensorView change_;  ///< in f64
  std::map<std::string, attn::TensorView> results_, cotangents_;
  std::set<std::string> used_;  ///< cotangents
  std::vector<Gradient> gradients_;
  double unmoved_ = 0;        ///< <dy, f(x)>
  mutable double scale_ = 1;  ///< largest magnitude of what is moved
  std::map<attn::Source*, std::unique_ptr<attn::Source>> sources_;
};

}  // namespace cli
