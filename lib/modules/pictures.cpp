// The module libattn-pictures.so: libpng and libjpeg behind PictureReader. Both report errors by a jump, which runs no
// destructors: everything that needs one lives in the readers, outside of the jump.
#include <attn/core/export.hpp>
#include <attn/io/formats/picture_reader.hpp>

#include <cstdio>  // which jpeglib.h needs

#include <jerror.h>
#include <jpeglib.h>
#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <memory>
#include <new>

namespace {

class PngReader final : public attn::io::PictureReader {
 public:
  PngReader(const unsigned char* data, std::size_t size) : data_(data), size_(size) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error, [](png_structp, png_const_charp) {});
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
    if (has_memory()) png_set_read_fn(png_, this, read_bytes);
  }
  bool has_memory() const noexcept { return info_ != nullptr; }
  ~PngReader() override { png_destroy_read_struct(&png_, &info_, nullptr); }

  bool read_header() noexcept override {
    if (setjmp(png_jmpbuf(png_))) return false;
    // Texts and profiles, which no one reads, may inflate a thousandfold each.
    constexpr png_byte unread[] = "tEXt\0zTXt\0iTXt\0iCCP\0sPLT";
    png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, unread, 5);
    png_read_info(png_, info_);
    is_wide_grey_ = png_get_bit_depth(png_, info_) == 16 && png_get_color_type(png_, info_) == PNG_COLOR_TYPE_GRAY;
    png_set_expand(png_);  // palettes and fewer than 8 bits
    if (!is_wide_grey_) png_set_strip_16(png_);
    png_set_strip_alpha(png_);
    if (!is_wide_grey_) png_set_gray_to_rgb(png_);
    png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    height = png_get_image_height(png_, info_);
    width = png_get_image_width(png_, info_);
    png_uint_32 bytes = 0;
    png_bytep found = nullptr;
    if (png_get_eXIf_1(png_, info_, &bytes, &found) != 0) exif = found, exif_bytes = bytes;
    return true;
  }

  bool read_rows(unsigned char** rows) noexcept override {
    if (!read_image(rows)) return false;
    if (is_wide_grey_) std::for_each(rows, rows + height, [this](unsigned char* row) { cut_wide_grey(row); });
    used = position_;
    return true;
  }

 private:
  // Apart, as longjmp() may change what lives in registers.
  bool read_image(unsigned char** rows) noexcept {
    if (setjmp(png_jmpbuf(png_))) return false;
    png_read_image(png_, rows);
    png_read_end(png_, nullptr);
    return true;
  }

  static void on_error(png_structp png, png_const_charp text) {
    auto* reader = static_cast<PngReader*>(png_get_error_ptr(png));
    std::strncpy(reader->message, text, sizeof reader->message - 1);
    png_longjmp(png, 1);
  }

  static void read_bytes(png_structp png, png_bytep out, std::size_t count) {
    auto* reader = static_cast<PngReader*>(png_get_io_ptr(png));
    if (count > reader->size_ - reader->position_) {
      reader->is_truncated = true;
      png_error(png, "the file ends too early");
    }
    std::memcpy(out, reader->data_ + reader->position_, count);
    reader->position_ += count;
  }

  /// Pillow, and with it all who show pictures to models, takes grey of 16 bits as it is and cuts it at 255. The rows
  /// hold two bytes a pixel, the high one first, in the beginning of what becomes three; so they are read from their
  /// end.
  void cut_wide_grey(unsigned char* row) const {
    for (std::size_t x = width; x-- > 0;) {
      const unsigned char value = row[2 * x] > 0 ? 255 : row[2 * x + 1];
      std::fill_n(row + 3 * x, 3, value);
    }
  }

  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  const unsigned char* data_;
  std::size_t size_, position_ = 0;
  bool is_wide_grey_ = false;  // grey of 16 bits and nothing else
};

