#include <attn/transformer/parameter_gradients.hpp>

#include <attn/core/characters.hpp>
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

Place place_of(const TensorView& part, const TensorView& whole) {
  const auto size = static_cast<std::ptrdiff_t>(element_size(whole.dtype));
  const std::ptrdiff_t bytes = static_cast<const char*>(part.data) - static_cast<const char*>(whole.data);
  const bool is_inside =
      !std::less<>()(part.data, whole.data) && bytes < size * static_cast<std::ptrdiff_t>(whole.size());
  if (is_inside && part.dtype == whole.dtype) return {bytes / size, part.strides};
  // A converted copy of the whole, perhaps without axes of one element.
  if (part.size() != whole.size())
    throw Error(ErrorKind::defect, part.name, "is a copy of a part, whose gradient has no place");
  return {0, row_major_strides(part.shape)};
}

/// The numbers of a sum that is kept, in memory that no other view has: two gradients may be parts of one tensor.
template <class T>
T* numbers_of(TensorView& sum) {
  if (sum.owner.use_count() != 1) sum = copied(sum);
  return const_cast<T*>(sum.contiguous_data<T>());
}

void add_last(std::vector<GradientNode>& nodes, const Execution& execution) {
  ParameterGradients last = std::move(nodes.back().gradients);
  nodes.pop_back();
  nodes.back().gradients.add(std::move(last), execution);
}

}  // namespace

ParameterGradients::ParameterGradients(Source& parameters, DType compute, const std::vector<std::string>& names)
    : label_(parameters.label()), compute_(compute) {
  for (const TensorInfo& info : parameters.tensors()) {
    if (!is_floating(info.dtype)) continue;
    const bool learns = names.empty() || std::find(names.begin(), names.end(), info.name) != names.end();
    entries_.emplace(info.name, Entry{parameters.read(info.name), learns});
  }
}

void ParameterGradients::add(const TensorView& parameter, const TensorView& gradient) {
  const std::string start = label_ + ":/";
  const auto entry = entries_.find(starts_with(parameter.name, start) ? parameter.name.substr(start.size()) : "");
  if (entry == entries_.end()) throw Error(ErrorKind::defect, parameter.name, "is no parameter of " + label_);
  auto& [whole, learns, sum] = entry->second;
  if (!learns) return;
  const Place place = place_of(parameter, whole);
  const TensorView from = reshaped(cast(gradient, compute_), parameter.shape);
  if (!sum && from.size() == whole.size() && place.strides == from.strides) {
    sum = reshaped(from, whole.shape);
    return;
  }
  if (!sum) sum = Tensor::zeros(compute_, whole.shape).view();
  const std::size_t n = from.rank() > 0 ? from.shape.back() : 1, rows = n > 0 ? from.size() / n : 0;
  visit_compute_dtype(compute_, [&, &to_sum = *sum](auto element) {
    using T = decltype(element);
    const T* row = from.contiguous_data<T>();
    T* const to = numbers_of<T>(to_sum) + place.offset;
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

void ParameterGradients::add(ParameterGradients other, const Execution& execution) {
  constexpr std::size_t block = 16384;
  for (auto& [name, entry] : entries_) {
    const std::optional<TensorView>& from = other.entries_.at(name).sum;
    if (!from) continue;
    if (!entry.sum) {
      entry.sum = from;
      continue;
    }
    visit_compute_dtype(compute_, [&, &sum = *entry.sum](auto element) {
      using T = decltype(element);
      const std::size_t count = sum.size();
      const T* const term = from->contiguous_data<T>();
      T* const to = numbers_of<T>(sum);
      execution.sized_for(count).parallel((count + block - 1) / block, [&](std::size_t task, std::size_t) {
        const std::size_t first = task * block;
        simd::math_kernels<T>(execution.isa).add(to + first, term + first, to + first, std::min(block, count - first));
      });
    });
  }
}

std::vector<std::string> ParameterGradients::names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_)
    if (entry.learns) names.push_back(name);
  return names;
}

std::map<std::string, TensorView> ParameterGradients::tensors() const {
  std::map<std::string, TensorView> all;
  for (const std::string& name : names()) {
    const Entry& entry = entries_.at(name);
    all[name] = renamed(entry.sum ? *entry.sum : Tensor::zeros(compute_, entry.whole.shape).view(), name);
  }
  return all;
}

void append(std::vector<GradientNode>& nodes, GradientNode next, const Execution& execution) {
  nodes.push_back(std::move(next));
  while (nodes.size() > 1 && are_siblings(nodes[nodes.size() - 2].place, nodes.back().place)) {
    const TreeNode parent = parent_of(nodes.back().place);
    add_last(nodes, execution);
    nodes.back().place = parent;
  }
}

ParameterGradients root_of(std::vector<GradientNode> nodes, const Execution& execution) {
  while (nodes.size() > 1) add_last(nodes, execution);
  return std::move(nodes.front().gradients);
}

}  // namespace attn
