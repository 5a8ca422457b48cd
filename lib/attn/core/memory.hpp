#pragma once
// Memory for tensors.

#include <attn/core/api.hpp>

#include <cstddef>
#include <memory>

namespace ATTN_API attn {

/// Uninitialised memory, 64-byte aligned, large blocks in huge pages. Throws Error(memory).
///
/// Freed large blocks are kept for reuse: the layers of a model request the same few sizes repeatedly, and in a fresh
/// block the kernel clears each page at its first touch. The process takes at most 128 MiB more than it has used.
///
/// They are counted in memory_account() before they are allocated.
std::shared_ptr<void> allocate_bytes(std::size_t bytes);

/// The same for blocks of about the same lifetime, such as the weights of a model: small blocks share huge pages, which
/// are freed with the last block in them.
std::shared_ptr<void> allocate_beside(std::size_t bytes);

/// The same for a thread's working memory, a few megabytes at most, which is not counted.
std::shared_ptr<void> allocate_scratch(std::size_t bytes);

/// The memory that this process may use: the machine's, or the limit of its control group.
std::size_t usable_memory();

}  // namespace attn
