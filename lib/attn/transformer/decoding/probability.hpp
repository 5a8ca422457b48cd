#pragma once
// From scores to probabilities, with the same bits on every machine: drawn tokens and ranked sequences must not depend
// on the exp and log of the C library.

#include <attn/core/isa.hpp>

#include <vector>

namespace attn {

/// e^x for x <= 0, within 2 ulp; 0 below -700, NaN for NaN.
double portable_exp(double x);
/// The same for all elements, in place.
void portable_exp(std::vector<double>& x, Isa isa = native_isa());

/// The natural logarithm of a finite x > 0, within 2 ulp; NaN for NaN.
double portable_log(double x);

/// x^p of x >= 1, or of x >= 0 where p is whole, |p| <= 2^31: by products for the whole part of p, exp(p log x) for the
/// rest. Within 1e-14 of it for |p| <= 50 where it is finite.
double portable_power(double x, double p);

/// scores - log sum exp(scores), in place.
void log_softmax(std::vector<double>& scores, Isa isa = native_isa());

/// Probabilities, exp of the above.
void softmax(std::vector<double>& scores, Isa isa = native_isa());

/// 1 / (1 + e^-x)
double sigmoid(double x);

}  // namespace attn
