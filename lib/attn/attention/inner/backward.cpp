#include <attn/attention/inner/backward.hpp>
#include <attn/attention/inner/engine.hpp>

#include <attn/attention/fused/backward.hpp>
#include <attn/attention/inner/call.hpp>
#include <attn/attention/inner/row_states.hpp>
#include <attn/attention/inner/weights.hpp>
#include <attn/core/constants.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace attn {
namespace {

using fused::RowBlock;

/// Rows of a task: many, so that adding up the tasks costs little.
constexpr std::size_t task_rows = 1024;

/// A problem and what is asked of it.
struct Backward {
  const AttentionProblem& problem;
  const AttentionCotangents& cotangents;
  const AttentionEngine& engine;
  const Execution& execution;

  std::size_t group() const { return problem.sizes.heads / problem.sizes.kv_heads; }
};

/// Rows of one head, in f64.
struct HeadRows {
  std::size_t h, first, last;  ///< queries
  std::size_t row;             ///< of the task
  TensorView query, dy;        ///< (rows, d)
  std::size_t count() const { return last - first; }
};

/// Calls use(HeadRows) for the rows of a task, a few of one head at a time.
template <class Use>
void for_rows(const Backward& call, const RowBlock& block, const Use& use) {
  constexpr std::size_t block_bytes = std::size_t{1} << 19, most_rows = 64;
  const AttentionSizes& n = call.problem.sizes;
  const std::size_t rows =
      std::clamp<std::size_t>(block_bytes / (std::max<std::size_t>(n.keys, 1) * sizeof(double)), 1, most_rows);
  for (std::size_t row = block.first, count; row < block.last; row += count) {
    const std::size_t h = block.g * call.group() + row / n.queries, i = row % n.queries;
    count = std::min({rows, n.queries - i, block.last - row});
    use(HeadRows{h, i, i + count, row - block.first, widened_rows(call.problem.query, block.b, h, i, i + count),
                 widened_rows(call.cotangents.output, block.b, h, i, i + count)});
  }
}

/// Rows of the cotangent of the weights, in f64; null: there is none.
struct WeightCotangent {
  TensorView rows;
  const double* data = nullptr;

  WeightCotangent(const Backward& call, std::size_t b, const HeadRows& part) {
    if (!call.cotangents.weights) return;
    rows = widened_rows(*call.cotangents.weights, b, part.h, part.first, part.last);
    data = rows.contiguous_data<double>();
  }
};

double lse_cotangent(const Backward& call, const QueryRow& at) {
  if (!call.cotangents.lse) return 0;
  return to_scalar(element(element(element(*call.cotangents.lse, at.b), at.h), at.i));
}

/// The rows of a task, of every score and normaliser, in f64 and with whole rows of scores.
class PlainRows {
 public:
  PlainRows(const Backward& call, const RowBlock& block, GradientSums<double>& sums)
      : call_(call), p_(call.problem), n_(p_.sizes), block_(block), sums_(sums), width_(pair_width(p_.score, n_)) {
    key_ = widened_rows(p_.key, block.b, block.g, 0, n_.keys);
    value_ = widened_rows(p_.value, block.b, block.g, 0, n_.keys);
    psi_.resize(n_.keys * width_);
    dpsi_.resize(n_.keys * width_);
    for (std::size_t j = 0; j < n_.keys; ++j) psi(p_.score, n_, key_j(j), psi_.data() + j * width_);
  }

  void run() {
    for_rows(call_, block_, [&](const HeadRows& rows) { add(rows); });
    std::vector<double> dkey(n_.key_width);
    for (std::size_t j = 0; j < n_.keys; ++j) {
      psi_vjp(p_.score, n_, key_j(j), dpsi_.data() + j * width_, dkey.data(), sums_.score);
      for (std::size_t c = 0; c < n_.key_width; ++c) sums_.key[j * sums_.key_stride + c] += dkey[c];
    }
  }

 private:
  const double* key_j(std::size_t j) const { return key_.contiguous_data<double>() + j * n_.key_width; }
  const double* value_j(std::size_t j) const { return value_.contiguous_data<double>() + j * n_.value_width; }

