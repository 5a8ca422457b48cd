// Sums over samples with categories, from those over cells of samples (see cells_of): any engine sums over a cell, and
// the sums count by the factor that the cell has at a query.
#include <attn/core/constants.hpp>
#include <attn/core/memory.hpp>
#include <attn/regression/sums/moments.hpp>
#include <attn/regression/sums/sums.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace attn {
namespace {

using std::abs;  // and those of Extended

using Points = std::vector<std::uint32_t>;

/// Points by the codes of the columns that a choice names.
class PointsByCodes {
 public:
  explicit PointsByCodes(const SumsProblem& problem) : problem_(problem) {}

  /// The points that agree with the unordered codes of a cell.
  const Points& of(const SampleCell& cell) {
    std::vector<bool> chosen;
    for (std::size_t f = 0; f < cell.key.size(); ++f)
      chosen.push_back(cell.key[f] != SampleCell::any && problem_.categories.is_unordered(f));
    if (chosen != chosen_) group(chosen);
    const auto found = groups_.find(mixed(chosen, [&](std::size_t f) { return cell.key[f]; }));
    return found == groups_.end() ? none_ : found->second;
  }
  /// Points with a coordinate or a code that is no finite number.
  const Points& not_finite() const noexcept { return not_finite_; }

 private:
  template <class CodeOf>
  double mixed(const std::vector<bool>& chosen, CodeOf code) const {
    double number = 0;
    for (std::size_t f = 0; f < chosen.size(); ++f)
      if (chosen[f]) number = number * static_cast<double>(problem_.samples.categories[f].levels) + code(f);
    return number;
  }
  void group(const std::vector<bool>& chosen) {
    const Columns& x = problem_.points.x();
    const std::size_t d = problem_.samples.d;
    chosen_ = chosen;
    groups_.clear();
    not_finite_.clear();
    for (std::size_t point = 0; point < problem_.points.count(); ++point) {
      bool is_finite = true;
      for (std::size_t j = 0; j < x.count(); ++j) is_finite = is_finite && std::isfinite(x.column(j)[point]);
      Points& group =
          is_finite ? groups_[mixed(chosen, [&](std::size_t f) { return x.column(d + f)[point]; })] : not_finite_;
      group.push_back(static_cast<std::uint32_t>(point));
    }
  }

  const SumsProblem& problem_;
  std::vector<bool> chosen_;
  std::unordered_map<double, Points> groups_;
  Points not_finite_;
  const Points none_;
};

/// Adds up the sums of each point over its cells.
class CellTotals {
 public:
  CellTotals(const SumsProblem& problem, SumsOutput out)
      : problem_(problem),
        out_(out),
        counted_(memory_account().take(bytes(problem, out), "x")),
        log_factor_(problem.points.count(), -infinity) {
    const std::size_t m = problem.points.count();
    if (out.moments == nullptr) {
      std::fill_n(out.totals, m * problem.columns(), 0.0);
      return;
    }
    windows_.resize(m);
    sums_.resize(m * problem.length());
    sizes_.resize(m * problem.columns());
    for (std::size_t c = 0; c < problem.columns(); ++c) offset_.push_back(problem.offset(c));
  }

  /// The sums of a problem over a cell. points: of the whole problem; factor: of the cell at each.
  void add(Method method, const SumsProblem& of_cell, const Points& points, const std::vector<double>& factor,
           const Execution& execution) {
    if (out_.moments != nullptr) return add_moments(method, of_cell, points, factor, execution);
    const std::size_t columns = problem_.columns();
    Columns totals(1, points.size() * columns);
    std::vector<double> taken(points.size(), 0.0);
    run_method(method, of_cell, execution, {totals.column(0), taken.data()});
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double* row = totals.column(0) + i * columns;
      if (!(row[0] > 0)) continue;
      double* to = out_.totals + points[i] * columns;
      const auto [before, now] = shares(points[i], taken[i]);
      for (std::size_t c = 0; c < columns; ++c) to[c] = to[c] * before + row[c] * (now * factor[i]);
    }
  }

