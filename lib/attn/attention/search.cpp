#include <attn/attention/search.hpp>

#include <attn/attention/engines/best_keys.hpp>
#include <attn/attention/engines/score_rows.hpp>
#include <attn/attention/problem/call.hpp>
#include <attn/core/error.hpp>
#include <attn/simd/attention.hpp>

#include <algorithm>
#include <cmath>

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

}  // namespace attn
