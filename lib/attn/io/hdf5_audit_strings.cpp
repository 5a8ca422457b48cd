// The audit's reading of strings of varying length, and of the heaps that hold them.

#include <attn/io/hdf5_audit_parts.hpp>

namespace attn::io::hdf5 {

void Audit::check_strings(Cursor references, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) check_string(references);
}

std::string_view Audit::check_string(Cursor& references) {
  const std::uint64_t length = references.number(4), collection = references.number(offset_width_);
  const unsigned index = references.small(4);
  if (length == 0 || collection == 0) return {};
  const auto& objects = heap_collection(collection);
  const auto object = objects.find(index);
  require(object != objects.end() && length <= object->second.size(), "a string is not in its heap");
  return object->second.substr(0, length);
}

const std::map<unsigned, std::string_view>& Audit::heap_collection(std::uint64_t address) {
  const auto [known, is_new] = collections_.try_emplace(address);
  if (!is_new) return known->second;
  const std::uint64_t prefix_bytes = 8 + length_width_;
  Cursor head = structure_at(address, prefix_bytes);
  require(head.take(4).text() == "GCOL" && head.small(1) == 1, "an address leads to no heap of strings");
  head.skip(3);
  const std::uint64_t size = head.number(length_width_);
  require(size >= prefix_bytes, "a heap of strings is too small");
  Cursor body = structure_at(address + prefix_bytes, size - prefix_bytes);
  const std::uint64_t object_prefix = 8 + length_width_;
  while (body.left() >= object_prefix) {
    const unsigned index = body.small(2);
    body.skip(6);
    const std::uint64_t bytes = body.number(length_width_);
    if (index == 0) {
      // Free space counts its own prefix and ends the heap.
      require(bytes == body.left() + object_prefix, "a heap of strings has a wrong end");
      break;
    }
    require(bytes <= body.left(), "a string is longer than its heap");
    require(known->second.emplace(index, body.text().substr(0, bytes)).second,
            "a heap of strings has two with one number");
    body.skip(std::min<std::uint64_t>(body.left(), (bytes + 7) / 8 * 8));
  }
  return known->second;
}

}  // namespace attn::io::hdf5
