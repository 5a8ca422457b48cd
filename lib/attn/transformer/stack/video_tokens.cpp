#include <attn/transformer/stack/video_tokens.hpp>

#include <attn/core/shape.hpp>

#include <algorithm>
#include <optional>

namespace attn {

TensorView places_apart(const TensorView& x, std::size_t frames) {
  const std::size_t batch = x.shape.at(0), tokens = x.shape.at(1) - 1, width = x.shape.at(2);
  const TensorView patches = contiguous(slice(x, {{}, {1, std::nullopt, 1, false}}));
  return reshaped(patches, {batch * tokens / frames, frames, width});
}

TensorView places_together(const TensorView& x, std::size_t batch) {
  const std::size_t width = x.shape.at(2), tokens = x.shape[0] * x.shape[1] / batch;
  Tensor together = Tensor::zeros(x.dtype, {batch, 1 + tokens, width});
  const TensorView from = contiguous(x);
  visit_compute_dtype(x.dtype, [&](auto element) {
    using T = decltype(element);
    for (std::size_t b = 0; b < batch; ++b)
      std::copy_n(from.contiguous_data<T>() + b * tokens * width, tokens * width,
                  together.data_as<T>() + (b * (1 + tokens) + 1) * width);
  });
  return together.view(x.name);
}

TensorView frames_apart(const TensorView& x, std::size_t frames) {
  const std::size_t batch = x.shape.at(0), patches = (x.shape.at(1) - 1) / frames, width = x.shape.at(2);
  Tensor apart(x.dtype, {batch * frames, 1 + patches, width});
  visit_compute_dtype(x.dtype, [&](auto element) {
    using T = decltype(element);
    const TensorView all = contiguous(x);
    const T* from = all.contiguous_data<T>();
    T* to = apart.data_as<T>();
    for (std::size_t b = 0; b < batch; ++b, from += (1 + patches * frames) * width)
      for (std::size_t t = 0; t < frames; ++t) {
        to = std::copy_n(from, width, to);
        for (std::size_t i = 0; i < patches; ++i) to = std::copy_n(from + (1 + i * frames + t) * width, width, to);
      }
  });
  return apart.view(x.name);
}

TensorView frames_together(const TensorView& x, std::size_t frames) {
  const std::size_t batch = x.shape.at(0) / frames, patches = x.shape.at(1) - 1, width = x.shape.at(2);
  Tensor together = Tensor::zeros(x.dtype, {batch, 1 + patches * frames, width});
  visit_compute_dtype(x.dtype, [&](auto element) {
    using T = decltype(element);
    const TensorView all = contiguous(x);
    const T* from = all.contiguous_data<T>();
    T* to = together.data_as<T>();
    for (std::size_t b = 0; b < batch; ++b, to += (1 + patches * frames) * width) {
      for (std::size_t t = 0; t < frames; ++t) {
        for (std::size_t j = 0; j < width; ++j) to[j] += from[j];
        from += width;
        for (std::size_t i = 0; i < patches; ++i, from += width)
          std::copy_n(from, width, to + (1 + i * frames + t) * width);
      }
      for (std::size_t j = 0; j < width; ++j) to[j] /= static_cast<T>(frames);
    }
  });
  return together.view(x.name);
}

}  // namespace attn
