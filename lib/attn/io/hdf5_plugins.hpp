#pragma once
// Plugins of HDF5: foreign code that decodes the filters that this library does not know.

#include <attn/core/api.hpp>

#include <string>

namespace ATTN_API attn {
namespace io {

/// Loads plugins from these folders, separated by colons, for datasets with filters that are unknown here. The code of
/// a plugin runs in this process and is as trusted as the process itself. Empty, the default: no plugin is loaded.
void set_hdf5_plugins(const std::string& folders);

}  // namespace io
}  // namespace attn
