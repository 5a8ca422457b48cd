// Pictures as sources: one tensor, `pixels`; pictures that follow each other in a stream are batches.

#include <attn/io/picture.hpp>

#include <attn/core/error.hpp>
#include <attn/io/formats.hpp>

namespace attn::io {
namespace {

constexpr const char* dataset_name = "pixels";

bool begins_with(const Bytes& bytes, std::string_view signature) {
  return bytes.text().substr(0, signature.size()) == signature;
}

class PictureSource final : public Source {
 public:
  explicit PictureSource(std::unique_ptr<ByteInput> input) : input_(std::move(input)), rest_(input_->take_rest()) {
    decode();
  }

  const std::string& label() const noexcept override { return input_->label(); }
  Buffer buffer() const noexcept override { return {rest_.data, rest_.size, rest_.is_mapped}; }
  const std::vector<TensorInfo>& tensors() const noexcept override { return tensors_; }
  Attributes attributes(const std::string&) const override { return {}; }

  TensorView read(const std::string& name, const Slab& part) override {
    if (find(name) == nullptr)
      throw Error(ErrorKind::input, label(), "has no dataset " + name + ", it is a picture: " + dataset_name);
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
      throw Error(ErrorKind::data, label(), "has something behind a picture that is no PNG or JPEG picture");
    std::size_t used = 0;
    pixels_ = Tensor();  // let go before the next one comes
    pixels_ = is_png ? decode_png(rest_, label(), used) : decode_jpeg(rest_, label(), used);
    rest_ = rest_.part(used, rest_.size - used);
    tensors_ = {{dataset_name, DType::u8, pixels_.shape()}};
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

std::unique_ptr<Source> open_picture(std::unique_ptr<ByteInput> input) {
  return std::make_unique<PictureSource>(std::move(input));
}

}  // namespace attn::io
