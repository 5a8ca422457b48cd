#include <attn/matrix/reference.hpp>

// The formula, in its written order, in double. This file must not be optimised.

namespace attn {

template <class T>
void linear_reference(Strided<const T, 2> x, Strided<const T, 2> w, const T* bias, Activation activation,
                      Strided<T, 2> y) {
  for (std::size_t m = 0; m < y.shape[0]; ++m)
    for (std::size_t n = 0; n < y.shape[1]; ++n) {
      double sum = 0;
      for (std::size_t k = 0; k < x.shape[1]; ++k) sum += static_cast<double>(x(m, k)) * static_cast<double>(w(n, k));
      if (bias != nullptr) sum += static_cast<double>(bias[n]);
      y(m, n) = static_cast<T>(activate(activation, sum));
    }
}

template void linear_reference<float>(Strided<const float, 2>, Strided<const float, 2>, const float*, Activation,
                                      Strided<float, 2>);
template void linear_reference<double>(Strided<const double, 2>, Strided<const double, 2>, const double*, Activation,
                                       Strided<double, 2>);

}  // namespace attn
