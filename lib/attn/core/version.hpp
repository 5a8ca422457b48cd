#pragma once
// Which versions this library is, and was built with.

#include <attn/core/api.hpp>

namespace ATTN_API attn {

const char* version() noexcept;       ///< "0.9.0~dev"
const char* hdf5_version() noexcept;  ///< "1.10.8"
const char* blas_version() noexcept;  ///< "OpenBLAS 0.3.21"

}  // namespace attn
