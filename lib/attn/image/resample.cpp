#include <attn/image/resample.hpp>

#include <attn/core/constants.hpp>
#include <attn/core/error.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

constexpr int weight_bits = 22;  // 32 less 8 of the pixel and 2 for sums that overshoot

double sinc(double x) { return x == 0 ? 1 : std::sin(pi * x) / (pi * x); }

double support_of(Filter filter) {
  switch (filter) {
    case Filter::box: return 0.5;
    case Filter::bicubic: return 2;
    case Filter::lanczos: return 3;
    default: return 1;
  }
}

double weight_at(Filter filter, double s) {
  const double x = std::abs(s);
  switch (filter) {
    case Filter::box: return s > -0.5 && s <= 0.5 ? 1 : 0;
    case Filter::bilinear: return x < 1 ? 1 - x : 0;
    case Filter::hamming: return x < 1 ? sinc(x) * (0.54 + 0.46 * std::cos(pi * x)) : 0;
    case Filter::bicubic: {
      constexpr double a = -0.5;
      if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
      return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
    }
    case Filter::lanczos: return s >= -3 && s < 3 ? sinc(s) * sinc(s / 3) : 0;
    default: return 0;
  }
}

/// The pixels that a new one is made of, and their weights, which add up to 1 before they are rounded.
struct Window {
  std::size_t first = 0;
  std::vector<std::int32_t> weights;
};

std::vector<Window> windows(std::size_t from, std::size_t to, Filter filter) {
  const double scale = static_cast<double>(from) / static_cast<double>(to);
  const double coarser = std::max(scale, 1.0), support = support_of(filter) * coarser;
  std::vector<Window> all(to);
  std::vector<double> weights;
  for (std::size_t i = 0; i < to; ++i) {
    const double center = (static_cast<double>(i) + 0.5) * scale;
    const auto first = static_cast<std::size_t>(std::max(0.0, std::trunc(center - support + 0.5)));
    const std::size_t last = std::min(from, static_cast<std::size_t>(center + support + 0.5));
    weights.clear();
    double total = 0;
    for (std::size_t x = first; x < last; ++x) {
      weights.push_back(weight_at(filter, (static_cast<double>(x) - center + 0.5) * (1 / coarser)));
      total += weights.back();
    }
    all[i].first = first;
    for (const double weight : weights) {
      const double scaled = (total == 0 ? weight : weight / total) * (1 << weight_bits);
      all[i].weights.push_back(static_cast<std::int32_t>(scaled < 0 ? scaled - 0.5 : scaled + 0.5));
    }
  }
  return all;
}

std::uint8_t clip(std::int32_t sum) {
  return static_cast<std::uint8_t>(std::clamp(sum >> weight_bits, std::int32_t{0}, std::int32_t{255}));
}

// One axis: out(o, i, n) = sum_k w_k in(o, first + k, n), for arrays (outer, from, inner).
void resize_axis(const std::uint8_t* in, std::uint8_t* out, std::size_t outer, std::size_t from, std::size_t inner,
                 const std::vector<Window>& all, const Execution& execution) {
  execution.parallel(outer, [&](std::size_t o, std::size_t) {
    std::vector<std::int32_t> sums(inner);
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::fill(sums.begin(), sums.end(), 1 << (weight_bits - 1));
      const std::uint8_t* line = in + (o * from + all[i].first) * inner;
      for (const std::int32_t weight : all[i].weights) {
        for (std::size_t n = 0; n < inner; ++n) sums[n] += weight * line[n];
        line += inner;
      }
      std::transform(sums.begin(), sums.end(), out + (o * all.size() + i) * inner, clip);
    }
  });
}

// The pixels that the centers of the new ones lie in, by steps that add up: Pillow's rounding where one lies on a
// border.
std::vector<std::size_t> nearest_pixels(std::size_t from, std::size_t to) {
  const double step = static_cast<double>(from) / static_cast<double>(to);
  std::vector<std::size_t> pixels(to);
  double center = 0.5 * step;
  for (std::size_t i = 0; i < to; ++i, center += step) pixels[i] = std::min(from - 1, static_cast<std::size_t>(center));
  return pixels;
}

Tensor nearest(const std::uint8_t* in, const Shape& shape, std::size_t height, std::size_t width) {
  const std::size_t channels = shape[2];
  Tensor resized(DType::u8, {height, width, channels});
  auto* out = resized.data_as<std::uint8_t>();
  const auto columns = nearest_pixels(shape[1], width);
  for (const std::size_t y : nearest_pixels(shape[0], height))
    for (const std::size_t x : columns) out = std::copy_n(in + (y * shape[1] + x) * channels, channels, out);
  return resized;
}

}  // namespace

Tensor resize(const TensorView& pixels, std::size_t height, std::size_t width, Filter filter,
              const Execution& execution) {
  if (pixels.rank() != 3 || pixels.dtype != DType::u8 || pixels.size() == 0 || height == 0 || width == 0)
    throw Error(ErrorKind::data, pixels.name,
                "is " + to_string(pixels.shape) + " " + std::string(name_of(pixels.dtype)) +
                    ", expected a picture (height, width, channels) of u8 that is not empty");
  const TensorView packed = contiguous(pixels);
  const auto* in = packed.contiguous_data<std::uint8_t>();
  if (filter == Filter::nearest) return nearest(in, packed.shape, height, width);
  const std::size_t rows = packed.shape[0], columns = packed.shape[1], channels = packed.shape[2];
  // An axis that keeps its length is left as it is: its windows would be single pixels of weight 1 anyway.
  const auto along_rows = [&](const std::uint8_t* from, std::size_t lines, std::uint8_t* to) {
    resize_axis(from, to, lines, columns, channels, windows(columns, width, filter), execution);
  };
  const auto along_columns = [&](const std::uint8_t* from, std::size_t across, std::uint8_t* to) {
    resize_axis(from, to, 1, rows, across * channels, windows(rows, height, filter), execution);
  };
  // Each pass rounds, so the order shows; it is Pillow's since 13.0.
  const auto loss = [](std::size_t from, std::size_t to) {
    return static_cast<std::ptrdiff_t>(from) - static_cast<std::ptrdiff_t>(to);
  };
  const bool columns_first = rows > height && loss(rows, height) > 2 * loss(columns, width);
  const std::size_t lines = columns_first ? height : rows, across = columns_first ? columns : width;
  Tensor between(DType::u8, {lines, across, channels}), resized(DType::u8, {height, width, channels});
  if (columns_first) {
    along_columns(in, columns, between.data_as<std::uint8_t>());
    along_rows(between.data_as<std::uint8_t>(), height, resized.data_as<std::uint8_t>());
  } else {
    along_rows(in, rows, between.data_as<std::uint8_t>());
    along_columns(between.data_as<std::uint8_t>(), width, resized.data_as<std::uint8_t>());
  }
  return resized;
}

}  // namespace attn
