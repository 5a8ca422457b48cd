#include <attn/attention/search.hpp>

#include <attn/attention/attend.hpp>
#include <attn/attention/inner/best_keys.hpp>
#include <attn/attention/inner/call.hpp>
#include <attn/attention/inner/weights.hpp>
#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/simd/attention.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

namespace attn {
namespace {

/// Keys whose scores one task computes: a megabyte or two, so that they are in the cache when their lengths are taken.
constexpr std::size_t keys_at_once = 1024, queries_at_once = 48;

SearchResult as_tensors(const std::vector<BestKeys>& found, std::size_t top) {
  Tensor scores = Tensor::zeros(DType::f64, {found.size(), top}), keys(DType::i64, {found.size(), top});
  std::fill_n(keys.data_as<std::int64_t>(), keys.size(), std::int64_t{-1});
  for (std::size_t i = 0; i < found.size(); ++i) {
    std::size_t at = i * top;
    for (const RankedKey& best : found[i].ranked()) {
      scores.data_as<double>()[at] = best.score;
      keys.data_as<std::int64_t>()[at++] = best.key;
    }
  }
  return {scores.view("topk"), keys.view("topk-keys")};
}

/// The queries of a search and what they have found, for each worker.
class Search {
 public:
  Search(const AttendInputs& inputs, const AttendParameters& parameters, std::size_t top, const Execution& execution)
      : query_(inputs.query), parameters_(parameters), inputs_(inputs), top_(top), execution_(execution) {
    const DType compute = compute_dtype(inputs.query.dtype);
    divides_ = parameters.score == Score::cosine && parameters.softcap == 0 && inputs.key.dtype == compute &&
               inputs.query.dtype == compute && execution.engine != Engine::reference;
    if (divides_) {
      parameters_.score = Score::dot;
      query_ = unit_rows(query_);
    }
    found_.assign(execution.threads(), std::vector<BestKeys>(query_.shape[0], BestKeys(top)));
  }

  /// keys: rows of the database from `first` on.
  void see(const TensorView& keys, std::size_t first) {
    const std::size_t count = keys.shape[0];
    execution_.parallel((count + keys_at_once - 1) / keys_at_once, [&](std::size_t task, std::size_t worker) {
      const std::size_t begin = task * keys_at_once, end = std::min(count, begin + keys_at_once);
      const auto row = [](std::size_t i) { return static_cast<std::int64_t>(i); };
      see_few(slice(keys, {AxisSlab{row(begin), row(end), 1, false}}), first + begin, found_[worker]);
    });
  }

  SearchResult result() const {
    std::vector<BestKeys> all(query_.shape[0], BestKeys(top_));
    for (const auto& of_worker : found_)
      for (std::size_t i = 0; i < all.size(); ++i)
        for (const RankedKey& best : of_worker[i].ranked()) all[i].offer(best);
    return as_tensors(all, top_);
  }

 private:
  TensorView unit_rows(const TensorView& x) const {
    const TensorView from = contiguous(x);
    Tensor unit(x.dtype, x.shape);
    visit_compute_dtype(x.dtype, [&](auto element) {
      using T = decltype(element);
      T* const rows = unit.data_as<T>();
      std::copy_n(from.contiguous_data<T>(), from.size(), rows);
      for (std::size_t i = 0; i < x.shape[0]; ++i)
        simd::attention_kernels<T>(execution_.isa).to_unit(rows + i * x.shape[1], x.shape[1]);
    });
    return unit.view(x.name);
  }

  void see_few(const TensorView& keys, std::size_t first, std::vector<BestKeys>& found) const {
    AttendInputs inputs = inputs_;
    inputs.query = query_;
    inputs.key = keys;
    inputs.value = Tensor::zeros(keys.dtype, {keys.shape[0], 0}).view();
    const ProblemViews views = views_of(inputs, parameters_);
    AttentionProblem made = problem_without_keys(views, inputs, parameters_);
    set_keys(made, views);
    const AttendRequest request;
    const Call call(inputs, parameters_, request, std::move(made), execution_.engine);
    if (call.problem->compute == DType::f64)
      score<double>(call, keys, first, found);
    else
      score<float>(call, keys, first, found);
  }

