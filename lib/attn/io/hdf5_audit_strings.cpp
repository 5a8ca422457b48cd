// The audit's reading of strings of varying length, and of the heaps that hold them.

#include <attn/core/text_memory.hpp>
#include <attn/io/hdf5_audit_parts.hpp>
#include <attn/io/mapped_files.hpp>

#include <algorithm>

namespace attn::io::hdf5 {

void StringSizes::add(const StringSizes& others) noexcept {
  memory += others.memory;
  longest = std::max(longest, others.longest);
  fill = std::max(fill, others.fill);
}

std::uint64_t StringSizes::memory_of(std::uint64_t count) const noexcept {
  const std::uint64_t most = std::max(memory_of_text(longest), memory_of_text(fill));
  // Of elements that were never stored there may be any number.
  const auto times = [count](std::uint64_t each) {
    return each > 0 && count > ~std::uint64_t{0} / each ? ~std::uint64_t{0} : each * count;
  };
  const std::uint64_t filled = times(memory_of_text(fill));
  return std::min(times(most), filled + std::min(memory, ~std::uint64_t{0} - filled));
}

/// What was looked at is not needed until the strings are read, if ever.
StringSizes Audit::check_strings(Cursor references, std::uint64_t count) {
  StringSizes sizes;
  constexpr std::uint64_t at_once = 1024;
  for (std::uint64_t first = 0; first < count; first += at_once) {
    const std::uint64_t some = std::min(at_once, count - first), before = references.left();
    for (std::uint64_t i = 0; i < some; ++i) {
      const std::uint64_t length = check_string(references).size();
      sizes.memory += memory_of_text(length);
      sizes.longest = std::max(sizes.longest, length);
    }
    copied_from_mapped(image_.data, before - references.left());
  }
  return sizes;
}

std::string_view Audit::check_string(Cursor& references) {
  Cursor ahead = references;
  ahead.skip(4);
  if (const std::uint64_t heap = ahead.number(offset_width_); heap != 0) add_heap(heap);
  return heaps_.referred(references);
}

void Audit::add_heap(std::uint64_t heap) {
  if (add_tree_node(heap)) add_structure(heap, heap + heaps_.size_of(heap));
}

}  // namespace attn::io::hdf5
