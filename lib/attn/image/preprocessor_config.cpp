#include <attn/core/characters.hpp>
#include <attn/image/preprocessor_config.hpp>

#include <algorithm>

namespace attn {
namespace {

constexpr std::int64_t largest_side = 1 << 14;

/// What a kind of processor does unless its file says otherwise.
struct Habits {
  bool square;  ///< one number is both sides, not the shorter one
  std::int64_t size;
  std::int64_t resample;
  std::int64_t crop;  ///< 0: none
  double mean[3] = {0.5, 0.5, 0.5}, deviation[3] = {0.5, 0.5, 0.5};
};

Habits habits_of(const JsonNode& config) {
  std::string field = "image_processor_type", type;
  for (const char* name : {"image_processor_type", "video_processor_type", "feature_extractor_type"})
    if (config.has(name)) type = config.text(field = name);
  config.skip({"image_processor_type", "video_processor_type", "feature_extractor_type"});
  const auto is = [&](const char* start) { return starts_with(type, start); };
  if (type.empty() || is("ViTImageProcessor") || is("ViTFeatureExtractor")) return {true, 224, 2, 0};
  if (is("VideoMAEImageProcessor") || is("VideoMAEFeatureExtractor")) return {false, 224, 2, 224};
  if (is("DeiTImageProcessor") || is("DeiTFeatureExtractor")) return {true, 256, 3, 224};
  if (is("TimesformerVideoProcessor")) return {false, 224, 2, 224, {0.485, 0.456, 0.406}, {0.229, 0.224, 0.225}};
  throw config.error(field, "the processor of ViT, DeiT, VideoMAE or TimeSformer");
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

ImagePreprocessing read_preprocessing(const JsonNode& config) {
  const Habits habits = habits_of(config);
  ImagePreprocessing steps;
  const auto size = size_of(config, "size", habits.square, habits.size);
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
  for (const char* field : {"do_pad", "do_sample_frames", "do_flip_channel_order", "do_reduce_labels"})
    if (config.flag(field, false)) throw config.error(field, "false");
  config.skip({"_processor_class", "auto_map", "data_format", "default_to_square", "device", "disable_grouping",
               "do_convert_rgb", "input_data_format", "model_input_names", "processor_class", "return_metadata",
               "return_tensors"});
  config.expect_nothing_else();
  return steps;
}

}  // namespace attn
