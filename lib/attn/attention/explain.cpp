#include <attn/attention/explain.hpp>

#include <attn/attention/fused/engine.hpp>
#include <attn/attention/inner/weights.hpp>
#include <attn/attention/problem.hpp>
#include <attn/core/constants.hpp>
#include <attn/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace attn {
namespace {

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", x == 0 ? 0.0 : x);
  return text;
}

/// "(1, 2, 3)", shortened if it is long.
std::string vector_text(const double* x, std::size_t n) {
  constexpr std::size_t shown = 8;
  std::string text = "(";
  for (std::size_t c = 0; c < std::min(n, shown); ++c) text += (c > 0 ? ", " : "") + number(x[c]);
  return text + (n > shown ? ", ...)" : ")");
}

/// "0,1,5", as an index is given.
std::string index_text(const std::vector<std::size_t>& index) { return listed(index, ","); }

/// A table whose columns are as wide as their cells.
class Table {
 public:
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string text() const {
    std::string out;
    for (const auto& row : rows_) {
      std::string line;
      for (std::size_t c = 0; c < row.size(); ++c) {
        std::size_t width = 0;
        for (const auto& other : rows_) width = std::max(width, c < other.size() ? other[c].size() : 0);
        line += (c > 0 ? "  " : "") + std::string(width - row[c].size(), ' ') + row[c];
      }
      out += line + "\n";
    }
    return out;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

std::string score_formula(const ScoreRule& rule) {
  const std::string scale = rule.scale == 1 ? "" : number(rule.scale) + " * ";
  switch (rule.kind) {
    case Score::scaled_dot: return "q.k / sqrt(d) = " + number(rule.scale) + " * q.k";
    case Score::dot: return scale + "q.k";
    case Score::cosine: return scale + "q.k / (|q| |k|)";
    case Score::bilinear: return scale + "q^T M k";
    case Score::additive: return scale + "w_v . tanh(W_q q + W_k k)";
    case Score::gaussian:
      if (rule.is_root) return "log laplace(|(q - k) / h|) = -|(q - k) / h|";
      return scale + "-|(q - k) / h|^2 / 2";
    case Score::kernel: break;
  }
  return scale + std::string(name_of(rule.kernel)) + "(|(q - k) / h|)";
}

std::string weight_formula(const WeightRule& rule) {
  switch (rule.normalize) {
    case Normalize::softmax: return "exp(s_j - max s) / sum";
    case Normalize::sum: return "s_j / sum";
    case Normalize::none: return rule.exponentiate ? "exp(s_j)" : "s_j";
    case Normalize::hard: return "1 for the first largest score, 0 for the rest";
    case Normalize::uniform: break;
  }
  return "1 / number of keys";
}

/// One query of a problem: its row at every stage in double, and the columns to show.
struct Worked {
  const AttentionProblem& problem;
  std::size_t b, h, i;
  std::vector<double> scores, capped, masked, weights;
  WeightRule rule;
  bool has_cap, has_bias, has_exponent;
  double top = 0;  ///< the maximum that the softmax subtracts

  Worked(const AttentionProblem& p, const std::array<std::size_t, 3>& at)
      : problem(p),
        b(at[0]),
        h(at[1]),
        i(at[2]),
        scores(row(Stage::scores)),
        capped(row(Stage::scores_softcap)),
        masked(row(Stage::scores_masked)),
        weights(row(Stage::weights)),
        rule(weight_rule(p, h)),
        has_cap(p.score.softcap != 0),
        has_bias(p.mask.has_bias()),
        has_exponent(is_softmax() || (rule.exponentiate && rule.normalize == Normalize::none)) {
    if (!is_softmax()) return;
    top = rule.sink.value_or(-infinity);
    for (const double s : masked) top = std::max(top, s);
  }

  bool is_softmax() const { return rule.normalize == Normalize::softmax; }
  double exponential(double s) const { return std::exp(s - top); }
  std::vector<double> row(Stage stage) const {
    std::vector<double> out(problem.sizes.keys);
    compute_rows(problem, fused_engine, native_isa(), stage, b, h, i, i + 1, out.data());
    return out;
  }
};

/// The sums so far.
struct Sums {
  double exponentials = 0, weights = 0;
  std::vector<double> result;
};

std::vector<std::string> column_names(const Worked& w) {
  std::vector<std::string> names{"key", "score"};
  if (w.has_cap) names.push_back("capped");
  if (w.has_bias) names.push_back("with bias");
  if (w.has_exponent) names.push_back(w.is_softmax() ? "exp(s - max)" : "exp(s)");
  names.insert(names.end(), {"weight", "value", "weight * value"});
  return names;
}

std::vector<std::string> key_line(const Worked& w, std::size_t j, Sums& sums) {
  std::vector<std::string> cells{std::to_string(j), number(w.scores[j])};
  if (w.masked[j] == -infinity) return {cells[0], "masked"};
  if (w.has_cap) cells.push_back(number(w.capped[j]));
  if (w.has_bias) cells.push_back(number(w.masked[j]));
  if (w.has_exponent) cells.push_back(number(w.exponential(w.masked[j])));
  const auto value_bgjc = w.problem.value.as<double, 4>();
  std::vector<double> value(sums.result.size()), share(sums.result.size());
  for (std::size_t c = 0; c < value.size(); ++c) {
    value[c] = value_bgjc(w.b, w.problem.kv_head(w.h), j, c);
    share[c] = w.weights[j] * value[c];
    sums.result[c] += share[c];
  }
  sums.exponentials += w.exponential(w.masked[j]);
  sums.weights += w.weights[j];
  cells.insert(cells.end(), {number(w.weights[j]), vector_text(value.data(), value.size()),
                             vector_text(share.data(), share.size())});
  return cells;
}

std::string opening(const Worked& w, const std::vector<std::size_t>& index) {
  const auto query_bhic = w.problem.query.as<double, 4>();
  const std::string cap = number(w.problem.score.softcap);
  std::string text = "query " + index_text(index) +
                     ": q = " + vector_text(&query_bhic(w.b, w.h, w.i, 0), w.problem.sizes.query_width) + "\n";
  text += "score s_j = " + score_formula(w.problem.score) + "\n";
  if (w.has_cap) text += "softcap s_j = " + cap + " tanh(s_j / " + cap + ")\n";
  return text + "weight w_j = " + weight_formula(w.rule) + "\n\n";
}

/// The result if no key is left, after masks or within the width of a kernel.
void fill_empty(const Worked& w, std::vector<double>& result) {
  const auto takes_part = [](double s) { return s != -infinity; };
  const bool weighs = std::any_of(w.weights.begin(), w.weights.end(), [](double weight) { return weight != 0; });
  const bool has_keys = std::any_of(w.masked.begin(), w.masked.end(), takes_part);
  if (weighs || (has_keys && (w.is_softmax() || w.rule.normalize == Normalize::none))) return;
  if (w.problem.empty == EmptyRows::error) throw Error(ErrorKind::data, "attention", "1 query has no key left");
  if (w.problem.empty == EmptyRows::nan)
    std::fill(result.begin(), result.end(), std::numeric_limits<double>::quiet_NaN());
}

std::string closing(const Worked& w, Sums& sums) {
  fill_empty(w, sums.result);
  std::string text = "\n";
  if (w.rule.sink) {
    const double share = w.exponential(*w.rule.sink);
    text += "sink " + number(*w.rule.sink) + " adds exp(sink - max) = " + number(share) + "\n";
    sums.exponentials += share;
  }
  if (w.has_exponent) text += "sum of exponentials " + number(sums.exponentials) + "\n";
  if (w.is_softmax()) text += "log-sum-exp " + number(w.top + std::log(sums.exponentials)) + "\n";
  text += "sum of weights " + number(sums.weights) + "\n";
  return text + "result sum_j w_j v_j = " + vector_text(sums.result.data(), sums.result.size());
}

AttendInputs in_double(AttendInputs inputs) {
  for (TensorView* x : {&inputs.query, &inputs.key, &inputs.value}) *x = cast(*x, DType::f64);
  return inputs;
}

std::array<std::size_t, 3> locate(const std::vector<std::size_t>& index, const AttendParameters& p,
                                  const TensorView& query, const AttentionSizes& n) {
  const std::string axes = leading_axes(query, n, p.layout, p.heads);
  Shape leading = rows_like_query(query, n, 1, p.layout, p.heads);
  leading.pop_back();
  bool ok = index.size() == leading.size();
  for (std::size_t axis = 0; ok && axis < index.size(); ++axis) ok = index[axis] < leading[axis];
  if (!ok)
    throw Error(ErrorKind::usage, "explain",
                index_text(index) + " is not the index of a query; queries have the shape " + to_string(leading));
  const auto at = [&](char axis) {
    const std::size_t place = axes.find(axis);
    return place == std::string::npos ? 0 : index[place];
  };
  return {at('B'), at('H'), at('L')};
}

}  // namespace

std::string explain(const AttendInputs& given, const AttendParameters& parameters,
                    const std::vector<std::size_t>& index) {
  const AttendInputs inputs = in_double(given);
  const AttentionProblem problem = make_problem(inputs, parameters);
  const Worked worked(problem, locate(index, parameters, inputs.query, problem.sizes));
  Sums sums;
  sums.result.resize(problem.sizes.value_width);
  Table table;
  table.add(column_names(worked));
  for (std::size_t j = 0; j < problem.sizes.keys; ++j) table.add(key_line(worked, j, sums));
  return opening(worked, index) + table.text() + closing(worked, sums);
}

}  // namespace attn
