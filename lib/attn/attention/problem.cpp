#include <attn/attention/problem.hpp>

#include <attn/attention/arguments.hpp>

namespace attn {

AttentionProblem widened(const AttentionProblem& problem) {
  AttentionProblem wide = problem;
  wide.dtype = wide.compute = DType::f64;
  for (TensorView* x : {&wide.query, &wide.key, &wide.value})
    if (x->data != nullptr) *x = cast(*x, DType::f64);
  return wide;
}

void set_keys(AttentionProblem& problem, const TensorView& key, const TensorView& value, std::size_t first_key) {
  problem.key = spread(stored_as(key, problem.dtype), problem.sizes.batch);
  problem.value = spread(stored_as(value, problem.dtype), problem.sizes.batch);
  problem.first_key = first_key;
}

void set_keys(AttentionProblem& problem, const ProblemViews& views) {
  const std::size_t S = views.sizes.keys;
  set_keys(problem, views.key.part(0, S, views.dtype), views.value.part(0, S, views.dtype), 0);
}

namespace {

/// Replaces the Laplace kernel by its logarithm, the score of a softmax.
void take_logarithm(ScoreRule& rule) {
  rule.kind = Score::gaussian;
  rule.is_root = true;
  for (double& inverse : rule.inverse_widths) inverse /= rule.bandwidth;
}

}  // namespace

AttentionProblem problem_without_keys(const ProblemViews& views, const AttendInputs& inputs,
                                      const AttendParameters& parameters) {
  AttentionProblem problem;
  problem.sizes = views.sizes;
  problem.query = views.query;
  problem.dtype = views.dtype;
  problem.compute = compute_dtype(problem.dtype);
  problem.score = score_rule(inputs, parameters, problem.sizes);
  const bool is_weight = parameters.score == Score::kernel;
  problem.normalize = parameters.normalize.value_or(is_weight ? Normalize::sum : Normalize::softmax);
  // The Gaussian kernel divided by its sum is the softmax of its logarithm, which does not underflow at any distance.
  if (parameters.score == Score::gaussian && problem.normalize == Normalize::sum)
    problem.normalize = Normalize::softmax;
  // The same holds for Laplace, and its best key has the largest logarithm.
  const bool compares = problem.normalize == Normalize::sum || problem.normalize == Normalize::hard;
  if (is_weight && parameters.kernel == Kernel::laplace && problem.score.scale > 0 && compares) {
    take_logarithm(problem.score);
    if (problem.normalize == Normalize::sum) problem.normalize = Normalize::softmax;
  }
  problem.mask = make_mask(inputs, parameters, problem.sizes, views.key.before(), problem.compute);
  if (is_weight) refuse_logit_options(inputs, parameters, problem.mask);
  if (inputs.sinks) problem.sinks = per_head(*inputs.sinks, "sinks", problem.sizes.heads);
  if (!problem.sinks.empty() && problem.normalize != Normalize::softmax)
    throw Error(ErrorKind::usage, "sinks", "join the softmax's denominator; other normalisers have none");
  problem.empty = parameters.empty;
  return problem;
}

AttentionProblem make_problem(const AttendInputs& inputs, const AttendParameters& parameters) {
  const ProblemViews views = views_of(inputs, parameters);
  AttentionProblem problem = problem_without_keys(views, inputs, parameters);
  set_keys(problem, views);
  return problem;
}

}  // namespace attn
