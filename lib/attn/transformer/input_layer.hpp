#pragma once
// The first layer of a stack: ids to vectors, with their positions and types.

#include <attn/layers/embedding.hpp>
#include <attn/layers/norm.hpp>
#include <attn/transformer/description.hpp>

#include <optional>

namespace attn {

///     x[i] = norm(scale table[id_i] + position_i + type_i)
///
/// Source: Vaswani et al. 2017, sections 3.4 and 3.5; types and norm: Devlin et al. 2018, figure 2.
class InputLayer {
 public:
  static InputLayer load(const Weights& weights, const InputDescription& description, DType compute);

  const Embedding& table() const noexcept { return table_; }

  /// ids (B, L), the first of them at position `past`; type_ids (B, L) or none. Shows `embedding` and `input`.
  /// Throws Error(data) naming what does not fit the model.
  TensorView operator()(const TensorView& ids, const std::optional<TensorView>& type_ids, std::size_t past,
                        const Execution& execution = {}) const;

 private:
  InputLayer(const InputDescription& description, Embedding table, DType compute);

  InputDescription description_;
  DType compute_;
  Embedding table_;
  std::optional<TensorView> positions_;
  std::optional<Embedding> types_;
  std::optional<Norm> norm_;
};

}  // namespace attn
