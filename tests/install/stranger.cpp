// A program of somebody else: average pooling is attention with equal weights.

#include <attn/attention/attend.hpp>
#include <attn/core/version.hpp>

#include <xtensor/xtensor.hpp>

#include <cstdio>

int main() {
  const xt::xtensor<double, 2> query = {{1, 0}};
  const xt::xtensor<double, 2> key = {{1, 2}, {3, 4}, {5, 6}};
  const xt::xtensor<double, 2> value = {{1}, {2}, {6}};
  attn::AttendParameters parameters;
  parameters.normalize = attn::Normalize::uniform;
  attn::AttendInputs inputs;
  inputs.query = attn::view_of(query, "query");
  inputs.key = attn::view_of(key, "key");
  inputs.value = attn::view_of(value, "value");
  const auto pooled = attn::to_xtensor<double, 2>(attn::attend(inputs, parameters).output);
  std::printf("attn %s: the mean is %g\n", attn::version(), pooled(0, 0));
  return pooled(0, 0) == 3 ? 0 : 1;
}