  void finish(const Points& not_finite, const Execution& execution) {
    if (out_.moments == nullptr) {
      const std::size_t columns = problem_.columns();
      for (std::size_t point = 0; point < log_factor_.size(); ++point)
        if (log_factor_[point] > -infinity) out_.set_log_factor(point, log_factor_[point]);
      for (const std::uint32_t point : not_finite)
        std::fill_n(out_.totals + point * columns, columns, std::numeric_limits<double>::quiet_NaN());
      return;
    }
    constexpr std::size_t block = 4096;
    execution.parallel((windows_.size() + block - 1) / block, [&](std::size_t task, std::size_t) {
      for (std::size_t point = task * block; point < std::min(windows_.size(), (task + 1) * block); ++point)
        hand_on(point);
    });
  }

 private:
  struct Window {
    double origin = 0, extent = 0, rounding = 0;
    double missing = 0;  // bound of the weights that no sums were found of
    bool is_empty = true;
  };

  static std::uint64_t bytes(const SumsProblem& problem, SumsOutput out) {
    const std::uint64_t moments =
        out.moments == nullptr ? 0 : sizeof(Window) + (problem.length() + problem.columns()) * sizeof(Extended);
    return problem.points.count() * (sizeof(double) + moments);
  }

  // What sums so far and sums with `taken` out count, when both have the larger factor taken out.
  std::pair<double, double> shares(std::size_t point, double taken) {
    double& log_factor = log_factor_[point];
    const double larger = std::max(log_factor, taken);
    const std::pair<double, double> both{std::exp(log_factor - larger), std::exp(taken - larger)};
    log_factor = larger;
    return both;
  }

  void add_moments(Method method, const SumsProblem& of_cell, const Points& points, const std::vector<double>& factor,
                   const Execution& execution) {
    std::vector<char> is_found(points.size(), 0);
    const MomentsTaker take = [&](std::size_t i, const WindowMoments& moments) {
      join(points[i], moments, factor[i]);
      is_found[i] = 1;
    };
    run_method(method, of_cell, execution, {nullptr, nullptr, &take});
    for (std::size_t i = 0; i < points.size(); ++i)
      if (!is_found[i]) windows_[points[i]].missing += factor[i] * most_weight(of_cell, i);
  }

  // A bound of the weights of a window whose moments are not known.
  static double most_weight(const SumsProblem& of_cell, std::size_t i) {
    const double *x = of_cell.samples.x.column(0), q = of_cell.points.x().column(0)[i];
    const std::size_t n = of_cell.samples.n, own = of_cell.self(i);
    double nearest = infinity;
    const auto right = static_cast<std::size_t>(std::lower_bound(x, x + n, q) - x);
    for (std::size_t k = right < 2 ? 0 : right - 2; k < std::min(n, right + 2); ++k)
      if (k != own && !(of_cell.causal && x[k] > q)) nearest = std::min(nearest, abs(x[k] - q) * of_cell.scale[0]);
    if (is_compact(of_cell.kernel)) return nearest <= 1 ? infinity : 0;
    return static_cast<double>(n) * std::exp(kernel_log_weight(of_cell.kernel, nearest * nearest));
  }

  void join(std::size_t point, const WindowMoments& moments, double factor) {
    Window& window = windows_[point];
    Extended* sums = sums_.data() + point * problem_.length();
    Extended* sizes = sizes_.data() + point * problem_.columns();
    const auto [before, now] = shares(point, moments.log_factor);
    if (window.is_empty) window.origin = moments.origin;
    const Extended step = (Extended(moments.origin) - window.origin) * problem_.scale[0];
    window.extent = std::max(window.extent, moments.extent + static_cast<double>(abs(step)));
    window.rounding = std::max(window.rounding, moments.rounding);
    window.is_empty = false;
    Extended shifted[5];
    for (std::size_t c = 0; c < offset_.size(); ++c) {
      const std::size_t order = problem_.order(c), at = offset_[c];
      std::copy_n(moments.sums + at, order + 1, shifted);
      shift_moments(shifted, order, step);
      for (std::size_t r = 0; r <= order; ++r) sums[at + r] = sums[at + r] * before + shifted[r] * (now * factor);
      sizes[c] = sizes[c] * before + moments.sizes[c] * (now * factor);
    }
  }

  void hand_on(std::size_t point) const {
    const Window& window = windows_[point];
    const Extended* sums = sums_.data() + point * problem_.length();
    constexpr double negligible = 1e-30;
    if (window.is_empty || !(window.missing <= negligible * std::exp(log_factor_[point]) * sums[0])) return;
    WindowMoments moments;
    moments.origin = window.origin;
    moments.scale = problem_.scale[0];
    moments.sums = sums;
    moments.sizes = sizes_.data() + point * problem_.columns();
    moments.extent = window.extent;
    moments.rounding = window.rounding;
    moments.log_factor = log_factor_[point];
    (*out_.moments)(point, moments);
  }

