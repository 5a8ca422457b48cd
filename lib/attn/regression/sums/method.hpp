#pragma once
// Choosing the algorithm for the sums, by a measured model of costs.

#include <attn/regression/sums/sums.hpp>

#include <optional>
#include <string>

namespace attn {

struct MethodChoice {
  Method method = Method::direct;
  std::string reason;
};

/// The cheapest exact method for the sums, by the number of samples and queries, the kernel, and the share of samples
/// in reach of some of the queries; or `wanted`, if that is possible. The choice never depends on time, threads or
/// load. Throws Error(usage) if the wanted method does not support the kernel or the dimension.
MethodChoice choose_method(const SumsProblem& problem, Method wanted);

/// The same for moments in one dimension: none where rows of weights are as fast.
std::optional<MethodChoice> choose_moments_method(const SumsProblem& problem, Method wanted);

/// The same for windows that are evaluated row by row: does searching only within reach pay?
MethodChoice choose_row_method(const KernelRegression::Prepared& samples, const Smoother& smoother);

/// Runs the method; samples with categories must have cells.
void run_method(Method method, const SumsProblem& problem, const Execution& execution, SumsOutput out);

}  // namespace attn
