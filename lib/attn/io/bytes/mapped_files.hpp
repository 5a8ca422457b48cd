#pragma once
// The mapped files, and the parts of them that are in use.

#include <attn/core/tensor.hpp>

#include <cstddef>
#include <memory>

namespace attn::io {

/// Maps a whole file, read-only, until the last owner releases it; null if that is impossible.
std::shared_ptr<const void> map_file(int fd, std::size_t bytes);

/// Are these bytes in a mapped file that is still in use? This program never writes such pages, so a pipe can take them
/// without a copy.
bool lies_in_mapped_file(const void* data, std::size_t bytes) noexcept;

/// Counts the bytes from the first to the last element of a tensor in a mapped file in memory_account(), each byte
/// once, until the file is unmapped or the pages are released. Does nothing for other tensors.
void look_at_mapped(const TensorView& x);

/// Releases the pages of a mapped file with these bytes; they are read again on the next access. Does nothing for other
/// bytes.
void release_mapped(const void* data, std::size_t bytes) noexcept;

/// Releases the pages of bytes of a mapped file that were copied, except those of parts that look_at_mapped() counts.
/// Does nothing for other bytes.
void give_back_copied(const void* data, std::size_t bytes) noexcept;

/// The same for an unknown range: this number of bytes, anywhere in the mapped file that contains `data`. Releases
/// pages of the whole file after some megabytes.
void copied_from_mapped(const void* data, std::size_t bytes) noexcept;

/// The byte range of the elements of a tensor, from the lowest byte to the highest.
struct ByteSpan {
  const unsigned char* begin = nullptr;
  std::size_t bytes = 0;
};
ByteSpan span_of(const TensorView& x) noexcept;

}  // namespace attn::io
