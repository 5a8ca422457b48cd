#include <attn/transformer/dropout.hpp>

#include <attn/core/source_sink.hpp>
#include <attn/transformer/decoding/sampling.hpp>

namespace attn {

Dropout Dropout::below(std::uint64_t number) const {
  if (probability == 0) return *this;  // no key is used, and each sublayer of each token asks for one
  return {probability, RandomNumbers(key, number).next(), first_line};
}

TensorView Dropout::operator()(const TensorView& x, const Execution& execution) const {
  if (probability == 0) return x;
  const std::size_t lines = x.shape.at(0), n = lines > 0 ? x.size() / lines : 0;
  const auto dropped_below = static_cast<std::uint64_t>(probability * 0x1p64);
  Tensor y(x.dtype, x.shape);
  visit_compute_dtype(x.dtype, [&](auto element) {
    using T = decltype(element);
    const T scale = static_cast<T>(1 / (1 - probability)), *const from = x.contiguous_data<T>();
    T* const to = y.data_as<T>();
    execution.parallel(lines, [&](std::size_t line, std::size_t) {
      RandomNumbers random(key, first_line + line);
      for (std::size_t i = line * n; i < (line + 1) * n; ++i)
        to[i] = random.next() < dropped_below ? T(0) : scale * from[i];
    });
  });
  return y.view(x.name);
}

}  // namespace attn
