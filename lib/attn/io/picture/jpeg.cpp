#include <attn/core/error.hpp>
#include <attn/io/picture/exif.hpp>
#include <attn/io/picture/picture.hpp>

#include <jerror.h>
#include <jpeglib.h>
#include <cstdio>  // jpeglib.h needs it, and jerror.h needs jpeglib.h

#include <csetjmp>
#include <vector>

namespace attn::io {
namespace {

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
    if (m->marker == exif_marker && bytes.text().substr(0, exif_signature.size()) == exif_signature)
      return exif_orientation(bytes.part(exif_signature.size(), bytes.size - exif_signature.size()));
  }
  return 1;
}

}  // namespace

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

}  // namespace attn::io
