#include <attn/core/memory.hpp>
#include <attn/core/system.hpp>
#include <attn/io/bytes/mapped_files.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <vector>

namespace attn::io {
namespace {

class MappedFiles {
 public:
  void add(const void* begin, std::size_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    files_[begin] = {bytes, {}, 0};
  }

  void remove(const void* begin) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = files_.find(begin);
    memory_account().remove_mapped(found->second.looked_at.remove(0, found->second.bytes));
    files_.erase(found);
  }

  /// Calls body(file, offset of the data in it) if the bytes are in a mapped file.
  template <class Body>
  bool with_file_of(const void* data, std::size_t bytes, Body&& body) {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto next = files_.upper_bound(data);
    if (next == files_.begin()) return false;
    auto& [begin, file] = *--next;
    const auto offset = static_cast<std::size_t>(static_cast<const char*>(data) - static_cast<const char*>(begin));
    if (offset > file.bytes || bytes > file.bytes - offset) return false;
    body(file, offset);
    return true;
  }

 private:
  struct File {
    std::size_t bytes = 0;
    Parts looked_at;
    std::size_t copied = 0;  // bytes copied from other parts, with pages not released yet
  };
  std::mutex mutex_;
  std::map<const void*, File> files_;
};

/// Never destroyed: tensors of static storage duration may be released last.
MappedFiles& mapped_files() {
  static MappedFiles& all = *new MappedFiles;
  return all;
}

constexpr std::size_t most_copied = std::size_t{4} << 20;  // as much as the program itself takes

/// Whole pages inside the part: its neighbours may still be in use.
void give_back(const char* data, std::size_t bytes) noexcept {
  const std::uintptr_t page = system::page_bytes();
  const auto begin = (reinterpret_cast<std::uintptr_t>(data) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(data) + bytes) / page * page;
  if (begin < end) system::give_back(reinterpret_cast<void*>(begin), end - begin);
}

/// Releases bytes from `done` to `end` of the file at `start` outside these parts.
void give_back_others(const Parts& parts, const char* start, std::size_t done, std::size_t end) noexcept {
  for (const auto& [first, last] : parts.all()) {
    if (last <= done) continue;
    if (first >= end) break;
    if (first > done) give_back(start + done, first - done);
    done = last;
  }
  if (done < end) give_back(start + done, end - done);
}

constexpr std::size_t narrow_gap = 4096;  // leaves no page out

struct Axis {
  std::size_t count, step;  // in bytes
};

/// Elements near each other form one piece, and pieces repeat along axes.
struct Pieces {
  std::size_t bytes = 0;  // bytes of one piece, with narrow gaps
  std::vector<Axis> axes;

  std::size_t count() const noexcept {
    std::size_t all = 1;
    for (const Axis& axis : axes) all *= axis.count;
    return all;
  }
};

Pieces pieces_of(const TensorView& x) {
  const std::size_t width = element_size(x.dtype);
  std::vector<Axis> axes;
  for (std::size_t axis = 0; axis < x.rank(); ++axis)
    if (x.shape[axis] > 1) axes.push_back({x.shape[axis], static_cast<std::size_t>(std::abs(x.strides[axis])) * width});
  std::sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) { return a.step < b.step; });
  Pieces pieces{width, {}};
  for (const Axis& axis : axes)
    if (pieces.axes.empty() && axis.step <= pieces.bytes + narrow_gap)
      pieces.bytes += (axis.count - 1) * axis.step;
    else
      pieces.axes.push_back(axis);
  return pieces;
}

void advise(const unsigned char* begin, std::size_t bytes, system::Access access) noexcept {
  const std::uintptr_t page = system::page_bytes(), first = reinterpret_cast<std::uintptr_t>(begin) / page * page;
  system::advise(reinterpret_cast<void*>(first), reinterpret_cast<std::uintptr_t>(begin) + bytes - first, access);
}

/// Asks for all pieces along the axes up to this one, so that the file system can read them together.
void ask_for(const unsigned char* begin, const Pieces& pieces, std::size_t axes) {
  if (axes == 0) return advise(begin, pieces.bytes, system::Access::soon);
  const Axis& axis = pieces.axes[axes - 1];
  for (std::size_t i = 0; i < axis.count; ++i) ask_for(begin + i * axis.step, pieces, axes - 1);
}

}  // namespace

std::shared_ptr<const void> map_file(int fd, std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) return nullptr;
  mapped_files().add(memory, bytes);
  return {memory, [bytes](void* p) {
            mapped_files().remove(p);
            munmap(p, bytes);
          }};
}

bool lies_in_mapped_file(const void* data, std::size_t bytes) noexcept {
  return mapped_files().with_file_of(data, bytes, [](auto&, std::size_t) {});
}

void look_at_mapped(const TensorView& x) {
  const ByteSpan span = span_of(x);
  if (span.bytes == 0) return;
  const bool is_mapped = mapped_files().with_file_of(span.begin, span.bytes, [&](auto& file, std::size_t offset) {
    memory_account().add_mapped(file.looked_at.add(offset, offset + span.bytes));
  });
  if (is_mapped) memory_account().require(0, x.name);
}

void release_mapped(const void* data, std::size_t bytes) noexcept {
  if (bytes == 0) return;
  const bool is_mapped = mapped_files().with_file_of(data, bytes, [&](auto& file, std::size_t offset) {
    memory_account().remove_mapped(file.looked_at.remove(offset, offset + bytes));
  });
  if (is_mapped) give_back(static_cast<const char*>(data), bytes);
}

void copied_from_mapped(const void* data, std::size_t bytes) noexcept {
  mapped_files().with_file_of(data, 1, [&](auto& file, std::size_t offset) {
    file.copied += bytes;
    if (file.copied < most_copied) return;
    file.copied = 0;
    give_back_others(file.looked_at, static_cast<const char*>(data) - offset, 0, file.bytes);
  });
}

void give_back_copied(const void* data, std::size_t bytes) noexcept {
  mapped_files().with_file_of(data, bytes, [&](auto& file, std::size_t offset) {
    give_back_others(file.looked_at, static_cast<const char*>(data) - offset, offset, offset + bytes);
  });
}

ByteSpan span_of(const TensorView& x) noexcept {
  std::ptrdiff_t first = 0, last = 0;  // of the elements, from x.data
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    if (x.shape[axis] == 0) return {};
    const std::ptrdiff_t reach = static_cast<std::ptrdiff_t>(x.shape[axis] - 1) * x.strides[axis];
    (reach < 0 ? first : last) += reach;
  }
  const auto width = static_cast<std::ptrdiff_t>(element_size(x.dtype));
  return {static_cast<const unsigned char*>(x.data) + first * width,
          static_cast<std::size_t>((last - first + 1) * width)};
}

bool is_scattered(const TensorView& x) {
  const ByteSpan span = span_of(x);
  if (span.bytes == 0) return false;
  const Pieces pieces = pieces_of(x);
  return pieces.count() > 1 && 2 * pieces.count() * (pieces.bytes + system::page_bytes()) <= span.bytes;
}

void read_scattered(const TensorView& x, const std::function<void()>& copy) {
  const ByteSpan span = span_of(x);
  const Pieces pieces = pieces_of(x);
  advise(span.begin, span.bytes, system::Access::random);
  ask_for(span.begin, pieces, pieces.axes.size());
  copy();
  advise(span.begin, span.bytes, system::Access::sequential);
  release_mapped(span.begin, span.bytes);
}

}  // namespace attn::io
