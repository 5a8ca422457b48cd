#pragma once
// What tests of attention have in common.

#include "support/closeness.hpp"
#include "support/execution.hpp"
#include "support/random.hpp"

#include <attn/attention/attend.hpp>

#include <doctest/doctest.h>

namespace support {

/// Calls test(execution) for every instruction set, forced.
template <class Test>
void for_each_isa(Test&& test) {
  for (const attn::Isa isa : attn::available_isas()) {
    CAPTURE(attn::name_of(isa));
    test(forced(isa));
  }
}

/// Of pooled values: the size of the values that were pooled.
inline double pooling_bound(attn::DType dtype, const attn::TensorView& value) {
  const double eps = dtype == attn::DType::f64 ? epsilon<double>() : epsilon<float>();
  return bound::pooling * eps * scale_of(value, 1);
}

inline attn::AttendInputs random_inputs(Random& random, attn::DType dtype, std::size_t L, std::size_t S, std::size_t d,
                                        std::size_t d_v) {
  return {random.tensor(dtype, {2, 4, L, d}), random.tensor(dtype, {2, 2, S, d}), random.tensor(dtype, {2, 2, S, d_v})};
}

inline double number(const attn::TensorView& x, std::size_t at) {
  return attn::cast(x, attn::DType::f64).contiguous_data<double>()[at];
}

}  // namespace support
