// The xtensor border of attend(), instantiated once so that a user's file compiles fast.

#include <attn/attention/attend.hpp>

#include <xtensor/xtensor.hpp>

namespace ATTN_API attn {

template <class T, std::size_t N>
xt::xtensor<T, N> attend(const xt::xtensor<T, N>& query, const xt::xtensor<T, N>& key, const xt::xtensor<T, N>& value,
                         const AttendParameters& parameters, const Execution& execution) {
  const AttendInputs inputs{view_of(query, "query"), view_of(key, "key"), view_of(value, "value")};
  return to_xtensor<T, N>(attend(inputs, parameters, {}, execution).output);
}

#define ATTN_ATTEND(T, N)                                                                     \
  template xt::xtensor<T, N> attend<T, N>(const xt::xtensor<T, N>&, const xt::xtensor<T, N>&, \
                                          const xt::xtensor<T, N>&, const AttendParameters&, const Execution&);
ATTN_ATTEND(float, 2)
ATTN_ATTEND(float, 3)
ATTN_ATTEND(float, 4)
ATTN_ATTEND(double, 2)
ATTN_ATTEND(double, 3)
ATTN_ATTEND(double, 4)

}  // namespace attn
