#include <attn/core/memory.hpp>
#include <attn/core/tensor.hpp>
#include <attn/io/bytes/mapped_files.hpp>
#include <attn/io/formats/stored_elements.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace attn::io {
namespace {

/// A row of elements, apart by steps in bytes.
template <std::size_t width>
void copy_row(const unsigned char* from, std::ptrdiff_t from_step, unsigned char* to, std::ptrdiff_t to_step,
              std::size_t count) {
  for (std::size_t i = 0; i < count; ++i, from += from_step, to += to_step) std::memcpy(to, from, width);
}

/// An axis of elements that are copied: how many there are, and how far apart, in bytes.
struct CopiedAxis {
  std::size_t count;
  std::ptrdiff_t from_step, to_step;
};

/// The axes from `axis` on; the innermost is a tight loop for each element width.
void copy_axes(const std::vector<CopiedAxis>& axes, std::size_t axis, std::size_t width, const unsigned char* from,
               unsigned char* to) {
  const auto& [count, from_step, to_step] = axes[axis];
  if (axis + 1 < axes.size()) {
    for (std::size_t i = 0; i < count; ++i, from += from_step, to += to_step)
      copy_axes(axes, axis + 1, width, from, to);
    return;
  }
  if (from_step == to_step && to_step == static_cast<std::ptrdiff_t>(width)) {
    std::memcpy(to, from, count * width);
    return;
  }
  switch (width) {
    case 1: return copy_row<1>(from, from_step, to, to_step, count);
    case 2: return copy_row<2>(from, from_step, to, to_step, count);
    case 4: return copy_row<4>(from, from_step, to, to_step, count);
    default: return copy_row<8>(from, from_step, to, to_step, count);
  }
}

/// Copies x to elements that are `steps` apart, band by band along the axis with the longest steps in x, so that copied
/// parts of a mapped file need not all be in memory along with the copy.
void gather(const TensorView& x, bool is_mapped, const Strides& steps, unsigned char* to) {
  constexpr std::size_t most = std::size_t{4} << 20;
  const ByteSpan span = span_of(x);
  if (span.bytes == 0) return;
  const auto width = static_cast<std::ptrdiff_t>(element_size(x.dtype));
  std::size_t longest = x.rank();
  for (std::size_t axis = 0; axis < x.rank(); ++axis)
    if (x.shape[axis] > 1 && (longest == x.rank() || std::abs(x.strides[axis]) > std::abs(x.strides[longest])))
      longest = axis;
  if (is_mapped && span.bytes > most && longest < x.rank()) {
    const std::size_t count = x.shape[longest];
    const std::size_t at_once = std::max<std::size_t>(most / (span.bytes / count + 1), 1);
    TensorView band = x;
    for (std::size_t first = 0; first < count; first += at_once) {
      const auto offset = static_cast<std::ptrdiff_t>(first) * width;
      band.data = static_cast<const unsigned char*>(x.data) + offset * x.strides[longest];
      band.shape[longest] = std::min(at_once, count - first);
      gather(band, is_mapped, steps, to + offset * steps[longest]);
    }
    return;
  }
  std::vector<CopiedAxis> axes{{1, 0, 0}};
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    const CopiedAxis next{x.shape[axis], x.strides[axis] * width, steps[axis] * width};
    const auto extent = static_cast<std::ptrdiff_t>(next.count);
    CopiedAxis& last = axes.back();
    if (last.count == 1)
      last = next;
    else if (last.from_step == extent * next.from_step && last.to_step == extent * next.to_step)
      last = {last.count * next.count, next.from_step, next.to_step};
    else
      axes.push_back(next);
  }
  copy_axes(axes, 0, element_size(x.dtype), static_cast<const unsigned char*>(x.data), to);
  if (is_mapped) give_back_copied(span.begin, span.bytes);
}

bool is_aligned(const void* data, std::size_t width) noexcept {
  return reinterpret_cast<std::uintptr_t>(data) % width == 0;
}

Tensor gathered(const TensorView& x, bool is_mapped) {
  memory_account().require(x.bytes(), x.name);
  Tensor copy(x.dtype, x.shape);
  const auto copy_all = [&] {
    gather(x, is_mapped, row_major_strides(x.shape), static_cast<unsigned char*>(copy.data()));
  };
  if (is_mapped && is_scattered(x))
    read_scattered(x, copy_all);
  else
    copy_all();
  return copy;
}

