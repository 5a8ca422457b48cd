#include <attn/attention/problem.hpp>

#include <attn/attention/score.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace attn {
namespace {

TensorView named(const TensorView& x, const char* name) { return x.name.empty() ? renamed(x, name) : x; }

std::string text(const TensorView& x) { return x.name + " " + to_string(x.shape); }

TensorView stored_as(const TensorView& x, DType dtype) { return x.dtype == dtype ? x : cast(x, dtype); }

/// past and present (B, H_kv, P + S, d), copied into one.
TensorView joined(const TensorView& past, const TensorView& present, DType dtype) {
  const TensorView a = cast(past, dtype), b = contiguous(stored_as(present, dtype));
  for (std::size_t axis : {0, 1, 3})
    if (a.shape[axis] != b.shape[axis])
      throw shape_error(past.name, past.shape, "the batch, heads and width of " + text(present));
  Shape shape = b.shape;
  shape[2] += a.shape[2];
  Tensor out(dtype, shape);
  const std::size_t size = element_size(dtype);
  const std::size_t a_bytes = a.shape[2] * a.shape[3] * size, b_bytes = b.shape[2] * b.shape[3] * size;
  auto* to = static_cast<char*>(out.data());
  for (std::size_t bh = 0; bh < shape[0] * shape[1]; ++bh) {
    std::memcpy(to, static_cast<const char*>(a.data) + bh * a_bytes, a_bytes);
    std::memcpy(to + a_bytes, static_cast<const char*>(b.data) + bh * b_bytes, b_bytes);
    to += a_bytes + b_bytes;
  }
  return out.view(present.name);
}

AttendInputs named_inputs(AttendInputs in) {
  in.query = named(in.query, "query");
  in.key = named(in.key, "key");
  in.value = named(in.value, "value");
  if (in.past_key) in.past_key = named(*in.past_key, "past key");
  if (in.past_value) in.past_value = named(*in.past_value, "past value");
  return in;
}

/// The parts of a problem while it is put together.
struct Views {
  TensorView query, key, value;  ///< (B, H, L, d), one dtype
  std::size_t past = 0;
};

Views resolve_views(const AttendInputs& in, const AttendParameters& p) {
  if (p.heads == std::size_t{0} || p.kv_heads == std::size_t{0})
    throw Error(ErrorKind::usage, "heads", "must be at least 1");
  if (in.past_key.has_value() != in.past_value.has_value())
    throw Error(ErrorKind::usage, in.past_key ? "past value" : "past key", "is missing: a past has keys and values");
  std::vector<DType> dtypes;
  for (const TensorView* x : {&in.query, &in.key, &in.value, in.past_key ? &*in.past_key : nullptr,
                              in.past_value ? &*in.past_value : nullptr}) {
    if (x == nullptr) continue;
    if (x->dtype == DType::string) throw Error(ErrorKind::data, x->name, "holds text where numbers are needed");
    dtypes.push_back(x->dtype);
  }
  const DType dtype = attention_dtype(dtypes);
  const auto kv_heads = p.kv_heads ? p.kv_heads : p.heads;
  Views v;
  v.query = to_heads(stored_as(in.query, dtype), p.layout, p.heads);
  v.key = to_heads(stored_as(in.key, dtype), p.layout, kv_heads);
  v.value = to_heads(stored_as(in.value, dtype), p.layout, kv_heads);
  if (in.past_key) {
    const TensorView past_key = to_heads(*in.past_key, p.layout, kv_heads);
    const TensorView past_value = to_heads(*in.past_value, p.layout, kv_heads);
    if (past_key.shape[2] != past_value.shape[2])
      throw shape_error(past_value.name, past_value.shape, "as many rows as " + text(past_key));
    v.past = past_key.shape[2];
    v.key = joined(past_key, v.key, dtype);
    v.value = joined(past_value, v.value, dtype);
  }
  return v;
}

/// A database of one batch serves all batches of queries.
TensorView for_batch(const TensorView& x, std::size_t batch, const TensorView& given, const TensorView& query) {
  if (x.shape[0] == batch) return x;
  if (x.shape[0] != 1) throw shape_error(given.name, given.shape, "the batch of " + text(query) + ", or 1");
  TensorView out = x;
  out.shape[0] = batch;
  out.strides[0] = 0;
  return out;
}

/// Checks the views against each other, in the words of what was given, and spreads a database of one batch.
AttentionSizes sizes_of(Views& v, const AttendInputs& in, Score score) {
  const bool may_differ = score == Score::bilinear || score == Score::additive;
  if (!may_differ && v.query.shape[3] != v.key.shape[3] && in.query.rank() == 1)
    throw shape_error(in.query.name, in.query.shape, "the width of " + text(in.key),
                      "one axis is many queries of one number; for one query of many give it two axes");
  if (!may_differ && v.query.shape[3] != v.key.shape[3])
    throw shape_error(in.key.name, in.key.shape, "the width of " + text(in.query),
                      "scores that compare different widths are bilinear and additive");
  if (v.key.shape[2] != v.value.shape[2])
    throw shape_error(in.value.name, in.value.shape, "as many rows as " + text(in.key));
  if (v.key.shape[1] != v.value.shape[1])
    throw shape_error(in.value.name, in.value.shape, "as many heads as " + text(in.key));
  const std::size_t H = v.query.shape[1], H_kv = v.key.shape[1];
  if (H == 0) throw shape_error(in.query.name, in.query.shape, "at least one head");
  if (H_kv == 0 || H % H_kv != 0)
    throw shape_error(in.key.name, in.key.shape,
                      "a number of heads that divides the " + std::to_string(H) + " of " + text(in.query));
  const std::size_t B = v.query.shape[0];
  v.key = for_batch(v.key, B, in.key, in.query);
  v.value = for_batch(v.value, B, in.value, in.query);
  return {B, H, H_kv, v.query.shape[2], v.key.shape[2], v.query.shape[3], v.key.shape[3], v.value.shape[3]};
}

TensorView matrix(const std::optional<TensorView>& x, const char* name, const Shape& shape,
                  const std::string& meaning) {
  if (!x) throw Error(ErrorKind::usage, name, "is missing: " + meaning);
  const TensorView m = named(*x, name);
  if (m.shape != shape) throw shape_error(m.name, m.shape, to_string(shape) + " = " + meaning);
  return contiguous(cast(m, DType::f64));
}

ScoreRule score_rule(const AttendInputs& in, const AttendParameters& p, const AttentionSizes& n) {
  ScoreRule rule;
  rule.kind = p.score;
  if (p.score == Score::scaled_dot)
    rule.scale = n.query_width > 0 ? 1 / std::sqrt(static_cast<double>(n.query_width)) : 1;
  if (p.scale) rule.scale = *p.scale;
  if (!std::isfinite(rule.scale)) throw Error(ErrorKind::usage, "scale", "must be finite");
  if (!(p.softcap >= 0) || !std::isfinite(p.softcap))
    throw Error(ErrorKind::usage, "softcap", "must be positive and finite, or 0 for none");
  rule.softcap = p.softcap;
  if (p.score == Score::bilinear)
    rule.bilinear = matrix(in.bilinear, "m", {n.query_width, n.key_width}, "query width by key width");
  if (p.score == Score::additive) {
    if (!in.score_weight || in.score_weight->rank() != 1)
      throw in.score_weight ? shape_error(named(*in.score_weight, "wv").name, in.score_weight->shape, "1 axis")
                            : Error(ErrorKind::usage, "wv", "is missing: one weight for each hidden unit");
    const std::size_t hidden = in.score_weight->shape[0];
    rule.score_weight = matrix(in.score_weight, "wv", {hidden}, "hidden units");
    rule.query_weight = matrix(in.query_weight, "wq", {hidden, n.query_width}, "hidden units by query width");
    rule.key_weight = matrix(in.key_weight, "wk", {hidden, n.key_width}, "hidden units by key width");
  }
  rule.kernel = p.kernel;
  if (p.score == Score::gaussian || p.score == Score::kernel) {
    if (p.bandwidth.size() != 1 && p.bandwidth.size() != n.query_width)
      throw Error(ErrorKind::usage, "bandwidth",
                  "has " + std::to_string(p.bandwidth.size()) + " numbers, expected one, or one for each of " +
                      std::to_string(n.query_width) + " coordinates");
    for (const double h : p.bandwidth)
      if (!(h > 0) || !std::isfinite(h)) throw Error(ErrorKind::usage, "bandwidth", "must be positive and finite");
    // A kernel of finite width is closed: whether a key at exactly h is in must not hang on the rounding of q / h.
    const bool divides_last = p.score == Score::kernel && p.bandwidth.size() == 1;
    if (divides_last) rule.bandwidth = p.bandwidth.front();
    for (std::size_t c = 0; c < n.query_width; ++c)
      rule.inverse_widths.push_back(divides_last ? 1 : 1 / p.bandwidth[p.bandwidth.size() == 1 ? 0 : c]);
  }
  return rule;
}

/// A float mask of nothing but 0 and 1 is a boolean one that went through a text table.
bool looks_boolean(const TensorView& mask) {
  const TensorView x = contiguous(mask);
  return visit_dtype(x.dtype, [&](auto type) {
    using T = decltype(type);
    if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float> || std::is_same_v<T, Float16> ||
                  std::is_same_v<T, BFloat16>) {
      const T* const value = x.contiguous_data<T>();
      bool any = false;
      for (std::size_t at = 0, n = x.size(); at < n; ++at) {
        const double number = real(value[at]);
        if (number != 0 && number != 1) return false;
        any |= number == 1;
      }
      return any;
    } else {
      return false;
    }
  });
}

