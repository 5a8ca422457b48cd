#pragma once
// The files that are mapped now, and what of them has been looked at.

#include <attn/core/tensor.hpp>

#include <cstddef>
#include <memory>

namespace attn::io {

/// A whole file in memory, read-only, until the last owner lets go; none where that cannot be done.
std::shared_ptr<const void> map_file(int fd, std::size_t bytes);

/// Do these bytes lie in a mapped file that is still in use? Such pages are never written by this program, so a pipe
/// can take them without a copy.
bool lies_in_mapped_file(const void* data, std::size_t bytes) noexcept;

/// Counts the bytes between the first and the last element of a tensor in a mapped file in memory_account(), each byte
/// once, as long as the file is mapped or until its pages are given back. Does nothing for other tensors.
void look_at_mapped(const TensorView& x);

/// Gives back the pages of a mapped file that hold these bytes: they return when they are looked at again. Does nothing
/// for other bytes.
void release_mapped(const void* data, std::size_t bytes) noexcept;

/// These bytes of a mapped file were copied and are not needed there any more: gives back their pages but those of the
/// parts that look_at_mapped() counts. Does nothing for other bytes.
void give_back_copied(const void* data, std::size_t bytes) noexcept;

/// The same where nobody knows which bytes they were: so many, anywhere in the mapped file that `data` lies in. Pages
/// of the whole file are given back once they are some megabytes.
void copied_from_mapped(const void* data, std::size_t bytes) noexcept;

/// Where the elements of a tensor lie: from the lowest byte of any, as many as there are up to the highest.
struct ByteSpan {
  const unsigned char* begin = nullptr;
  std::size_t bytes = 0;
};
ByteSpan span_of(const TensorView& x) noexcept;

}  // namespace attn::io
