#include <attn/transformer/text_vectors.hpp>

#include <attn/core/characters.hpp>
#include <attn/core/tensor.hpp>
#include <attn/text/unicode.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

TensorView normalized_rows(const TensorView& x) {
  const TensorView wide = contiguous(cast(x, DType::f64));
  const auto from = wide.as<double, 2>();
  Tensor rows(DType::f64, x.shape);
  const auto to = rows.as<double, 2>();
  for (std::size_t b = 0; b < x.shape[0]; ++b) {
    double squares = 0;
    for (std::size_t j = 0; j < x.shape[1]; ++j) squares += from(b, j) * from(b, j);
    const double length = squares > 0 ? std::sqrt(squares) : 1;
    for (std::size_t j = 0; j < x.shape[1]; ++j) to(b, j) = from(b, j) / length;
  }
  return cast(rows.view(x.name), x.dtype);
}

/// Tensors (B, n), side by side.
TensorView joined(const std::vector<TensorView>& parts) {
  if (parts.size() == 1) return parts.front();
  std::size_t width = 0, first = 0;
  for (const TensorView& part : parts) width += part.shape[1];
  Tensor whole(DType::f64, {parts.front().shape[0], width});
  const auto to = whole.as<double, 2>();
  for (const TensorView& part : parts) {
    const TensorView wide = cast(part, DType::f64);
    const auto from = wide.as<double, 2>();
    for (std::size_t b = 0; b < part.shape[0]; ++b)
      for (std::size_t j = 0; j < part.shape[1]; ++j) to(b, first + j) = from(b, j);
    first += part.shape[1];
  }
  return cast(whole.view("pooled"), parts.front().dtype);
}

std::string in_lower_case(const std::string& text) {
  std::u32string lower;
  for (std::size_t i = 0; i < text.size();) {
    const text::CodePoint point = text::code_point_at(text, i);
    text::append_lowercase(lower, point.value);
    i += point.length;
  }
  std::string result;
  for (const char32_t c : lower) text::append_utf8(result, c);
  return result;
}

}  // namespace

TensorView pool(const TensorView& x, const std::optional<TensorView>& padding_mask, Pooling pooling,
                std::size_t skipped) {
  const std::size_t batch = x.shape[0], length = x.shape[1], width = x.shape[2];
  const std::vector<std::int64_t> real =
      padding_mask ? to_integers(*padding_mask) : std::vector<std::int64_t>(batch * length, 1);
  const TensorView states = cast(x, DType::f64);
  const auto state = states.as<double, 3>();
  Tensor pooled = Tensor::zeros(DType::f64, {batch, width});
  const auto out = pooled.as<double, 2>();
  for (std::size_t b = 0; b < batch; ++b) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < length; ++i)
      if (real[b * length + i] != 0) rows.push_back(i);
    rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(std::min(skipped, rows.size())));
    if (rows.empty()) continue;
    if (pooling == Pooling::first) rows.resize(1);
    if (pooling == Pooling::last) rows.erase(rows.begin(), rows.end() - 1);
    const auto weight_of = [&](std::size_t i) {
      return pooling == Pooling::weighted_mean ? static_cast<double>(skipped + i + 1) : 1;
    };
    double divisor = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) divisor += weight_of(i);
    if (pooling == Pooling::mean_sqrt_length) divisor = std::sqrt(divisor);
    for (std::size_t j = 0; j < width; ++j) {
      double sum = 0, largest = state(b, rows.front(), j);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const double value = state(b, rows[i], j);
        sum += weight_of(i) * value;
        largest = std::max(largest, value);
      }
      out(b, j) = pooling == Pooling::max ? largest : sum / divisor;
    }
  }
  return cast(pooled.view("pooled"), x.dtype);
}

std::string text_as_read(const std::string& text, const TextVectorParameters& parameters) {
  const std::string whole = parameters.prompt + text;
  return parameters.is_lower_case && !find_invalid_utf8(whole) ? in_lower_case(whole) : whole;
}

std::size_t unpooled_tokens(const text::Tokenizer& tokenizer, const TextVectorParameters& parameters) {
  if (parameters.pools_prompt || parameters.prompt.empty()) return 0;
  const text::Encoding tokens = tokenizer.encode(text_as_read("", parameters));
  const bool ends_special = tokens.size() > 0 && tokenizer.is_special(tokens.ids.back());
  return tokens.size() - (ends_special ? 1 : 0);
}

TensorView text_vectors(const TensorView& states, const std::optional<TensorView>& padding_mask,
                        const TextVectorParameters& parameters, std::size_t skipped, const Execution& execution) {
  std::vector<TensorView> parts;
  for (const Pooling pooling : parameters.poolings) parts.push_back(pool(states, padding_mask, pooling, skipped));
  TensorView vectors = joined(parts);
  for (const VectorStep& step : parameters.steps)
    vectors = step.map ? (*step.map)(vectors, execution, step.activation) : normalized_rows(vectors);
  return vectors;
}

}  // namespace attn