void add_mask(Mask& mask, const TensorView& given, const AttendParameters& p, DType compute) {
  const TensorView x = named(given, "mask");
  if (is_boolean_mask(x, p.mask_type, p.mask_invert)) return mask.add_boolean(x, p.mask_invert);
  mask.add_bias(x, compute);
}

std::vector<double> per_head(const TensorView& given, const char* name, std::size_t heads) {
  const TensorView x = named(given, name);
  if (x.size() != heads) throw shape_error(x.name, x.shape, to_string({heads}) + ", one for each head");
  const TensorView values = cast(x, DType::f64);
  return {values.contiguous_data<double>(), values.contiguous_data<double>() + heads};
}

/// A kernel's value is a weight already: what shifts or bends logits means nothing to it.
void refuse_logit_options(const AttendInputs& in, const AttendParameters& p, const Mask& mask) {
  const char* const option = p.softcap != 0                      ? "softcap"
                             : in.sinks                          ? "sinks"
                             : in.bias                           ? "bias"
                             : p.alibi || in.alibi_slopes        ? "alibi"
                             : mask.has_bias()                   ? "an additive mask"
                             : p.normalize == Normalize::softmax ? "softmax"
                                                                 : nullptr;
  if (option != nullptr)
    throw Error(ErrorKind::usage, option, "belongs to scores that are exponentiated; a smoothing kernel is a weight",
                "use score gaussian");
}

