#pragma once
// The careful twin of kernel regression: what the engines are tested against where numbers are hostile. Loops over all
// samples, in long double where squares and differences need it.

#include <attn/regression/nadaraya_watson.hpp>

namespace support {

/// KernelRegression::evaluate() of queries, and of the samples themselves; standard errors for one width, no bandwidth
/// matrix.
attn::RegressionResult twin(const attn::KernelRegression& regression, const attn::TensorView& queries,
                            const attn::Smoother& smoother, const attn::RegressionRequest& request = {});
attn::RegressionResult twin(const attn::KernelRegression& regression, const attn::Smoother& smoother,
                            const attn::RegressionRequest& request = {});

}  // namespace support