  std::vector<double> rows_at(Stage stage, const HeadRows& rows) const {
    std::vector<double> out(rows.count() * n_.keys);
    compute_rows(p_, call_.engine, call_.execution.isa, stage, block_.b, rows.h, rows.first, rows.last, out.data());
    return out;
  }

  void add(const HeadRows& rows) {
    const std::size_t S = n_.keys;
    const std::vector<double> scores = rows_at(Stage::scores_masked, rows);
    const std::vector<double> capped =
        p_.score.softcap == 0 ? std::vector<double>() : rows_at(Stage::scores_softcap, rows);
    const WeightCotangent dweights(call_, block_.b, rows);
    std::vector<double> weight_j(S), ds_j(S), phi_q(width_), dphi(width_);
    for (std::size_t r = 0; r < rows.count(); ++r) {
      const double* const score_j = scores.data() + r * S;
      const double* const dy = rows.dy.contiguous_data<double>() + r * n_.value_width;
      const double* const query = rows.query.contiguous_data<double>() + r * n_.query_width;
      std::copy_n(score_j, S, weight_j.begin());
      row_vjp({block_.b, rows.h, rows.first + r}, score_j, dy,
              dweights.data == nullptr ? nullptr : dweights.data + r * S, weight_j.data(), ds_j.data());
      if (sums_.scores != nullptr) std::copy_n(ds_j.begin(), S, sums_.scores + (rows.row + r) * S);
      phi(p_.score, n_, query, phi_q.data());
      std::fill(dphi.begin(), dphi.end(), 0.0);
      for (std::size_t j = 0; j < S; ++j) {
        if (ds_j[j] == 0) continue;  // NaN behind a mask has no effect
        if (p_.score.softcap != 0) {
          const double t = capped[r * S + j] / p_.score.softcap;
          ds_j[j] *= 1 - t * t;
        }
        add_pair_vjp(p_.score, ds_j[j], phi_q.data(), psi_.data() + j * width_, width_, dphi.data(),
                     dpsi_.data() + j * width_, sums_.score);
      }
      phi_vjp(p_.score, n_, query, dphi.data(), sums_.query->row<double>(block_.b, rows.h, rows.first + r),
              sums_.score);
    }
  }

  /// weight_j (S): the scores of a row, weights afterwards; ds_j (S): the cotangent of the scores, written. Adds to the
  /// gradients of values and sinks.
  void row_vjp(const QueryRow& at, const double* score_j, const double* dy, const double* dweight_j, double* weight_j,
               double* ds_j) {
    const std::size_t S = n_.keys, d_v = n_.value_width;
    const WeightRule rule = weight_rule(p_, at.h);
    const RowSummary summary = scores_to_weights(rule, weight_j, S);
    std::fill_n(ds_j, S, 0.0);
    const auto add_value = [&](std::size_t j, double weight) {
      for (std::size_t c = 0; c < d_v; ++c) sums_.value[j * sums_.value_stride + c] += weight * dy[c];
    };
    if (summary.empty) {
      if (p_.empty != EmptyRows::nearest) return;
      if (const auto j = nearest_key(p_, call_.engine, call_.execution.isa, at.b, at.h, at.i)) add_value(*j, 1);
      return;
    }
    for (std::size_t j = 0; j < S; ++j) {
      if (score_j[j] == -infinity || (rule.normalize == Normalize::hard && weight_j[j] == 0)) continue;
      for (std::size_t c = 0; c < d_v; ++c) ds_j[j] += dy[c] * value_j(j)[c];
      if (dweight_j != nullptr) ds_j[j] += dweight_j[j];
      add_value(j, weight_j[j]);
    }
    const double dsink = scores_to_weights_vjp(rule, score_j, weight_j, summary, lse_cotangent(call_, at), ds_j, S);
    if (rule.sink) sums_.sinks[at.h - block_.g * call_.group()] += dsink;
  }

