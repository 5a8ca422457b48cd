// Patch embedding against the sum over pixels, and the orders of the tokens of a video.

#include <attn/layers/embedding.hpp>
#include <attn/transformer/stack/block.hpp>

#include <doctest/doctest.h>

#include <numeric>

using namespace attn;

namespace {

Tensor counted(const Shape& shape) {
  Tensor x(DType::f64, shape);
  std::iota(x.data_as<double>(), x.data_as<double>() + x.size(), 1);
  return x;
}

}  // namespace

TEST_CASE("a patch is a product with the pixels below it; what is left over takes no part") {
  Tensor weight = counted({2, 3, 2, 3}), bias = counted({2}), pixels = counted({2, 3, 5, 7});
  const PatchEmbedding embedding(weight.view(), bias.view(), DType::f64);
  const TensorView result = embedding(pixels.view());
  REQUIRE(result.shape == Shape{2, 4, 2});
  const auto w = weight.view().as<double, 4>(), x = pixels.view().as<double, 4>();
  const auto y = result.as<double, 3>();
  for (std::size_t n = 0; n < 2; ++n)
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t o = 0; o < 2; ++o) {
        double sum = bias.data_as<double>()[o];
        for (std::size_t c = 0; c < 3; ++c)
          for (std::size_t v = 0; v < 2; ++v)
            for (std::size_t u = 0; u < 3; ++u) sum += w(o, c, v, u) * x(n, c, i / 2 * 2 + v, i % 2 * 3 + u);
        CHECK(y(n, i, o) == sum);
      }
  CHECK_THROWS_AS(embedding(counted({2, 1, 5, 7}).view()), Error);
  CHECK_THROWS_AS(PatchEmbedding(counted({2, 3}).view(), std::nullopt, DType::f64), Error);
}

TEST_CASE("tokens of a video apart and together") {
  const Tensor x = counted({2, 1 + 3 * 2, 2});  // three places, two frames
  const auto from = x.view().as<double, 3>();
  const TensorView places = places_apart(x.view(), 2), frames = frames_apart(x.view(), 2);
  REQUIRE(places.shape == Shape{6, 2, 2});
  REQUIRE(frames.shape == Shape{4, 4, 2});
  CHECK(places.as<double, 3>()(4, 1, 0) == from(1, 1 + 1 * 2 + 1, 0));
  CHECK(frames.as<double, 3>()(3, 0, 1) == from(1, 0, 1));
  CHECK(frames.as<double, 3>()(3, 2, 1) == from(1, 1 + 1 * 2 + 1, 1));
  const TensorView from_places = places_together(places, 2), from_frames = frames_together(frames, 2);
  for (std::size_t b = 0; b < 2; ++b)
    for (std::size_t i = 0; i < 7; ++i) {
      CHECK(from_places.as<double, 3>()(b, i, 1) == (i == 0 ? 0 : from(b, i, 1)));
      CHECK(from_frames.as<double, 3>()(b, i, 1) == from(b, i, 1));
    }
}
