#include <attn/transformer/parameter_gradients.hpp>

#include <attn/core/ascii.hpp>
#include <attn/core/error.hpp>
#include <attn/simd/elementwise.hpp>

#include <algorithm>
#include <functional>

namespace attn {
namespace {

/// Where the elements of a part lie in the whole: the offset of the first, and strides.
struct Place {
  std::ptrdiff_t offset;
  Strides strides;
};

Place place_of(const TensorView& part, const TensorView& whole, const Tensor& gradient) {
  const auto size = static_cast<std::ptrdiff_t>(element_size(whole.dtype));
  const std::ptrdiff_t bytes = static_cast<const char*>(part.data) - static_cast<const char*>(whole.data);
  const bool is_inside =
      !std::less<>()(part.data, whole.data) && bytes < size * static_cast<std::ptrdiff_t>(whole.size());
  if (is_inside && part.dtype == whole.dtype) return {bytes / size, part.strides};
  // A converted copy of the whole, perhaps without axes of one element.
  if (part.size() != whole.size())
    throw Error(ErrorKind::defect, part.name, "is a copy of a part, whose gradient has no place");
  return {0, reshaped(gradient.view(), part.shape).strides};
}

}  // namespace

ParameterGradients::ParameterGradients(Source& parameters, DType compute, const std::vector<std::string>& names)
    : label_(parameters.label()) {
  for (const TensorInfo& info : parameters.tensors()) {
    if (!is_floating(info.dtype)) continue;
    Entry& entry = entries_.emplace(info.name, Entry{parameters.read(info.name), std::nullopt}).first->second;
    if (names.empty() || std::find(names.begin(), names.end(), info.name) != names.end())
      entry.gradient = Tensor::zeros(compute, info.shape);
  }
}

void ParameterGradients::add(const TensorView& parameter, const TensorView& gradient) {
  const std::string start = label_ + ":/";
  const auto entry = entries_.find(starts_with(parameter.name, start) ? parameter.name.substr(start.size()) : "");
  if (entry == entries_.end()) throw Error(ErrorKind::defect, parameter.name, "is no parameter of " + label_);
  if (!entry->second.gradient) return;
  const TensorView& whole = entry->second.whole;
  Tensor& sum = *entry->second.gradient;
  const Place place = place_of(parameter, whole, sum);
  const TensorView from = reshaped(cast(gradient, sum.dtype()), parameter.shape);
  const std::size_t n = from.rank() > 0 ? from.shape.back() : 1, rows = n > 0 ? from.size() / n : 0;
  visit_compute_dtype(sum.dtype(), [&](auto element) {
    using T = decltype(element);
    const T* row = from.contiguous_data<T>();
    T* const to = sum.data_as<T>() + place.offset;
    const std::ptrdiff_t step = from.rank() > 0 ? place.strides.back() : 1;
    for (std::size_t i = 0; i < rows; ++i, row += n) {
      std::ptrdiff_t at = 0;
      for (std::size_t axis = from.rank() > 0 ? from.rank() - 1 : 0, rest = i; axis-- > 0; rest /= from.shape[axis])
        at += static_cast<std::ptrdiff_t>(rest % from.shape[axis]) * place.strides[axis];
      for (std::size_t j = 0; j < n; ++j) to[at + static_cast<std::ptrdiff_t>(j) * step] += row[j];
    }
  });
}

void ParameterGradients::add(const Linear& map, const LinearGradients& gradients) {
  const bool is_turned = map.layout() == WeightLayout::in_out;
  add(is_turned ? transposed(map.weight(), {1, 0}) : map.weight(), gradients.weight);
  if (gradients.bias) add(*map.bias(), *gradients.bias);
}

void ParameterGradients::add(const Norm& norm, const NormGradients& gradients) {
  if (gradients.weight) add(*norm.weight(), *gradients.weight);
  if (gradients.bias) add(*norm.bias(), *gradients.bias);
}

void ParameterGradients::add(const ParameterGradients& other, const Execution& execution) {
  constexpr std::size_t block = 16384;
  for (auto& [name, entry] : entries_) {
    if (!entry.gradient) continue;
    Tensor& sum = *entry.gradient;
    const TensorView from = other.entries_.at(name).gradient->view(name);
    visit_compute_dtype(sum.dtype(), [&, &to_sum = sum](auto element) {
      using T = decltype(element);
      const std::size_t count = to_sum.size();
      const T* const term = from.contiguous_data<T>();
      T* const to = to_sum.data_as<T>();
      execution.sized_for(count).parallel((count + block - 1) / block, [&](std::size_t task, std::size_t) {
        const std::size_t first = task * block;
        simd::math_kernels<T>(execution.isa).add(to + first, term + first, to + first, std::min(block, count - first));
      });
    });
  }
}

std::map<std::string, TensorView> ParameterGradients::tensors() const {
  std::map<std::string, TensorView> all;
  for (const auto& [name, entry] : entries_)
    if (entry.gradient) all[name] = entry.gradient->view(name);
  return all;
}

}  // namespace attn
