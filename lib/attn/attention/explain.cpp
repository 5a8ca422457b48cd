#include <attn/attention/explain.hpp>

#include <attn/attention/problem.hpp>
#include <attn/attention/rows.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace attn {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", x == 0 ? 0.0 : x);
  return text;
}

/// "(1, 2, 3)", cut off where it would not be read.
std::string vector_text(const double* x, std::size_t n) {
  constexpr std::size_t shown = 8;
  std::string text = "(";
  for (std::size_t c = 0; c < std::min(n, shown); ++c) text += (c > 0 ? ", " : "") + number(x[c]);
  return text + (n > shown ? ", ...)" : ")");
}

/// A table whose columns are as wide as what they hold.
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
    case Score::gaussian: return scale + "-|(q - k) / h|^2 / 2";
    case Score::kernel: break;
  }
  return scale + std::string(name_of(rule.kernel)) + "(|(q - k) / h|)";
}

std::string weight_formula(Normalize normalize, bool exponentiate) {
  const std::string kernel = exponentiate ? "exp(s_j)" : "s_j";
  switch (normalize) {
    case Normalize::softmax: return "exp(s_j - max s) / sum";
    case Normalize::sum: return kernel + " / sum";
    case Normalize::none: return kernel;
    case Normalize::hard: return "1 for the first largest score, 0 for the rest";
    case Normalize::uniform: break;
  }
  return "1 / number of keys";
}

/// All that is said of one query, in double.
struct Row {
  std::vector<double> scores, capped, masked, weights;
};

Row compute_row(const AttentionProblem& problem, std::size_t b, std::size_t h, std::size_t i) {
  const auto stage = [&](Stage which) {
    std::vector<double> row(problem.sizes.keys);
    compute_rows(problem, reference_engine, Isa::baseline, which, b, h, i, i + 1, row.data());
    return row;
  };
  return {stage(Stage::scores), stage(Stage::scores_softcap), stage(Stage::scores_masked), stage(Stage::weights)};
}

AttendInputs in_double(AttendInputs inputs) {
  for (TensorView* x : {&inputs.query, &inputs.key, &inputs.value}) *x = cast(*x, DType::f64);
  return inputs;
}

std::array<std::size_t, 3> locate(const std::vector<std::size_t>& index, const AttendParameters& p,
                                  const TensorView& query, const AttentionSizes& n) {
  const bool packed = query.rank() == 3 && p.heads;
  const Shape leading = packed              ? Shape{n.batch, n.heads, n.queries}
                        : query.rank() == 4 ? Shape{n.batch, n.heads, n.queries}
                                            : Shape(query.shape.begin(), query.shape.end() - 1);
  bool ok = index.size() == leading.size();
  for (std::size_t axis = 0; ok && axis < index.size(); ++axis) ok = index[axis] < leading[axis];
  if (!ok)
    throw Error(ErrorKind::usage, "explain",
                to_string(index) + " is not the index of a query; queries are " + to_string(leading));
  if (leading.size() == 3) return {index[0], index[1], index[2]};
  if (leading.size() == 1) return {0, 0, index[0]};
  return p.layout == Layout::heads_first ? std::array<std::size_t, 3>{0, index[0], index[1]}
                                         : std::array<std::size_t, 3>{index[0], 0, index[1]};
}

}  // namespace

std::string explain(const AttendInputs& given, const AttendParameters& parameters,
                    const std::vector<std::size_t>& index) {
  const AttendInputs inputs = in_double(given);
  const AttentionProblem problem = make_problem(inputs, parameters);
  const AttentionSizes& n = problem.sizes;
  const auto [b, h, i] = locate(index, parameters, inputs.query, n);
  const Row row = compute_row(problem, b, h, i);
  const auto value_bgjc = problem.value.as<double, 4>();
  const std::size_t g = problem.kv_head(h);
  const bool exponentiate = problem.score.kind == Score::gaussian;
  const bool softmax = problem.normalize == Normalize::softmax;
  const bool shows_cap = problem.score.softcap != 0, shows_bias = problem.mask.has_bias();
  const bool shows_exponent =
      softmax || (exponentiate && (problem.normalize == Normalize::sum || problem.normalize == Normalize::none));

  double top = problem.sinks.empty() ? -infinity : problem.sinks[h];
  for (const double s : row.masked) top = std::max(top, s);
  if (!softmax) top = 0;

  std::vector<std::string> head{"key", "score"};
  if (shows_cap) head.push_back("capped");
  if (shows_bias) head.push_back("with bias");
  if (shows_exponent) head.push_back(softmax ? "exp(s - max)" : "exp(s)");
  head.insert(head.end(), {"weight", "value", "weight * value"});
  Table table;
  table.add(head);

  double exponents = 0, weights = 0;
  std::vector<double> result(n.value_width), value(n.value_width), share(n.value_width);
  for (std::size_t j = 0; j < n.keys; ++j) {
    if (row.masked[j] == -infinity) {
      table.add({std::to_string(j), "masked"});
      continue;
    }
    std::vector<std::string> cells{std::to_string(j), number(row.scores[j])};
    if (shows_cap) cells.push_back(number(row.capped[j]));
    if (shows_bias) cells.push_back(number(row.masked[j]));
    if (shows_exponent) cells.push_back(number(std::exp(row.masked[j] - top)));
    exponents += std::exp(row.masked[j] - top);
    weights += row.weights[j];
    for (std::size_t c = 0; c < n.value_width; ++c) {
      value[c] = value_bgjc(b, g, j, c);
      share[c] = row.weights[j] * value[c];
      result[c] += share[c];
    }
    cells.insert(cells.end(), {number(row.weights[j]), vector_text(value.data(), value.size()),
                               vector_text(share.data(), share.size())});
    table.add(std::move(cells));
  }
  if (softmax && !problem.sinks.empty()) exponents += std::exp(problem.sinks[h] - top);

  const auto query_bhic = problem.query.as<double, 4>();
  std::string text =
      "query " + to_string(index) + ": q = " + vector_text(&query_bhic(b, h, i, 0), n.query_width) + "\n";
  text += "score s_j = " + score_formula(problem.score) + "\n";
  if (shows_cap)
    text += "softcap s_j = " + number(problem.score.softcap) + " tanh(s_j / " + number(problem.score.softcap) + ")\n";
  text += "weight w_j = " + weight_formula(problem.normalize, exponentiate) + "\n\n" + table.text() + "\n";
  if (softmax && !problem.sinks.empty())
    text += "sink " + number(problem.sinks[h]) + " adds exp(sink - max) = " + number(std::exp(problem.sinks[h] - top)) +
            "\n";
  if (shows_exponent) text += "sum of exponentials " + number(exponents) + "\n";
  if (softmax) text += "log-sum-exp " + number(top + std::log(exponents)) + "\n";
  text += "sum of weights " + number(weights) + "\n";
  return text + "result sum_j w_j v_j = " + vector_text(result.data(), result.size());
}

}  // namespace attn
