#include <attn/image/preprocess.hpp>

#include <attn/core/characters.hpp>
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

std::array<std::size_t, 2> resized_to(const ImagePreprocessing::Size& size, std::size_t height, std::size_t width) {
  if (size.shortest_edge == 0) return {size.height, size.width};
  const std::size_t shorter = std::min(height, width), longer = std::max(height, width);
  const std::size_t in_proportion = size.shortest_edge * longer / shorter;
  return height <= width ? std::array<std::size_t, 2>{size.shortest_edge, in_proportion}
                         : std::array<std::size_t, 2>{in_proportion, size.shortest_edge};
}

constexpr std::int64_t largest_side = 1 << 14;

/// What a kind of processor does unless its file says otherwise.
struct Habits {
  bool square;  ///< one number is both sides, not the shorter one
  std::int64_t size;
  std::int64_t resample;
  std::int64_t crop;  ///< 0: none
  double mean[3] = {0.5, 0.5, 0.5}, deviation[3] = {0.5, 0.5, 0.5};
};

/// As transformers finds the processor of a folder: the name in its file, else that of its model.
Habits habits_of(const JsonNode& config, const std::string& model_type) {
  std::string field, type = model_type == "timesformer" ? "VideoMAE" : starts_with(model_type, "clip") ? "CLIP" : "ViT";
  for (const char* name : {"feature_extractor_type", "video_processor_type", "image_processor_type"})
    if (config.has(name)) type = config.text(field = name);
  const auto is = [&](const std::string& kind) {
    if (field.empty()) return type == kind;
    return starts_with(type, kind + "ImageProcessor") || starts_with(type, kind + "FeatureExtractor") ||
           starts_with(type, kind + "VideoProcessor");
  };
  if (is("ViT")) return {true, 224, 2, 0};
  if (is("VideoMAE")) return {false, 224, 2, 224};
  if (is("DeiT")) return {true, 256, 3, 224};
  if (is("CLIP") || is("Bit"))
    return {false, 224, 3, 224, {0.48145466, 0.4578275, 0.40821073}, {0.26862954, 0.26130258, 0.27577711}};
  if (is("Timesformer")) return {false, 224, 2, 224, {0.485, 0.456, 0.406}, {0.229, 0.224, 0.225}};
  throw config.error(field, "the processor of ViT, DeiT, CLIP, BiT, VideoMAE or TimeSformer");
}

std::size_t side(const JsonNode& config, const std::string& field) {
  return static_cast<std::size_t>(config.integer(field, 1, largest_side));
}

/// One number, a list of height and width, or an object of either kind.
ImagePreprocessing::Size size_of(const JsonNode& config, const std::string& field, bool square,
                                 std::int64_t otherwise) {
  const auto given = config.find(field);
  if (given && given->is_object()) {
    ImagePreprocessing::Size size;
    if (given->has("shortest_edge")) {
      size.shortest_edge = side(*given, "shortest_edge");
    } else {
      size.height = side(*given, "height");
      size.width = side(*given, "width");
    }
    for (const auto& [name, value] : given->items())
      if (name != "shortest_edge" && name != "height" && name != "width") throw value.mismatch("no such field");
    return size;
  }
  std::vector<std::int64_t> sides = config.integers(field, 1, largest_side);
  if (sides.empty()) sides = {otherwise};
  if (sides.size() > 2) throw config.error(field, "a size, or height and width");
  const auto height = static_cast<std::size_t>(sides.front()), width = static_cast<std::size_t>(sides.back());
  if (sides.size() == 1 && !square) return {0, 0, height};
  return {height, width, 0};
}

Filter filter_of(const JsonNode& config, std::int64_t otherwise) {
  constexpr Filter by_code[] = {Filter::nearest, Filter::lanczos, Filter::bilinear,
                                Filter::bicubic, Filter::box,     Filter::hamming};
  return by_code[config.integer("resample", 0, 5, otherwise)];
}

std::array<double, 3> of_channels(const JsonNode& config, const std::string& field, const double (&otherwise)[3]) {
  std::array<double, 3> values{otherwise[0], otherwise[1], otherwise[2]};
  if (!config.has(field)) return values;
  const std::vector<double> given = config.numbers(field);
  if (given.size() != 3) throw config.error(field, "three numbers, for red, green and blue");
  std::copy(given.begin(), given.end(), values.begin());
  return values;
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

ImagePreprocessing read_preprocessing(const JsonNode& config, const std::string& model_type) {
  const Habits habits = habits_of(config, model_type);
  ImagePreprocessing steps;
  const auto size = size_of(config, "size", config.flag("default_to_square", habits.square), habits.size);
  steps.filter = filter_of(config, habits.resample);
  if (config.flag("do_resize", true)) steps.size = size;
  const auto crop = size_of(config, "crop_size", true, habits.crop == 0 ? 224 : habits.crop);
  if (config.flag("do_center_crop", habits.crop != 0)) {
    if (crop.shortest_edge != 0) throw config.error("crop_size", "height and width");
    steps.crop = {crop.height, crop.width};
  }
  const double rescale = config.number("rescale_factor", 0, 1e6, 1.0 / 255);
  if (config.flag("do_rescale", true)) steps.rescale = rescale;
  const auto mean = of_channels(config, "image_mean", habits.mean);
  const auto deviation = of_channels(config, "image_std", habits.deviation);
  if (config.flag("do_normalize", true)) {
    if (std::any_of(deviation.begin(), deviation.end(), [](double d) { return !(d > 0); }))
      throw config.error("image_std", "numbers above 0");
    steps.mean = mean;
    steps.deviation = deviation;
  }
  for (const char* field :
       {"do_pad", "do_sample_frames", "do_flip_channel_order", "do_reduce_labels", "use_square_size"})
    if (config.flag(field, false)) throw config.error(field, "false");
  config.skip({"_processor_class", "auto_map", "data_format", "device", "disable_grouping", "do_convert_rgb",
               "feature_extractor_type", "image_processor_type", "input_data_format", "model_input_names",
               "processor_class", "return_metadata", "return_tensors", "video_processor_type"});
  config.expect_nothing_else();
  return steps;
}

}  // namespace attn
