#include <attn/image/preprocess.hpp>

#include <attn/core/error.hpp>

#include <algorithm>

namespace attn {
namespace {

std::array<std::size_t, 2> resized_to(const ImagePreprocessing::Size& size, std::size_t height, std::size_t width) {
  if (size.shortest_edge == 0) return {size.height, size.width};
  const std::size_t shorter = std::min(height, width), longer = std::max(height, width);
  const std::size_t in_proportion = size.shortest_edge * longer / shorter;
  return height <= width ? std::array<std::size_t, 2>{size.shortest_edge, in_proportion}
                         : std::array<std::size_t, 2>{in_proportion, size.shortest_edge};
}

}  // namespace

Tensor preprocess(const TensorView& pixels, const ImagePreprocessing& steps, const Execution& execution) {
  if (pixels.rank() != 3 || pixels.dtype != DType::u8 || pixels.size() == 0 || pixels.shape[2] != 3)
    throw Error(ErrorKind::data, pixels.name,
                "is " + to_string(pixels.shape) + " " + std::string(name_of(pixels.dtype)) +
                    ", expected a picture (height, width, 3) of u8 that is not empty");
  TensorView picture = contiguous(pixels);
  if (steps.size) {
    const auto [height, width] = resized_to(*steps.size, picture.shape[0], picture.shape[1]);
    picture = resize(picture, height, width, steps.filter, execution).view(pixels.name);
  }
  const auto rows = static_cast<std::ptrdiff_t>(picture.shape[0]),
             columns = static_cast<std::ptrdiff_t>(picture.shape[1]);
  const auto height = steps.crop ? static_cast<std::ptrdiff_t>((*steps.crop)[0]) : rows;
  const auto width = steps.crop ? static_cast<std::ptrdiff_t>((*steps.crop)[1]) : columns;
  // The middle; half a pixel that is left over goes to the end, and beyond the picture's border to its start.
  const auto start = [](std::ptrdiff_t length, std::ptrdiff_t cut) {
    return cut <= length ? (length - cut) / 2 : -((cut - length + 1) / 2);
  };
  const std::ptrdiff_t top = start(rows, height), left = start(columns, width);
  Tensor result(DType::f32, {3, static_cast<std::size_t>(height), static_cast<std::size_t>(width)});
  auto* out = result.data_as<float>();
  const auto* in = picture.contiguous_data<std::uint8_t>();
  for (std::size_t c = 0; c < 3; ++c)
    for (std::ptrdiff_t y = top; y < top + height; ++y)
      for (std::ptrdiff_t x = left; x < left + width; ++x) {
        const bool inside = y >= 0 && y < rows && x >= 0 && x < columns;
        const double pixel = inside ? in[static_cast<std::size_t>(y * columns + x) * 3 + c] : 0;
        *out++ = static_cast<float>((steps.rescale * pixel - steps.mean[c]) / steps.deviation[c]);
      }
  return result;
}

}  // namespace attn
