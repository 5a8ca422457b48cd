#include <attn/attention/problem_views.hpp>
#include <attn/core/text_as_number.hpp>

#include <cstring>

namespace attn {
namespace {

std::string text(const TensorView& x) { return x.name + " " + to_string(x.shape); }

TensorView stored_as(const TensorView& x, DType dtype) { return x.dtype == dtype ? x : cast(x, dtype); }

DType stored_dtype(const std::vector<DType>& dtypes) {
  DType common = dtypes.front();
  bool same = is_floating(common);
  for (const DType dtype : dtypes) same = same && dtype == common;
  if (same) return common;
  common = compute_dtype(common);
  for (const DType dtype : dtypes) common = wider(common, compute_dtype(dtype));
  return common;
}

/// The batch of past and present, (B, H_kv, S, d) both, of which one may have one batch for all. Throws Error(data)
/// where they differ in more than that and their lengths.
std::size_t joint_batch(const TensorView& past, const TensorView& present) {
  const std::size_t before = past.shape[0], now = present.shape[0];
  if ((before != now && before != 1 && now != 1) || past.shape[1] != present.shape[1] ||
      past.shape[3] != present.shape[3])
    throw shape_error(past.name, past.shape, "the batch, heads and width of " + text(present));
  return before == 1 ? now : before;
}

TensorView spread(TensorView x, std::size_t batch) {
  if (x.shape[0] != batch) x.strides[0] = 0;
  x.shape[0] = batch;
  return x;
}

}  // namespace

TensorView joined(const TensorView& past, const TensorView& present, DType dtype) {
  const std::size_t batch = joint_batch(past, present);
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

AttendInputs named_inputs(AttendInputs in) {
  in.query = named(in.query, "query");
  in.key = named(in.key, "key");
  in.value = named(in.value, "value");
  if (in.past_key) in.past_key = named(*in.past_key, "past key");
  if (in.past_value) in.past_value = named(*in.past_value, "past value");
  return in;
}

DType attention_dtype(const AttendInputs& in) {
  if (in.past_key.has_value() != in.past_value.has_value())
    throw Error(ErrorKind::usage, in.past_key ? "past value" : "past key", "is missing: a past has keys and values");
  std::vector<DType> dtypes;
  for (const TensorView* x : {&in.query, &in.key, &in.value, in.past_key ? &*in.past_key : nullptr,
                              in.past_value ? &*in.past_value : nullptr}) {
    if (x == nullptr) continue;
    if (x->dtype == DType::string) throw text_for_numbers(*x);
    dtypes.push_back(x->dtype);
  }
  return stored_dtype(dtypes);
}

namespace {

/// Of packed keys and values.
std::optional<std::size_t> kv_heads_of(const AttendParameters& p) {
  if (p.heads == std::size_t{0} || p.kv_heads == std::size_t{0})
    throw Error(ErrorKind::usage, "heads", "must be at least 1");
  return p.kv_heads ? p.kv_heads : p.heads;
}

void expect_as_many(const TensorView& past_key, const TensorView& past_value) {
  if (past_key.shape[2] != past_value.shape[2])
    throw shape_error(past_value.name, past_value.shape, "as many rows as " + text(past_key));
}

}  // namespace

TensorView query_view(const AttendInputs& in, const AttendParameters& p, DType dtype) {
  return to_heads(stored_as(in.query, dtype), p.layout, p.heads);
}

TensorView key_view(const TensorView& x, const AttendParameters& p) { return to_heads(x, p.layout, kv_heads_of(p)); }

ProblemViews resolve_views(const AttendInputs& in, const AttendParameters& p) {
  kv_heads_of(p);  // none are refused before they are looked for
  const DType dtype = attention_dtype(in);
  ProblemViews v;
  v.query = query_view(in, p, dtype);
  v.key = key_view(stored_as(in.key, dtype), p);
  v.value = key_view(stored_as(in.value, dtype), p);
  if (in.past_key) {
    const TensorView past_key = key_view(*in.past_key, p);
    const TensorView past_value = key_view(*in.past_value, p);
    expect_as_many(past_key, past_value);
    v.past = past_key.shape[2];
    v.key = joined(past_key, v.key, dtype);
    v.value = joined(past_value, v.value, dtype);
  }
  return v;
}

TensorView for_batch(const TensorView& x, std::size_t batch, const TensorView& given, const TensorView& query) {
  if (x.shape[0] == batch) return x;
  if (x.shape[0] != 1) throw shape_error(given.name, given.shape, "the batch of " + text(query) + ", or 1");
  return spread(x, batch);
}

namespace {

/// Would the numbers of heads fit if they were the third axis?
bool fits_other_layout(const TensorView& query, const TensorView& key, const AttendParameters& p) {
  return query.rank() == 4 && key.rank() == 4 && p.layout != Layout::batch_length_heads && key.shape[2] > 0 &&
         query.shape[2] % key.shape[2] == 0;
}

}  // namespace

AttentionSizes sizes_of(ProblemViews& v, const AttendInputs& in, const AttendParameters& p) {
  const bool may_differ = p.score == Score::bilinear || p.score == Score::additive;
  if (!may_differ && v.query.shape[3] != v.key.shape[3] && in.query.rank() == 1)
    throw shape_error(in.query.name, in.query.shape, "the width of " + text(in.key),
                      "one axis is many queries of one number; for one query of many give it two axes");
  if (!may_differ && v.query.shape[3] != v.key.shape[3])
    throw shape_error(in.key.name, in.key.shape, "the width of " + text(in.query),
                      p.heads && !p.kv_heads ? "where keys have fewer heads, give --kv-heads"
                                             : "scores that compare different widths are bilinear and additive");
  if (v.key.shape[2] != v.value.shape[2])
    throw shape_error(in.value.name, in.value.shape, "as many rows as " + text(in.key));
  if (v.key.shape[1] != v.value.shape[1])
    throw shape_error(in.value.name, in.value.shape, "as many heads as " + text(in.key));
  const std::size_t H = v.query.shape[1], H_kv = v.key.shape[1];
  if (H == 0) throw shape_error(in.query.name, in.query.shape, "at least one head");
  if (H_kv == 0 || H % H_kv != 0)
    throw shape_error(in.key.name, in.key.shape,
                      "a number of heads that divides the " + std::to_string(H) + " of " + text(in.query),
                      fits_other_layout(in.query, in.key, p) ? other_layout : "");
  const std::size_t B = v.query.shape[0];
  v.key = for_batch(v.key, B, in.key, in.query);
  v.value = for_batch(v.value, B, in.value, in.query);
  return {B, H, H_kv, v.query.shape[2], v.key.shape[2], v.query.shape[3], v.key.shape[3], v.value.shape[3]};
}

ProblemViews shaped_views(const AttendInputs& in, const AttendParameters& p) {
  const DType dtype = attention_dtype(in);
  const auto kv_heads = kv_heads_of(p);
  // Without elements and gaps, and of one dtype: nothing of it is copied.
  const auto shaped = [&](const TensorView& x, std::optional<std::size_t> heads) {
    return to_heads({nullptr, dtype, x.shape, row_major_strides(x.shape), nullptr, x.name}, p.layout, heads);
  };
  ProblemViews v{shaped(in.query, p.heads), shaped(in.key, kv_heads), shaped(in.value, kv_heads)};
  if (!in.past_key) return v;
  const TensorView past_key = shaped(*in.past_key, kv_heads), past_value = shaped(*in.past_value, kv_heads);
  expect_as_many(past_key, past_value);
  v.past = past_key.shape[2];
  for (const auto& [past, present] : {std::pair{&past_key, &v.key}, std::pair{&past_value, &v.value}}) {
    present->shape[0] = joint_batch(*past, *present);
    present->shape[2] += v.past;
  }
  return v;
}

AttentionSizes attention_sizes(const AttendInputs& given, const AttendParameters& parameters) {
  const AttendInputs inputs = named_inputs(given);
  ProblemViews views = shaped_views(inputs, parameters);
  return sizes_of(views, inputs, parameters);
}

}  // namespace attn
