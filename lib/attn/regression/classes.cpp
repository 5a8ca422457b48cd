#include <attn/core/error.hpp>
#include <attn/core/slab.hpp>
#include <attn/core/texts.hpp>
#include <attn/core/values.hpp>
#include <attn/regression/classes.hpp>
#include <attn/regression/preparation.hpp>
#include <attn/regression/samples/samples.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attn {

Classes encode_classes(const TensorView& labels) {
  if (labels.rank() == 0 || labels.rank() > 2 || (labels.rank() == 2 && labels.shape[1] != 1))
    throw shape_error(name_or(labels, "y"), labels.shape, "one column of labels");
  refuse_missing(labels, "y");
  const std::size_t n = labels.shape[0];
  const TensorView column = reshaped(contiguous(labels), {n});
  Classes classes;
  visit_dtype(labels.dtype, [&](auto sample) {
    using T = decltype(sample);
    if constexpr (std::is_same_v<T, std::string> || std::is_arithmetic_v<T>) {
      const T* label = column.contiguous_data<T>();
      std::vector<T> known(label, label + n);
      std::sort(known.begin(), known.end());
      known.erase(std::unique(known.begin(), known.end()), known.end());
      Tensor names(labels.dtype, {known.size()}), one_hot = Tensor::zeros(DType::f64, {n, known.size()});
      std::copy(known.begin(), known.end(), names.data_as<T>());
      for (std::size_t i = 0; i < n; ++i) {
        const auto at = std::lower_bound(known.begin(), known.end(), label[i]) - known.begin();
        one_hot.data_as<double>()[i * known.size() + static_cast<std::size_t>(at)] = 1;
      }
      classes = {names.view("classes"), one_hot.view(labels.name)};
    } else {
      throw Error(ErrorKind::data, name_or(labels, "y"), "labels are " + std::string(name_of(labels.dtype)),
                  "give text, f64, f32 or integers");
    }
  });
  return classes;
}

TensorView class_probabilities(const TensorView& fit) {
  Tensor result(DType::f64, fit.shape);
  const auto given = fit.as<double, 2>();
  const auto p = result.as<double, 2>();
  for (std::size_t i = 0; i < p.shape[0]; ++i) {
    bool leaves = false;
    double sum = 0;
    for (std::size_t k = 0; k < p.shape[1]; ++k) {
      leaves = leaves || given(i, k) < 0;
      sum += std::max(given(i, k), 0.0);
    }
    for (std::size_t k = 0; k < p.shape[1]; ++k) p(i, k) = leaves ? std::max(given(i, k), 0.0) / sum : given(i, k);
  }
  return result.view(fit.name);
}

TensorView likeliest_classes(const TensorView& probabilities, const Classes& classes) {
  const auto p = probabilities.as<double, 2>();
  std::vector<std::size_t> best(p.shape[0]);
  std::vector<bool> unknown(p.shape[0], false);
  for (std::size_t i = 0; i < p.shape[0]; ++i) {
    for (std::size_t k = 0; k < p.shape[1]; ++k) {
      if (std::isnan(p(i, k))) unknown[i] = true;
      if (p(i, k) > p(i, best[i])) best[i] = k;
    }
    unknown[i] = unknown[i] || p.shape[1] == 0 || p(i, best[i]) == 0;
  }
  const bool any_unknown = std::find(unknown.begin(), unknown.end(), true) != unknown.end();
  const TensorView names =
      any_unknown && is_integer(classes.names.dtype) ? cast(classes.names, DType::f64) : classes.names;
  Tensor out(names.dtype, {p.shape[0]});
  TextMemory texts("label");
  visit_dtype(names.dtype, [&](auto sample) {
    using T = decltype(sample);
    const T* name = names.contiguous_data<T>();
    T* label = out.data_as<T>();
    for (std::size_t i = 0; i < p.shape[0]; ++i) {
      if constexpr (std::is_same_v<T, std::string>)
        if (!unknown[i]) texts.add_text(name[best[i]].size());
      if (!unknown[i])
        label[i] = name[best[i]];
      else if constexpr (std::is_floating_point_v<T>)
        label[i] = std::numeric_limits<T>::quiet_NaN();
      else
        label[i] = T{};
    }
  });
  return names.dtype == DType::string ? std::move(texts).held_by(out.view("label")) : out.view("label");
}

}  // namespace attn
