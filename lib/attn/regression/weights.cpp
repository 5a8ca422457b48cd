#include <attn/core/error.hpp>
#include <attn/regression/sums/sums.hpp>
#include <attn/regression/weights.hpp>
#include <attn/regression/windows/evaluation.hpp>
#include <attn/regression/windows/local_polynomial.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

// One row: columns ascending in the caller's order.
struct Entry {
  std::int64_t column;
  double weight;
};
using Row = std::vector<Entry>;

/// Finds rows in the caller's order of queries, a block of them at a time on the threads.
class RowSource {
 public:
  RowSource(std::shared_ptr<const KernelRegression> regression, const std::optional<TensorView>& queries,
            const Smoother& smoother, bool leave_one_out, const Execution& execution)
      : regression_(std::move(regression)),
        samples_(regression_->prepared()),
        smoother_(without_infinite_widths(smoother, samples_)),
        leave_one_out_(leave_one_out),
        execution_(execution) {
    if (leave_one_out && queries)
      throw Error(ErrorKind::usage, "leave one out", "applies only to the samples themselves", "give no queries");
    check_bandwidth(samples_, smoother_, leave_one_out);
    if (queries)
      points_ = query_points(*queries, samples_, execution);
    else
      points_.samples = &samples_;
    point_of_row_.resize(points_.count());
    for (std::size_t point = 0; point < points_.count(); ++point)
      point_of_row_[points_.row(point)] = static_cast<std::uint32_t>(point);
    const bool restricted = choose_row_method(samples_, smoother_).method == Method::tree;
    rows_ = std::make_unique<WeightRows>(samples_, row_parameters(samples_, smoother_, restricted));
  }

  std::size_t queries() const noexcept { return points_.count(); }
  std::size_t samples() const noexcept { return samples_.n; }

  static constexpr std::size_t block = 256;
  /// The rows of the block of queries from `begin` on.
  void find_block(std::size_t begin, std::vector<Row>& found) const {
    found.resize(std::min(block, queries() - begin));
    const std::size_t count = found.size();
    constexpr std::size_t part = 32;  // queries of a task
    execution_.parallel((count + part - 1) / part, [&](std::size_t task, std::size_t) {
      LocalPolynomial polynomial(samples_, smoother_.degree);
      WeightRow row;
      WeightRows::Scratch scratch;
      for (std::size_t i = task * part; i < std::min(count, (task + 1) * part); ++i)
        find(point_of_row_[begin + i], polynomial, row, scratch, found[i]);
    });
  }

  /// Calls take(row) for each query in turn.
  template <class Take>
  void for_each(Take take) const {
    std::vector<Row> found;
    for (std::size_t begin = 0; begin < queries(); begin += block) {
      find_block(begin, found);
      for (const Row& row : found) take(row);
    }
  }

 private:
  void find(std::size_t point, LocalPolynomial& polynomial, WeightRow& row, WeightRows::Scratch& scratch,
            Row& out) const {
    out.clear();
    std::vector<double> q(samples_.query_length());
    for (std::size_t j = 0; j < q.size(); ++j) q[j] = points_.x().column(j)[point];
    if (!std::all_of(q.begin(), q.end(), [](double value) { return std::isfinite(value); })) return;
    const std::size_t self = leave_one_out_ ? point : WeightRows::no_self;
    rows_->find(q.data(), self, false, row, scratch);
    if (row.count() == 0 && smoother_.empty == EmptyWindow::nearest) rows_->find_nearest(q.data(), self, row, scratch);
    if (row.count() == 0) return;
    polynomial.solve(q.data(), row);
    for (std::size_t r = 0; r < row.count(); ++r)
      if (polynomial.smoothing()[r] != 0) out.push_back({samples_.order[row.key[r]], polynomial.smoothing()[r]});
    std::sort(out.begin(), out.end(), [](const Entry& a, const Entry& b) { return a.column < b.column; });
    std::size_t kept = 0;  // halves of a sample become one
    for (std::size_t i = 0; i < out.size(); ++i)
      if (kept > 0 && out[kept - 1].column == out[i].column)
        out[kept - 1].weight += out[i].weight;
      else
        out[kept++] = out[i];
    out.resize(kept);
  }

  std::shared_ptr<const KernelRegression> regression_;
  const KernelRegression::Prepared& samples_;
  Smoother smoother_;
  bool leave_one_out_;
  const Execution& execution_;
  QueryPoints points_;
  std::vector<std::uint32_t> point_of_row_;
  std::unique_ptr<WeightRows> rows_;
};