  const Backward& call_;
  const AttentionProblem& p_;
  const AttentionSizes& n_;
  RowBlock block_;
  GradientSums<double>& sums_;
  std::size_t width_;               ///< of phi(q) and psi(k)
  TensorView key_, value_;          ///< (S, d)
  std::vector<double> psi_, dpsi_;  ///< (S, width)
};

/// Adds rows of `width` numbers to rows that lie `stride` apart.
template <class A>
void add_rows(const std::vector<A>& from, std::size_t width, A* to, std::size_t stride) {
  for (std::size_t at = 0; at < from.size(); at += width, to += stride)
    std::transform(to, to + width, from.data() + at, to, std::plus<>());
}

void plain_rows(const Backward& call, const RowBlock& block, GradientSums<double>& sums) {
  PlainRows(call, block, sums).run();
}

/// The same by the formulas of the reference engine.
void reference_rows(const Backward& call, const RowBlock& block, GradientSums<double>& sums) {
  const AttentionProblem& problem = call.problem;
  const std::size_t d_q = problem.sizes.query_width, d_k = problem.sizes.key_width, d_v = problem.sizes.value_width;
  for_rows(call, block, [&](const HeadRows& rows) {
    const WeightCotangent dweights(call, block.b, rows);
    std::vector<double> dlse;
    for (std::size_t i = rows.first; i < rows.last; ++i) dlse.push_back(lse_cotangent(call, {block.b, rows.h, i}));
    const auto* const dy = rows.dy.contiguous_data<double>();
    const ReferenceGradient part =
        reference_vjp(problem, {block.b, rows.h, rows.first}, rows.last, {dy, dweights.data, dlse.data()});
    for (std::size_t r = 0; r < rows.count(); ++r)
      std::copy_n(part.query.data() + r * d_q, d_q, sums.query->row<double>(block.b, rows.h, rows.first + r));
    if (sums.scores != nullptr)
      std::copy(part.scores.begin(), part.scores.end(), sums.scores + rows.row * problem.sizes.keys);
    add_rows(part.key, d_k, sums.key, sums.key_stride);
    add_rows(part.value, d_v, sums.value, sums.value_stride);
    if (!sums.sinks.empty()) sums.sinks[rows.h - block.g * call.group()] += part.sink;
    sums.score += part.score;
    for (std::size_t r = 0; r < rows.count() && problem.empty == EmptyRows::nearest; ++r) {
      if (part.lse[r] != -infinity) continue;
      const auto j = nearest_key(problem, call.engine, call.execution.isa, block.b, rows.h, rows.first + r);
      for (std::size_t c = 0; c < d_v && j; ++c) sums.value[*j * sums.value_stride + c] += dy[r * d_v + c];
    }
  });
}

/// A problem whose sums are of that type, and the gradient that they are added to.
template <class A>
class Tasks {
 public:
  using RunTask = std::function<void(const RowBlock&, GradientSums<A>&)>;

  Tasks(const Backward& call, bool wants_biases);

  AttentionGradients run(const RunTask& run_task);

 private:
  struct Task {
    RowBlock block;
    GradientSums<A> sums;
    std::vector<A> own_key, own_value, own_scores;  ///< the memory of sums, unless it adds to the gradient itself
  };
  std::size_t tasks_at_once() const;
  void prepare(Task& task);
  void add(const Task& task);
  void add_biases(const std::vector<Task>& wave);

