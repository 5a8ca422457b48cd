#pragma once
// The versions of this library and of the libraries it was built with.

#include <attn/core/api.hpp>

namespace ATTN_API attn {

const char* version() noexcept;       ///< "0.9.0~dev"
const char* hdf5_version() noexcept;  ///< "1.10.8"

}  // namespace attn
