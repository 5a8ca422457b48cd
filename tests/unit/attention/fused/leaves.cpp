// The fused engine over many leaves of keys: the states of leaves, in any order of work, give the same result.

#include "support/fused.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace attn;
using support::Closeness;
using support::forced;
using support::in_f64;
using support::Random;
using support::Result;
using support::run;
using support::same_bits;
using support::score_scale;
using support::weight_rounding;

namespace {

/// The block of keys [first, last) of the problem.
AttentionProblem keys_of(const AttentionProblem& problem, std::size_t first, std::size_t last) {
  AttentionProblem part = problem;
  part.first_key = first;
  for (TensorView* x : {&part.key, &part.value}) {
    x->data =
        static_cast<const char*>(x->data) + static_cast<std::ptrdiff_t>(first * element_size(x->dtype)) * x->strides[2];
    x->shape[2] = last - first;
  }
  return part;
}

/// The result of a state that has seen all keys.
Result finished(const AttentionProblem& problem, AttentionState state) {
  const AttentionSizes& n = problem.sizes;
  Result result{Tensor(problem.compute, {n.batch, n.heads, n.queries, n.value_width}),
                Tensor(problem.compute, {n.batch, n.heads, n.queries})};
  const auto H = static_cast<std::ptrdiff_t>(n.heads), L = static_cast<std::ptrdiff_t>(n.queries),
             d_v = static_cast<std::ptrdiff_t>(n.value_width);
  fused_engine.finish(problem, std::move(state), {result.output.data(), {H * L * d_v, L * d_v, d_v}, result.lse.data()},
                      native_isa());
  return result;
}

/// The first query of the problem alone.
AttentionProblem first_query(const AttentionProblem& problem, const AttendInputs& in, const AttendParameters& p) {
  AttendInputs one = in;
  one.query.shape[2] = 1;
  AttendParameters parameters = p;
  parameters.causal_bottom_right = false;
  if (p.causal_bottom_right)
    parameters.offset =
        static_cast<std::int64_t>(problem.sizes.keys) - static_cast<std::int64_t>(problem.sizes.queries);
  return make_problem(one, parameters);
}

/// States of consecutive leaves, cut at random.
std::vector<AttentionState> parts_of(const AttentionProblem& problem, Random& random, const Execution& execution) {
  std::vector<AttentionState> parts;
  const std::size_t S = problem.sizes.keys;
  for (std::size_t first = 0, last; first < S; first = last) {
    last = std::min(first + random.between(1, 3) * leaf_keys, S);
    fused_engine.fold(keys_of(problem, first, last), parts.emplace_back(), execution);
  }
  return parts;
}

}  // namespace

