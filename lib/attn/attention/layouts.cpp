#include <attn/attention/layouts.hpp>

#include <attn/core/text_as_number.hpp>

#include <algorithm>
#include <cstring>

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
  const std::size_t B = query.shape[0], H = query.shape[1], H_kv = key.shape[1];
  if (H == 0) throw shape_error(query.name, in.query.shape, "at least one head");
  if (H_kv == 0 || H % H_kv != 0)
    throw shape_error(key.name, in.key.shape,
                      "a number of heads that divides the " + std::to_string(H) + " of " + text(query, in.query),
                      fits_other_layout(in.query, in.key, p) ? other_layout : "");
  for (const auto& [rows, given] : {std::pair{&v.key, &in.key}, {&v.value, &in.value}})
    if (rows->batch() != B && rows->batch() != 1)
      throw shape_error(rows->present.name, given->shape, "the batch of " + text(query, in.query) + ", or 1");
  return {B, H, H_kv, query.shape[2], v.key.count(), query.shape[3], key.shape[3], value.shape[3]};
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
  return v;
}

}  // namespace attn
