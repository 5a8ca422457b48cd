#include <attn/core/memory_account.hpp>
#include <attn/io/elements.hpp>
#include <attn/io/mapped_files.hpp>
#include <attn/io/scattered.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace attn::io {
namespace {

/// Copies elements of a strided tensor in row-major order. The innermost axis is a tight loop for each element width.
template <std::size_t width>
void gather_axis(const unsigned char* from, std::ptrdiff_t step, std::size_t count, unsigned char* to) {
  for (std::size_t i = 0; i < count; ++i, from += step, to += width) std::memcpy(to, from, width);
}

/// The rows of x along its last axis, in row-major order: body(first element of the row).
template <class Body>
void for_each_row(const TensorView& x, std::size_t width, Body&& body) {
  if (x.size() == 0) return;
  const std::size_t outer_axes = x.rank() == 0 ? 0 : x.rank() - 1;
  std::vector<std::size_t> index(outer_axes, 0);
  const auto* row = static_cast<const unsigned char*>(x.data);
  for (;;) {
    body(row);
    std::size_t axis = outer_axes;
    for (; axis > 0; --axis) {
      const std::ptrdiff_t step = x.strides[axis - 1] * static_cast<std::ptrdiff_t>(width);
      row += step;
      if (++index[axis - 1] < x.shape[axis - 1]) break;
      row -= step * static_cast<std::ptrdiff_t>(x.shape[axis - 1]);
      index[axis - 1] = 0;
    }
    if (axis == 0) return;
  }
}

void gather_row(const unsigned char* row, std::ptrdiff_t step, std::size_t count, std::size_t width,
                unsigned char* to) {
  if (step == static_cast<std::ptrdiff_t>(width)) {
    std::memcpy(to, row, count * width);
    return;
  }
  switch (width) {
    case 1: return gather_axis<1>(row, step, count, to);
    case 2: return gather_axis<2>(row, step, count, to);
    case 4: return gather_axis<4>(row, step, count, to);
    default: return gather_axis<8>(row, step, count, to);
  }
}

bool is_aligned(const void* data, std::size_t width) noexcept {
  return reinterpret_cast<std::uintptr_t>(data) % width == 0;
}

Tensor gathered(const TensorView& x, bool is_mapped) {
  const std::size_t width = element_size(x.dtype);
  memory_account().require(x.bytes(), x.name);
  Tensor copy(x.dtype, x.shape);
  auto* to = static_cast<unsigned char*>(copy.data());
  const std::size_t columns = x.rank() == 0 ? 1 : x.shape.back();
  const std::ptrdiff_t step = x.rank() == 0 ? 0 : x.strides.back() * static_cast<std::ptrdiff_t>(width);
  const auto gather = [&] {
    for_each_row(x, width, [&](const unsigned char* row) {
      gather_row(row, step, columns, width, to);
      to += columns * width;
    });
  };
  if (is_mapped && is_scattered(x))
    read_scattered(x, gather);
  else
    gather();
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
                "is truncated: " + std::to_string(bytes.size) + " bytes are there for shape " +
                    to_string(stored.shape) + " of " + std::string(name_of(stored.dtype)));
  const TensorView wanted = slice(whole, part);
  const bool boolean = stored.dtype == DType::boolean;
  const bool in_place = (!stored.swap_bytes || width == 1) && is_aligned(bytes.data, width);
  // Of booleans the whole is looked through, a part is copied.
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

void for_each_run(const TensorView& x, const std::function<void(const void* data, std::size_t bytes)>& consume) {
  if (x.size() == 0) return;
  if (x.is_contiguous()) return consume(x.data, x.bytes());
  constexpr std::size_t block = std::size_t{256} << 10;
  const std::size_t width = element_size(x.dtype), columns = x.shape.back();
  const std::ptrdiff_t step = x.strides.back() * static_cast<std::ptrdiff_t>(width);
  std::vector<unsigned char> buffer(block);
  std::size_t used = 0;
  for_each_row(x, width, [&](const unsigned char* row) {
    for (std::size_t column = 0; column < columns;) {
      const std::size_t count = std::min(columns - column, (block - used) / width);
      gather_row(row + static_cast<std::ptrdiff_t>(column) * step, step, count, width, buffer.data() + used);
      used += count * width;
      column += count;
      if (block - used >= width) continue;
      consume(buffer.data(), used);
      used = 0;
    }
  });
  if (used > 0) consume(buffer.data(), used);
}

}  // namespace attn::io