Mask make_mask(const AttendInputs& in, const AttendParameters& p, const AttentionSizes& n, std::size_t past,
               DType compute) {
  Mask mask(n);
  mask.set_offset(p.offset.value_or(static_cast<std::int64_t>(past)));
  // Lengths first: what a short mask means depends on them.
  if (in.valid_lens) mask.add_lengths(named(*in.valid_lens, "valid lengths"));
  if (p.causal || p.causal_bottom_right) mask.add_causal();
  if (p.causal_bottom_right) mask.align_bottom_right();
  if (p.window) mask.add_window(p.window->left, p.window->right);
  if (in.mask) add_mask(mask, *in.mask, p, compute);
  if (in.bias) mask.add_bias(named(*in.bias, "bias"), compute);
  if (in.alibi_slopes)
    mask.add_alibi(per_head(*in.alibi_slopes, "ALiBi slopes", n.heads));
  else if (p.alibi)
    mask.add_alibi(alibi_slopes(n.heads));
  return mask;
}

}  // namespace

bool is_boolean_mask(const TensorView& mask, MaskType type, bool inverted) {
  if (mask.dtype == DType::string) throw Error(ErrorKind::data, mask.name, "holds text where a mask is needed");
  if (type == MaskType::boolean || (type == MaskType::automatic && !is_floating(mask.dtype))) return true;
  if (inverted) throw Error(ErrorKind::usage, mask.name, "is added to the scores: there is nothing to invert");
  if (type == MaskType::automatic && looks_boolean(mask))
    throw Error(ErrorKind::data, mask.name, "is a float mask of nothing but 0 and 1",
                "say --mask-type boolean (1 = attend) or --mask-type additive");
  return false;
}

