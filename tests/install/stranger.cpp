// A program of somebody else: average pooling is attention with equal weights.

#include <attn/attn.hpp>

#include <cstdio>

int main() {
  const xt::xtensor<double, 2> query = {{1, 0}};
  const xt::xtensor<double, 2> key = {{1, 2}, {3, 4}, {5, 6}};
  const xt::xtensor<double, 2> value = {{1}, {2}, {6}};
  attn::AttendParameters parameters;
  parameters.normalize = attn::Normalize::uniform;
  const auto pooled = attn::attend(query, key, value, parameters);
  std::printf("attn %s: the mean is %g\n", attn::version(), pooled(0, 0));
  return pooled(0, 0) == 3 ? 0 : 1;
}
