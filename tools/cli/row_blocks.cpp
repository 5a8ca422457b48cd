#include "cli/row_blocks.hpp"

#include <attn/core/memory.hpp>

#include <numeric>
#include <utility>

namespace cli {

attn::Slab rows_within(attn::Slab slab, const attn::Shape& shape, std::size_t axis, std::size_t first, std::size_t last,
                       const std::string& tensor) {
  const attn::ResolvedSlab whole = attn::resolve(slab, shape, tensor);
  std::size_t stored = 0;
  for (std::size_t kept = 0; whole.is_dropped[stored] || kept++ < axis;) ++stored;
  slab.resize(std::max(slab.size(), stored + 1));
  const std::size_t count = whole.count[stored];
  const auto at = [&](std::size_t row) {
    return static_cast<std::int64_t>(whole.start[stored] + row * whole.step[stored]);
  };
  attn::AxisSlab& part = slab[stored];
  if (first == last) {
    part = {0, 0, 1, false};
  } else if (!whole.backwards[stored]) {
    part.start = at(first);
    part.stop = at(last - 1) + 1;
  } else {
    part.start = at(count - 1 - first);
    part.stop.reset();
    if (const std::int64_t end = at(count - last); end > 0) part.stop = end - 1;
  }
  return slab;
}

RowBlocks::RowBlocks(attn::Shape tensor, std::size_t elements, std::size_t whole_axes) : shape(std::move(tensor)) {
  if (shape.empty()) shape = {1};
  elements_of_row = attn::element_count(shape) / std::max<std::size_t>(shape[0], 1);
  for (; elements_of_row > elements && axis + 1 + whole_axes < shape.size();
       elements_of_row /= std::max<std::size_t>(shape[++axis], 1))
    before *= shape[axis];
  rows = shape[axis];
  rows_at_once = elements_of_row == 0 ? rows : std::min(rows, std::max(elements / elements_of_row, std::size_t{1}));
}

bool RowBlocks::align(const attn::Source& source, const std::string& tensor, const attn::Slab& part) {
  const std::size_t each = source.rows_together(tensor);
  if (each == 0 || (each > 1 && (axis > 0 || !part.empty()))) return false;
  together = std::min(std::lcm(together, each), std::max<std::size_t>(rows, 1));
  rows_at_once = (rows_at_once + together - 1) / together * together;
  return true;
}

bool RowBlocks::has_rows_of(const attn::Shape& other) const {
  return other.size() > axis &&
         std::equal(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, other.begin());
}

std::size_t RowBlocks::usual_bytes() {
  constexpr std::uint64_t least = std::uint64_t{64} << 10, most = std::uint64_t{8} << 20;
  return static_cast<std::size_t>(std::clamp(attn::memory_account().left() / 8, least, most));
}

void RowBlocks::fit(std::size_t bytes_of_row) {
  constexpr std::size_t most_bytes = std::size_t{64} << 20;
  const std::size_t lines = shape.size() < axis + 2 ? 1 : elements_of_row / std::max<std::size_t>(shape.back(), 1);
  const std::size_t enough = 1024 / std::max<std::size_t>(lines, 1);
  const std::size_t bytes = std::max({bytes_of_row, elements_of_row * sizeof(double), std::size_t{1}});
  const std::size_t fit = std::min<std::size_t>(most_bytes, attn::memory_account().left() / 8) / bytes;
  rows_at_once = std::min(std::max({usual_bytes() / bytes, std::min(enough, fit), std::size_t{1}}), most_at_once);
  rows_at_once = (rows_at_once + together - 1) / together * together;
}

attn::Slab RowBlocks::slab_of(const Block& block, attn::Slab part, const attn::Shape& stored,
                              const std::string& tensor) const {
  part = rows_within(std::move(part), stored, axis, block.first, block.last, tensor);
  std::size_t index = block.before;
  for (std::size_t outer = axis; outer-- > 0; index /= shape[outer]) {
    const std::size_t at = index % shape[outer];
    part = rows_within(std::move(part), stored, outer, at, at + 1, tensor);
  }
  return part;
}

std::string RowBlocks::text_of(const Block& block) const {
  std::string text = std::to_string(block.first) + ":" + std::to_string(block.last) + "]";
  std::size_t index = block.before;
  for (std::size_t outer = axis; outer-- > 0; index /= shape[outer])
    text = std::to_string(index % shape[outer]) + "," + text;
  return "[" + text;
}

bool RowBlocks::halve(Block& block) {
  const std::size_t half = (block.last - block.first) / 2 / together * together;
  if (half == 0) return false;
  rows_at_once = most_at_once = half;
  block.last = block.first + half;
  return true;
}

void RowBlocks::await(std::size_t count) {
  if (!coming) return;
  const bool all = coming->source->await_rows(count);
  rows = shape.front() = coming->source->describe(coming->info.name).shape.front();
  if (all) coming.reset();
}

bool RowBlocks::next(Block& block) {
  await(block.last + rows_at_once);
  block.before += block.last == rows;
  block.first = block.last == rows ? 0 : block.last;
  block.last = std::min(block.first + rows_at_once, rows);
  return block.before < before && block.last > block.first;
}

}  // namespace cli
