#include <attn/core/version.hpp>

namespace attn {

// The build system defines the three: asking OpenBLAS at run time would load it into tools that never call it.
const char* version() noexcept { return ATTN_VERSION; }
const char* hdf5_version() noexcept { return ATTN_HDF5_VERSION; }
const char* blas_version() noexcept { return ATTN_BLAS_VERSION; }

}  // namespace attn