DType attention_dtype(const std::vector<DType>& dtypes) {
  DType common = dtypes.front();
  bool same = is_floating(common);
  for (const DType dtype : dtypes) same = same && dtype == common;
  if (same) return common;
  common = compute_dtype(common);
  for (const DType dtype : dtypes) common = wider(common, compute_dtype(dtype));
  return common;
}

AttentionProblem widened(const AttentionProblem& problem) {
  AttentionProblem wide = problem;
  wide.dtype = wide.compute = DType::f64;
  for (TensorView* x : {&wide.query, &wide.key, &wide.value})
    if (x->data != nullptr) *x = cast(*x, DType::f64);
  return wide;
}

void set_keys(AttentionProblem& problem, const TensorView& key, const TensorView& value, std::size_t first_key) {
  problem.key = for_batch(key, problem.sizes.batch, key, problem.query);
  problem.value = for_batch(value, problem.sizes.batch, value, problem.query);
  problem.first_key = first_key;
}

AttentionSizes attention_sizes(const AttendInputs& given, const AttendParameters& parameters) {
  AttendInputs inputs = named_inputs(given);
  // Without gaps and of one dtype, so that resolving copies nothing; a past only adds rows.
  for (TensorView* x : {&inputs.query, &inputs.key, &inputs.value}) {
    x->strides = row_major_strides(x->shape);
    x->dtype = DType::f64;
  }
  const auto kv_heads = parameters.kv_heads ? parameters.kv_heads : parameters.heads;
  std::size_t past = 0;
  if (inputs.past_key) {
    inputs.past_key->strides = row_major_strides(inputs.past_key->shape);
    past = to_heads(*inputs.past_key, parameters.layout, kv_heads).shape[2];
  }
  inputs.past_key.reset();
  inputs.past_value.reset();
  Views views = resolve_views(inputs, parameters);
  AttentionSizes sizes = sizes_of(views, inputs, parameters.score);
  sizes.keys += past;
  return sizes;
}

AttentionProblem make_problem(const AttendInputs& given, const AttendParameters& parameters) {
  const AttendInputs inputs = named_inputs(given);
  Views views = resolve_views(inputs, parameters);
  AttentionProblem problem;
  problem.sizes = sizes_of(views, inputs, parameters.score);
  problem.dtype = views.query.dtype;
  problem.compute = compute_dtype(problem.dtype);
  problem.score = score_rule(inputs, parameters, problem.sizes);
  const bool is_weight = parameters.score == Score::kernel;
  problem.normalize = parameters.normalize.value_or(is_weight ? Normalize::sum : Normalize::softmax);
  // The Gaussian kernel over its sum is the softmax of its logarithm, which no distance underflows.
  if (parameters.score == Score::gaussian && problem.normalize == Normalize::sum)
    problem.normalize = Normalize::softmax;
  problem.mask = make_mask(inputs, parameters, problem.sizes, views.past, problem.compute);
  if (is_weight) refuse_logit_options(inputs, parameters, problem.mask);
  if (inputs.sinks) problem.sinks = per_head(*inputs.sinks, "sinks", problem.sizes.heads);
  if (!problem.sinks.empty() && problem.normalize != Normalize::softmax)
    throw Error(ErrorKind::usage, "sinks", "join the softmax's denominator; other normalisers have none");
  problem.empty = parameters.empty;
  problem.query = std::move(views.query);
  problem.key = std::move(views.key);
  problem.value = std::move(views.value);
  return problem;
}

}  // namespace attn
