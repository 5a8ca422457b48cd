// One flipped bit in a reference to a string, or in front of a string in its heap: the same text, or an error.
#include <doctest/doctest.h>

#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/input.hpp>
#include <attn/io/output.hpp>

#include "support/scratch.hpp"

#include <cstring>
#include <map>
#include <set>

using namespace attn;

namespace {

using Texts = std::map<std::string, std::vector<std::string>>;

std::vector<std::string> texts_of(const TensorView& x) {
  const TensorView whole = contiguous(x);
  const auto* first = whole.contiguous_data<std::string>();
  return {first, first + whole.size()};
}

void add_attributes(const Source& source, const std::string& name, Texts& texts) {
  for (const auto& [attribute, value] : source.attributes(name))
    if (value.dtype == DType::string) texts[name + "@" + attribute] = texts_of(value);
}

/// Of all datasets and attributes; none where the file, or a part of it, is refused as damaged.
Texts read_texts(const std::string& path) {
  Texts texts;
  try {
    const auto source = io::open_source(path);
    add_attributes(*source, "", texts);
    for (const std::string& group : source->groups()) add_attributes(*source, group, texts);
    for (const TensorInfo& info : source->tensors()) {
      texts[info.name] = texts_of(source->read(info.name));
      add_attributes(*source, info.name, texts);
    }
    if (!source->unreadable().empty()) return {};
  } catch (const Error& error) {
    CHECK((error.kind() == ErrorKind::data || error.kind() == ErrorKind::input));
    return {};
  }
  return texts;
}

/// Where each string in the heaps of the file begins, with its number and length, and each reference to one.
std::set<std::size_t> places_of_strings(const std::string& bytes) {
  constexpr std::size_t prefix = 16;
  std::set<std::size_t> places;
  for (std::size_t heap = bytes.find("GCOL"); heap != std::string::npos; heap = bytes.find("GCOL", heap + 1)) {
    std::uint64_t size = 0, length = 0;
    std::memcpy(&size, &bytes[heap + 8], 8);
    for (std::size_t at = heap + prefix; at + prefix <= heap + size; at += prefix + (length + 7) / 8 * 8) {
      std::uint16_t number = 0;
      std::memcpy(&number, &bytes[at], 2);
      std::memcpy(&length, &bytes[at + 8], 8);
      places.insert(at);
      if (number == 0) break;
      std::string reference(prefix, '\0');
      const std::uint64_t address = heap;
      std::memcpy(&reference[0], &length, 4);
      std::memcpy(&reference[4], &address, 8);
      std::memcpy(&reference[12], &number, 2);
      const std::size_t found = bytes.find(reference);
      CHECK(found != std::string::npos);
      places.insert(found);
    }
  }
  return places;
}

void flip_each_bit(const std::string& bytes) {
  const Scratch scratch;
  const std::string path = scratch.write("whole.h5", bytes);
  const Texts expected = read_texts(path);
  REQUIRE(!expected.empty());
  constexpr std::size_t reference_bits = 128;
  std::size_t refused = 0;
  for (const std::size_t place : places_of_strings(bytes)) {
    for (std::size_t bit = 0; bit < reference_bits; ++bit) {
      std::string damaged = bytes;
      damaged[place + bit / 8] = static_cast<char>(damaged[place + bit / 8] ^ (1 << bit % 8));
      const Texts texts = read_texts(scratch.write("damaged.h5", damaged));
      CAPTURE(place);
      CAPTURE(bit);
      CHECK((texts.empty() || texts == expected));
      refused += texts.empty();
    }
  }
  CHECK(refused > 1000);
}

}  // namespace

TEST_CASE("a damaged reference to a string gives its text or an error") {
  const Scratch scratch;
  const auto sink = io::create_sink(scratch.path("ours.h5"));
  const Attributes attributes = {{"words", vector_of(std::vector<std::string>{"fortytwo", "", "no"})}};
  sink->add("g/x", vector_of(std::vector<std::string>{"a", "", "three", "seventeen letters"}), attributes);
  sink->set_attributes("g", {{"unit", vector_of(std::vector<std::string>{"metres"})}});
  sink->set_attributes("", {{"title", vector_of(std::vector<std::string>{"the whole"})}});
  sink->commit();
  flip_each_bit(scratch.read("ours.h5"));
  // Of h5py, with strings in chunks, in a header and in a fill value beside these.
  std::ifstream fixture(ATTN_FIXTURES "/hdf5/strings.h5", std::ios::binary);
  flip_each_bit({std::istreambuf_iterator<char>(fixture), {}});
}
