#include <attn/attention/engines/row_result.hpp>

#include <algorithm>
#include <limits>

namespace attn {

RowTotal::RowTotal(const AttentionProblem& problem, std::size_t h, double maximum, double total)
    : is_softmax_(problem.normalize == Normalize::softmax),
      is_empty_((maximum == -std::numeric_limits<double>::infinity() || problem.normalize == Normalize::sum) &&
                total == 0),
      top_(maximum),
      sum_(problem.normalize == Normalize::none ? 1 : total) {
  if (is_empty_ || problem.sinks.empty()) return;
  const double sink = problem.sinks[h];
  top_ = std::max(maximum, sink);
  keep_ = std::exp(maximum - top_);
  sum_ = total * keep_ + std::exp(sink - top_);
}

double RowTotal::lse() const noexcept {
  if (is_empty_) return -std::numeric_limits<double>::infinity();
  return is_softmax_ ? top_ + std::log(sum_) : 0;
}

bool scores_are_beyond(const AttentionProblem& problem, const QueryRow& at, const KeyRange& keys, float maximum,
                       float total) {
  constexpr float most = std::numeric_limits<float>::max();
  if (!(std::abs(total) <= most) || maximum > most) return true;
  return maximum == -std::numeric_limits<float>::infinity() &&
         problem.mask.classify(at.b, at.h, at.i, at.i + 1, keys) != TileKind::empty;
}

}  // namespace attn
