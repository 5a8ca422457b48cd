// The reference engine: a module computes the formulas in double, from heads in double.
#include <attn/attention/inner/reference_module.hpp>

#include <attn/attention/inner/backward.hpp>
#include <attn/attention/inner/weights.hpp>
#include <attn/core/constants.hpp>
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

/// The same with its values, masks and normaliser.
struct MaskedHead : WideHead {
  TensorView value;
  std::vector<Mask::Parts> parts;
  std::unique_ptr<bool[]> passes;
  std::vector<double> bias;
  reference::Normaliser normaliser;

  MaskedHead(const AttentionProblem& problem, std::size_t b, std::size_t h, std::size_t first, std::size_t last)
      : WideHead(problem, b, h, first, last, 0, problem.sizes.keys),
        value(widened_rows(problem.value, b, problem.kv_head(h), 0, problem.sizes.keys)),
        passes(std::make_unique<bool[]>(head.L * head.S)),
        bias(head.L * head.S) {
    head.d_v = problem.sizes.value_width;
    head.value = value.contiguous_data<double>();
    for (std::size_t r = 0; r < head.L; ++r) {
      parts.push_back(problem.mask.parts(b, h, first + r));
      problem.mask.tensors(b, h, first + r, passes.get() + r * head.S, bias.data() + r * head.S);
    }
    const WeightRule rule = weight_rule(problem, h);
    const double empty = problem.empty == EmptyRows::nan ? std::numeric_limits<double>::quiet_NaN() : 0;
    normaliser = {rule.normalize, rule.sink.value_or(-infinity), empty, rule.exponentiate, rule.is_kernel};
  }
  reference::Masks masks() const { return {parts.data(), passes.get(), bias.data()}; }
};

template <class C>
std::size_t attend_rows(const AttentionProblem& problem, const AttentionOutputs& outputs, std::size_t b, std::size_t h,
                        std::size_t first, std::size_t last) {
  const std::size_t d_v = problem.sizes.value_width, L = last - first;
  const MaskedHead wide(problem, b, h, first, last);
  std::vector<double> output(L * d_v), lse(L);
  expect_memory(attention_functions().attend(wide.head, wide.masks(), wide.normaliser, {output.data(), lse.data()}));

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

ReferenceGradient reference_vjp(const AttentionProblem& problem, const QueryRow& first, std::size_t last,
                                const reference::Cotangents& cotangents) {
  const MaskedHead wide(problem, first.b, first.h, first.i, last);
  const reference::Head& head = wide.head;
  ReferenceGradient out;
  out.query.resize(head.L * head.d_q);
  out.key.resize(head.S * head.d_k);
  out.value.resize(head.S * head.d_v);
  out.scores.resize(head.L * head.S);
  out.lse.resize(head.L);
  out.score = ScoreGradient(problem.score, problem.sizes);
  expect_memory(attention_functions().vjp(
      head, wide.masks(), wide.normaliser, cotangents,
      {out.query.data(), out.key.data(), out.value.data(), out.scores.data(), out.lse.data(), &out.sink,
       out.score.pair.data(), out.score.query_matrix.data(), out.score.key_matrix.data()}));
  return out;
}

const AttentionEngine reference_engine{attend_reference, nullptr, nullptr, score_tile_reference};

}  // namespace attn
