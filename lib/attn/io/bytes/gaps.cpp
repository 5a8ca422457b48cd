#include <attn/io/bytes/gaps.hpp>

#include <attn/io/bytes/mapped_files.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace attn::io {
namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t narrow_gap = page_bytes;  // leaves no page out

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

void advise(const unsigned char* begin, std::size_t bytes, int advice) noexcept {
  const auto first = reinterpret_cast<std::uintptr_t>(begin) / page_bytes * page_bytes;
  madvise(reinterpret_cast<void*>(first), reinterpret_cast<std::uintptr_t>(begin) + bytes - first, advice);
}

/// Asks for all pieces along the axes up to this one, so that the file system can read them together.
void ask_for(const unsigned char* begin, const Pieces& pieces, std::size_t axes) {
  if (axes == 0) return advise(begin, pieces.bytes, MADV_WILLNEED);
  const Axis& axis = pieces.axes[axes - 1];
  for (std::size_t i = 0; i < axis.count; ++i) ask_for(begin + i * axis.step, pieces, axes - 1);
}

}  // namespace

bool is_scattered(const TensorView& x) {
  const ByteSpan span = span_of(x);
  if (span.bytes == 0) return false;
  const Pieces pieces = pieces_of(x);
  return pieces.count() > 1 && 2 * pieces.count() * (pieces.bytes + page_bytes) <= span.bytes;
}

void read_scattered(const TensorView& x, const std::function<void()>& copy) {
  const ByteSpan span = span_of(x);
  const Pieces pieces = pieces_of(x);
  advise(span.begin, span.bytes, MADV_RANDOM);
  ask_for(span.begin, pieces, pieces.axes.size());
  copy();
  advise(span.begin, span.bytes, MADV_NORMAL);
  release_mapped(span.begin, span.bytes);
}

}  // namespace attn::io
