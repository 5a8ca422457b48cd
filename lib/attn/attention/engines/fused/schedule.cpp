#include <attn/attention/engines/fused/schedule.hpp>

#include <algorithm>
#include <numeric>

namespace attn::fused {

template <class T>
std::vector<RowBlock> cut(const Plan<T>& plan, std::size_t threads) {
  const AttentionSizes& n = plan.problem.sizes;
  const std::size_t rows = plan.group() * n.queries, most = plan.rows_at_once();
  std::size_t step = most;
  while (step > fewer_rows && n.batch * n.kv_heads * (rows / step) < 8 * threads) step = std::max(step / 2, fewer_rows);
  std::vector<RowBlock> blocks;
  std::vector<double> work;
  for (std::size_t b = 0; b < n.batch; ++b)
    for (std::size_t g = 0; g < n.kv_heads; ++g)
      for (std::size_t first = 0; first < rows; first += step) {
        const RowBlock block{b, g, first, std::min(first + step, rows)};
        double keys = 0;
        for (const std::size_t row : {std::size_t{0}, block.rows() / 2, block.rows() - 1}) {
          const KeyRange range = plan.problem.mask.keys(b, plan.head(block, row), plan.query(block, row));
          keys += static_cast<double>(range.last - range.first);
        }
        blocks.push_back(block);
        work.push_back(keys * static_cast<double>(block.rows()));
      }
  std::vector<std::size_t> order(blocks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return work[a] > work[b]; });
  if (work.empty() || work[order.front()] == work[order.back()]) return blocks;
  // Each thread begins with a share, [t n / threads, (t + 1) n / threads): the blocks are distributed, largest first.
  const auto begin_of = [&](std::size_t share) { return share * blocks.size() / threads; };
  std::vector<std::size_t> next(threads);
  for (std::size_t share = 0; share < threads; ++share) next[share] = begin_of(share);
  std::vector<RowBlock> dealt(blocks.size());
  std::size_t share = 0;
  for (const std::size_t at : order) {
    while (next[share] == begin_of(share + 1)) share = (share + 1) % threads;
    dealt[next[share]++] = blocks[at];
    share = (share + 1) % threads;
  }
  return dealt;
}

template std::vector<RowBlock> cut(const Plan<float>&, std::size_t);
template std::vector<RowBlock> cut(const Plan<double>&, std::size_t);

}  // namespace attn::fused
