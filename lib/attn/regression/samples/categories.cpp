#include <attn/regression/samples/categories.hpp>

#include <attn/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace attn {
namespace {

constexpr std::size_t most_cells_of_query = 64;

double lambda_of(const Smoother& smoother, const Category& category) {
  const std::vector<double>& values = smoother.bandwidth.values;
  return values[values.size() == 1 ? 0 : category.column];
}

// The factor at a distance, relative to that at 0.
double ordered_factor(CategoryKernel kernel, double lambda, double distance) {
  if (distance == 0) return 1;
  return std::pow(lambda, distance) * (kernel == CategoryKernel::aitchison_aitken ? 0.5 : 1);
}

double unordered_factor(CategoryKernel kernel, double lambda, const Category& category) {
  if (kernel == CategoryKernel::li_racine || category.levels < 2) return lambda;
  // At the largest lambda exactly 1, so that no equal category counts more.
  if (lambda >= widest_lambda(kernel, category)) return 1;
  return lambda / ((1 - lambda) * static_cast<double>(category.levels - 1));
}

KernelRegression::Prepared part_of(const KernelRegression::Prepared& samples, const std::vector<std::uint32_t>& rows) {
  KernelRegression::Prepared part;
  part.n = rows.size();
  part.d = samples.d;
  part.columns = samples.columns;
  part.y_is_finite = samples.y_is_finite;
  part.y_spread = samples.y_spread;
  part.x = Columns(part.d, part.n);
  for (std::size_t j = 0; j < part.d; ++j)
    for (std::size_t i = 0; i < part.n; ++i) part.x.column(j)[i] = samples.x.column(j)[rows[i]];
  return part;
}

}  // namespace

double widest_lambda(CategoryKernel kernel, const Category& category) noexcept {
  if (kernel == CategoryKernel::li_racine || !category.positions.empty() || category.levels < 2) return 1;
  return static_cast<double>(category.levels - 1) / static_cast<double>(category.levels);
}

std::string_view name_of(CategoryKernel kernel) noexcept {
  return kernel == CategoryKernel::li_racine ? "li-racine" : "aitchison-aitken";
}

std::string_view name_of(Family family) noexcept { return family == Family::binomial ? "binomial" : "gaussian"; }

CategoryWeights::CategoryWeights(const KernelRegression::Prepared& samples, const Smoother& smoother) {
  for (const Category& category : samples.categories) {
    const double lambda = lambda_of(smoother, category);
    Column column;
    column.levels = category.levels;
    const std::vector<double>& at = category.positions;
    for (std::size_t a = 0; a < at.size(); ++a)
      for (std::size_t b = 0; b < at.size(); ++b)
        column.table.push_back(ordered_factor(smoother.category_kernel, lambda, std::abs(at[a] - at[b])));
    if (at.empty()) column.different = unordered_factor(smoother.category_kernel, lambda, category);
    columns_.push_back(std::move(column));
  }
}

void CategoryWeights::square() {
  for (Column& column : columns_) {
    column.different *= column.different;
    for (double& factor : column.table) factor *= factor;
  }
}

std::size_t cells_of_query(const KernelRegression::Prepared& samples) {
  double count = 1;
  for (const Category& category : samples.categories)
    count *= category.positions.empty() ? 2 : static_cast<double>(category.levels);
  return static_cast<std::size_t>(std::min(count, 1e9));
}

std::vector<SampleCell> cells_of(const KernelRegression::Prepared& samples) {
  std::vector<SampleCell> cells;
  const std::size_t f = samples.categories.size();
  if (f == 0 || cells_of_query(samples) > most_cells_of_query) return cells;
  // Choices as bits of the columns, first all of them: the cells nearest in kind come first.
  for (std::size_t choice = std::size_t{1} << f; choice-- > 0;) {
    const auto is_chosen = [&](std::size_t k) { return (choice >> k & 1) != 0; };
    bool has_ordered = true;
    for (std::size_t k = 0; k < f; ++k)
      has_ordered = has_ordered && (samples.categories[k].positions.empty() || is_chosen(k));
    if (!has_ordered) continue;
    std::map<std::vector<double>, std::vector<std::uint32_t>> rows;
    std::vector<double> key(f);
    for (std::size_t i = 0; i < samples.n; ++i) {
      for (std::size_t k = 0; k < f; ++k) key[k] = is_chosen(k) ? samples.x.column(samples.d + k)[i] : SampleCell::any;
      rows[key].push_back(static_cast<std::uint32_t>(i));
    }
    for (auto& [codes, members] : rows) {
      SampleCell cell{codes, std::move(members), {}};
      cell.samples = part_of(samples, cell.rows);
      if (samples.d > 1) arrange_in_tree(cell.samples, cell.rows);
      cells.push_back(std::move(cell));
    }
  }
  return cells;
}

void check_widths_and_lambdas(const KernelRegression::Prepared& samples, const Smoother& smoother) {
  const Bandwidth& bandwidth = smoother.bandwidth;
  const std::size_t expected = samples.categories.size() + (samples.has_numbers() ? samples.d : 0);
  const bool is_list = bandwidth.kind == Bandwidth::Kind::per_coordinate || bandwidth.kind == Bandwidth::Kind::number;
  if (!is_list || bandwidth.values.size() != expected)
    throw Error(ErrorKind::usage, "bandwidth",
                to_string(bandwidth) + " is not a number for each of the " + std::to_string(expected) +
                    " columns of x, of which some have categories",
                "give each column a width, or to categories a lambda from 0 to 1");
  std::vector<double> widths;
  for (std::size_t j = 0; j < samples.d && samples.has_numbers(); ++j)
    widths.push_back(bandwidth.values[samples.column(j)]);
  if (!widths.empty()) check_bandwidth(Bandwidth::per_coordinate(widths), widths.size(), samples.n);
  for (const Category& category : samples.categories) {
    const double lambda = lambda_of(smoother, category), most = widest_lambda(smoother.category_kernel, category);
    if (!(lambda >= 0 && lambda <= most))
      throw Error(ErrorKind::usage, "bandwidth",
                  "the lambda of column " + std::to_string(category.column) + ", which has categories, is " +
                      three_digits(lambda),
                  "give a number from 0 to " + three_digits(most));
  }
}

}  // namespace attn