TEST_CASE("rows have the same bits over many leaves: alone, on threads, with keys in blocks, and joined from parts") {
  for (const Isa isa : available_isas()) {
    Random random(25);
    for (const std::size_t S : {1, 511, 4095, 4096, 4097, 12288, 30000})
      for (const DType dtype : {DType::f32, DType::bf16, DType::f64})
        for (const int kind : {0, 1, 2, 3}) {
          CAPTURE(name_of(isa));
          CAPTURE(S);
          CAPTURE(name_of(dtype));
          CAPTURE(kind);
          AttendInputs in{random.tensor(dtype, {1, 2, 9, 16}), random.tensor(dtype, {1, 1, S, 16}),
                          random.tensor(dtype, {1, 1, S, 6})};
          AttendParameters parameters;
          Tensor mask(DType::u8, {9, S});
          if (kind == 1) parameters.causal_bottom_right = true, parameters.window = Window{600, 0};
          if (kind == 2) parameters.score = Score::gaussian, parameters.normalize = Normalize::none;
          if (kind == 3) {
            // Queries that see whole leaves, and leaves that nobody sees.
            parameters.scale = 8;
            for (std::size_t at = 0; at < mask.size(); ++at)
              mask.data_as<std::uint8_t>()[at] = at / S * 1400 < at % S && at % S / leaf_keys != 1;
            in.mask = mask.view();
          }
          const AttentionProblem problem = make_problem(in, parameters);
          const Result whole = run(fused_engine, problem, forced(isa));
          ThreadPool pool(3);
          Execution threaded = forced(isa);
          threaded.pool = &pool;
          CHECK(same_bits(run(fused_engine, problem, threaded).output.view(), whole.output.view()));
          if (kind != 3) {
            const Result alone = run(fused_engine, first_query(problem, in, parameters), threaded);
            CHECK(std::memcmp(alone.output.view().data, whole.output.view().data, 6 * element_size(problem.compute)) ==
                  0);
          }
          AttentionState blocks, joined;
          for (std::size_t first = 0; first < S; first += 2 * leaf_keys)
            fused_engine.fold(keys_of(problem, first, std::min(first + 2 * leaf_keys, S)), blocks, threaded);
          const Result streamed = finished(problem, std::move(blocks));
          CHECK(same_bits(streamed.output.view(), whole.output.view()));
          if (parameters.normalize != Normalize::none) CHECK(same_bits(streamed.lse.view(), whole.lse.view()));
          for (AttentionState& part : parts_of(problem, random, threaded))
            for (StateNode& node : part.nodes) append(joined, std::move(node), Isa::baseline);
          CHECK(same_bits(finished(problem, std::move(joined)).output.view(), whole.output.view()));
          if (S % 2 == 0 || S > 20000) continue;
          const AttentionProblem oracle = make_problem(in_f64(in), parameters);
          const Result plain = run(reference_engine, oracle, {});
          const double epsilon = dtype == DType::f64 ? support::epsilon<double>() : support::epsilon<float>();
          const double sum = kind == 2 ? static_cast<double>(S) : 1;  // of weights
          const double bound =
              sum * (epsilon * (support::bound::pooling + 2 * score_scale(oracle)) + weight_rounding(dtype));
          const Closeness near(in_f64(whole.output.view()), plain.output.view(),
                               bound * support::scale_of(oracle.value));
          CHECK_MESSAGE(near.ok(), near.worst());
        }
  }
}

TEST_CASE("a leaf whose numbers exceed the range of f32 is computed in f64, alone") {
  constexpr std::size_t S = 3 * leaf_keys, d = 4;
  for (const Isa isa : available_isas()) {
    Random random(26);
    AttendInputs in{random.tensor(DType::f32, {1, 1, 7, d}), random.tensor(DType::f32, {1, 1, S, d}),
                    random.tensor(DType::f32, {1, 1, S, 3})};
    Tensor key(DType::f32, in.key.shape), value(DType::f32, in.value.shape);
    std::copy_n(in.key.contiguous_data<float>(), key.size(), key.data_as<float>());
    std::copy_n(in.value.contiguous_data<float>(), value.size(), value.data_as<float>());
    for (std::size_t c = 0; c < d; ++c) key.data_as<float>()[5000 * d + c] = c % 2 == 0 ? 3e38f : -3e38f;
    for (std::size_t j = 9000; j < 9004; ++j) value.data_as<float>()[j * 3] = 3e38f;
    in.key = key.view();
    in.value = value.view();
    const AttentionProblem problem = make_problem(in, {});
    const Result whole = run(fused_engine, problem, forced(isa));
    const Result plain = run(reference_engine, make_problem(in_f64(in), {}), {});
    const Closeness near(in_f64(whole.output.view()), plain.output.view(),
                         1e-5 * support::scale_of(plain.output.view()));
    CHECK_MESSAGE(near.ok(), near.worst());
    AttentionState joined;
    for (AttentionState& part : parts_of(problem, random, forced(isa)))
      for (StateNode& node : part.nodes) append(joined, std::move(node), isa);
    CHECK(same_bits(finished(problem, std::move(joined)).output.view(), whole.output.view()));
  }
}

TEST_CASE("states of other shapes are refused") {
  AttentionSizes sizes;
  sizes.batch = sizes.heads = sizes.kv_heads = 1;
  sizes.queries = 2;
  sizes.value_width = 3;
  AttentionState state;
  append(state, StateNode({0, 0}, sizes), Isa::baseline);
  sizes.value_width = 4;
  CHECK_THROWS_AS(append(state, StateNode({0, 1}, sizes), Isa::baseline), Error);
}
