#pragma once
// Sets of bytes of one file.

#include <algorithm>
#include <cstddef>
#include <map>

namespace attn::io {

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

}  // namespace attn::io
