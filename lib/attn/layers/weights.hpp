#pragma once
// Weights by name, independent of their place in the file.

#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ATTN_API attn {

/// Which axis of a stored weight is which.
enum class WeightLayout : std::uint8_t {
  out_in,  ///< (out, in), as PyTorch stores a linear layer: y = x W^T
  in_out   ///< (in, out): y = x W
};

/// Stands for any extent in an expected shape.
inline constexpr std::size_t any_extent = static_cast<std::size_t>(-1);

/// The tensors of a source below a prefix, as views in place; a tensor is read on request.
///
/// The parts of a name are separated by '.' in some files and by '/' in others ("layers.0.norm1.weight",
/// "layers/0/norm1/weight"); here both are the same. The source must outlive the Weights, not the views.
class Weights {
 public:
  /// Called with each tensor that is read.
  using Listener = std::function<void(const TensorView&)>;
  explicit Weights(Source& source, const std::string& prefix = {}, Listener listener = {});

  /// The same tensors under other names: `rename` receives each full name, with parts joined by '.'. Throws Error(data)
  /// if two tensors get the same name.
  Weights renamed(const std::function<std::string(const std::string&)>& rename) const;

  /// The weights below a longer prefix: weights.scoped("self_attn").
  Weights scoped(const std::string& name) const;

  /// The empty name is the tensor that the prefix itself names.
  bool has(const std::string& name) const;
  /// Is there any tensor below that name?
  bool has_below(const std::string& name) const;
  /// The entry without reading it, or null.
  const TensorInfo* info(const std::string& name) const;

  /// The tensor that Keras, Flax or Haiku call otherwise: a kernel, gamma, scale or embedding for a weight, a beta for
  /// a bias; beside the name, or the only one below its module. Null if there is none.
  const TensorInfo* other_name(const std::string& name) const;

  /// The error for the first of these names: which tensors exist, and how to rename those with an other_name().
  Error missing(const std::vector<std::string>& names) const;

  /// The tensor of that name. Throws missing(), and
  /// Error(data) for another shape than the expected one, or for another type than floats if a shape is expected.
  /// `meaning` explains the shape ("3 x embed_dim by embed_dim"), `fix` is the remedy.
  TensorView get(const std::string& name) const;
  TensorView get(const std::string& name, const Shape& expected, const std::string& meaning = {},
                 const std::string& fix = {}) const;
  /// The same; none if there is no such tensor.
  std::optional<TensorView> find(const std::string& name) const;
  std::optional<TensorView> find(const std::string& name, const Shape& expected, const std::string& meaning = {},
                                 const std::string& fix = {}) const;

  /// All names below the prefix, without it, in alphabetical order, parts joined by '.'.
  std::vector<std::string> names() const;

  /// The computing type of all tensors below the prefix: f64 if one of them is f64, else f32.
  DType compute_dtype() const;

  /// For messages: "weights model.h5:/enc/0".
  std::string subject() const;

 private:
  struct Index;
  Weights(std::shared_ptr<const Index> index, std::string prefix);
  std::string full(const std::string& name) const;
  std::string way_to_rename(const std::vector<std::string>& names) const;

  std::shared_ptr<const Index> index_;
  std::string prefix_;  ///< parts joined by '.', none at the end
};

}  // namespace attn