  template <class T>
  void score(const Call& call, const TensorView& keys, std::size_t first, std::vector<BestKeys>& found) const {
    const std::size_t count = keys.shape[0], queries = query_.shape[0];
    std::vector<double> lengths(divides_ ? count : 0, 1.0);
    if (divides_) {
      const TensorView rows = contiguous(keys);
      for (std::size_t j = 0; j < count; ++j) {
        const double square = simd::attention_kernels<T>(execution_.isa)
                                  .square(rows.contiguous_data<T>() + j * keys.shape[1], nullptr, keys.shape[1]);
        if (square != 0) lengths[j] = std::sqrt(square);
      }
    }
    std::vector<T> scores(std::min(queries, queries_at_once) * count);
    for (std::size_t i = 0; i < queries; i += queries_at_once) {
      const std::size_t last = std::min(queries, i + queries_at_once);
      compute_rows(*call.problem, call.engine, execution_.isa, Stage::weights, 0, 0, i, last, scores.data());
      for (std::size_t r = i; r < last; ++r) {
        const T* const row = scores.data() + (r - i) * count;
        for (std::size_t j = 0; j < count; ++j) {
          const auto score = static_cast<double>(row[j]);
          found[r].offer({divides_ ? score / lengths[j] : score, static_cast<std::int64_t>(first + j)});
        }
      }
    }
  }

  TensorView query_;
  AttendParameters parameters_;
  const AttendInputs& inputs_;
  std::size_t top_;
  const Execution& execution_;
  bool divides_ = false;  ///< the scores are products, and divided by the lengths of the keys
  std::vector<std::vector<BestKeys>> found_;
};

using Rows = std::vector<std::optional<std::size_t>>;

/// Text as one column: (S) or (S, 1).
const std::string* column_of_text(const TensorView& x) {
  if (x.dtype != DType::string) throw Error(ErrorKind::data, x.name, "holds numbers, expected text to look up");
  if (x.rank() > 2 || (x.rank() == 2 && x.shape[1] != 1)) throw shape_error(x.name, x.shape, "one column of text");
  return x.contiguous_data<std::string>();
}

std::size_t rows_of(const TensorView& x) { return x.rank() == 0 ? 1 : x.shape[0]; }

/// Rows of numbers in f64, without gaps: one axis is a column, as for attend().
TensorView as_rows(const TensorView& x) {
  TensorView wide = cast(x, DType::f64);
  if (wide.rank() < 2) wide.shape = {wide.size(), 1};
  wide.strides = row_major_strides(wide.shape);
  return wide;
}

Rows find_exact_text(const TensorView& query, const TensorView& key) {
  const TensorView q = contiguous(query), k = contiguous(key);
  const std::string* const q_i = column_of_text(q);
  const std::string* const k_j = column_of_text(k);
  Rows found(rows_of(q));
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto* at = std::find(k_j, k_j + rows_of(k), q_i[i]);
    if (at == k_j + rows_of(k) && !is_ascii(q_i[i]))
      at = std::find_if(k_j, k_j + rows_of(k), [&](const std::string& text) { return is_same_name(text, q_i[i]); });
    if (at != k_j + rows_of(k)) found[i] = static_cast<std::size_t>(at - k_j);
  }
  return found;
}

}  // namespace

bool can_search(const AttendInputs& inputs, const AttendParameters& p) {
  const bool plain = inputs.query.rank() == 2 && inputs.key.rank() == 2 && inputs.query.dtype != DType::string &&
                     inputs.key.dtype != DType::string;
  const bool masks = inputs.mask || inputs.padding || inputs.valid_lens || inputs.bias || inputs.alibi_slopes ||
                     inputs.sinks || inputs.past_key || p.causal || p.causal_bottom_right || p.window || p.alibi;
  return plain && !masks && !p.heads && !p.kv_heads && p.normalize == Normalize::none;
}

