#include <attn/core/module.hpp>

#include <attn/core/error.hpp>

#include <dlfcn.h>
#include <xxhash.h>

#include <string>

namespace attn {

/// The run path of this library has the folder of the modules.
void* find_in_module(const Module& module, const char* name) {
  void* const opened = dlopen(module.file, RTLD_NOW | RTLD_LOCAL);
  void* const found = opened != nullptr ? dlsym(opened, name) : nullptr;
  if (found != nullptr) return found;
  const char* const why = dlerror();
  throw Error(
      ErrorKind::helper, module.file, std::string(module.does) + " and cannot be loaded: " + why,
      std::string("install it with the tools, and ") + module.behind + "; or name its folder in LD_LIBRARY_PATH");
}

const char* version() noexcept { return ATTN_VERSION; }
const char* hdf5_version() noexcept { return ATTN_HDF5_VERSION; }

std::string xxhash_version() {
  const unsigned number = XXH_versionNumber();
  return std::to_string(number / 10000) + '.' + std::to_string(number / 100 % 100) + '.' + std::to_string(number % 100);
}

}  // namespace attn
