// attn/image/preprocess.hpp
#include <attn/core/error.hpp>
#include <attn/image/preprocess.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace attn;

namespace {

Tensor picture(const Shape& shape, const std::vector<int>& pixels) {
  Tensor out(DType::u8, shape);
  std::copy(pixels.begin(), pixels.end(), out.data_as<std::uint8_t>());
  return out;
}

const std::vector<int> grey{0, 255, 30, 200, 90, 17, 60, 255, 0, 128, 255, 1, 77, 190, 33, 5, 250, 120, 64, 254};

std::vector<int> resized(Filter filter, std::size_t height, std::size_t width) {
  Tensor out = resize(picture({4, 5, 1}, grey).view("grey"), height, width, filter);
  CHECK(out.shape() == Shape{height, width, 1});
  return {out.data_as<std::uint8_t>(), out.data_as<std::uint8_t>() + out.size()};
}

using Pixels = std::vector<int>;

}  // namespace

TEST_CASE("every filter gives Pillow's pixels, smaller and larger") {
  // Pillow 13.0: Image.fromarray(grey).resize((width, height), filter)
  CHECK(resized(Filter::nearest, 3, 2) == Pixels{255, 200, 1, 190, 250, 64});
  CHECK(resized(Filter::nearest, 5, 6) == Pixels{0,  255, 30, 30,  200, 90, 17, 60,  255, 255, 0,   128, 255, 1,  77,
                                                 77, 190, 33, 255, 1,   77, 77, 190, 33,  5,   250, 120, 120, 64, 254});
  CHECK(resized(Filter::box, 3, 2) == Pixels{95, 145, 111, 88, 125, 159});
  CHECK(resized(Filter::box, 5, 6) == Pixels{0,  255, 30, 30,  200, 90, 17, 60,  255, 255, 0,   128, 255, 1,  77,
                                             77, 190, 33, 255, 1,   77, 77, 190, 33,  5,   250, 120, 120, 64, 254});
  CHECK(resized(Filter::bilinear, 3, 2) == Pixels{110, 121, 98, 104, 126, 134});
  CHECK(resized(Filter::bilinear, 5, 6) == Pixels{0,  191, 124, 101, 173, 90,  12,  92, 159, 135,
                                                  74, 117, 136, 57,  110, 137, 92,  81, 180, 102,
                                                  84, 116, 139, 99,  5,   189, 174, 97, 112, 254});
  CHECK(resized(Filter::hamming, 3, 2) == Pixels{120, 126, 91, 102, 136, 136});
  CHECK(resized(Filter::hamming, 5, 6) == Pixels{0,  236, 100, 83, 192, 90,  15,  79,  182, 164,
                                                 33, 123, 136, 39, 124, 144, 94,  81,  224, 46,
                                                 66, 111, 166, 61, 5,   231, 161, 102, 79,  254});
  CHECK(resized(Filter::bicubic, 3, 2) == Pixels{108, 124, 98, 101, 125, 138});
  CHECK(resized(Filter::bicubic, 5, 6) == Pixels{0,  222, 117, 84, 195, 84,  0,   86, 188, 142,
                                                 50, 127, 152, 24, 107, 156, 80,  69, 201, 96,
                                                 59, 117, 157, 83, 0,   212, 195, 77, 99,  255});
  CHECK(resized(Filter::lanczos, 3, 2) == Pixels{106, 130, 100, 98, 125, 140});
  CHECK(resized(Filter::lanczos, 5, 6) == Pixels{3,  229, 114, 70, 209, 77,  0,   84, 218, 133,
                                                 45, 139, 175, 0,  93,  187, 60,  56, 199, 114,
                                                 41, 120, 166, 83, 0,   205, 228, 47, 105, 255});
}

TEST_CASE("tall pictures are resized along their columns first, as Pillow 13 does") {
  std::vector<int> tall(24);
  for (int i = 0; i < 24; ++i) tall[static_cast<std::size_t>(i)] = (i * 89 + 17) % 256;
  const Tensor tall_picture = picture({8, 3, 1}, tall);
  const auto resized_tall = [&](Filter filter) {
    Tensor out = resize(tall_picture.view("tall"), 3, 2, filter);
    return Pixels(out.data_as<std::uint8_t>(), out.data_as<std::uint8_t>() + out.size());
  };
  CHECK(resized_tall(Filter::bilinear) == Pixels{62, 174, 89, 196, 115, 117});
  CHECK(resized_tall(Filter::bicubic) == Pixels{55, 177, 82, 208, 119, 114});
}

TEST_CASE("the same size is the same picture, and one colour stays one colour") {
  const Pixels flat(24, 93);
  for (const Filter filter :
       {Filter::nearest, Filter::box, Filter::bilinear, Filter::hamming, Filter::bicubic, Filter::lanczos}) {
    CHECK(resized(filter, 4, 5) == grey);
    Tensor out = resize(picture({2, 4, 3}, flat).view(), 7, 3, filter);
    CHECK(std::all_of(out.data_as<std::uint8_t>(), out.data_as<std::uint8_t>() + out.size(),
                      [](int p) { return p == 93; }));
  }
}

TEST_CASE("what is no picture is refused") {
  CHECK_THROWS_WITH_AS(resize(Tensor(DType::f32, {2, 2, 3}).view("x"), 2, 2, Filter::box),
                       doctest::Contains("x: is (2, 2, 3) f32"), Error);
  CHECK_THROWS_AS(resize(Tensor(DType::u8, {0, 2, 3}).view(), 2, 2, Filter::box), Error);
  CHECK_THROWS_AS(resize(Tensor(DType::u8, {2, 2, 3}).view(), 0, 2, Filter::box), Error);
  CHECK_THROWS_AS(preprocess(Tensor(DType::u8, {2, 2, 4}).view(), {}), Error);
}

TEST_CASE("channels first, scaled and normalised") {
  ImagePreprocessing steps;
  steps.rescale = 1.0 / 255;
  steps.mean = {0.5, 0, 0.25};
  steps.deviation = {0.5, 1, 2};
  Tensor out = preprocess(picture({1, 2, 3}, {255, 0, 51, 0, 255, 102}).view(), steps);
  CHECK(out.shape() == Shape{3, 1, 2});
  const std::vector<float> expected{
      1, -1, 0, 1, static_cast<float>((51.0 / 255 - 0.25) / 2), static_cast<float>((102.0 / 255 - 0.25) / 2)};
  CHECK(std::vector<float>(out.data_as<float>(), out.data_as<float>() + 6) == expected);
}

TEST_CASE("the shortest edge in proportion, and the middle cut out") {
  ImagePreprocessing steps;
  steps.size = ImagePreprocessing::Size{0, 0, 3};
  CHECK(preprocess(Tensor::zeros(DType::u8, {10, 25, 3}).view(), steps).shape() == Shape{3, 3, 7});
  CHECK(preprocess(Tensor::zeros(DType::u8, {25, 10, 3}).view(), steps).shape() == Shape{3, 7, 3});
  steps.size.reset();
  steps.crop = std::array<std::size_t, 2>{1, 2};
  Tensor cut = preprocess(
      picture({3, 3, 3}, {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 8}).view(),
      steps);
  CHECK(std::vector<float>(cut.data_as<float>(), cut.data_as<float>() + 2) == std::vector<float>{3, 4});
  steps.crop = std::array<std::size_t, 2>{1, 4};
  Tensor wide = preprocess(picture({1, 1, 3}, {9, 9, 9}).view(), steps);
  CHECK(std::vector<float>(wide.data_as<float>(), wide.data_as<float>() + 4) == std::vector<float>{0, 0, 9, 0});
}
