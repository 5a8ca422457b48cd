#include <attn/core/error.hpp>
#include <attn/io/picture/exif.hpp>
#include <attn/io/picture/picture.hpp>

#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <vector>

namespace attn::io {
namespace {

// libpng reports errors by a jump, which runs no destructors: everything that needs one lives here, outside of the
// jump.
struct PngReader {
  png_structp png = nullptr;
  png_infop info = nullptr;
  const unsigned char* data = nullptr;
  std::size_t size = 0, position = 0;
  bool truncated = false;
  bool is_wide_grey = false;  ///< grey of 16 bits and nothing else
  char message[128] = {};

  ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }
};

void on_error(png_structp png, png_const_charp message) {
  auto* reader = static_cast<PngReader*>(png_get_error_ptr(png));
  std::strncpy(reader->message, message, sizeof reader->message - 1);
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

void read_bytes(png_structp png, png_bytep out, std::size_t count) {
  auto* reader = static_cast<PngReader*>(png_get_io_ptr(png));
  if (count > reader->size - reader->position) {
    reader->truncated = true;
    png_error(png, "the file ends too early");
  }
  std::memcpy(out, reader->data + reader->position, count);
  reader->position += count;
}

bool read_header(PngReader& reader) {
  if (setjmp(png_jmpbuf(reader.png))) return false;
  // Texts and profiles, which no one reads, may inflate a thousandfold each.
  constexpr png_byte unread[] = "tEXt\0zTXt\0iTXt\0iCCP\0sPLT";
  png_set_keep_unknown_chunks(reader.png, PNG_HANDLE_CHUNK_NEVER, unread, 5);
  png_read_info(reader.png, reader.info);
  reader.is_wide_grey = png_get_bit_depth(reader.png, reader.info) == 16 &&
                        png_get_color_type(reader.png, reader.info) == PNG_COLOR_TYPE_GRAY;
  png_set_expand(reader.png);  // palettes and fewer than 8 bits
  if (!reader.is_wide_grey) png_set_strip_16(reader.png);
  png_set_strip_alpha(reader.png);
  if (!reader.is_wide_grey) png_set_gray_to_rgb(reader.png);
  png_set_interlace_handling(reader.png);
  png_read_update_info(reader.png, reader.info);
  return true;
}

bool read_rows(PngReader& reader, png_bytepp rows) {
  if (setjmp(png_jmpbuf(reader.png))) return false;
  png_read_image(reader.png, rows);
  png_read_end(reader.png, nullptr);
  return true;
}

int orientation_of(const PngReader& reader) {
  png_uint_32 size = 0;
  png_bytep exif = nullptr;
  if (png_get_eXIf_1(reader.png, reader.info, &size, &exif) == 0) return 1;
  return exif_orientation({exif, size, nullptr, false});
}

/// Pillow, and with it all who show pictures to models, takes grey of 16 bits as it is and cuts it at 255. The rows
/// hold two bytes a pixel, the high one first, in the beginning of what becomes three; so they are read from their end.
void cut_wide_grey(unsigned char* row, std::size_t width) {
  for (std::size_t x = width; x-- > 0;) {
    const unsigned char value = row[2 * x] > 0 ? 255 : row[2 * x + 1];
    std::fill_n(row + 3 * x, 3, value);
  }
}

}  // namespace

Tensor decode_png(const Bytes& bytes, const std::string& label, std::size_t& used) {
  PngReader reader;
  reader.data = bytes.data;
  reader.size = bytes.size;
  const auto refuse = [&] {
    throw Error(reader.truncated ? ErrorKind::input : ErrorKind::data, label,
                std::string("is a damaged PNG picture: ") + reader.message);
  };
  reader.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader, on_error, on_warning);
  if (reader.png != nullptr) reader.info = png_create_info_struct(reader.png);
  if (reader.info == nullptr) throw Error(ErrorKind::memory, label, "there is no memory to read the picture");
  png_set_read_fn(reader.png, &reader, read_bytes);
  if (!read_header(reader)) refuse();
  const std::size_t height = png_get_image_height(reader.png, reader.info);
  const std::size_t width = png_get_image_width(reader.png, reader.info);
  expect_pixels(height, width, 0, label);
  Tensor pixels(DType::u8, {height, width, 3});
  std::vector<png_bytep> rows(height);
  for (std::size_t y = 0; y < height; ++y) rows[y] = pixels.data_as<std::uint8_t>() + y * width * 3;
  if (!read_rows(reader, rows.data())) refuse();
  if (reader.is_wide_grey)
    for (png_bytep row : rows) cut_wide_grey(row, width);
  used = reader.position;
  return upright(std::move(pixels), orientation_of(reader), label);
}

}  // namespace attn::io
