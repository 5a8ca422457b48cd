#pragma once
// The mapped files, the parts of them that are in use, and reading parts with wide gaps between them.

#include <attn/core/tensor.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
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

/// Parts of a file or a stream, apart from each other: beginnings and ends.
class Parts {
 public:
  /// How many of the bytes were in none.
  std::size_t add(std::size_t begin, std::size_t end) {
    const std::size_t inside = remove(begin, end), added = end - begin;
    const auto behind = ends_.find(end);
    if (behind != ends_.end()) {
      end = behind->second;
      ends_.erase(behind);
    }
    auto before = ends_.lower_bound(begin);
    if (before != ends_.begin() && (--before)->second == begin)
      before->second = end;
    else
      ends_.emplace(begin, end);
    return added - inside;
  }

  /// How many of the bytes were in one.
  std::size_t remove(std::size_t begin, std::size_t end) {
    std::size_t removed = 0;
    auto part = ends_.upper_bound(begin);
    if (part != ends_.begin()) --part;
    while (part != ends_.end() && part->first < end) {
      const auto [first, last] = *part;
      if (last <= begin) {
        ++part;
        continue;
      }
      part = ends_.erase(part);
      if (first < begin) ends_.emplace(first, begin);
      if (last > end) part = ends_.emplace(end, last).first;
      removed += std::min(last, end) - std::max(first, begin);
    }
    return removed;
  }

  /// How many of the bytes are in one.
  std::size_t inside(std::size_t begin, std::size_t end) const {
    std::size_t all = 0;
    auto part = ends_.upper_bound(begin);
    if (part != ends_.begin()) --part;
    for (; part != ends_.end() && part->first < end; ++part)
      if (part->second > begin) all += std::min(part->second, end) - std::max(part->first, begin);
    return all;
  }

  /// Beginnings and ends, in order.
  const std::map<std::size_t, std::size_t>& all() const noexcept { return ends_; }

 private:
  std::map<std::size_t, std::size_t> ends_;
};

/// Does x, a part of a mapped file, skip most of the pages between its first and last element? Read in sequence, such
/// elements make the system read the gaps too, megabytes ahead of each.
bool is_scattered(const TensorView& x);

/// Calls `copy`, which reads the elements of x once, so that only their pages are read from the file, and then releases
/// the pages.
void read_scattered(const TensorView& x, const std::function<void()>& copy);

}  // namespace attn::io
