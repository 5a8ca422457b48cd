#pragma once
// --vjp of nwreg: the gradients of the fit of degree 0 by samples, queries and bandwidth.

#include "nwreg/options.hpp"

namespace nwreg {

/// Throws Error(usage) for options whose fit has no gradient here.
void check_gradients(const Options& options);

void write_gradients(const Options& options, const PreparedSamples& data, const attn::Smoother& smoother,
                     cli::Session& session);

}  // namespace nwreg
