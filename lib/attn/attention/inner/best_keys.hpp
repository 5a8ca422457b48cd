#pragma once
// The keys with the largest scores, in one order wherever they are looked for.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace attn {

struct RankedKey {
  double score = 0;
  std::int64_t key = 0;

  /// Larger scores first, ties by key. NaN counts as larger than everything, so that it is not lost.
  bool is_before(const RankedKey& other) const noexcept {
    if (std::isnan(score) != std::isnan(other.score)) return std::isnan(score);
    return score > other.score || (!(other.score > score) && key < other.key);
  }
};

/// The best keys of a query among those that were offered.
class BestKeys {
 public:
  explicit BestKeys(std::size_t most) noexcept : most_(most) {}

  void offer(const RankedKey& candidate) {
    if (last_ && !candidate.is_before(*last_)) return;
    kept_.push_back(candidate);
    if (kept_.size() == 2 * most_) keep_best();
  }
  /// At most `most`, the best first.
  std::vector<RankedKey> ranked() const;

 private:
  void keep_best();

  std::size_t most_;
  std::vector<RankedKey> kept_;    ///< fewer than twice as many
  std::optional<RankedKey> last_;  ///< those behind it are not among the best
};

/// The best key of a row of n scores, where -inf excludes a key; none if all are excluded. T is float or double.
template <class T>
std::optional<std::size_t> best_key(const T* score_j, std::size_t n);

}  // namespace attn
