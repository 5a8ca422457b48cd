// Pictures as sources: one tensor, `pixels`, decoded from PNG or JPEG; pictures that follow each other in a stream are
// batches. Cameras store pixels as the sensor is held and note its orientation in Exif.

#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/tensor.hpp>
#include <attn/io/byte_input.hpp>
#include <attn/io/formats/formats.hpp>

#include <jerror.h>
#include <jpeglib.h>
#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstdint>
#include <cstdio>  // jpeglib.h needs it, and jerror.h needs jpeglib.h
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace attn::io {
namespace {

constexpr std::string_view png_signature{"\x89PNG\r\n\x1a\n", 8};
constexpr std::string_view jpeg_signature{"\xff\xd8\xff", 3};

constexpr const char* picture_dataset = "pixels";

bool begins_like(std::string_view text, std::string_view signature) {
  return text.substr(0, signature.size()) == signature;
}

/// Throws for a picture of more pixels than Pillow opens, which a small file may claim, or than the limit of memory
/// allows where one is set; `more` are bytes of decoding.
void expect_pixels(std::size_t height, std::size_t width, std::uint64_t more, const std::string& label) {
  constexpr std::uint64_t most = (std::uint64_t{1} << 29) / 3;  // 512 MiB; Pillow's limit
  const std::uint64_t pixels = std::uint64_t{height} * width;
  if (pixels > most && !memory_account().is_limited())
    throw Error(ErrorKind::data, label,
                "has " + std::to_string(width) + " x " + std::to_string(height) + " pixels, more than the " +
                    std::to_string(most) + " that are read without a limit of memory",
                "if they are meant, allow more than " + std::to_string(pixels * 3 + more) + " bytes with --max-memory");
  memory_account().require(pixels * 3 + more, label);
}

/// Numbers of a TIFF header, which gives their byte order itself.
class Tiff {
 public:
  explicit Tiff(const Bytes& bytes) : bytes_(bytes), is_big_(bytes.text().substr(0, 2) == "MM") {}

  bool is_tiff() const { return (is_big_ || bytes_.text().substr(0, 2) == "II") && number(2, 2) == 42; }
  /// `size` bytes at `place`; 0 beyond the end.
  std::uint32_t number(std::size_t place, std::size_t size) const {
    if (place > bytes_.size || bytes_.size - place < size) return 0;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value = value << 8 | bytes_.data[place + (is_big_ ? i : size - 1 - i)];
    return value;
  }

 private:
  const Bytes& bytes_;
  bool is_big_;
};

/// The orientation 1 ... 8 that Exif data (a TIFF header and its first directory) notes; 1, as stored, if there is none
/// or it cannot be read. Source: Exif 2.32, section 4.6.4, tag 0x0112.
int exif_orientation(const Bytes& exif) {
  constexpr std::uint32_t orientation_tag = 0x0112, type_short = 3;
  constexpr std::size_t entry_size = 12;
  const Tiff tiff(exif);
  if (!tiff.is_tiff()) return 1;
  const std::size_t directory = tiff.number(4, 4), entries = tiff.number(directory, 2);
  for (std::size_t i = 0; i < entries; ++i) {
    const std::size_t entry = directory + 2 + i * entry_size;
    if (entry > exif.size) break;
    if (tiff.number(entry, 2) != orientation_tag || tiff.number(entry + 2, 2) != type_short) continue;
    const std::uint32_t value = tiff.number(entry + 8, 2);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

/// pixels (height, width, 3), mirrored, rotated or both by the orientation, which takes the same memory again.
/// Throws Error(memory).
Tensor upright(Tensor pixels, int orientation, const std::string& label) {
  if (orientation == 1) return pixels;
  memory_account().require(std::uint64_t{2} * pixels.size(), label);
  const std::size_t height = pixels.shape()[0], width = pixels.shape()[1];
  const bool turned = orientation >= 5;  // rows become columns
  const bool flips_rows = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  const bool flips_columns = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  Tensor out(DType::u8, {turned ? width : height, turned ? height : width, 3});
  const std::uint8_t* from = pixels.data_as<std::uint8_t>();
  std::uint8_t* to = out.data_as<std::uint8_t>();
  for (std::size_t y = 0; y < out.shape()[0]; ++y)
    for (std::size_t x = 0; x < out.shape()[1]; ++x, to += 3) {
      const std::size_t row = turned ? x : y, column = turned ? y : x;
      const std::size_t stored_row = flips_rows ? height - 1 - row : row;
      const std::size_t stored_column = flips_columns ? width - 1 - column : column;
      std::copy_n(from + (stored_row * width + stored_column) * 3, 3, to);
    }
  return out;
}

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

void on_png_error(png_structp png, png_const_charp message) {
  auto* reader = static_cast<PngReader*>(png_get_error_ptr(png));
  std::strncpy(reader->message, message, sizeof reader->message - 1);
  png_longjmp(png, 1);
}

void on_png_warning(png_structp, png_const_charp) {}

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

/// A picture as (height, width, 3), u8, with stored red, green and blue: no colour management, no transparency, 16 bits
/// cut to 8, grey repeated, rotated as Exif requires. `used` is the number of bytes read. Throws Error(data) for a
/// damaged picture, Error(input) for a truncated one, Error(memory).
Tensor decode_png(const Bytes& bytes, const std::string& label, std::size_t& used) {
  PngReader reader;
  reader.data = bytes.data;
  reader.size = bytes.size;
  const auto refuse = [&] {
    throw Error(reader.truncated ? ErrorKind::input : ErrorKind::data, label,
                std::string("is a damaged PNG picture: ") + reader.message);
  };
  reader.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader, on_png_error, on_png_warning);
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

// libjpeg reports errors through functions that must not return: they jump, which runs no destructors, so everything
// that needs one lives here, outside of the jump.
struct JpegReader {
  jpeg_error_mgr errors;  // first: libjpeg hands out pointers to it
  jpeg_progress_mgr progress;
  std::jmp_buf place;
  jpeg_decompress_struct info;
  bool truncated = false;
  char message[JMSG_LENGTH_MAX] = {};

  JpegReader() {
    info.err = jpeg_std_error(&errors);
    errors.error_exit = on_error;
    errors.emit_message = on_message;
    jpeg_create_decompress(&info);
    progress.progress_monitor = on_progress;
    info.progress = &progress;
  }
  ~JpegReader() { jpeg_destroy_decompress(&info); }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;

  static void on_error(j_common_ptr info) {
    auto* reader = reinterpret_cast<JpegReader*>(info->err);
    info->err->format_message(info, reader->message);
    std::longjmp(reader->place, 1);
  }

  // A few bytes make a scan of all pixels; a picture has some ten.
  static void on_progress(j_common_ptr info) {
    constexpr int most_scans = 100;
    if (reinterpret_cast<jpeg_decompress_struct*>(info)->input_scan_number <= most_scans) return;
    auto* reader = reinterpret_cast<JpegReader*>(info->err);
    std::snprintf(reader->message, sizeof reader->message, "it has more than %d scans", most_scans);
    std::longjmp(reader->place, 1);
  }

  // Warnings are ignored, as in other programs, except that the data has ended.
  static void on_message(j_common_ptr info, int level) {
    if (level >= 0 || info->err->msg_code != JWRN_JPEG_EOF) return;
    reinterpret_cast<JpegReader*>(info->err)->truncated = true;
    on_error(info);
  }
};

constexpr int exif_marker = JPEG_APP0 + 1;
constexpr std::string_view exif_signature{"Exif\0\0", 6};

bool read_header(JpegReader& reader, const Bytes& bytes) {
  if (setjmp(reader.place)) return false;
  jpeg_mem_src(&reader.info, bytes.data, bytes.size);
  jpeg_save_markers(&reader.info, exif_marker, 0xffff);
  jpeg_read_header(&reader.info, TRUE);
  return true;
}

bool read_rows(JpegReader& reader, JSAMPARRAY rows) {
  if (setjmp(reader.place)) return false;
  reader.info.out_color_space = JCS_RGB;
  jpeg_start_decompress(&reader.info);
  while (reader.info.output_scanline < reader.info.output_height)
    jpeg_read_scanlines(&reader.info, rows + reader.info.output_scanline,
                        reader.info.output_height - reader.info.output_scanline);
  jpeg_finish_decompress(&reader.info);
  return true;
}

int orientation_of(const JpegReader& reader) {
  for (const jpeg_marker_struct* m = reader.info.marker_list; m != nullptr; m = m->next) {
    const Bytes bytes{m->data, m->data_length, nullptr, false};
    if (m->marker == exif_marker && begins_like(bytes.text(), exif_signature))
      return exif_orientation(bytes.part(exif_signature.size(), bytes.size - exif_signature.size()));
  }
  return 1;
}

Tensor decode_jpeg(const Bytes& bytes, const std::string& label, std::size_t& used) {
  JpegReader reader;
  const auto refuse = [&] {
    throw Error(reader.truncated ? ErrorKind::input : ErrorKind::data, label,
                std::string("is a damaged JPEG picture: ") + reader.message);
  };
  if (!read_header(reader, bytes)) refuse();
  if (reader.info.jpeg_color_space == JCS_CMYK || reader.info.jpeg_color_space == JCS_YCCK)
    throw Error(ErrorKind::data, label, "is a JPEG picture of printing inks (CMYK), expected grey or RGB",
                "convert it to RGB");
  const std::size_t height = reader.info.image_height, width = reader.info.image_width;
  // A picture in several scans is decoded from all of its coefficients.
  const std::uint64_t coefficients = jpeg_has_multiple_scans(&reader.info) != 0 ? sizeof(JCOEF) : 0;
  expect_pixels(height, width, coefficients * height * width * reader.info.num_components, label);
  const int orientation = orientation_of(reader);
  Tensor pixels(DType::u8, {height, width, 3});
  std::vector<JSAMPROW> rows(height);
  for (std::size_t y = 0; y < height; ++y) rows[y] = pixels.data_as<std::uint8_t>() + y * width * 3;
  if (!read_rows(reader, rows.data())) refuse();
  used = bytes.size - reader.info.src->bytes_in_buffer;
  return upright(std::move(pixels), orientation, label);
}

class PictureSource final : public Source {
 public:
  explicit PictureSource(std::unique_ptr<ByteInput> input) : input_(std::move(input)), rest_(input_->take_rest()) {
    decode();
  }

  const std::string& label() const noexcept override { return input_->label(); }
  const std::vector<TensorInfo>& tensors() const noexcept override { return tensors_; }
  Attributes attributes(const std::string&) const override { return {}; }

  TensorView read(const std::string& name, const Slab& part) override {
    if (find(name) == nullptr)
      throw Error(ErrorKind::input, label(), "has no dataset " + name + ", it is a picture: " + picture_dataset);
    return slice(pixels_.view(label()), part);
  }

  bool has_next_batch() override { return rest_.size > 0; }
  bool next_batch() override {
    if (!has_next_batch()) return false;
    decode();
    return true;
  }

 private:
  void decode() {
    const bool is_png = begins_like(rest_.text(), png_signature);
    if (!is_png && !begins_like(rest_.text(), jpeg_signature))
      throw Error(ErrorKind::data, label(), "has something after a picture that is not a PNG or JPEG picture");
    std::size_t used = 0;
    pixels_ = Tensor();  // released before the next one is read
    pixels_ = is_png ? decode_png(rest_, label(), used) : decode_jpeg(rest_, label(), used);
    rest_ = rest_.part(used, rest_.size - used);
    tensors_ = {{picture_dataset, DType::u8, pixels_.shape()}};
  }

  std::unique_ptr<ByteInput> input_;
  Bytes rest_;
  Tensor pixels_;
  std::vector<TensorInfo> tensors_;
};

}  // namespace

bool looks_like_picture(std::string_view head) noexcept {
  return begins_like(head, png_signature) || begins_like(head, jpeg_signature);
}

void refuse_other_pictures(std::string_view head, const std::string& label) {
  const auto at = [&](std::size_t place, std::string_view word) {
    return head.size() >= place && head.substr(place, word.size()) == word;
  };
  const std::string_view brand = at(4, "ftyp") && head.size() >= 12 ? head.substr(8, 4) : std::string_view();
  const char* picture = at(0, "GIF87a") || at(0, "GIF89a")                      ? "a GIF"
                        : at(0, {"II*\0", 4}) || at(0, {"MM\0*", 4})            ? "a TIFF"
                        : at(0, "RIFF") && at(8, "WEBP")                        ? "a WebP"
                        : at(0, "BM") && at(6, {"\0\0\0\0", 4})                 ? "a BMP"
                        : brand == "avif" || brand == "avis"                    ? "an AVIF"
                        : brand == "heic" || brand == "heix" || brand == "mif1" ? "a HEIC"
                                                                                : nullptr;
  if (picture != nullptr)
    throw Error(ErrorKind::data, label, "is " + std::string(picture) + " picture; PNG and JPEG are read",
                "convert it: python3 -c 'import sys; from PIL import Image; "
                "Image.open(sys.argv[1]).convert(\"RGB\").save(sys.argv[2])' " +
                    label + " " + label + ".png");
  const bool is_film = !brand.empty() || at(0, "\x1a\x45\xdf\xa3") || (at(0, "RIFF") && at(8, "AVI "));
  if (is_film)
    throw Error(ErrorKind::data, label, "is a film; pictures are read, as PNG or JPEG",
                "take its frames: ffmpeg -i " + label + " -f image2pipe -c:v png -");
}

std::unique_ptr<Source> open_picture(std::unique_ptr<ByteInput> input) {
  return std::make_unique<PictureSource>(std::move(input));
}

}  // namespace attn::io
