#include <attn/io/bytes/mapped_files.hpp>
#include <attn/io/hdf5/string_heaps.hpp>

#include <algorithm>

namespace attn::io::hdf5 {
namespace {

constexpr unsigned place_bits = 48;  // no file that is mapped is larger
constexpr std::uint64_t place_mask = (std::uint64_t{1} << place_bits) - 1;

}  // namespace

std::string_view StringHeaps::referred(Cursor& references) {
  const std::uint64_t length = references.number(4), heap = references.number(file_.offset_width);
  const unsigned number = references.small(4);
  if (heap == 0) {
    require(length == 0, "a string has a length and no place");
    return {};
  }
  const std::string_view whole = object(heap, number);
  require(length == whole.size(), "a string has another length in its heap");
  return whole;
}

std::string_view StringHeaps::text(Cursor& references) {
  const std::string_view whole = referred(references);
  return whole.substr(0, whole.find('\0'));
}

std::string_view StringHeaps::object(std::uint64_t heap, unsigned number) {
  const Objects& objects = objects_of(heap);
  const auto found = std::lower_bound(objects.begin(), objects.end(), std::uint64_t{number} << place_bits);
  require(found != objects.end() && *found >> place_bits == number, "a string is not in its heap");
  const std::uint64_t place = *found & place_mask;
  Cursor prefix = file_.at(place, prefix_bytes());
  prefix.skip(8);
  return file_.at(place + prefix_bytes(), prefix.number(file_.length_width)).text();
}

std::uint64_t StringHeaps::size_of(std::uint64_t heap) const {
  Cursor head = file_.at(heap, prefix_bytes());
  require(head.take(4).text() == "GCOL" && head.small(1) == 1, "an address leads to no heap of strings");
  head.skip(3);
  const std::uint64_t size = head.number(file_.length_width);
  require(size >= prefix_bytes(), "a heap of strings is too small");
  file_.at(heap, size);
  return size;
}

const StringHeaps::Objects& StringHeaps::objects_of(std::uint64_t heap) {
  if (const auto known = known_.find(heap); known != known_.end()) return known->second;
  // Strings are mostly in the order of their references, so that few heaps are needed at a time.
  constexpr std::size_t most_known = std::size_t{1} << 20, around = sizeof(std::pair<std::uint64_t, Objects>) + 64;
  if (known_bytes_ > most_known) {
    known_.clear();
    known_bytes_ = 0;
  }
  const std::uint64_t size = size_of(heap), end = heap + size, prefix = prefix_bytes();
  constexpr std::size_t most_numbers = 1 << 16;
  Cursor body = file_.at(heap, size).behind(prefix);
  Objects objects;
  while (body.left() >= prefix) {
    const std::uint64_t place = end - body.left();
    const unsigned number = body.small(2);
    body.skip(6);
    const std::uint64_t bytes = body.number(file_.length_width);
    body.skip(std::min<std::uint64_t>(body.left(), prefix - 8 - file_.length_width));
    if (number == 0) {
      // Free space counts its own prefix and ends the heap.
      require(bytes == body.left() + prefix, "a heap of strings has a wrong end");
      break;
    }
    require(bytes <= body.left(), "a string is longer than its heap");
    require(place <= place_mask, "a heap of strings lies too far behind");
    require(objects.size() < most_numbers, "a heap of strings has two with one number");
    objects.push_back(std::uint64_t{number} << place_bits | place);
    body.skip(std::min<std::uint64_t>(body.left(), (bytes + 7) / 8 * 8));
  }
  std::sort(objects.begin(), objects.end());
  const auto have_one_number = [](std::uint64_t a, std::uint64_t b) { return a >> place_bits == b >> place_bits; };
  require(std::adjacent_find(objects.begin(), objects.end(), have_one_number) == objects.end(),
          "a heap of strings has two with one number");
  objects.shrink_to_fit();
  known_bytes_ += around + objects.size() * sizeof objects.front();
  copied_from_mapped(file_.image.data, size);
  return known_.emplace(heap, std::move(objects)).first->second;
}

}  // namespace attn::io::hdf5
