#pragma once
// ZIP archives, which .npz files are: the directory at their end, and the content of their entries.

#include <attn/io/byte_input.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attn::io {

constexpr std::string_view zip_signature{"PK\x03\x04", 4}, empty_zip_signature{"PK\x05\x06", 4};

struct ZipEntry {
  std::string name;
  unsigned method = 0;  ///< 0: stored, 8: deflated
  bool is_encrypted = false;
  std::uint32_t crc = 0;
  std::uint64_t stored_size = 0, size = 0;
  std::uint64_t header = 0;  ///< where its local header begins
};

class ZipArchive {
 public:
  /// Reads the directory. Throws Error(input) for an archive without its end, Error(data) for a damaged one.
  ZipArchive(Bytes bytes, std::string label);

  const std::string& label() const noexcept { return label_; }
  const std::vector<ZipEntry>& entries() const noexcept { return entries_; }

  /// Why an entry cannot be read; empty if it can.
  static std::string obstacle(const ZipEntry& entry);

  /// The content: in place if it is stored, else expanded, checked by its CRC-32. Throws Error(data) that names the
  /// entry, Error(memory).
  Bytes content(const ZipEntry& entry) const;
  /// Its first bytes, at most `count`, unchecked.
  Bytes beginning(const ZipEntry& entry, std::size_t count) const;

 private:
  [[noreturn]] void damaged(const std::string& what) const;
  std::string_view at(std::uint64_t offset, std::uint64_t size, const char* what) const;
  Bytes stored(const ZipEntry& entry) const;
  Bytes expanded(const ZipEntry& entry, std::size_t count) const;

  Bytes bytes_;
  std::string label_;
  std::vector<ZipEntry> entries_;
};

/// CRC-32 of bytes that follow others.
std::uint32_t crc32_of(const void* data, std::size_t bytes, std::uint32_t before = 0) noexcept;

}  // namespace attn::io