  const Backward& call_;
  const AttentionSizes& n_;
  bool wants_biases_;
  std::vector<RowBlock> blocks_;
  AttentionGradients gradient_;
};

template <class A>
Tasks<A>::Tasks(const Backward& call, bool wants_biases)
    : call_(call),
      n_(call.problem.sizes),
      wants_biases_(wants_biases),
      gradient_(call.problem, wants_biases, dtype_of_v<A>) {
  const std::size_t rows = call.group() * n_.queries;
  for (std::size_t b = 0; b < n_.batch; ++b)
    for (std::size_t g = 0; g < n_.kv_heads; ++g)
      for (std::size_t first = 0; first < rows; first += task_rows)
        blocks_.push_back({b, g, first, std::min(first + task_rows, rows)});
}

template <class A>
std::size_t Tasks<A>::tasks_at_once() const {
  constexpr std::size_t memory = std::size_t{64} << 20;
  const std::size_t keys = n_.keys * (n_.key_width + n_.value_width);
  const std::size_t scores = wants_biases_ ? std::min(task_rows, call_.group() * n_.queries) * n_.keys : 0;
  const bool is_alone = call_.group() * n_.queries <= task_rows;
  const std::size_t bytes = ((is_alone ? 0 : keys) + scores + 1) * sizeof(A);
  return std::max(memory / bytes, 2 * call_.execution.threads());
}

template <class A>
void Tasks<A>::prepare(Task& task) {
  const RowBlock& block = task.block;
  GradientSums<A>& sums = task.sums;
  sums.query = &gradient_.query;
  if (block.first == 0) {
    sums.key = gradient_.key.template row<A>(block.b, block.g, 0);
    sums.value = gradient_.value.template row<A>(block.b, block.g, 0);
    sums.key_stride = gradient_.key.row_stride();
    sums.value_stride = gradient_.value.row_stride();
  } else {
    task.own_key.resize(n_.keys * n_.key_width);
    task.own_value.resize(n_.keys * n_.value_width);
    sums.key = task.own_key.data();
    sums.value = task.own_value.data();
    sums.key_stride = n_.key_width;
    sums.value_stride = n_.value_width;
  }
  if (wants_biases_) {
    task.own_scores.resize(block.rows() * n_.keys);
    sums.scores = task.own_scores.data();
  }
  if (!call_.problem.sinks.empty()) sums.sinks.resize(call_.group());
  sums.score = ScoreGradient(call_.problem.score, n_);
}

template <class A>
void Tasks<A>::add(const Task& task) {
  const RowBlock& block = task.block;
  if (block.first > 0) {
    add_rows(task.own_key, n_.key_width, gradient_.key.template row<A>(block.b, block.g, 0),
             gradient_.key.row_stride());
    add_rows(task.own_value, n_.value_width, gradient_.value.template row<A>(block.b, block.g, 0),
             gradient_.value.row_stride());
  }
  for (std::size_t h = 0; h < task.sums.sinks.size(); ++h)
    gradient_.sinks[task.block.g * call_.group() + h] += task.sums.sinks[h];
  gradient_.score += task.sums.score;
}

/// Adds the cotangents of scores to the biases, each of whose elements belongs to one thread.
template <class A>
void Tasks<A>::add_biases(const std::vector<Task>& wave) {
  constexpr std::size_t columns = 256;
  for (std::size_t at = 0; at < gradient_.biases.size(); ++at) {
    const TensorView& bias = call_.problem.mask.biases()[at];
    A* const to = gradient_.biases[at].template data_as<A>();
    const std::size_t step = bias.strides[3] == 0 ? bias.shape[3] : columns;
    call_.execution.parallel((bias.shape[3] + step - 1) / step, [&](std::size_t part, std::size_t) {
      const std::size_t first = part * step, last = std::min(first + step, bias.shape[3]);
      for (const Task& task : wave)
        for (std::size_t r = 0; r < task.block.rows(); ++r) {
          const std::size_t row = task.block.first + r, h = task.block.g * call_.group() + row / n_.queries;
          A* const to_j = to + static_cast<std::ptrdiff_t>(task.block.b) * bias.strides[0] +
                          static_cast<std::ptrdiff_t>(h) * bias.strides[1] +
                          static_cast<std::ptrdiff_t>(row % n_.queries) * bias.strides[2];
          const A* const ds_j = task.sums.scores + r * n_.keys;
          for (std::size_t j = first; j < last; ++j) to_j[static_cast<std::ptrdiff_t>(j) * bias.strides[3]] += ds_j[j];
        }
    });
  }
}

template <class A>
AttentionGradients Tasks<A>::run(const RunTask& run_task) {
  const std::size_t at_once = tasks_at_once();
  for (std::size_t begin = 0; begin < blocks_.size(); begin += at_once) {
    std::vector<Task> wave(std::min(at_once, blocks_.size() - begin));
    for (std::size_t at = 0; at < wave.size(); ++at) wave[at].block = blocks_[begin + at];
    call_.execution.parallel(wave.size(), [&](std::size_t at, std::size_t) {
      prepare(wave[at]);
      run_task(wave[at].block, wave[at].sums);
    });
    for (const Task& task : wave) add(task);
    if (wants_biases_) add_biases(wave);
    if (call_.execution.progress) call_.execution.progress(begin + wave.size(), blocks_.size());
  }
  return std::move(gradient_);
}

}  // namespace

