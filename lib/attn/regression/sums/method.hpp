#pragma once
// Which algorithm finds the sums: a model of costs, measured once.

#include <attn/regression/sums/sums.hpp>

#include <string>

namespace attn {

struct MethodChoice {
  Method method = Method::direct;
  std::string reason;
};

/// The cheapest exact method for sums over the problem, by the number of samples and queries, the kernel, and the share
/// of samples within reach of some of the queries; or `wanted`, when it can. The choice never depends on time, threads
/// or load. Throws Error(usage) when the wanted method cannot serve the kernel or the dimension.
MethodChoice choose_method(const SumsProblem& problem, Method wanted);

/// The same for windows that are evaluated row by row: whether looking only within reach pays.
MethodChoice choose_row_method(const KernelRegression::Prepared& samples, const Smoother& smoother);

/// Runs it.
void run_method(Method method, const SumsProblem& problem, const Execution& execution, SumsOutput out);

}  // namespace attn