template <class T>
void swap_each(T* data, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (sizeof(T) == 2) data[i] = __builtin_bswap16(data[i]);
    if constexpr (sizeof(T) == 4) data[i] = __builtin_bswap32(data[i]);
    if constexpr (sizeof(T) == 8) data[i] = __builtin_bswap64(data[i]);
  }
}

}  // namespace

std::size_t stored_bytes(const Shape& shape, std::size_t element_bytes, const std::string& label) {
  constexpr std::size_t limit = std::size_t{1} << 62;
  std::size_t bytes = std::max<std::size_t>(element_bytes, 1);
  bool is_empty = element_bytes == 0;
  for (const std::size_t extent : shape) {
    is_empty = is_empty || extent == 0;
    if (extent > limit / bytes)
      throw Error(ErrorKind::data, label, "claims shape " + to_string(shape) + ", more than a file can hold");
    bytes *= std::max<std::size_t>(extent, 1);
  }
  return is_empty ? 0 : bytes;
}

void swap_elements(void* data, std::size_t count, std::size_t element_bytes) noexcept {
  if (element_bytes == 2) swap_each(static_cast<std::uint16_t*>(data), count);
  if (element_bytes == 4) swap_each(static_cast<std::uint32_t*>(data), count);
  if (element_bytes == 8) swap_each(static_cast<std::uint64_t*>(data), count);
}

bool are_booleans(const std::uint8_t* data, std::size_t count) noexcept {
  std::uint8_t seen = 0;
  for (std::size_t i = 0; i < count; ++i) seen |= data[i];
  return seen <= 1;
}

void normalise_booleans(std::uint8_t* data, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) data[i] = data[i] != 0;
}

TensorView view_stored(const Bytes& bytes, const StoredTensor& stored, const Slab& part, const std::string& name) {
  TensorView whole{bytes.data,   stored.dtype,
                   stored.shape, stored.strides.empty() ? row_major_strides(stored.shape) : stored.strides,
                   bytes.owner,  name};
  const std::size_t width = element_size(stored.dtype);
  const std::size_t count = whole.size();
  if (count > bytes.size / width)
    throw Error(ErrorKind::input, name,
                "is truncated: " + std::to_string(bytes.size) + " bytes for shape " + to_string(stored.shape) + " of " +
                    std::string(name_of(stored.dtype)));
  TensorView wanted = slice(whole, part);
  if (bytes.arrival != nullptr) {
    const ByteSpan span = span_of(wanted);
    bytes.await(span.begin, span.bytes);
    wanted.owner = bytes.hold(span.begin, span.bytes);
  }
  const bool boolean = stored.dtype == DType::boolean;
  const bool in_place = (!stored.swap_bytes || width == 1) && is_aligned(bytes.data, width);
  // Booleans are checked as a whole; a part is copied.
  const bool stays = in_place && (!boolean || (wanted.size() == count && are_booleans(bytes.data, count)));
  if (stays && !(bytes.is_mapped && is_scattered(wanted))) {
    look_at_mapped(wanted);
    return wanted;
  }
  Tensor copy = gathered(wanted, bytes.is_mapped);
  if (stored.swap_bytes) swap_elements(copy.data(), copy.size(), width);
  if (boolean) normalise_booleans(static_cast<std::uint8_t*>(copy.data()), copy.size());
  return copy.view(name);
}

void append_utf8(std::string& text, std::uint32_t code) {
  const auto tail = [](std::uint32_t bits) { return static_cast<char>(0x80 | (bits & 0x3f)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += {static_cast<char>(0xc0 | code >> 6), tail(code)};
  } else if (code < 0x10000) {
    text += {static_cast<char>(0xe0 | code >> 12), tail(code >> 6), tail(code)};
  } else {
    text += {static_cast<char>(0xf0 | (code >> 18 & 7)), tail(code >> 12), tail(code >> 6), tail(code)};
  }
}

void for_each_run(const TensorView& x, const std::function<void(const void* data, std::size_t bytes)>& consume) {
  constexpr std::size_t most_bytes = std::size_t{60} << 10;  // too little for memory_account() to count
  const std::size_t size = x.size(), at_once = x.is_contiguous() ? size : most_bytes / element_size(x.dtype);
  for (std::size_t first = 0; first < size; first += at_once) {
    const TensorView piece = elements(x, first, std::min(at_once, size - first));
    consume(piece.data, piece.bytes());
  }
}

}  // namespace attn::io
