#include <attn/attention/inner/best_keys.hpp>

#include <attn/core/constants.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

bool in_order(const RankedKey& a, const RankedKey& b) noexcept { return a.is_before(b); }

}  // namespace

void BestKeys::keep_best() {
  const auto end = kept_.begin() + static_cast<std::ptrdiff_t>(most_);
  std::nth_element(kept_.begin(), end - 1, kept_.end(), in_order);
  kept_.erase(end, kept_.end());
  last_ = kept_.back();
}

std::vector<RankedKey> BestKeys::ranked() const {
  std::vector<RankedKey> all = kept_;
  std::sort(all.begin(), all.end(), in_order);
  all.resize(std::min(all.size(), most_), {});
  return all;
}

template <class T>
std::optional<std::size_t> best_key(const T* score_j, std::size_t n) {
  std::optional<std::size_t> best;
  for (std::size_t j = 0; j < n; ++j) {
    if (std::isnan(score_j[j])) return j;
    if (static_cast<double>(score_j[j]) != -infinity && (!best || score_j[j] > score_j[*best])) best = j;
  }
  return best;
}
template std::optional<std::size_t> best_key<float>(const float*, std::size_t);
template std::optional<std::size_t> best_key<double>(const double*, std::size_t);

}  // namespace attn
