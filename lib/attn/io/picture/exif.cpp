#include <attn/core/memory.hpp>
#include <attn/io/picture/exif.hpp>

#include <algorithm>
#include <cstdint>

namespace attn::io {
namespace {

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

}  // namespace

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

}  // namespace attn::io
