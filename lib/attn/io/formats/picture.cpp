// Pictures as sources: one tensor, `pixels`, decoded from PNG or JPEG; pictures that follow each other in a stream are
// batches. Cameras store pixels as the sensor is held and note its orientation in Exif.

#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/module.hpp>
#include <attn/core/tensor.hpp>
#include <attn/io/byte_input.hpp>
#include <attn/io/formats/formats.hpp>
#include <attn/io/formats/picture_reader.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
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

/// A picture as (height, width, 3), u8, with stored red, green and blue: no colour management, no transparency, 16 bits
/// cut to 8, grey repeated, rotated as Exif requires. `used` is the number of bytes read. Throws Error(data) for a
/// damaged picture, Error(input) for a truncated one, Error(memory), Error(helper) if the module is missing.
Tensor decoded_picture(const Bytes& bytes, const std::string& label, std::size_t& used) {
  constexpr Module module{"libattn-pictures.so", "reads PNG and JPEG pictures", "libpng16-16 and libjpeg62-turbo"};
  static const auto read = reinterpret_cast<ReadPicture>(find_in_module(module, read_picture_name));
  const bool is_png = begins_like(bytes.text(), png_signature);
  const std::string kind = is_png ? "PNG" : "JPEG";
  const std::unique_ptr<PictureReader> reader(read(is_png, bytes.data, bytes.size));
  if (reader == nullptr) throw Error(ErrorKind::memory, label, "there is no memory to read the picture");
  const auto refuse = [&] {
    throw Error(reader->is_truncated ? ErrorKind::input : ErrorKind::data, label,
                "is a damaged " + kind + " picture: " + reader->message);
  };
  if (!reader->read_header()) refuse();
  if (reader->is_of_inks)
    throw Error(ErrorKind::data, label, "is a " + kind + " picture of printing inks (CMYK), expected grey or RGB",
                "convert it to RGB");
  expect_pixels(reader->height, reader->width, reader->more_bytes, label);
  Tensor pixels(DType::u8, {reader->height, reader->width, 3});
  std::vector<unsigned char*> rows(reader->height);
  for (std::size_t y = 0; y < rows.size(); ++y) rows[y] = pixels.data_as<std::uint8_t>() + y * reader->width * 3;
  const int orientation = exif_orientation({reader->exif, reader->exif_bytes, nullptr, false});
  if (!reader->read_rows(rows.data())) refuse();
  used = reader->used;
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
    if (!looks_like_picture(rest_.text()))
      throw Error(ErrorKind::data, label(), "has something after a picture that is not a PNG or JPEG picture");
    std::size_t used = 0;
    pixels_ = Tensor();  // released before the next one is read
    pixels_ = decoded_picture(rest_, label(), used);
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
