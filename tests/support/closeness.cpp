#include "support/closeness.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

namespace support {

Closeness::Closeness(const attn::TensorView& actual, const attn::TensorView& expected, double absolute_bound) {
  std::ostringstream text;
  text.precision(17);
  if (actual.shape != expected.shape) {
    ok_ = false;
    text << "shape " << attn::to_string(actual.shape) << ", expected " << attn::to_string(expected.shape);
    worst_ = text.str();
    return;
  }
  const attn::TensorView a = attn::cast(actual, attn::DType::f64), e = attn::cast(expected, attn::DType::f64);
  const double* a_data = a.contiguous_data<double>();
  const double* e_data = e.contiguous_data<double>();
  double largest = -1;
  std::size_t at = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool same = a_data[i] == e_data[i] || (std::isnan(a_data[i]) && std::isnan(e_data[i]));
    const double difference = same ? 0 : std::fabs(a_data[i] - e_data[i]);
    // A NaN on one side compares with nothing: make it the largest difference.
    const double weight = std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
    if (weight > largest) {
      largest = weight;
      at = i;
    }
  }
  ok_ = largest <= absolute_bound;
  if (largest < 0) return;
  attn::Shape index(a.shape.size());
  std::size_t rest = at;
  for (std::size_t axis = a.shape.size(); axis-- > 0;) {
    index[axis] = rest % a.shape[axis];
    rest /= a.shape[axis];
  }
  text << "worst at " << attn::to_string(index) << ": " << a_data[at] << ", expected " << e_data[at] << ", off by "
       << largest << ", bound " << absolute_bound;
  worst_ = text.str();
}

double scale_of(const attn::TensorView& x, double floor) {
  const attn::TensorView wide = attn::cast(x, attn::DType::f64);
  const double* data = wide.contiguous_data<double>();
  double scale = floor;
  for (std::size_t i = 0; i < wide.size(); ++i)
    if (std::isfinite(data[i])) scale = std::max(scale, std::fabs(data[i]));
  return scale;
}

bool same_bits(const attn::TensorView& a, const attn::TensorView& b) {
  return a.dtype == b.dtype && a.shape == b.shape &&
         std::memcmp(contiguous(a).data, contiguous(b).data, a.bytes()) == 0;
}

}  // namespace support
