#include <attn/layers/rotary.hpp>

#include <attn/core/constants.hpp>
#include <attn/core/execution.hpp>
#include <attn/core/module.hpp>
#include <attn/core/shape.hpp>
#include <attn/layers/inner/reference_module.hpp>
#include <attn/layers/positional_encoding.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace attn {
namespace {

/// The fractional index of the pair that makes so many rotations within the original length.
double pair_of_turns(double turns, const RotaryScaling& s, double base, double width) {
  return width * std::log(s.original_length / (turns * 2 * pi)) / (2 * std::log(base));
}

void scale_yarn(const RotaryScaling& s, double base, std::size_t width, std::vector<double>& frequencies) {
  const auto r = static_cast<double>(width);
  double low = pair_of_turns(s.fast, s, base, r), high = pair_of_turns(s.slow, s, base, r);
  if (s.truncate) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = std::max(low, 0.0);
  high = std::min(high, r - 1);
  if (low == high) high += 0.001;
  for (std::size_t j = 0; j < frequencies.size(); ++j) {
    const double slow = std::clamp((static_cast<double>(j) - low) / (high - low), 0.0, 1.0);
    frequencies[j] = frequencies[j] / s.factor * slow + frequencies[j] * (1 - slow);
  }
}

void scale_llama3(const RotaryScaling& s, std::vector<double>& frequencies) {
  for (double& f : frequencies) {
    const double wavelength = 2 * pi / f;
    if (wavelength > s.original_length / s.slow) {
      f /= s.factor;
    } else if (wavelength >= s.original_length / s.fast) {
      const double smooth = (s.original_length / wavelength - s.slow) / (s.fast - s.slow);
      f = (1 - smooth) * f / s.factor + smooth * f;
    }
  }
}

/// The angle of a pair from one position to the next.
std::vector<double> frequencies_of(const RotaryEncoding& encoding, std::size_t width, const std::vector<double>& rows) {
  if (encoding.stretching) {
    const double last = rows.empty() ? -1 : std::floor(*std::max_element(rows.begin(), rows.end()));
    const auto length = static_cast<std::size_t>(std::clamp(last + 1, 0.0, 0x1p62));
    return scaled_frequencies(*encoding.stretching, encoding.base, width, length);
  }
  std::vector<double> frequencies(width / 2);
  for (std::size_t j = 0; j < frequencies.size(); ++j)
    frequencies[j] = std::pow(encoding.base, -static_cast<double>(2 * j) / static_cast<double>(width));
  return frequencies;
}

/// (B, L, w) of a table with an axis for heads.
TensorView without_heads(const TensorView& table) {
  if (table.rank() != 4) return table;
  const std::size_t heads = table.shape[1] == 1 ? 1 : 2;
  if (table.shape[heads] != 1) throw shape_error(table.name, table.shape, "(B, 1, L, w) or (B, L, 1, w)");
  Shape shape = table.shape;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(heads));
  return reshaped(table, shape);
}

/// One column of each pair, or the other.
TensorView columns_of_pairs(const TensorView& table, bool interleaved, bool other) {
  const auto width = static_cast<std::int64_t>(table.shape.back());
  Slab slab(table.rank());
  slab.back() = interleaved ? AxisSlab{other ? 1 : 0, width, 2, false}
                            : AxisSlab{other ? width / 2 : 0, other ? width : width / 2, 1, false};
  return cast(slice(table, slab), DType::f64);
}

/// Are there two equal columns for every pair?
bool repeats_pairs(const RotaryTable& table, bool interleaved) {
  const auto repeats = [interleaved](const TensorView& x) {
    const TensorView a = columns_of_pairs(x, interleaved, false), b = columns_of_pairs(x, interleaved, true);
    const auto* const first = a.contiguous_data<double>();
    return std::equal(first, first + a.size(), b.contiguous_data<double>());
  };
  return table.cosine.shape.back() % 2 == 0 && repeats(table.cosine) && repeats(table.sine);
}

/// The formula in f64.
TensorView rotate_by_formula(const TensorView& given, const RotaryTable& table, bool interleaved, bool is_shared,
                             const Execution& execution) {
  const auto rotate = reference::layer_functions().rotate;
  const TensorView x = cast(given, DType::f64), cosine = cast(table.cosine, DType::f64),
                   sine = cast(table.sine, DType::f64);
  const std::size_t heads = x.shape[1], L = x.shape[2], d = x.shape[3], pairs = table.cosine.shape.back();
  Tensor turned(DType::f64, x.shape);
  execution.parallel(x.shape[0] * heads, [&](std::size_t bh, std::size_t) {
    const std::size_t angles = (is_shared ? 0 : bh / heads) * L * pairs;
    expect_memory(rotate(x.contiguous_data<double>() + bh * L * d, cosine.contiguous_data<double>() + angles,
                         sine.contiguous_data<double>() + angles, L, d, pairs, interleaved,
                         turned.data_as<double>() + bh * L * d));
  });
  return cast(turned.view(given.name), compute_dtype(given.dtype));
}

}  // namespace