HeadsGradient::HeadsGradient(const TensorView& heads, DType dtype) {
  const Shape& n = heads.shape;
  const bool are_side_by_side = heads.strides[1] < heads.strides[2];
  memory_ = Tensor::zeros(dtype, are_side_by_side ? Shape{n[0], n[2], n[1], n[3]} : n);
  view_ = are_side_by_side ? transposed(memory_.view(), {0, 2, 1, 3}) : memory_.view();
}

AttentionGradients::AttentionGradients(const AttentionProblem& problem, bool has_biases, DType dtype)
    : query(problem.query, dtype),
      key(problem.key, dtype),
      value(problem.value, dtype),
      sinks(problem.sinks.size()),
      score(problem.score, problem.sizes) {
  if (!has_biases) return;
  for (const TensorView& bias : problem.mask.biases()) {
    Shape shape = bias.shape;
    for (std::size_t axis = 0; axis < 4; ++axis)
      if (bias.strides[axis] == 0) shape[axis] = std::min<std::size_t>(shape[axis], 1);
    biases.push_back(Tensor::zeros(dtype, shape));
  }
}

namespace {

AttentionForward computed_forward(const Backward& call) {
  const AttentionProblem& problem = call.problem;
  const AttentionSizes& n = problem.sizes;
  Tensor output(problem.compute, {n.batch, n.heads, n.queries, n.value_width}),
      lse(problem.compute, {n.batch, n.heads, n.queries});
  AttentionForward forward{output.view(), lse.view()};
  AttentionOutputs places;
  places.output = output.data();
  std::copy_n(forward.output.strides.begin(), places.strides.size(), places.strides.begin());
  places.lse = lse.data();
  call.engine.attend(problem, places, call.execution.without_progress());
  return forward;
}

/// Scores of some row exceeded the range of f32.
bool exceeds_f32(const AttentionProblem& problem, const TensorView& lse) {
  const AttentionSizes& n = problem.sizes;
  const auto* const first = lse.contiguous_data<float>();
  for (std::size_t row = 0; row < n.batch * n.heads * n.queries; ++row) {
    const QueryRow at{row / n.queries / n.heads, row / n.queries % n.heads, row % n.queries};
    if (scores_are_beyond(problem, at, {0, n.keys}, first[row], first[row] == -infinity ? 0 : first[row])) return true;
  }
  return false;
}

template <class T>
std::optional<AttentionGradients> fused_vjp(const Backward& call, const std::optional<AttentionForward>& known,
                                            bool wants_biases) {
  const AttentionForward forward = known ? *known : computed_forward(call);
  if constexpr (std::is_same_v<T, float>)
    if (exceeds_f32(call.problem, forward.lse)) return std::nullopt;
  const fused::Plan<T> plan(call.problem, call.execution.isa);
  return Tasks<T>(call, wants_biases).run([&](const RowBlock& block, GradientSums<T>& sums) {
    fused::backward_rows(plan, forward, call.cotangents, block, sums);
  });
}

}  // namespace

AttentionGradients attention_vjp(const AttentionProblem& problem, const AttentionCotangents& cotangents,
                                 const std::optional<AttentionForward>& forward, bool wants_biases,
                                 const Execution& execution) {
  const Backward call{problem, cotangents, engine_for(problem, Engine::automatic), execution};
  const bool is_reference = execution.engine == Engine::reference;
  if (!is_reference && fused::has_fused_backward(problem, cotangents)) {
    std::optional<AttentionGradients> gradient = problem.compute == DType::f64
                                                     ? fused_vjp<double>(call, forward, wants_biases)
                                                     : fused_vjp<float>(call, forward, wants_biases);
    if (gradient) return std::move(*gradient);
  }
  return Tasks<double>(call, wants_biases).run([&](const RowBlock& block, GradientSums<double>& sums) {
    is_reference ? reference_rows(call, block, sums) : plain_rows(call, block, sums);
  });
}

}  // namespace attn