std::size_t searched_within(const AttendInputs& inputs, std::size_t memory) {
  const std::size_t width = inputs.key.shape[1];
  const std::size_t each = width * (element_size(inputs.key.dtype) + element_size(compute_dtype(inputs.key.dtype)));
  const std::size_t keys = each > 0 ? memory / 2 / each : inputs.key.shape[0];
  return keys >= inputs.key.shape[0] ? 0 : std::max(keys, keys_at_once);
}

SearchResult search_part(const AttendInputs& inputs, const AttendParameters& parameters, std::size_t top,
                         const std::optional<StoredKeys>& stored, std::size_t first, std::size_t last,
                         const Execution& execution) {
  if (inputs.query.shape[1] != inputs.key.shape[1] && parameters.score != Score::bilinear &&
      parameters.score != Score::additive)
    throw shape_error(inputs.key.name, inputs.key.shape,
                      "(S, " + std::to_string(inputs.query.shape[1]) + ") = the width of the queries");
  Search search(inputs, parameters, top, execution);
  const std::size_t keys = last - first;
  const auto operations = static_cast<double>(inputs.query.size()) * static_cast<double>(keys);
  if (execution.only_counts(operations)) return search.result();
  const auto rows = [](std::size_t begin, std::size_t end) {
    return Slab{AxisSlab{static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end), 1, false}};
  };
  if (!stored) {
    search.see(slice(inputs.key, rows(first, last)), first);
    return search.result();
  }
  for (std::size_t begin = first; begin < last; begin += stored->block_keys) {
    const std::size_t end = std::min(last, begin + stored->block_keys);
    const TensorView block = stored->key.source->read(stored->key.info.name, rows(begin, end));
    search.see(block, begin);
    stored->key.source->release(block);
    if (execution.progress) execution.progress(end - first, keys);
  }
  return search.result();
}

SearchResult search(const AttendInputs& inputs, const AttendParameters& parameters, std::size_t top,
                    const std::optional<StoredKeys>& stored, const Execution& execution) {
  const SearchResult found = search_part(inputs, parameters, top, stored, 0, inputs.key.shape[0], execution);
  return {cast(found.scores, compute_dtype(inputs.query.dtype)), found.keys};
}

SearchResult best_of(const SearchResult& a, const SearchResult& b) {
  const std::size_t top = a.keys.shape[1];
  std::vector<BestKeys> best(a.keys.shape[0], BestKeys(top));
  for (const SearchResult* part : {&a, &b}) {
    const TensorView scores = contiguous(part->scores), keys = contiguous(part->keys);
    for (std::size_t at = 0; at < keys.size(); ++at)
      if (const std::int64_t key = keys.contiguous_data<std::int64_t>()[at]; key >= 0)
        best[at / top].offer({scores.contiguous_data<double>()[at], key});
  }
  return as_tensors(best, top);
}

Rows find_nearest_text(const TensorView& query, const TensorView& key) {
  const TensorView q = contiguous(query), k = contiguous(key);
  const std::string* const q_i = column_of_text(q);
  const std::string* const k_j = column_of_text(k);
  Rows found = find_exact_text(q, k);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i]) continue;
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (std::size_t j = 0; j < rows_of(k); ++j) {
      const std::size_t distance = edit_distance(composed(q_i[i]), composed(k_j[j]));
      if (distance >= least) continue;
      least = distance;
      found[i] = j;
    }
  }
  return found;
}

