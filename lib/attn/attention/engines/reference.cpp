// The reference engine: a module computes the formulas in double, from heads in double.
#include <attn/attention/engines/reference.hpp>

#include <attn/attention/engines/stages.hpp>
#include <attn/core/infinity.hpp>
#include <attn/core/module.hpp>

#include <algorithm>
#include <atomic>
#include <limits>
#include <new>

namespace attn {
namespace {

const reference::AttentionFunctions& attention_functions() {
  static const auto* const functions =
      static_cast<const reference::AttentionFunctions*>(find_in_module(reference_module, "attn_reference_attention"));
  return *functions;
}

/// Queries first .. last of a head and keys of it, in f64.
struct WideHead {
  TensorView query, key;
  reference::Head head;

  WideHead(const AttentionProblem& problem, std::size_t b, std::size_t h, std::size_t first, std::size_t last,
           std::size_t first_key, std::size_t last_key)
      : query(widened_rows(problem.query, b, h, first, last)),
        key(widened_rows(problem.key, b, problem.kv_head(h), first_key, last_key)) {
    head.L = last - first;
    head.S = last_key - first_key;
    head.d_q = problem.sizes.query_width;
    head.d_k = problem.sizes.key_width;
    head.query = query.contiguous_data<double>();
    head.key = key.contiguous_data<double>();
    head.score = &problem.score;
  }
};

template <class C>
std::size_t attend_rows(const AttentionProblem& problem, const AttentionOutputs& outputs, std::size_t b, std::size_t h,
                        std::size_t first, std::size_t last) {
  const std::size_t S = problem.sizes.keys, d_v = problem.sizes.value_width, L = last - first;
  WideHead wide(problem, b, h, first, last, 0, S);
  const TensorView value = widened_rows(problem.value, b, problem.kv_head(h), 0, S);
  wide.head.d_v = d_v;
  wide.head.value = value.contiguous_data<double>();

  std::vector<Mask::Parts> parts;
  const auto passes = std::make_unique<bool[]>(L * S);
  std::vector<double> bias(L * S), output(L * d_v), lse(L);
  for (std::size_t r = 0; r < L; ++r) {
    parts.push_back(problem.mask.parts(b, h, first + r));
    problem.mask.tensors(b, h, first + r, passes.get() + r * S, bias.data() + r * S);
  }
  const WeightRule rule = weight_rule(problem, h);
  const double empty = problem.empty == EmptyRows::nan ? std::numeric_limits<double>::quiet_NaN() : 0;
  expect_memory(attention_functions().attend(
      wide.head, {parts.data(), passes.get(), bias.data()},
      {rule.normalize, rule.sink.value_or(-infinity), empty, rule.exponentiate, rule.is_kernel},
      {output.data(), lse.data()}));

  const auto to_compute = [](double x) { return static_cast<C>(x); };
  for (std::size_t r = 0; r < L; ++r) {
    C* const out = static_cast<C*>(outputs.output) + static_cast<std::ptrdiff_t>(b) * outputs.strides[0] +
                   static_cast<std::ptrdiff_t>(h) * outputs.strides[1] +
                   static_cast<std::ptrdiff_t>(first + r) * outputs.strides[2];
    std::transform(output.data() + r * d_v, output.data() + (r + 1) * d_v, out, to_compute);
  }
  if (outputs.lse != nullptr)
    std::transform(lse.begin(), lse.end(),
                   static_cast<C*>(outputs.lse) + (b * problem.sizes.heads + h) * problem.sizes.queries + first,
                   to_compute);
  return static_cast<std::size_t>(std::count(lse.begin(), lse.end(), -infinity));
}

std::size_t attend_reference(const AttentionProblem& problem, const AttentionOutputs& outputs,
                             const Execution& execution) {
  constexpr std::size_t most_pairs = std::size_t{1} << 18;  // of a block: a few MB for each of its matrices
  const AttentionSizes& n = problem.sizes;
  const std::size_t rows = std::clamp<std::size_t>(most_pairs / std::max<std::size_t>(n.keys, 1), 1, 256),
                    blocks = (n.queries + rows - 1) / rows;
  attention_functions();
  std::atomic<std::size_t> empty_rows{0};
  execution.parallel_with_progress(n.batch * n.heads * blocks, [&](std::size_t task, std::size_t) {
    const std::size_t bh = task / blocks, first = task % blocks * rows, last = std::min(first + rows, n.queries);
    const auto attend = problem.compute == DType::f64 ? attend_rows<double> : attend_rows<float>;
    empty_rows += attend(problem, outputs, bh / n.heads, bh % n.heads, first, last);
  });
  return empty_rows;
}

void score_tile_reference(const AttentionProblem& problem, const ScoreTile& tile, void* out, Isa) {
  const WideHead wide(problem, tile.b, tile.h, tile.first_query, tile.last_query, tile.keys.first - problem.first_key,
                      tile.keys.last - problem.first_key);
  std::vector<double> scores(wide.head.L * wide.head.S);
  expect_memory(attention_functions().scores(wide.head, scores.data()));
  if (problem.compute == DType::f64)
    std::copy(scores.begin(), scores.end(), static_cast<double*>(out));
  else
    std::transform(scores.begin(), scores.end(), static_cast<float*>(out),
                   [](double s) { return static_cast<float>(s); });
}

}  // namespace

const AttentionEngine reference_engine{0, attend_reference, nullptr, nullptr, nullptr, score_tile_reference};

}  // namespace attn
