#pragma once
// Modules: code of ours with a library behind it that most jobs do not need. It is loaded when it is first called, so
// that no other job waits for that library or needs it installed.

#include <attn/core/export.hpp>

#include <new>
#include <string>

namespace ATTN_API attn {

/// A shared library of ours and what messages say about it.
struct Module {
  const char* file;    ///< "libattn-sentencepiece.so"
  const char* does;    ///< "reads models of sentencepiece"
  const char* behind;  ///< "libsentencepiece": the library that it stands on
};

/// The function or object of that name in a module, which stays loaded. What goes in and out of it is plain, and
/// nothing throws: the module may have a C++ library of its own. Throws Error(helper) if the module cannot be loaded.
void* find_in_module(const Module& module, const char* name);

/// A function of a module returns false if it had no memory. Throws std::bad_alloc then.
inline void expect_memory(bool had) {
  if (!had) throw std::bad_alloc();
}

/// The formulas of `--engine reference`.
constexpr Module reference_module{"libattn-reference.so", "computes the reference engine's formulas", "libopenblas0"};

// The versions of this library and of the libraries it was built with.

const char* version() noexcept;       ///< such as "0.9.0"
const char* hdf5_version() noexcept;  ///< "1.10.8"
std::string xxhash_version();         ///< "0.8.1"

}  // namespace attn
