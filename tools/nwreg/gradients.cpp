#include "nwreg/gradients.hpp"

#include <attn/attention/vjp.hpp>
#include <attn/core/error.hpp>
#include <attn/core/shape.hpp>
#include <attn/core/source_sink.hpp>

#include <algorithm>

namespace nwreg {
namespace {

using attn::Bandwidth;
using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

/// Queries whose weights are computed together.
constexpr std::size_t block_rows = 256;

/// (n) as (n, 1), in f64.
TensorView as_columns(const TensorView& x) {
  const TensorView wide = attn::cast(x, attn::DType::f64);
  const std::size_t rows = x.shape.empty() ? 1 : x.shape[0];
  return attn::reshaped(wide, {rows, rows > 0 ? x.size() / rows : 1});
}

TensorView rows_between(const TensorView& x, std::size_t first, std::size_t last) {
  return attn::slice(x, {{static_cast<std::int64_t>(first), static_cast<std::int64_t>(last)}});
}

/// Samples that take part in the fit of a query: with --loo all others, with --causal the past.
TensorView visible(const Options& o, const TensorView& q, const TensorView& x, std::size_t first, std::size_t last) {
  const std::size_t n = x.shape[0], d = x.shape[1];
  attn::Tensor mask(attn::DType::u8, {last - first, n});
  auto* const to = mask.data_as<std::uint8_t>();
  const auto *const q_c = q.contiguous_data<double>(), *const x_c = x.contiguous_data<double>();
  for (std::size_t i = first; i < last; ++i)
    for (std::size_t j = 0; j < n; ++j)
      to[(i - first) * n + j] =
          !(o.leave_one_out && i == j) && !(o.smoother.smoother.causal && x_c[j * d] > q_c[i * d]);
  return mask.view("mask");
}

/// The fit as attention: queries q, keys x and values y under a kernel.
attn::AttendParameters attention_of(const attn::Smoother& smoother, const std::vector<double>& widths) {
  attn::AttendParameters p;
  p.score = smoother.kernel == attn::Kernel::gaussian ? attn::Score::gaussian : attn::Score::kernel;
  p.kernel = smoother.kernel;
  p.normalize = attn::Normalize::sum;
  p.bandwidth = widths;
  if (smoother.empty == attn::EmptyWindow::nearest) p.empty = attn::EmptyRows::nearest;
  return p;
}

void add(std::vector<double>& sum, const TensorView& part, std::size_t first = 0) {
  const TensorView x = attn::cast(part, attn::DType::f64);
  for (std::size_t at = 0; at < x.size(); ++at) sum[first + at] += x.contiguous_data<double>()[at];
}

TensorView as_given(const std::vector<double>& sum, const TensorView& given, attn::DType dtype) {
  attn::Tensor out(attn::DType::f64, given.shape);
  std::copy(sum.begin(), sum.end(), out.data_as<double>());
  return attn::cast(out.view(), dtype);
}

}  // namespace

void check_gradients(const Options& o) {
  const auto refuse = [](const char* option) {
    throw Error(ErrorKind::usage, option, "has no gradient: --vjp is of the fit of degree 0", "leave it out");
  };
  const std::string word = o.smoother.bandwidth.value_or("cv");
  if (word == "cv" || word == "aicc" || word == "rot" || has_grid(o.smoother))
    throw Error(ErrorKind::usage, "--bandwidth", "is required: --vjp is of the fit at one bandwidth", "give a number");
  if (o.smoother.smoother.degree != 0) refuse("--degree");
  if (o.samples.classify) refuse("--classify");
  if (o.samples.standardize) refuse("--standardize");
  if (o.samples.weights.given()) refuse("--sample-weights");
  if (o.smoother.smoother.decay != 0) refuse("--decay");
  if (o.derivative) refuse("--derivative");
  if (o.smoother.robust > 0) refuse("--robust");
}

void write_gradients(const Options& o, const PreparedSamples& data, const attn::Smoother& smoother,
                     cli::Session& session) {
  if (!data.samples.categories.empty())
    throw Error(ErrorKind::usage, "--vjp", "has no gradient through categories", "leave their columns out of x");
  const bool has_width = smoother.kernel != attn::Kernel::constant;
  const Bandwidth& h = smoother.bandwidth;
  if (has_width && h.kind != Bandwidth::Kind::number && h.kind != Bandwidth::Kind::per_coordinate)
    throw Error(ErrorKind::usage, "--bandwidth", "has no gradient", "give one number, or one for each column of x");
  const double scale = attn::kernel_scale(smoother.kernel, smoother.scale_convention);
  std::vector<double> widths = has_width ? h.values : std::vector<double>{1};
  for (double& width : widths) width *= scale;
  const TensorView x = as_columns(data.samples.x), y = as_columns(data.samples.y),
                   q = data.queries ? as_columns(*data.queries) : x;
  const std::size_t m = q.shape[0], d = x.shape[1], C = y.shape[1];
  const TensorView given = session.gradients.cotangent(), dy = as_columns(given);
  if (dy.shape != attn::Shape{m, C})
    throw attn::shape_error(given.name, given.shape, attn::to_string(attn::Shape{m, C}));
  const attn::AttendParameters parameters = attention_of(smoother, widths);
  std::vector<double> dx(x.size()), dvalues(y.size()), dq(q.size()), dh(widths.size());
  const bool has_mask = o.leave_one_out || smoother.causal;
  for (std::size_t first = 0; first < m; first += has_mask ? block_rows : m) {
    const std::size_t last = has_mask ? std::min(first + block_rows, m) : m;
    attn::AttendInputs in{rows_between(q, first, last), x, y};
    if (has_mask) in.mask = visible(o, q, x, first, last);
    const attn::AttendGradients part =
        attn::attend_vjp(in, parameters, {rows_between(dy, first, last)}, session.execution());
    add(dx, part.inputs.key);
    add(dvalues, part.inputs.value);
    add(dq, part.inputs.query, first * d);
    add(dh, *part.bandwidth);
  }
  if (!data.queries)
    for (std::size_t at = 0; at < dx.size(); ++at) dx[at] += dq[at];
  for (double& width : dh) width *= scale;
  const attn::DType compute = attn::compute_dtype(data.dtype);
  std::vector<cli::Gradient> all{{"dx", as_given(dx, data.samples.x, compute)},
                                 {"dy", as_given(dvalues, data.samples.y, compute)}};
  if (data.queries) all.push_back({"dq", as_given(dq, *data.queries, compute)});
  if (has_width) all.push_back({"dbandwidth", attn::vector_of(dh)});
  session.gradients.write(o.output, all);
}

}  // namespace nwreg
