#include <attn/core/version.hpp>

#include <xxhash.h>

namespace attn {

const char* version() noexcept { return ATTN_VERSION; }
const char* hdf5_version() noexcept { return ATTN_HDF5_VERSION; }

std::string xxhash_version() {
  const unsigned number = XXH_versionNumber();
  return std::to_string(number / 10000) + '.' + std::to_string(number / 100 % 100) + '.' + std::to_string(number % 100);
}

}  // namespace attn
