#pragma once
// The versions of this library and of the libraries it was built with.

namespace attn {

const char* version() noexcept;       ///< "0.9.0~dev"
const char* hdf5_version() noexcept;  ///< "1.10.8"

}  // namespace attn
