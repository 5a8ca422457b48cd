#pragma once
// PNG and JPEG pictures as their libraries read them, in a module: few jobs read pictures.

#include <cstddef>
#include <cstdint>

namespace attn::io {

/// One picture at the start of bytes. After a function that returns false, `message` says why.
class PictureReader {
 public:
  virtual ~PictureReader() = default;
  /// Fills all members but `used`.
  virtual bool read_header() noexcept = 0;
  /// Fills rows of 3 `width` bytes, and `used`.
  virtual bool read_rows(unsigned char** rows) noexcept = 0;

  std::size_t height = 0, width = 0;
  std::uint64_t more_bytes = 0;         ///< memory that decoding takes beside the rows
  bool is_of_inks = false;              ///< CMYK
  bool is_truncated = false;            ///< why a function has returned false
  const unsigned char* exif = nullptr;  ///< a TIFF header and what follows, until read_rows(); null: there is none
  std::size_t exif_bytes = 0, used = 0;
  char message[256] = {};
};

/// The function of the module: returns null if it has no memory.
using ReadPicture = PictureReader* (*)(bool is_png, const unsigned char* bytes, std::size_t size);
constexpr const char* read_picture_name = "attn_read_picture";

}  // namespace attn::io
