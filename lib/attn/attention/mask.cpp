#include <attn/attention/mask.hpp>

#include <attn/core/constants.hpp>
#include <attn/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

namespace attn {
namespace {

std::string label(const TensorView& x, const char* what) { return x.name.empty() ? std::string(what) : x.name; }

template <class T>
const T* row_of(const TensorView& x, std::size_t b, std::size_t h, std::size_t i) {
  return static_cast<const T*>(x.data) + static_cast<std::ptrdiff_t>(b) * x.strides[0] +
         static_cast<std::ptrdiff_t>(h) * x.strides[1] + static_cast<std::ptrdiff_t>(i) * x.strides[2];
}

double bias_at(const TensorView& x, std::size_t b, std::size_t h, std::size_t i, std::size_t j) {
  const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(j) * x.strides[3];
  return x.dtype == DType::f64 ? row_of<double>(x, b, h, i)[at] : row_of<float>(x, b, h, i)[at];
}

template <class T, class From>
void add_row(const From* from, std::ptrdiff_t step, KeyRange range, T* out) {
  const std::size_t count = range.last - range.first;
  from += static_cast<std::ptrdiff_t>(range.first) * step;
  if (step == 1) {  // apart, so that it vectorises
    for (std::size_t at = 0; at < count; ++at) out[at] += static_cast<T>(from[at]);
  } else {
    for (std::size_t at = 0; at < count; ++at) out[at] += static_cast<T>(from[static_cast<std::ptrdiff_t>(at) * step]);
  }
}

template <class T>
void exclude_row(const std::uint8_t* flags, std::ptrdiff_t step, KeyRange range, T* out) {
  constexpr T excluded = -std::numeric_limits<T>::infinity();
  const std::size_t count = range.last - range.first;
  flags += static_cast<std::ptrdiff_t>(range.first) * step;
  if (step == 1) {
    for (std::size_t at = 0; at < count; ++at) out[at] = flags[at] != 0 ? out[at] : excluded;
  } else {
    for (std::size_t at = 0; at < count; ++at)
      if (flags[static_cast<std::ptrdiff_t>(at) * step] == 0) out[at] = excluded;
  }
}

/// The state of a range of keys by a row of flags.
TileKind classify_row(const std::uint8_t* flags, std::ptrdiff_t step, KeyRange range) {
  const std::size_t count = range.last - range.first;
  flags += static_cast<std::ptrdiff_t>(range.first) * step;
  const bool first = flags[0] != 0;
  if (step == 1 && first && std::memchr(flags, 0, count) == nullptr) return TileKind::full;
  for (std::size_t at = 1; at < count; ++at)
    if ((flags[static_cast<std::ptrdiff_t>(at) * step] != 0) != first) return TileKind::partial;
  return first ? TileKind::full : TileKind::empty;
}

/// Bytes 0 or 1: is the element not 0, or with `inverted`, is it 0?
TensorView flags_of(const TensorView& mask, bool inverted) {
  Tensor flags(DType::u8, mask.shape);
  std::uint8_t* out = flags.data_as<std::uint8_t>();
  const TensorView x = contiguous(mask);
  visit_dtype(x.dtype, [&](auto type) {
    using T = decltype(type);
    const T* const in = x.contiguous_data<T>();
    for (std::size_t at = 0, n = x.size(); at < n; ++at) {
      bool on = false;
      if constexpr (std::is_arithmetic_v<T>)
        on = in[at] != 0;
      else if constexpr (std::is_same_v<T, Boolean>)
        on = in[at].value != 0;
      else if constexpr (!std::is_same_v<T, std::string>)
        on = to_float(in[at]) != 0;
      out[at] = on != inverted;
    }
  });
  return flags.view(mask.name);
}

/// The meanings that a mask of that shape can have for scores (B, H, L, S): shapes of 4 axes, with 1 for the missing
/// axes.
std::vector<Shape> meanings(const Shape& n, const Shape& scores) {
  std::vector<Shape> all;
  if (n.size() < 2) all.push_back({1, 1, 1, n.empty() ? 1 : n[0]});
  if (n.size() == 2) all = {{1, 1, n[0], n[1]}, {n[0], 1, 1, n[1]}};
  if (n.size() == 3) {
    all = {{1, n[0], n[1], n[2]}, {n[0], 1, n[1], n[2]}};
    if (n[0] == scores[0] * scores[1]) all.push_back({scores[0], scores[1], n[1], n[2]});
  }
  if (n.size() == 4) all.push_back(n);
  const auto unfit = [&](const Shape& shape) {
    for (std::size_t axis = 0; axis < 4; ++axis)
      if (shape[axis] != 1 && shape[axis] != scores[axis]) return true;
    return false;
  };
  all.erase(std::remove_if(all.begin(), all.end(), unfit), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace

std::vector<double> alibi_slopes(std::size_t heads) {
  std::size_t whole = 1;  // the largest power of two not above heads
  while (whole * 2 <= heads) whole *= 2;
  std::vector<double> slopes;
  for (std::size_t h = 0; h < heads; ++h) {
    // Heads beyond a power of two take every other slope of the next one.
    const double exponent = h < whole ? 8.0 * static_cast<double>(h + 1) / static_cast<double>(whole)
                                      : 4.0 * static_cast<double>(2 * (h - whole) + 1) / static_cast<double>(whole);
    slopes.push_back(std::exp2(-exponent));
  }
  return slopes;
}

Mask::Mask(const AttentionSizes& sizes) : sizes_(sizes), limit_(sizes.keys) {}

void Mask::add_window(std::int64_t left, std::int64_t right) {
  if (left < -1 || right < -1)
    throw Error(
        ErrorKind::usage, "window",
        std::to_string(left) + "," + std::to_string(right) + " is negative; give numbers of keys, -1 for no limit");
  const auto narrower = [](std::int64_t a, std::int64_t b) { return a < 0 ? b : b < 0 ? a : std::min(a, b); };
  left_ = narrower(left_, left);
  right_ = narrower(right_, right);
}

void Mask::add_lengths(const TensorView& lengths) {
  const auto [B, H, L] = std::array{sizes_.batch, sizes_.heads, sizes_.queries};
  const Shape& n = lengths.shape;
  const auto fits = [](std::size_t extent, std::size_t full) { return extent == full || extent == 1; };
  const bool is_one_sequence = n.size() == 1 && B == 1 && n[0] == L;
  bool ok = n.size() <= 3;
  if (n.size() == 1) ok = fits(n[0], B) || is_one_sequence;
  if (n.size() == 2) ok = fits(n[0], B) && fits(n[1], L);
  if (n.size() == 3) ok = fits(n[0], B) && fits(n[1], H) && fits(n[2], L);
  if (!ok)
    throw shape_error(label(lengths, "valid lengths"), n,
                      to_string({B}) + ", " + to_string({B, L}) + " or " + to_string({B, H, L}) +
                          ": batch, queries; batch, heads, queries");
  lengths_ = to_integers(lengths);
  for (std::size_t at = 0; at < lengths_.size(); ++at)
    if (lengths_[at] < 0 || static_cast<std::size_t>(lengths_[at]) > sizes_.keys)
      throw Error(ErrorKind::data, label(lengths, "valid lengths"),
                  "length " + std::to_string(lengths_[at]) + " is not in 0.." + std::to_string(sizes_.keys) +
                      ", the number of keys");
  Shape full = n;  // as (b, h, i)
  if (is_one_sequence) full.insert(full.begin(), 1);
  if (full.size() == 2) full.insert(full.begin() + 1, 1);
  full.resize(3, 1);
  length_strides_ = {full[0] == 1 ? 0 : full[1] * full[2], full[1] == 1 ? 0 : full[2], full[2] == 1 ? 0u : 1u};
}

Shape mask_meaning(const TensorView& mask, const AttentionSizes& sizes, bool has_lengths) {
  const auto [B, H, L, S] = std::array{sizes.batch, sizes.heads, sizes.queries, sizes.keys};
  const Shape& n = mask.shape;
  // With valid lengths a mask may cover only the keys that can be valid.
  const std::size_t covered = has_lengths && !n.empty() && n.back() > 1 && n.back() < S ? n.back() : S;
  const std::vector<Shape> meant = meanings(n, {B, H, L, covered});
  if (meant.empty())
    throw shape_error(mask.name, n,
                      "a shape that broadcasts to " + to_string({B, H, L, S}) +
                          " = (batch, heads, queries, keys), or (B, L, S), (B*H, L, S) or (B, S) of these");
  if (meant.size() > 1 && mask.size() > 0)
    throw shape_error(mask.name, n,
                      "4 axes (batch, heads, queries, keys): it could be meant as " + to_string(meant[0]) + " or as " +
                          to_string(meant[1]),
                      "reshape it to one of the two, for example with tconv --reshape");
  return meant[0];
}

void MaskElements::add(const TensorView& part) {
  if (part.dtype == DType::string) throw text_for_numbers(part);
  is_floating_ = is_floating(part.dtype);
  const TensorView x = contiguous(part);
  visit_dtype(x.dtype, [&](auto type) {
    using T = decltype(type);
    const T *first = x.contiguous_data<T>(), *last = first + x.size();
    // Looks at numbers until the type is clear.
    const auto decides = [&](auto number) {
      ones_ |= number == 1;
      minus_ones_ |= number == -1;
      negative_ |= number < 0;
      others_ |= number != 0 && number != 1 && number != -1;
      return is_floating_ ? others_ : negative_ && (ones_ || others_);
    };
    if constexpr (std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>)
      std::any_of(first, last, [&](T number) { return decides(to_float(number)); });
    else if constexpr (std::is_arithmetic_v<T> && std::is_signed_v<T>)  // true for floating types
      std::any_of(first, last, decides);
  });
}

MaskType MaskElements::type(const std::string& mask) const {
  if (look_boolean())
    throw Error(ErrorKind::data, mask, "is a float mask that contains only 0 and 1",
                "say --mask-type boolean (1 = attend) or --mask-type additive");
  if (!is_floating_ && minus_ones_ && !ones_ && !others_)
    throw Error(ErrorKind::data, mask, "is an integer mask that contains only 0 and -1",
                "say --mask-type boolean (-1 = attend) or --mask-type additive");
  return is_floating_ || negative_ ? MaskType::additive : MaskType::boolean;
}

TensorView Mask::spread(const TensorView& mask, const char* what) {
  TensorView x = mask;
  x.name = label(mask, what);
  const Shape meant = mask_meaning(x, sizes_, !lengths_.empty());
  const std::size_t covered = meant[3] == 1 ? sizes_.keys : meant[3];
  limit_ = std::min(limit_, covered);
  return broadcast_to(reshaped(x, meant), {sizes_.batch, sizes_.heads, sizes_.queries, covered});
}

void Mask::add_boolean(const TensorView& mask, bool inverted) {
  // Masks of one byte for each element are used in place: any value except 0 attends.
  const bool is_bytes = element_size(mask.dtype) == 1;
  booleans_.push_back(spread(is_bytes && !inverted ? mask : flags_of(mask, inverted), "mask"));
}

void Mask::add_bias(const TensorView& bias, DType compute) { biases_.push_back(spread(cast(bias, compute), "bias")); }

void Mask::add_alibi(std::vector<double> slopes) {
  if (slopes.size() != sizes_.heads)
    throw shape_error("ALiBi slopes", {slopes.size()}, to_string({sizes_.heads}) + ", one for each head");
  slopes_ = std::move(slopes);
}

std::size_t Mask::length(std::size_t b, std::size_t h, std::size_t i) const noexcept {
  if (lengths_.empty()) return sizes_.keys;
  return static_cast<std::size_t>(lengths_[b * length_strides_[0] + h * length_strides_[1] + i * length_strides_[2]]);
}

std::int64_t Mask::position(std::size_t b, std::size_t h, std::size_t i) const noexcept {
  if (!bottom_right_) return static_cast<std::int64_t>(i) + offset_;
  return static_cast<std::int64_t>(i + length(b, h, i)) - static_cast<std::int64_t>(sizes_.queries);
}

Mask::Parts Mask::parts(std::size_t b, std::size_t h, std::size_t i) const noexcept {
  const auto reach = [](std::int64_t keys) { return keys < 0 ? infinity : static_cast<double>(keys); };
  return {static_cast<double>(std::min(limit_, length(b, h, i))), static_cast<double>(position(b, h, i)), reach(left_),
          reach(right_), slopes_.empty() ? 0 : slopes_[h]};
}

void Mask::tensors(std::size_t b, std::size_t h, std::size_t i, bool* passes, double* bias) const {
  std::fill_n(passes, sizes_.keys, true);
  std::fill_n(bias, sizes_.keys, 0.0);
  for (std::size_t j = 0; j < limit_; ++j) {
    for (const TensorView& x : booleans_)
      passes[j] &= row_of<std::uint8_t>(x, b, h, i)[static_cast<std::ptrdiff_t>(j) * x.strides[3]] != 0;
    for (const TensorView& x : biases_) bias[j] += bias_at(x, b, h, i, j);
  }
}

KeyRange Mask::keys(std::size_t b, std::size_t h, std::size_t i) const noexcept {
  std::int64_t first = 0;
  std::int64_t last = static_cast<std::int64_t>(std::min(limit_, length(b, h, i)));
  const std::int64_t p = position(b, h, i);
  // Compared without p + right, which could overflow for huge windows.
  if (right_ >= 0 && right_ < last - p) last = p + right_ + 1;
  if (left_ >= 0 && left_ < p) first = p - left_;
  if (last <= 0) return {};
  first = std::min(first, last);
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(last)};
}

double Mask::bias(std::size_t b, std::size_t h, std::size_t i, std::size_t j) const noexcept {
  double total = 0;
  for (const TensorView& x : biases_) total += bias_at(x, b, h, i, j);
  if (!slopes_.empty())
    total -= slopes_[h] * std::abs(static_cast<double>(position(b, h, i) - static_cast<std::int64_t>(j)));
  return total;
}

bool Mask::attends(std::size_t b, std::size_t h, std::size_t i, std::size_t j) const noexcept {
  const KeyRange range = keys(b, h, i);
  if (j < range.first || j >= range.last) return false;
  for (const TensorView& x : booleans_)
    if (row_of<std::uint8_t>(x, b, h, i)[static_cast<std::ptrdiff_t>(j) * x.strides[3]] == 0) return false;
  for (const TensorView& x : biases_)
    if (bias_at(x, b, h, i, j) == -infinity) return false;
  return true;
}

template <class T>
void Mask::row(std::size_t b, std::size_t h, std::size_t i, KeyRange range, T* out) const {
  constexpr T excluded = -std::numeric_limits<T>::infinity();
  KeyRange inside = keys(b, h, i);
  inside.first = std::clamp(inside.first, range.first, range.last);
  inside.last = std::clamp(inside.last, inside.first, range.last);
  std::fill(out, out + (inside.first - range.first), excluded);
  std::fill(out + (inside.last - range.first), out + (range.last - range.first), excluded);
  T* const row = out + (inside.first - range.first);
  const std::size_t count = inside.last - inside.first;
  std::fill(row, row + count, T(0));
  for (const TensorView& x : biases_) {
    if (x.dtype == DType::f64)
      add_row(row_of<double>(x, b, h, i), x.strides[3], inside, row);
    else
      add_row(row_of<float>(x, b, h, i), x.strides[3], inside, row);
  }
  if (!slopes_.empty()) {
    const std::int64_t p = position(b, h, i);
    for (std::size_t at = 0; at < count; ++at)
      row[at] -=
          static_cast<T>(slopes_[h] * std::abs(static_cast<double>(p - static_cast<std::int64_t>(inside.first + at))));
  }
  for (const TensorView& x : booleans_) exclude_row(row_of<std::uint8_t>(x, b, h, i), x.strides[3], inside, row);
}
template void Mask::row<float>(std::size_t, std::size_t, std::size_t, KeyRange, float*) const;
template void Mask::row<double>(std::size_t, std::size_t, std::size_t, KeyRange, double*) const;

TileKind Mask::classify(std::size_t b, std::size_t h, std::size_t i_first, std::size_t i_last, KeyRange range) const {
  bool any = false, all = !has_bias();
  for (std::size_t i = i_first; i < i_last; ++i) {
    const KeyRange inside = keys(b, h, i);
    const KeyRange both{std::max(inside.first, range.first), std::min(inside.last, range.last)};
    const bool overlaps = both.first < both.last;
    if (!overlaps || both.first > range.first || both.last < range.last) all = false;
    if (!overlaps) continue;
    if (booleans_.empty() && biases_.empty()) {
      any = true;
    } else if (booleans_.size() == 1 && biases_.empty()) {
      const TensorView& x = booleans_.front();
      const TileKind kind = classify_row(row_of<std::uint8_t>(x, b, h, i), x.strides[3], both);
      any |= kind != TileKind::empty;
      all &= kind == TileKind::full;
    } else {
      all = false;
      for (std::size_t j = both.first; j < both.last && !any; ++j) any = attends(b, h, i, j);
    }
    if (any && !all) return TileKind::partial;
  }
  if (!any) return TileKind::empty;
  return all ? TileKind::full : TileKind::partial;
}

}  // namespace attn
