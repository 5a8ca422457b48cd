// Source of the layout: PKWARE, APPNOTE.TXT 6.3.10, sections 4.3 and 4.5.3 (zip64).

#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/tensor.hpp>
#include <attn/io/bytes/zip.hpp>

#include <zlib.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace attn::io {
namespace {

constexpr std::string_view directory_signature{"PK\x01\x02", 4}, end64_signature{"PK\x06\x06", 4},
    locator_signature{"PK\x06\x07", 4};
constexpr std::size_t end_size = 22, locator_size = 20, end64_size = 56, directory_size = 46, header_size = 30;
constexpr std::uint32_t in_extra = 0xffffffff;  // the number is 64 bits wide and in the extra field

/// A little-endian number of `width` bytes.
std::uint64_t number(std::string_view bytes, std::size_t offset, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = width; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[offset + i]);
  return value;
}

struct Inflation {
  z_stream stream{};
  ~Inflation() { inflateEnd(&stream); }
};

}  // namespace

std::uint32_t crc32_of(const void* data, std::size_t bytes, std::uint32_t before) noexcept {
  return static_cast<std::uint32_t>(crc32_z(before, static_cast<const Bytef*>(data), bytes));
}

void ZipArchive::damaged(const std::string& what) const {
  throw Error(ErrorKind::data, label_, "is a damaged ZIP archive: " + what, "copy or make it again");
}

std::string_view ZipArchive::at(std::uint64_t offset, std::uint64_t size, const char* what) const {
  if (offset > bytes_.size || size > bytes_.size - offset) damaged(std::string(what) + " lies outside of the file");
  return bytes_.text().substr(offset, size);
}

ZipArchive::ZipArchive(Bytes bytes, std::string label) : bytes_(std::move(bytes)), label_(std::move(label)) {
  constexpr std::size_t longest_comment = 0xffff;
  const std::string_view all = bytes_.text();
  const std::size_t from = all.size() - std::min(all.size(), end_size + longest_comment);
  const std::size_t found = all.substr(from).rfind(empty_zip_signature);
  if (found == std::string_view::npos || all.size() - from - found < end_size)
    throw Error(ErrorKind::input, label_, "is truncated: a ZIP archive has its directory at its end",
                "copy or make it again");
  const std::size_t end = from + found;
  std::uint64_t count = number(all, end + 10, 2), size = number(all, end + 12, 4), offset = number(all, end + 16, 4);
  if (end >= locator_size && all.substr(end - locator_size, 4) == locator_signature) {
    const std::string_view end64 = at(number(all, end - locator_size + 8, 8), end64_size, "its zip64 end record");
    if (end64.substr(0, 4) != end64_signature) damaged("its zip64 end record is missing");
    count = number(end64, 32, 8);
    size = number(end64, 40, 8);
    offset = number(end64, 48, 8);
  }
  std::string_view directory = at(offset, size, "its directory");
  if (count > size / directory_size) damaged("its directory is too short for " + std::to_string(count) + " entries");
  for (std::uint64_t i = 0; i < count; ++i) {
    if (directory.size() < directory_size || directory.substr(0, 4) != directory_signature)
      damaged("entry " + std::to_string(i) + " of its directory is none");
    const std::size_t name = number(directory, 28, 2), extra = number(directory, 30, 2),
                      comment = number(directory, 32, 2);
    if (directory.size() - directory_size < name + extra + comment)
      damaged("entry " + std::to_string(i) + " of its directory is cut");
    ZipEntry& entry = entries_.emplace_back();
    entry.name = directory.substr(directory_size, name);
    entry.is_encrypted = (number(directory, 8, 2) & 1) != 0;
    entry.method = static_cast<unsigned>(number(directory, 10, 2));
    entry.crc = static_cast<std::uint32_t>(number(directory, 16, 4));
    entry.stored_size = number(directory, 20, 4);
    entry.size = number(directory, 24, 4);
    entry.header = number(directory, 42, 4);
    std::string_view extras = directory.substr(directory_size + name, extra);
    while (extras.size() >= 4) {
      const std::size_t length = std::min<std::size_t>(number(extras, 2, 2), extras.size() - 4);
      std::string_view field = extras.substr(4, length);
      if (number(extras, 0, 2) == 1)
        for (std::uint64_t* value : {&entry.size, &entry.stored_size, &entry.header})
          if (*value == in_extra && field.size() >= 8) {
            *value = number(field, 0, 8);
            field.remove_prefix(8);
          }
      extras.remove_prefix(4 + length);
    }
    directory.remove_prefix(directory_size + name + extra + comment);
  }
}

std::string ZipArchive::obstacle(const ZipEntry& entry) {
  if (entry.is_encrypted) return "is encrypted";
  if (entry.method == 0 || entry.method == 8) return {};
  return "is compressed by method " + std::to_string(entry.method) + ", expected deflate or none";
}

/// Its bytes in the archive.
Bytes ZipArchive::stored(const ZipEntry& entry) const {
  const std::string_view header = at(entry.header, header_size, "the header of an entry");
  if (header.substr(0, 4) != zip_signature) damaged("the header of '" + entry.name + "' is missing");
  const std::uint64_t begin = entry.header + header_size + number(header, 26, 2) + number(header, 28, 2);
  at(begin, entry.stored_size, "an entry");
  return bytes_.part(begin, entry.stored_size);
}

Bytes ZipArchive::expanded(const ZipEntry& entry, std::size_t count) const {
  constexpr std::uint64_t most_of_a_byte = 1032;  // what deflate makes of one
  const Bytes from = stored(entry);
  if (entry.size / most_of_a_byte > from.size) damaged("'" + entry.name + "' has a false size");
  memory_account().require(count, label_);
  const auto to = std::make_shared<Tensor>(DType::u8, Shape{count});
  Inflation inflation;
  z_stream& s = inflation.stream;
  constexpr int without_header = -MAX_WBITS;
  if (inflateInit2(&s, without_header) != Z_OK)
    throw Error(ErrorKind::memory, label_, "cannot allocate a decompressor");
  constexpr std::size_t at_once = std::size_t{1} << 30;  // zlib counts in 32 bits
  std::size_t read = 0, made = 0;
  int status = Z_OK;
  while (made < count && status == Z_OK) {
    const std::size_t in = std::min(at_once, from.size - read), out = std::min(at_once, count - made);
    s.next_in = const_cast<Bytef*>(from.data + read);  // zlib only reads it
    s.avail_in = static_cast<uInt>(in);
    s.next_out = to->data_as<std::uint8_t>() + made;
    s.avail_out = static_cast<uInt>(out);
    status = inflate(&s, Z_NO_FLUSH);
    read += in - s.avail_in;
    made += out - s.avail_out;
  }
  if (made < count) damaged("'" + entry.name + "' cannot be expanded");
  return {to->data_as<std::uint8_t>(), count, to};
}

Bytes ZipArchive::beginning(const ZipEntry& entry, std::size_t count) const {
  count = static_cast<std::size_t>(std::min<std::uint64_t>(count, entry.size));
  if (entry.method != 0) return expanded(entry, count);
  const Bytes all = stored(entry);
  return all.part(0, std::min(count, all.size));
}

Bytes ZipArchive::content(const ZipEntry& entry) const {
  const Bytes all = entry.method == 0 ? stored(entry) : expanded(entry, entry.size);
  if (all.size != entry.size || crc32_of(all.data, all.size) != entry.crc)
    damaged("'" + entry.name + "' does not have its checksum");
  return all;
}

}  // namespace attn::io