bool follows_length(const RotaryScaling& scaling) noexcept {
  return scaling.kind == RotaryScalingKind::dynamic || scaling.kind == RotaryScalingKind::longrope;
}

std::vector<double> scaled_frequencies(const RotaryScaling& s, double base, std::size_t width, std::size_t length) {
  const auto r = static_cast<double>(width), n = static_cast<double>(length);
  if (s.kind == RotaryScalingKind::dynamic && n > s.original_length)
    base *= std::pow(s.factor * n / s.original_length - (s.factor - 1), r / (r - 2));
  std::vector<double> frequencies(width / 2);
  for (std::size_t j = 0; j < frequencies.size(); ++j) frequencies[j] = std::pow(base, -static_cast<double>(2 * j) / r);
  if (s.kind == RotaryScalingKind::yarn) scale_yarn(s, base, width, frequencies);
  if (s.kind == RotaryScalingKind::llama3) scale_llama3(s, frequencies);
  if (s.kind == RotaryScalingKind::longrope) {
    const std::vector<double>& factors = n > s.original_length ? s.long_factors : s.short_factors;
    for (std::size_t j = 0; j < frequencies.size(); ++j) frequencies[j] /= factors[j];
  }
  return frequencies;
}

double yarn_magnitude(double factor, double mscale) { return factor <= 1 ? 1 : 0.1 * mscale * std::log(factor) + 1; }

std::size_t rotary_width(const RotaryEncoding& encoding, std::size_t head_width) {
  const std::size_t width = encoding.width == 0 ? head_width : encoding.width;
  if (width % 2 != 0)
    throw Error(ErrorKind::usage, "rotary width",
                std::to_string(width) + (encoding.width == 0 ? ", all of a head," : "") +
                    " is odd, but coordinates are rotated in pairs",
                "rotate an even number of coordinates");
  if (width > head_width)
    throw Error(ErrorKind::usage, "rotary width",
                std::to_string(width) + " is more than the " + std::to_string(head_width) + " of a head");
  if (encoding.stretching && encoding.stretching->kind == RotaryScalingKind::longrope) {
    const std::size_t pairs = encoding.stretching->short_factors.size();
    if (pairs != width / 2 || encoding.stretching->long_factors.size() != pairs)
      throw Error(ErrorKind::usage, "rotary width",
                  std::to_string(width) + " is not that of the " + std::to_string(pairs) +
                      " pairs for which longrope has a factor");
  }
  if (!(encoding.base > 0) || !std::isfinite(encoding.base))
    throw Error(ErrorKind::usage, "base", "must be positive and finite");
  if (!(encoding.scaling > 0)) throw Error(ErrorKind::usage, "scaling", "must be positive");
  return width;
}

void expect_positions(const TensorView& positions, std::size_t batch, std::size_t length) {
  if (positions.shape != Shape{length} && positions.shape != Shape{batch, length})
    throw shape_error(positions.name, positions.shape,
                      to_string(Shape{batch, length}) + " or " + to_string(Shape{length}));
}

RotaryTable rotary_table(std::size_t length, std::size_t head_width, const RotaryEncoding& encoding,
                         const Positions& positions, DType dtype) {
  const std::size_t width = rotary_width(encoding, head_width);
  const std::size_t pairs = width / 2;
  Shape shape = positions.listed ? positions.listed->shape : Shape{length};
  shape.push_back(pairs);
  Tensor cosine(dtype, shape), sine(dtype, shape);
  // There may be very many rows without pairs, or pairs without rows.
  if (cosine.size() == 0) return {cosine.view("cosines"), sine.view("sines")};
  std::vector<double> rows;
  if (positions.listed) rows = listed_positions(*positions.listed);
  for (std::size_t l = 0; !positions.listed && l < length; ++l)
    rows.push_back(static_cast<double>(positions.first + static_cast<std::int64_t>(l)));
  const std::vector<double> frequencies = frequencies_of(encoding, width, rows);
  const double magnitude = encoding.stretching ? encoding.stretching->attention_factor : 1;
  visit_compute_dtype(dtype, [&](auto element) {
    using T = decltype(element);
    for (std::size_t row = 0; row < rows.size(); ++row)
      for (std::size_t j = 0; j < pairs; ++j) {
        const double angle = rows[row] / encoding.scaling * frequencies[j];
        cosine.data_as<T>()[row * pairs + j] = static_cast<T>(magnitude * std::cos(angle));
        sine.data_as<T>()[row * pairs + j] = static_cast<T>(magnitude * std::sin(angle));
      }
  });
  return {cosine.view("cosines"), sine.view("sines")};
}

