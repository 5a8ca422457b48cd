#include <attn/attention/problem.hpp>

#include <attn/attention/inner/scores.hpp>
#include <attn/attention/mask.hpp>
#include <attn/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

namespace attn {
namespace {

/// Rows [first, last) of x (B, H, S, d).
TensorView rows_of(TensorView x, std::size_t first, std::size_t last) {
  x.data = static_cast<const unsigned char*>(x.data) +
           static_cast<std::ptrdiff_t>(first) * x.strides[2] * static_cast<std::ptrdiff_t>(element_size(x.dtype));
  x.shape[2] = last - first;
  return x;
}

/// past and present, (B, H_kv, P, d) and (B, H_kv, S, d), copied into one.
TensorView joined(const TensorView& past, const TensorView& present, std::size_t batch, DType dtype) {
  const TensorView a = cast(spread(past, batch), dtype), b = cast(spread(present, batch), dtype);
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

/// Throws for a past of keys or values alone, and for text.
DType stored_dtype(const AttendInputs& in) {
  if (in.past_key.has_value() != in.past_value.has_value())
    throw Error(ErrorKind::usage, in.past_key ? "past value" : "past key", "is missing: a past has keys and values");
  std::vector<DType> dtypes;
  for (const auto& [x, name] : {std::pair{&in.query, "query"},
                                {&in.key, "key"},
                                {&in.value, "value"},
                                {in.past_key ? &*in.past_key : nullptr, "past key"},
                                {in.past_value ? &*in.past_value : nullptr, "past value"}}) {
    if (x == nullptr) continue;
    if (x->dtype == DType::string) throw text_for_numbers(named(*x, name));
    dtypes.push_back(x->dtype);
  }
  DType common = dtypes.front();
  if (is_floating(common) && std::count(dtypes.begin(), dtypes.end(), common) == std::ptrdiff_t(dtypes.size()))
    return common;
  common = compute_dtype(common);
  for (const DType dtype : dtypes) common = wider(common, compute_dtype(dtype));
  return common;
}

/// The number of heads in packed keys and values.
std::optional<std::size_t> kv_heads_of(const AttendParameters& p) {
  if (p.heads == std::size_t{0} || p.kv_heads == std::size_t{0})
    throw Error(ErrorKind::usage, "heads", "must be at least 1");
  return p.kv_heads ? p.kv_heads : p.heads;
}

/// Names the shape as given.
std::string text(const TensorView& view, const TensorView& given) { return view.name + " " + to_string(given.shape); }

/// Would the numbers of heads fit if the heads were the third axis?
bool fits_other_layout(const TensorView& query, const TensorView& key, const AttendParameters& p) {
  return query.rank() == 4 && key.rank() == 4 && p.layout != Layout::batch_length_heads && key.shape[2] > 0 &&
         query.shape[2] % key.shape[2] == 0;
}

void expect_alike(const TensorView& past, const TensorView& present) {
  const std::size_t before = past.shape[0], now = present.shape[0];
  if ((before != now && before != 1 && now != 1) || past.shape[1] != present.shape[1] ||
      past.shape[3] != present.shape[3])
    throw shape_error(past.name, past.shape, "the batch, heads and width of " + text(present, present));
}

AttentionSizes sizes_of(const ProblemViews& v, const AttendInputs& in, const AttendParameters& p) {
  if (v.key.past) {
    const TensorView &past_key = *v.key.past, &past_value = *v.value.past;
    if (past_key.shape[2] != past_value.shape[2])
      throw shape_error(past_value.name, past_value.shape, "as many rows as " + text(past_key, past_key));
    expect_alike(past_key, v.key.present);
    expect_alike(past_value, v.value.present);
  }
  const TensorView &query = v.query, &key = v.key.present, &value = v.value.present;
  const bool may_differ = p.score == Score::bilinear || p.score == Score::additive;
  if (!may_differ && query.shape[3] != key.shape[3] && in.query.rank() == 1)
    throw shape_error(query.name, in.query.shape, "the width of " + text(key, in.key),
                      "one axis means queries of width 1; reshape a single query to (1, width)");
  if (!may_differ && query.shape[3] != key.shape[3])
    throw shape_error(key.name, in.key.shape, "the width of " + text(query, in.query),
                      p.heads && !p.kv_heads ? "where keys have fewer heads, give --kv-heads"
                                             : "only the scores bilinear and additive compare different widths");
  if (key.shape[2] != value.shape[2])
    throw shape_error(value.name, in.value.shape, "as many rows as " + text(key, in.key));
  if (key.shape[1] != value.shape[1])
    throw shape_error(value.name, in.value.shape, "as many heads as " + text(key, in.key));
  // A batch of 1 serves all, whether of queries, keys or values.
  const bool is_of_query = query.shape[0] != 1, is_of_key = !is_of_query && v.key.batch() != 1;
  const std::size_t B = is_of_query ? query.shape[0] : is_of_key ? v.key.batch() : v.value.batch();
  const std::size_t H = query.shape[1], H_kv = key.shape[1];
  if (H == 0) throw shape_error(query.name, in.query.shape, "at least one head");
  if (H_kv == 0 || H % H_kv != 0)
    throw shape_error(key.name, in.key.shape,
                      "a number of heads that divides the " + std::to_string(H) + " of " + text(query, in.query),
                      fits_other_layout(in.query, in.key, p) ? other_layout : "");
  for (const auto& [rows, given] : {std::pair{&v.key, &in.key}, {&v.value, &in.value}})
    if (rows->batch() != B && rows->batch() != 1)
      throw shape_error(rows->present.name, given->shape,
                        "the batch of " + (is_of_key ? text(key, in.key) : text(query, in.query)) + ", or 1");
  return {B, H, H_kv, query.shape[2], v.key.count(), query.shape[3], key.shape[3], value.shape[3]};
}

/// Without the axes of one element, which modules add: nn.Linear(h, 1), nn.Bilinear(d, d, 1), convolutions of width 1.
Shape without_ones(Shape shape) {
  shape.erase(std::remove(shape.begin(), shape.end(), std::size_t{1}), shape.end());
  return shape;
}

TensorView matrix(const std::optional<TensorView>& x, const char* name, const Shape& shape,
                  const std::string& meaning) {
  if (!x) throw Error(ErrorKind::usage, name, "is missing: " + meaning);
  const TensorView m = named(*x, name);
  const bool fits_turned = m.shape == Shape(shape.rbegin(), shape.rend());
  if (without_ones(m.shape) != without_ones(shape))
    throw shape_error(m.name, m.shape, to_string(shape) + " = " + meaning,
                      fits_turned ? "it fits turned: tconv --transpose" : "");
  return reshaped(cast(m, DType::f64), shape);
}

/// (B, S), or (S) and (1, S) for all batches, as a mask for all heads and queries; (B, 1, 1, S) is one already.
TensorView padding_of(const TensorView& given, const AttentionSizes& n) {
  const TensorView x = named(given, "padding mask");
  const Shape full{x.rank() > 1 ? x.shape[0] : 1, 1, 1, n.keys};
  const bool fits = full[0] == 1 || full[0] == n.batch;
  if (!fits || x.rank() == 0 || x.rank() > 4 || x.shape.back() != n.keys || x.size() != element_count(full))
    throw shape_error(x.name, x.shape, to_string({n.batch, n.keys}) + " = (B, S)");
  return reshaped(x, full);
}

/// mask_type is the type of the mask. The type of padding follows from its dtype, or from mask_type if the dtype leaves
/// it open.
MaskType padding_type(const TensorView& padding, MaskType type) {
  MaskElements elements;
  elements.add(padding);
  return elements.look_boolean() ? type : MaskType::automatic;
}

/// The masks and what their elements mean. Only boolean masks are inverted, and there must be one.
struct TypedMask {
  std::optional<TensorView> AttendInputs::*place;
  TensorView mask;
  bool is_boolean;
};

std::vector<TypedMask> typed_masks(const AttendInputs& in, const AttendParameters& p) {
  std::vector<std::pair<TypedMask, MaskType>> masks;
  if (in.mask) masks.push_back({{&AttendInputs::mask, named(*in.mask, "mask"), false}, p.mask_type});
  if (in.padding)
    masks.push_back(
        {{&AttendInputs::padding, named(*in.padding, "padding mask"), false}, padding_type(*in.padding, p.mask_type)});
  const bool has_boolean = std::any_of(masks.begin(), masks.end(), [](const auto& typed) {
    return is_boolean_mask(typed.first.mask, typed.second, false);
  });
  std::vector<TypedMask> out;
  for (auto& [typed, type] : masks) {
    typed.is_boolean = is_boolean_mask(typed.mask, type, p.mask_invert && !has_boolean);
    out.push_back(typed);
  }
  return out;
}

void add_masks(Mask& mask, const AttendInputs& in, const AttendParameters& p, const AttentionSizes& n, DType compute) {
  for (const TypedMask& typed : typed_masks(in, p)) {
    const TensorView x = typed.place == &AttendInputs::padding ? padding_of(typed.mask, n) : typed.mask;
    if (typed.is_boolean)
      mask.add_boolean(x, p.mask_invert);
    else
      mask.add_bias(x, compute);
  }
}

/// Replaces the Laplace kernel by its logarithm, the score of a softmax.
void take_logarithm(ScoreRule& rule) {
  rule.kind = Score::gaussian;
  rule.is_root = true;
  for (double& inverse : rule.inverse_widths) inverse /= rule.bandwidth;
}

}  // namespace

TensorView spread(TensorView x, std::size_t batch) {
  if (x.shape[0] != batch) x.strides[0] = 0;
  x.shape[0] = batch;
  return x;
}

TensorView GivenRows::part(std::size_t first, std::size_t last, DType dtype) const {
  const std::size_t P = before();
  if (first >= P) return rows_of(present, first - P, last - P);
  if (last <= P) return rows_of(*past, first, last);
  return joined(rows_of(*past, first, P), rows_of(present, 0, last - P), batch(), dtype);
}

TensorView key_view(const TensorView& x, const AttendParameters& p) { return to_heads(x, p.layout, kv_heads_of(p)); }

ProblemViews views_of(const AttendInputs& in, const AttendParameters& p) {
  kv_heads_of(p);  // refuses 0 heads first
  const auto rows = [&](const TensorView& x, const char* name) { return key_view(named(x, name), p); };
  ProblemViews v;
  v.dtype = stored_dtype(in);
  v.query = to_heads(stored_as(named(in.query, "query"), v.dtype), p.layout, p.heads);
  v.key.present = rows(in.key, "key");
  v.value.present = rows(in.value, "value");
  if (in.past_key) {
    v.key.past = rows(*in.past_key, "past key");
    v.value.past = rows(*in.past_value, "past value");
  }
  v.sizes = sizes_of(v, in, p);
  v.query = spread(v.query, v.sizes.batch);
  return v;
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
    if (!in.score_weight || without_ones(in.score_weight->shape).size() > 1)
      throw in.score_weight ? shape_error(named(*in.score_weight, "wv").name, in.score_weight->shape, "1 axis")
                            : Error(ErrorKind::usage, "wv", "is missing: one weight for each hidden unit");
    const std::size_t hidden = in.score_weight->size();
    rule.score_weight = matrix(in.score_weight, "wv", {hidden}, "hidden units");
    rule.query_weight = matrix(in.query_weight, "wq", {hidden, n.query_width}, "hidden units by query width");
    rule.key_weight = matrix(in.key_weight, "wk", {hidden, n.key_width}, "hidden units by key width");
  }
  rule.kernel = p.kernel;
  for (const double h : p.bandwidth)
    if (!(h > 0) || !std::isfinite(h) || !std::isfinite(1 / h))
      throw Error(ErrorKind::usage, "bandwidth", "must be positive and finite, and so must its inverse");
  if (p.score == Score::gaussian || p.score == Score::kernel) {
    if (p.bandwidth.size() != 1 && p.bandwidth.size() != n.query_width)
      throw Error(ErrorKind::usage, "bandwidth",
                  "has " + std::to_string(p.bandwidth.size()) + " numbers, expected one, or one for each of " +
                      std::to_string(n.query_width) + " coordinates");
    // A kernel of finite width is closed: whether it contains a key at exactly h must not depend on the rounding of q /
    // h.
    const bool divides_last = p.score == Score::kernel && p.bandwidth.size() == 1;
    if (divides_last) rule.bandwidth = p.bandwidth.front();
    for (std::size_t c = 0; c < n.query_width; ++c)
      rule.inverse_widths.push_back(divides_last ? 1 : 1 / p.bandwidth[p.bandwidth.size() == 1 ? 0 : c]);
  }
  return rule;
}

std::vector<std::optional<TensorView> AttendInputs::*> added_tensors(const AttendInputs& in,
                                                                     const AttendParameters& p) {
  std::vector<std::optional<TensorView> AttendInputs::*> added;
  for (const TypedMask& typed : typed_masks(in, p))
    if (!typed.is_boolean) added.push_back(typed.place);
  if (in.bias) added.push_back(&AttendInputs::bias);
  return added;
}

std::vector<double> per_head(const TensorView& given, const char* name, std::size_t heads) {
  const TensorView x = named(given, name);
  if (x.size() != heads) throw shape_error(x.name, x.shape, to_string({heads}) + ", one for each head");
  const TensorView values = cast(x, DType::f64);
  return {values.contiguous_data<double>(), values.contiguous_data<double>() + heads};
}

bool is_boolean_mask(const TensorView& mask, MaskType type, bool inverted) {
  if (mask.dtype == DType::string) throw text_for_numbers(mask);
  if (type == MaskType::automatic && inverted && is_floating(mask.dtype)) type = MaskType::additive;
  if (type == MaskType::automatic) {
    MaskElements elements;
    elements.add(mask);
    type = elements.type(mask.name);
  }
  if (type == MaskType::additive && inverted)
    throw Error(ErrorKind::usage, mask.name, "is added to the scores: there is nothing to invert");
  return type == MaskType::boolean;
}

void refuse_logit_options(const AttendInputs& in, const AttendParameters& p, const Mask& mask) {
  const char* const option = p.softcap != 0                      ? "softcap"
                             : in.sinks                          ? "sinks"
                             : in.bias                           ? "bias"
                             : p.alibi || in.alibi_slopes        ? "alibi"
                             : mask.has_bias()                   ? "an additive mask"
                             : p.normalize == Normalize::softmax ? "softmax"
                                                                 : nullptr;
  if (option != nullptr)
    throw Error(ErrorKind::usage, option,
                "applies to the scores of a softmax; a smoothing kernel gives weights directly", "use score gaussian");
}

Mask make_mask(const AttendInputs& in, const AttendParameters& p, const AttentionSizes& n, std::size_t past,
               DType compute) {
  Mask mask(n);
  mask.set_offset(p.offset.value_or(static_cast<std::int64_t>(past)));
  // Lengths first, because the meaning of a short mask depends on them.
  if (in.valid_lens) mask.add_lengths(named(*in.valid_lens, "valid lengths"));
  if (p.causal || p.causal_bottom_right) mask.add_causal();
  if (p.causal_bottom_right) mask.align_bottom_right();
  if (p.window) mask.add_window(p.window->left, p.window->right);
  add_masks(mask, in, p, n, compute);
  if (in.bias) mask.add_bias(named(*in.bias, "bias"), compute);
  if (in.alibi_slopes)
    mask.add_alibi(per_head(*in.alibi_slopes, "ALiBi slopes", n.heads));
  else if (p.alibi)
    mask.add_alibi(alibi_slopes(n.heads));
  return mask;
}

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
