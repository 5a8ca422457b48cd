#pragma once
// Memory for tensors.

#include <attn/core/api.hpp>

#include <cstddef>
#include <memory>

namespace ATTN_API attn {

/// Uninitialised memory, 64-byte aligned, large blocks in huge pages. Throws Error(memory).
///
/// Large blocks that are let go are kept, up to a limit, for the next ones of their size: the layers of a model ask for
/// the same few sizes over and over, and a fresh block costs the kernel a cleared page for each that is touched.
///
/// They are counted in memory_account() before they are allocated.
std::shared_ptr<void> allocate_bytes(std::size_t bytes);

/// The same for blocks that live about as long as each other, as the weights of a model: those too small for huge pages
/// of their own share them, which a block keeps until the last one that lies in them is let go.
std::shared_ptr<void> allocate_beside(std::size_t bytes);

/// The same for what a thread works in, a few megabytes at most, which is not counted.
std::shared_ptr<void> allocate_scratch(std::size_t bytes);

/// How much memory this process may use: the machine's and the limit of its control group.
std::size_t usable_memory();

}  // namespace attn
