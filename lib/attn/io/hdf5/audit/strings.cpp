// The audit's reading of strings of varying length, and of the heaps that hold them.

#include <attn/io/bytes/mapped_files.hpp>
#include <attn/io/hdf5/audit/parts.hpp>

#include <algorithm>

namespace attn::io::hdf5 {

/// The pages are not needed until the strings are read, if ever.
void Audit::check_strings(Cursor references, std::uint64_t count) {
  constexpr std::uint64_t at_once = 1024;
  for (std::uint64_t first = 0; first < count; first += at_once) {
    const std::uint64_t some = std::min(at_once, count - first), before = references.left();
    for (std::uint64_t i = 0; i < some; ++i) check_string(references);
    copied_from_mapped(file_.image.data, before - references.left());
  }
}

std::string_view Audit::check_string(Cursor& references) {
  Cursor ahead = references;
  ahead.skip(4);
  if (const std::uint64_t heap = ahead.number(file_.offset_width); heap != 0) add_heap(heap);
  return heaps_.referred(references);
}

void Audit::add_heap(std::uint64_t heap) {
  if (add_tree_node(heap)) add_structure(heap, heap + heaps_.size_of(heap));
}

}  // namespace attn::io::hdf5
