#include <attn/regression/windows/reference_module.hpp>

#include <attn/core/module.hpp>

#include <new>

namespace attn {
namespace {

const reference::RegressionFunctions& regression_functions() {
  static const auto* const functions =
      static_cast<const reference::RegressionFunctions*>(find_in_module(reference_module, "attn_reference_regression"));
  return *functions;
}

}  // namespace

ReferenceFitter::ReferenceFitter(const KernelRegression::Prepared& samples, const Smoother& smoother,
                                 const Residuals& residuals)
    : samples_(samples),
      smoother_(smoother),
      residuals_(residuals),
      metric_(metric_of(smoother, samples)),
      categories_(samples, smoother),
      functions_(regression_functions()) {}

void ReferenceFitter::fit(const double* q, const WindowRequest& request, WindowFit& out) const {
  const std::size_t n = samples_.n, d = samples_.d, C = samples_.outputs;
  const auto part = std::make_unique<bool[]>(n);
  for (std::size_t i = 0; i < n; ++i) part[i] = !request.leave_out_self || i != request.self;
  out.fit.assign(C, 0);
  out.slope.assign(C * d, 0);
  out.error.assign(C, 0);
  reference::Fit fit;
  fit.fit = out.fit.data();
  fit.slope = out.slope.data();
  fit.error = out.error.data();
  std::vector<double> weights;
  for (std::size_t i = 0; i < n && categories_.count() > 0; ++i) {
    weights.push_back(samples_.weight() != nullptr ? samples_.weight()[i] : 1);
    for (std::size_t f = 0; f < categories_.count(); ++f)
      weights[i] *= categories_.at(f, q[d + f], samples_.x.column(d + f)[i]);
  }
  const reference::Samples samples{n,
                                   d,
                                   C,
                                   samples_.x.column(0),
                                   samples_.y.column(0),
                                   weights.empty() ? samples_.weight() : weights.data(),
                                   samples_.neighbour_weight(),
                                   residuals_.count() > 0 ? residuals_.column(0) : nullptr};
  const reference::Smoothing smoothing{
      smoother_.kernel, metric_.scale.data(), metric_.neighbours, metric_.kernel_scale,
      metric_.slack(),  smoother_.degree,     smoother_.causal,   smoother_.empty == EmptyWindow::nearest,
      smoother_.decay};
  if (!functions_.fit(samples, smoothing, {q, part.get(), std::min(request.self, n), request.slope}, fit))
    throw std::bad_alloc();
  out.empty = fit.empty;
  out.degree = fit.degree;
  out.effective_size = fit.effective_size;
  out.self_weight = fit.self_weight;
  if (!fit.found) out.fit.clear();
}

}  // namespace attn