  const SumsProblem& problem_;
  SumsOutput out_;
  std::shared_ptr<const void> counted_;
  std::vector<double> log_factor_;
  std::vector<Window> windows_;
  std::vector<Extended> sums_, sizes_;
  std::vector<std::size_t> offset_;
};

/// The factor of a cell at a point that agrees with its unordered codes.
double factor_of(const SampleCell& cell, const SumsProblem& problem, std::size_t point) {
  const CategoryWeights& weights = problem.categories;
  double factor = 1;
  for (std::size_t f = 0; f < cell.key.size(); ++f) {
    if (!weights.is_unordered(f))
      factor *= weights.at(f, problem.points.x().column(problem.samples.d + f)[point], cell.key[f]);
    else
      factor *= cell.key[f] == SampleCell::any ? weights.different(f) : 1 - weights.different(f);
  }
  return factor;
}

std::vector<double> gathered(const double* column, const std::vector<std::uint32_t>& rows) {
  std::vector<double> values(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) values[i] = column[rows[i]];
  return values;
}

/// Sums over a cell: points that are its samples, each without itself if asked for, and others.
void add_cell(Method method, const SampleCell& cell, const SumsProblem& problem, const Points& agreeing,
              std::vector<std::uint32_t>& place, CellTotals& totals, const Execution& execution) {
  const std::vector<double> weight =
      problem.weight != nullptr ? gathered(problem.weight, cell.rows) : std::vector<double>{};
  std::vector<std::vector<double>> columns;
  std::vector<const double*> values;
  for (const double* column : problem.values) columns.push_back(gathered(column, cell.rows));
  for (const auto& column : columns) values.push_back(column.data());
  Points inside, outside;
  std::vector<double> inside_factor, outside_factor;
  const bool at_samples = problem.points.samples != nullptr;
  if (at_samples)
    for (const std::uint32_t row : cell.rows) place[row] = 1;
  for (const std::uint32_t point : agreeing) {
    const double factor = factor_of(cell, problem, point);
    if (!(factor > 0) || (at_samples && place[point] == 1)) continue;
    outside.push_back(point);
    outside_factor.push_back(factor);
  }
  if (at_samples) {
    for (const std::uint32_t row : cell.rows) {
      place[row] = 0;
      inside_factor.push_back(factor_of(cell, problem, row));
    }
    if (inside_factor.front() > 0) inside = cell.rows;
  }
  const auto add = [&](const QueryPoints& points, bool leave_one_out, const Points& of_problem,
                       const std::vector<double>& factor) {
    if (of_problem.empty()) return;
    SumsProblem part{
        cell.samples,   points,         problem.kernel,    problem.scale,  weight.empty() ? nullptr : weight.data(),
        values,         leave_one_out,  problem.tolerance, problem.degree, problem.fitted,
        problem.causal, problem.squared};
    totals.add(method, part, of_problem, factor, execution);
  };
  QueryPoints own;
  own.samples = &cell.samples;
  add(own, problem.leave_one_out, inside, inside_factor);
  QueryPoints others;
  others.own = Columns(problem.samples.d, outside.size());
  for (std::size_t j = 0; j < problem.samples.d; ++j)
    for (std::size_t i = 0; i < outside.size(); ++i) others.own.column(j)[i] = problem.points.x().column(j)[outside[i]];
  add(others, false, outside, outside_factor);
}

}  // namespace

void category_sums(Method method, const SumsProblem& problem, const Execution& execution, SumsOutput out) {
  CellTotals totals(problem, out);
  PointsByCodes points(problem);
  std::vector<std::uint32_t> is_in_cell(problem.points.samples != nullptr ? problem.samples.n : 0, 0);
  const Execution quiet = execution.without_progress();
  const std::vector<SampleCell>& cells = problem.samples.cells;
  for (std::size_t at = 0; at < cells.size(); ++at) {
    add_cell(method, cells[at], problem, points.of(cells[at]), is_in_cell, totals, quiet);
    if (execution.progress) execution.progress(at + 1, cells.size());
  }
  totals.finish(points.not_finite(), execution);
}

}  // namespace attn