RotaryTable given_rotary_table(const TensorView& cosine, const TensorView& sine, std::size_t head_width,
                               const RotaryEncoding& encoding) {
  if (sine.shape != cosine.shape) throw shape_error(sine.name, sine.shape, to_string(cosine.shape));
  if (cosine.rank() < 2 || cosine.rank() > 4 || cosine.shape.back() > head_width)
    throw shape_error(cosine.name, cosine.shape,
                      "(positions, R / 2) or (positions, R), R at most " + std::to_string(head_width));
  const RotaryTable table{without_heads(cosine), without_heads(sine)};
  const std::size_t width = cosine.shape.back();
  if (encoding.width > 0 && width != encoding.width) return table;
  if (!repeats_pairs(table, encoding.interleaved)) {
    if (2 * width <= head_width && !repeats_pairs(table, !encoding.interleaved)) return table;
    throw Error(ErrorKind::data, cosine.name,
                std::string("does not have equal columns for the two coordinates of a pair, which are ") +
                    (encoding.interleaved ? "neighbours" : "half the width apart"),
                encoding.interleaved ? "omit --rotary-interleaved if pairs are half the width apart"
                                     : "give --rotary-interleaved if pairs are neighbours");
  }
  return {columns_of_pairs(table.cosine, encoding.interleaved, false),
          columns_of_pairs(table.sine, encoding.interleaved, false)};
}

TensorView rotate(const TensorView& x, const RotaryTable& table, bool interleaved, const Execution& execution) {
  if (x.rank() != 4) throw shape_error(x.name, x.shape, "(B, H, L, d)");
  const std::size_t batch = x.shape[0], heads = x.shape[1], length = x.shape[2], width = x.shape[3];
  const Shape& angles = table.cosine.shape;
  const std::size_t pairs = angles.empty() ? 0 : angles.back();
  const Shape leading(angles.begin(), angles.end() - (angles.empty() ? 0 : 1));
  if (table.sine.shape != angles) throw shape_error(table.sine.name, table.sine.shape, to_string(angles));
  const bool has_rows = leading == Shape{length} || leading == Shape{batch, length} || leading == Shape{1, length};
  if (!has_rows || 2 * pairs > width)
    throw shape_error(table.cosine.name, angles,
                      "(" + std::to_string(length) + ", at most " + std::to_string(width / 2) +
                          "), or that for each of " + std::to_string(batch) + " batches");
  const bool is_shared = table.cosine.rank() == 2 || table.cosine.shape[0] == 1;
  if (execution.engine == Engine::reference) return rotate_by_formula(x, table, interleaved, is_shared, execution);
  const DType compute = compute_dtype(x.dtype);
  const TensorView input = x.dtype == compute ? x : cast(x, compute);
  const TensorView cosine = cast(table.cosine, compute), sine = cast(table.sine, compute);
  Tensor turned(compute, {batch, length, heads, width});
  const std::size_t tasks = turned.size() > 0 ? batch * length : 0;
  visit_compute_dtype(compute, [&](auto element) {
    using T = decltype(element);
    const auto from = input.as<T, 4>();
    const auto to = turned.as<T, 4>();
    const T *cosines = cosine.contiguous_data<T>(), *sines = sine.contiguous_data<T>();
    execution.sized_for(turned.size()).parallel_with_progress(tasks, [&](std::size_t task, std::size_t) {
      const std::size_t b = task / length, l = task % length;
      const std::size_t angle_row = (is_shared ? l : task) * pairs;
      for (std::size_t h = 0; h < heads; ++h) {
        for (std::size_t j = 0; j < pairs; ++j) {
          const std::size_t first = interleaved ? 2 * j : j, second = interleaved ? 2 * j + 1 : j + pairs;
          const T a = from(b, h, l, first), c = from(b, h, l, second);
          const T cos_t = cosines[angle_row + j], sin_t = sines[angle_row + j];
          to(b, l, h, first) = a * cos_t - c * sin_t;
          to(b, l, h, second) = a * sin_t + c * cos_t;
        }
        for (std::size_t i = 2 * pairs; i < width; ++i) to(b, l, h, i) = from(b, h, l, i);
      }
    });
  });
  return transposed(turned.view(x.name), {0, 2, 1, 3});
}

TensorView rotate_vjp(const TensorView& dy, const RotaryTable& table, bool interleaved, const Execution& execution) {
  const TensorView sine = cast(table.sine, DType::f64);
  Tensor back(DType::f64, sine.shape);
  std::transform(sine.contiguous_data<double>(), sine.contiguous_data<double>() + sine.size(), back.data_as<double>(),
                 std::negate<>());
  return rotate(dy, {table.cosine, back.view(table.sine.name)}, interleaved, execution);
}

}  // namespace attn