class JpegReader final : public attn::io::PictureReader {
 public:
  JpegReader(const unsigned char* data, std::size_t size) : data_(data), size_(size) {
    info_.err = jpeg_std_error(&errors_);
    info_.client_data = this;
    errors_.error_exit = on_error;
    errors_.emit_message = on_message;
    jpeg_create_decompress(&info_);
    progress_.progress_monitor = on_progress;
    info_.progress = &progress_;
  }
  ~JpegReader() override { jpeg_destroy_decompress(&info_); }

  bool read_header() noexcept override {
    constexpr int exif_marker = JPEG_APP0 + 1;
    constexpr char exif_signature[] = "Exif\0";  // and another 0
    if (setjmp(place_)) return false;
    jpeg_mem_src(&info_, data_, size_);
    jpeg_save_markers(&info_, exif_marker, 0xffff);
    jpeg_read_header(&info_, TRUE);
    is_of_inks = info_.jpeg_color_space == JCS_CMYK || info_.jpeg_color_space == JCS_YCCK;
    height = info_.image_height;
    width = info_.image_width;
    // A picture in several scans is decoded from all of its coefficients.
    if (jpeg_has_multiple_scans(&info_) != 0)
      more_bytes = std::uint64_t{sizeof(JCOEF)} * height * width * static_cast<unsigned>(info_.num_components);
    for (const jpeg_marker_struct* m = info_.marker_list; m != nullptr && exif == nullptr; m = m->next)
      if (m->marker == exif_marker && m->data_length >= sizeof exif_signature &&
          std::memcmp(m->data, exif_signature, sizeof exif_signature) == 0) {
        exif = m->data + sizeof exif_signature;
        exif_bytes = m->data_length - sizeof exif_signature;
      }
    return true;
  }

  bool read_rows(unsigned char** rows) noexcept override {
    if (setjmp(place_)) return false;
    info_.out_color_space = JCS_RGB;
    jpeg_start_decompress(&info_);
    while (info_.output_scanline < info_.output_height)
      jpeg_read_scanlines(&info_, rows + info_.output_scanline, info_.output_height - info_.output_scanline);
    jpeg_finish_decompress(&info_);
    used = size_ - info_.src->bytes_in_buffer;
    return true;
  }

 private:
  static JpegReader& of(j_common_ptr info) { return *static_cast<JpegReader*>(info->client_data); }

  static void on_error(j_common_ptr info) {
    static_assert(sizeof message >= JMSG_LENGTH_MAX);
    info->err->format_message(info, of(info).message);
    std::longjmp(of(info).place_, 1);
  }

  // A few bytes make a scan of all pixels; a picture has some ten.
  static void on_progress(j_common_ptr info) {
    constexpr int most_scans = 100;
    JpegReader& reader = of(info);
    if (reader.info_.input_scan_number <= most_scans) return;
    std::snprintf(reader.message, sizeof reader.message, "it has more than %d scans", most_scans);
    std::longjmp(reader.place_, 1);
  }

  // Warnings are ignored, as in other programs, except that the data has ended.
  static void on_message(j_common_ptr info, int level) {
    if (level >= 0 || info->err->msg_code != JWRN_JPEG_EOF) return;
    of(info).is_truncated = true;
    on_error(info);
  }

  jpeg_error_mgr errors_;
  jpeg_progress_mgr progress_;
  std::jmp_buf place_;
  jpeg_decompress_struct info_;
  const unsigned char* data_;
  std::size_t size_;
};

}  // namespace

extern "C" ATTN_API attn::io::PictureReader* attn_read_picture(bool is_png, const unsigned char* bytes,
                                                               std::size_t size) noexcept try {
  if (!is_png) return new JpegReader(bytes, size);
  auto reader = std::make_unique<PngReader>(bytes, size);
  return reader->has_memory() ? reader.release() : nullptr;
} catch (const std::bad_alloc&) {
  return nullptr;
}
