// The audit's reading of strings of varying length, and of the heaps that hold them.

#include <attn/core/text_memory.hpp>
#include <attn/io/hdf5_audit_parts.hpp>
#include <attn/io/mapped_files.hpp>

#include <malloc.h>

#include <algorithm>

namespace attn::io::hdf5 {
namespace {

constexpr unsigned place_bits = 48;  // no file that is mapped is larger
constexpr std::uint64_t place_mask = (std::uint64_t{1} << place_bits) - 1;

}  // namespace

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
      sizes.add({memory_of_text(length), length, 0});
    }
    copied_from_mapped(image_.data, before - references.left());
  }
  return sizes;
}

/// The library looks for empty strings too, and copies all that the heap has of one, whatever its length is said to be.
std::string_view Audit::check_string(Cursor& references) {
  const std::uint64_t length = references.number(4), collection = references.number(offset_width_);
  const unsigned index = references.small(4);
  if (collection == 0) {
    require(length == 0, "a string has a length and no place");
    return {};
  }
  const std::optional<std::string_view> object = heap_object(collection, index);
  require(object.has_value(), "a string is not in its heap");
  require(length == object->size(), "a string has another length in its heap");
  return *object;
}

/// The lists of very many heaps leave the process, as they do the account: what comes next lies elsewhere.
Audit::~Audit() {
  constexpr std::size_t many = 256;
  if (collections_.size() < many) return;
  collections_.clear();
  malloc_trim(0);
}

std::optional<std::string_view> Audit::heap_object(std::uint64_t collection, unsigned index) {
  const HeapCollection& objects = heap_collection(collection);
  const auto object = std::lower_bound(objects.begin(), objects.end(), std::uint64_t{index} << place_bits);
  if (object == objects.end() || *object >> place_bits != index) return std::nullopt;
  const std::uint64_t place = *object & place_mask, prefix_bytes = 8 + length_width_;
  Cursor prefix = bytes_at(place, prefix_bytes);
  prefix.skip(8);
  return bytes_at(place + prefix_bytes, prefix.number(length_width_)).text();
}

const Audit::HeapCollection& Audit::heap_collection(std::uint64_t address) {
  const auto [known, is_new] = collections_.try_emplace(address);
  if (!is_new) return known->second;
  const std::uint64_t prefix_bytes = 8 + length_width_;
  Cursor head = structure_at(address, prefix_bytes);
  require(head.take(4).text() == "GCOL" && head.small(1) == 1, "an address leads to no heap of strings");
  head.skip(3);
  const std::uint64_t size = head.number(length_width_);
  require(size >= prefix_bytes, "a heap of strings is too small");
  Cursor body = structure_at(address + prefix_bytes, size - prefix_bytes);
  const std::uint64_t object_prefix = 8 + length_width_, end = address + size;
  HeapCollection objects;
  while (body.left() >= object_prefix) {
    const std::uint64_t place = end - body.left();
    const unsigned index = body.small(2);
    body.skip(6);
    const std::uint64_t bytes = body.number(length_width_);
    if (index == 0) {
      // Free space counts its own prefix and ends the heap.
      require(bytes == body.left() + object_prefix, "a heap of strings has a wrong end");
      break;
    }
    require(bytes <= body.left(), "a string is longer than its heap");
    require(place <= place_mask, "a heap of strings lies too far behind");
    objects.push_back(std::uint64_t{index} << place_bits | place);
    body.skip(std::min<std::uint64_t>(body.left(), padded(bytes)));
  }
  std::sort(objects.begin(), objects.end());
  const auto have_one_number = [](std::uint64_t a, std::uint64_t b) { return a >> place_bits == b >> place_bits; };
  require(std::adjacent_find(objects.begin(), objects.end(), have_one_number) == objects.end(),
          "a heap of strings has two with one number");
  objects.shrink_to_fit();
  constexpr std::uint64_t around = sizeof *known + 64;
  memory_.grow(around + objects.size() * sizeof objects.front());
  known->second = std::move(objects);
  copied_from_mapped(image_.data, size);
  return known->second;
}

}  // namespace attn::io::hdf5
