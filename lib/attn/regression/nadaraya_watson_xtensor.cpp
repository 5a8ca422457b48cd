#include <attn/regression/nadaraya_watson_xtensor.hpp>

#include <xtensor/xtensor.hpp>

namespace ATTN_API attn {
namespace {

template <class T, std::size_t N>
xt::xtensor<T, 1> regress(const xt::xtensor<T, N>& x, const xt::xtensor<T, 1>& y, const xt::xtensor<T, N>& q,
                          const Smoother& smoother, const Execution& execution) {
  const KernelRegression regression({view_of(x, "x"), view_of(y, "y"), std::nullopt}, execution);
  return to_xtensor<T, 1>(regression.evaluate(view_of(q, "q"), smoother, {}, execution).fit);
}

}  // namespace

template <class T>
xt::xtensor<T, 1> kernel_regression(const xt::xtensor<T, 1>& x, const xt::xtensor<T, 1>& y, const xt::xtensor<T, 1>& q,
                                    const Smoother& smoother, const Execution& execution) {
  return regress(x, y, q, smoother, execution);
}

template <class T>
xt::xtensor<T, 1> kernel_regression(const xt::xtensor<T, 2>& x, const xt::xtensor<T, 1>& y, const xt::xtensor<T, 2>& q,
                                    const Smoother& smoother, const Execution& execution) {
  return regress(x, y, q, smoother, execution);
}

#define ATTN_KERNEL_REGRESSION(T)                                                                               \
  template xt::xtensor<T, 1> kernel_regression<T>(const xt::xtensor<T, 1>&, const xt::xtensor<T, 1>&,           \
                                                  const xt::xtensor<T, 1>&, const Smoother&, const Execution&); \
  template xt::xtensor<T, 1> kernel_regression<T>(const xt::xtensor<T, 2>&, const xt::xtensor<T, 1>&,           \
                                                  const xt::xtensor<T, 2>&, const Smoother&, const Execution&);
ATTN_KERNEL_REGRESSION(float)
ATTN_KERNEL_REGRESSION(double)

}  // namespace attn