std::shared_ptr<const RowSource> rows_of(std::shared_ptr<const KernelRegression> regression,
                                         const std::optional<TensorView>& queries, const Smoother& smoother,
                                         bool leave_one_out, const Execution& execution) {
  if (smoother.bandwidth.kind != Bandwidth::Kind::matrix)
    return std::make_shared<const RowSource>(std::move(regression), queries, smoother, leave_one_out, execution);
  const KernelRegression::Prepared& samples = regression->prepared();
  check_bandwidth(samples, smoother, leave_one_out);
  QueryPoints points;
  points.samples = &samples;
  if (queries) points = query_points(*queries, samples, execution);
  Whitened white = whiten(samples, points, smoother, execution);
  return std::make_shared<const RowSource>(std::make_shared<const KernelRegression>(std::move(white.regression)),
                                           white.queries, white.smoother, leave_one_out, execution);
}

// Hands over the values of each row that `of` picks.
template <class T, class Of>
TensorProducer column_producer(std::shared_ptr<const RowSource> rows, std::size_t count, Of of) {
  return {dtype_of_v<T>, {count}, [rows, of](const ByteConsumer& consume) {
            std::vector<T> values;
            rows->for_each([&](const Row& row) {
              values.clear();
              for (const Entry& entry : row) values.push_back(of(entry));
              if (!values.empty()) consume(values.data(), values.size() * sizeof(T));
            });
          }};
}

}  // namespace

TensorProducer dense_weights(std::shared_ptr<const KernelRegression> regression,
                             const std::optional<TensorView>& queries, const Smoother& smoother, bool leave_one_out,
                             const Execution& execution) {
  TensorProducer weights =
      dense_weights({{std::move(regression), smoother}}, queries, leave_one_out, execution);  // (m, n, 1)
  weights.shape.pop_back();
  return weights;
}

TensorProducer dense_weights(const std::vector<SmoothedRegression>& fits, const std::optional<TensorView>& queries,
                             bool leave_one_out, const Execution& execution) {
  std::vector<std::shared_ptr<const RowSource>> sources;
  for (const SmoothedRegression& fit : fits)
    sources.push_back(rows_of(fit.regression, queries, fit.smoother, leave_one_out, execution));
  const std::size_t m = sources.front()->queries(), n = sources.front()->samples(), count = sources.size();
  return {DType::f64, {m, n, count}, [sources, m, n, count](const ByteConsumer& consume) {
            std::vector<double> full(n * count);
            std::vector<std::vector<Row>> found(count);
            for (std::size_t begin = 0; begin < m; begin += RowSource::block) {
              for (std::size_t c = 0; c < count; ++c) sources[c]->find_block(begin, found[c]);
              for (std::size_t i = 0; i < found.front().size(); ++i) {
                std::fill(full.begin(), full.end(), 0.0);
                for (std::size_t c = 0; c < count; ++c)
                  for (const Entry& entry : found[c][i])
                    full[static_cast<std::size_t>(entry.column) * count + c] = entry.weight;
                if (!full.empty()) consume(full.data(), full.size() * sizeof(double));
              }
            }
          }};
}

SparseWeights sparse_weights(std::shared_ptr<const KernelRegression> regression,
                             const std::optional<TensorView>& queries, const Smoother& smoother, bool leave_one_out,
                             const Execution& execution) {
  auto rows = rows_of(std::move(regression), queries, smoother, leave_one_out, execution);
  Tensor indptr(DType::i64, {rows->queries() + 1}), shape(DType::i64, {2});
  std::int64_t* at = indptr.data_as<std::int64_t>();
  *at = 0;
  rows->for_each([&](const Row& row) {
    at[1] = at[0] + static_cast<std::int64_t>(row.size());
    ++at;
  });
  shape.data_as<std::int64_t>()[0] = static_cast<std::int64_t>(rows->queries());
  shape.data_as<std::int64_t>()[1] = static_cast<std::int64_t>(rows->samples());
  const auto nonzero = static_cast<std::size_t>(*at);
  SparseWeights sparse;
  sparse.data = column_producer<double>(rows, nonzero, [](const Entry& entry) { return entry.weight; });
  sparse.indices = column_producer<std::int64_t>(rows, nonzero, [](const Entry& entry) { return entry.column; });
  sparse.indptr = indptr.view("indptr");
  sparse.shape = shape.view("shape");
  return sparse;
}

}  // namespace attn
