// The formula, in its written order, in double: the oracle of all tests. This file must not be optimised.

#include <attn/attention/engines/stages.hpp>
#include <attn/attention/problem.hpp>
#include <attn/attention/score.hpp>
#include <attn/core/infinity.hpp>

#include <atomic>
#include <cmath>
#include <limits>

namespace attn {
namespace {

using Row = std::vector<double>;
/// x(b, h, i, :) in double.
template <class T>
Row row_of(const Strided<const T, 4>& x, std::size_t b, std::size_t h, std::size_t i) {
  Row row(x.shape[3]);
  for (std::size_t c = 0; c < row.size(); ++c) row[c] = real(x(b, h, i, c));
  return row;
}

/// The keys of one head, prepared for the scores.
template <class T>
std::vector<Row> psi_of_keys(const AttentionProblem& problem, std::size_t b, std::size_t g) {
  const auto key_bgjc = problem.key.as<T, 4>();
  std::vector<Row> psi_jc(problem.block_keys(), Row(pair_width(problem.score, problem.sizes)));
  for (std::size_t j = 0; j < psi_jc.size(); ++j)
    psi(problem.score, problem.sizes, row_of(key_bgjc, b, g, j).data(), psi_jc[j].data());
  return psi_jc;
}

template <class T, class C>
void attend_row(const AttentionProblem& problem, const AttentionOutputs& outputs, const std::vector<Row>& psi_jc,
                std::size_t b, std::size_t h, std::size_t i, std::atomic<std::size_t>& empty_rows) {
  const auto query_bhic = problem.query.as<T, 4>();
  const auto value_bgjc = problem.value.as<T, 4>();
  const std::size_t S = problem.sizes.keys, d_v = problem.sizes.value_width;
  const std::size_t g = problem.kv_head(h);

  Row phi_c(pair_width(problem.score, problem.sizes));
  phi(problem.score, problem.sizes, row_of(query_bhic, b, h, i).data(), phi_c.data());

  Row score_j(S, -infinity);
  for (std::size_t j = 0; j < S; ++j) {
    if (!problem.mask.attends(b, h, i, j)) continue;
    const double s = pair_score(problem.score, phi_c.data(), psi_jc[j].data(), phi_c.size());
    score_j[j] = softcapped(s, problem.score.softcap) + problem.mask.bias(b, h, i, j);
  }

  Row weight_j = score_j;
  const RowSummary summary = scores_to_weights(weight_rule(problem, h), weight_j.data(), S);

  C* const out_c = static_cast<C*>(outputs.output) + static_cast<std::ptrdiff_t>(b) * outputs.strides[0] +
                   static_cast<std::ptrdiff_t>(h) * outputs.strides[1] +
                   static_cast<std::ptrdiff_t>(i) * outputs.strides[2];
  for (std::size_t c = 0; c < d_v; ++c) {
    double sum = 0;
    for (std::size_t j = 0; j < S; ++j) {
      // Excluded keys are skipped, not multiplied by 0; under `hard`, so is every key except the best.
      if (score_j[j] == -infinity || (problem.normalize == Normalize::hard && weight_j[j] == 0)) continue;
      sum += weight_j[j] * real(value_bgjc(b, g, j, c));
    }
    out_c[c] = static_cast<C>(sum);
  }
  if (outputs.lse != nullptr)
    static_cast<C*>(outputs.lse)[(b * problem.sizes.heads + h) * problem.sizes.queries + i] =
        static_cast<C>(summary.lse);

  if (!summary.empty) return;
  ++empty_rows;
  const double filler = problem.empty == EmptyRows::nan ? std::numeric_limits<double>::quiet_NaN() : 0;
  for (std::size_t c = 0; c < d_v; ++c) out_c[c] = static_cast<C>(filler);
}

template <class T>
std::size_t attend_typed(const AttentionProblem& problem, const AttentionOutputs& outputs, const Execution& execution) {
  using C = std::conditional_t<std::is_same_v<T, double>, double, float>;
  std::atomic<std::size_t> empty_rows{0};
  execution.parallel_with_progress(problem.sizes.batch * problem.sizes.heads, [&](std::size_t bh, std::size_t) {
    const std::size_t b = bh / problem.sizes.heads, h = bh % problem.sizes.heads;
    const std::vector<Row> psi_jc = psi_of_keys<T>(problem, b, problem.kv_head(h));
    for (std::size_t i = 0; i < problem.sizes.queries; ++i)
      attend_row<T, C>(problem, outputs, psi_jc, b, h, i, empty_rows);
  });
  return empty_rows;
}

template <class T>
void score_tile_typed(const AttentionProblem& problem, const ScoreTile& tile, void* out) {
  using C = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const auto query_bhic = problem.query.as<T, 4>();
  const auto key_bgjc = problem.key.as<T, 4>();
  const std::size_t width = pair_width(problem.score, problem.sizes);
  const std::size_t rows = tile.last_query - tile.first_query, columns = tile.keys.last - tile.keys.first;
  std::vector<Row> phi_ic(rows, Row(width));
  for (std::size_t i = 0; i < rows; ++i)
    phi(problem.score, problem.sizes, row_of(query_bhic, tile.b, tile.h, tile.first_query + i).data(),
        phi_ic[i].data());
  Row psi_c(width);
  for (std::size_t j = 0; j < columns; ++j) {
    const std::size_t stored = tile.keys.first + j - problem.first_key;
    psi(problem.score, problem.sizes, row_of(key_bgjc, tile.b, problem.kv_head(tile.h), stored).data(), psi_c.data());
    for (std::size_t i = 0; i < rows; ++i)
      static_cast<C*>(out)[i * columns + j] =
          static_cast<C>(pair_score(problem.score, phi_ic[i].data(), psi_c.data(), width));
  }
}

/// Calls work(T{}) with the storage type of the problem.
template <class Work>
auto with_storage_type(const AttentionProblem& problem, Work&& work) {
  switch (problem.dtype) {
    case DType::f64: return work(double{});
    case DType::f32: return work(float{});
    case DType::f16: return work(Float16{});
    case DType::bf16: return work(BFloat16{});
    default:
      throw Error(ErrorKind::defect, "attention", "no engine computes on " + std::string(name_of(problem.dtype)));
  }
}

std::size_t attend_reference(const AttentionProblem& problem, const AttentionOutputs& outputs,
                             const Execution& execution) {
  return with_storage_type(problem,
                           [&](auto type) { return attend_typed<decltype(type)>(problem, outputs, execution); });
}

void score_tile_reference(const AttentionProblem& problem, const ScoreTile& tile, void* out, Isa) {
  with_storage_type(problem, [&](auto type) { score_tile_typed<decltype(type)>(problem, tile, out); });
}

}  // namespace

const AttentionEngine reference_engine{0, attend_reference, nullptr, nullptr, nullptr, score_tile_reference};

}  // namespace attn
