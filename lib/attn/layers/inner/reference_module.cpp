#include <attn/layers/inner/reference_module.hpp>

#include <attn/core/module.hpp>

namespace attn::reference {

const LayerFunctions& layer_functions() {
  static const auto* const functions =
      static_cast<const LayerFunctions*>(find_in_module(reference_module, "attn_reference_layers"));
  return *functions;
}

}  // namespace attn::reference
