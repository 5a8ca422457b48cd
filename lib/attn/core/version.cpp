#include <attn/core/version.hpp>

namespace attn {

const char* version() noexcept { return ATTN_VERSION; }
const char* hdf5_version() noexcept { return ATTN_HDF5_VERSION; }

}  // namespace attn
