#pragma once
// How tests ask for the reference engine, or for an instruction set.

#include <attn/core/execution.hpp>

namespace support {

/// The formulas in f64, on one thread.
inline attn::Execution reference() {
  attn::Execution execution;
  execution.engine = attn::Engine::reference;
  return execution;
}

/// One instruction set, forced, on one thread.
inline attn::Execution forced(attn::Isa isa) {
  attn::Execution execution;
  execution.isa = isa;
  return execution;
}

}  // namespace support
