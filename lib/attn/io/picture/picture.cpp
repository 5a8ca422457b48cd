// Pictures as sources: one tensor, `pixels`; pictures that follow each other in a stream are batches.

#include <attn/io/picture/picture.hpp>

#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/io/formats/formats.hpp>

namespace attn::io {
namespace {

constexpr const char* picture_dataset = "pixels";

bool begins_with(const Bytes& bytes, std::string_view signature) {
  return bytes.text().substr(0, signature.size()) == signature;
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
    const bool is_png = begins_with(rest_, png_signature);
    if (!is_png && !begins_with(rest_, jpeg_signature))
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
  return head.substr(0, png_signature.size()) == png_signature ||
         head.substr(0, jpeg_signature.size()) == jpeg_signature;
}

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
