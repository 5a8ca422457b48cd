#pragma once
// The versions of this library and of the libraries it was built with.

#include <attn/core/api.hpp>

#include <string>

namespace ATTN_API attn {

const char* version() noexcept;       ///< such as "0.9.0"
const char* hdf5_version() noexcept;  ///< "1.10.8"
std::string xxhash_version();         ///< "0.8.1"

}  // namespace attn