Rows find_exact(const TensorView& query, const TensorView& key) {
  if (query.dtype == DType::string || key.dtype == DType::string) return find_exact_text(query, key);
  const TensorView q = as_rows(query), k = as_rows(key);
  if (q.rank() != 2) throw shape_error(q.name, q.shape, "(queries, width)");
  if (k.rank() != 2 || k.shape[1] != q.shape[1])
    throw shape_error(k.name, k.shape, "(keys, " + std::to_string(q.shape[1]) + "), the width of the queries");
  const std::size_t d = q.shape[1];
  const double* const q_ic = q.contiguous_data<double>();
  const double* const k_jc = k.contiguous_data<double>();
  Rows found(q.shape[0]);
  for (std::size_t i = 0; i < found.size(); ++i)
    for (std::size_t j = 0; j < k.shape[0] && !found[i]; ++j)
      if (std::equal(q_ic + i * d, q_ic + (i + 1) * d, k_jc + j * d)) found[i] = j;
  return found;
}

Rows find_best(const AttendInputs& inputs, const AttendParameters& parameters, const Execution& execution) {
  for (const TensorView* x : {&inputs.query, &inputs.key})
    if (x->rank() > 2) throw shape_error(x->name, x->shape, "(rows, width)");
  // The values are text: with numbers in their place, attention can weigh the keys.
  AttendInputs numeric = inputs;
  numeric.value = Tensor::zeros(DType::f64, {rows_of(inputs.key), 0}).view(inputs.value.name);
  AttendParameters hard = parameters;
  hard.normalize = Normalize::hard;
  // No key may be within a kernel of finite width.
  if (hard.empty != EmptyRows::error) hard.empty = EmptyRows::nearest;
  AttendRequest request;
  request.top = 1;
  const AttendResult result = attend(numeric, hard, request, execution);
  const auto* const key_i = result.top_keys->contiguous_data<std::int64_t>();
  const TensorView weights = cast(*result.top_weights, DType::f64);
  Rows found(result.top_keys->size());
  for (std::size_t i = 0; i < found.size(); ++i)
    if (weights.contiguous_data<double>()[i] > 0) found[i] = static_cast<std::size_t>(key_i[i]);
  return found;
}

TensorView take_rows(const TensorView& x, const TensorView& key, const Rows& rows) {
  if (x.rank() > 2 || rows_of(x) != rows_of(key))
    throw shape_error(x.name, x.shape, "(S) or (S, d) of as many rows as " + key.name + " " + to_string(key.shape));
  const TensorView from = x.dtype == DType::string || is_floating(x.dtype) ? contiguous(x) : cast(x, DType::f64);
  Shape shape = from.shape;
  if (shape.empty()) shape = {1};
  const std::size_t width = std::accumulate(shape.begin() + 1, shape.end(), std::size_t{1}, std::multiplies<>());
  shape[0] = rows.size();
  Tensor out(from.dtype, shape);
  TextMemory texts(x.name);
  visit_dtype(from.dtype, [&](auto type) {
    using T = decltype(type);
    if constexpr (std::is_integral_v<T>) return;  // integers are f64 by now
    const T* const in = from.contiguous_data<T>();
    if constexpr (std::is_same_v<T, std::string>)
      for (const auto& row : rows)
        for (std::size_t i = 0; row && i < width; ++i) texts.add_text(in[*row * width + i].size());
    T missing{};
    if constexpr (std::is_floating_point_v<T>) missing = std::numeric_limits<T>::quiet_NaN();
    if constexpr (std::is_same_v<T, Float16>) missing = to_float16(std::numeric_limits<double>::quiet_NaN());
    if constexpr (std::is_same_v<T, BFloat16>) missing = to_bfloat16(std::numeric_limits<double>::quiet_NaN());
    T* to = out.data_as<T>();
    for (const auto& row : rows) {
      if (row)
        std::copy_n(in + *row * width, width, to);
      else
        std::fill_n(to, width, missing);
      to += width;
    }
  });
  return from.dtype == DType::string ? std::move(texts).held_by(out.view(x.name)) : out.view(x.name);
}

}  // namespace attn
