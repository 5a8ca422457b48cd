#include <attn/attention/inner/call.hpp>

#include <attn/attention/inner/engine.hpp>
#include <attn/attention/inner/row_states.hpp>

#include <algorithm>
#include <cstring>

namespace attn {
namespace {

/// x without gaps, converted a piece at a time by all threads.
TensorView converted(const TensorView& x, DType dtype, const Execution& execution) {
  if (x.dtype == dtype) return x;
  constexpr std::size_t piece = std::size_t{1} << 16;
  Tensor out(dtype, x.shape);
  const std::size_t size = x.size(), from = element_size(x.dtype), to = element_size(dtype);
  execution.parallel((size + piece - 1) / piece, [&](std::size_t at, std::size_t) {
    const std::size_t first = at * piece, count = std::min(piece, size - first);
    const TensorView part{static_cast<const char*>(x.data) + first * from, x.dtype, {count}, {1}, nullptr, {}};
    std::memcpy(static_cast<char*>(out.data()) + first * to, cast(part, dtype).data, count * to);
  });
  return out.view(x.name);
}

}  // namespace

bool has_lse(const AttentionProblem& problem) noexcept {
  // With a kernel, the scores are weights, even if they are computed as a softmax.
  return problem.normalize == Normalize::softmax && !problem.score.is_root;
}

void expect_lse(const AttentionProblem& problem) {
  if (!has_lse(problem))
    throw Error(ErrorKind::usage, "emit", "lse is the log-sum-exp of a softmax; other normalisers have none");
}

void expect_keys_left(EmptyRows empty, std::size_t empty_rows) {
  if (empty_rows > 0 && empty == EmptyRows::error)
    throw Error(
        ErrorKind::data, "attention",
        (empty_rows == 1 ? "1 query has" : std::to_string(empty_rows) + " queries have") + std::string(" no key left"));
}

double operations_of(const AttentionProblem& problem) {
  const AttentionSizes& n = problem.sizes;
  double pairs = 0;
  for (std::size_t row = 0; row < n.batch * n.heads * n.queries; ++row) {
    const KeyRange keys = problem.mask.keys(row / n.queries / n.heads, row / n.queries % n.heads, row % n.queries);
    pairs += static_cast<double>(keys.last - keys.first);
  }
  return pairs * static_cast<double>(2 * (n.query_width + n.value_width) + 4);
}

Call::Call(const AttendInputs& in, const AttendParameters& p, const AttendRequest& asked, AttentionProblem made,
           Engine choice)
    : inputs(in),
      parameters(p),
      request(asked),
      problem(std::make_shared<const AttentionProblem>(std::move(made))),
      engine(engine_for(*problem, choice)),
      stored(request.dtype.value_or(is_floating(in.query.dtype) ? in.query.dtype : problem->compute)) {}

Shape Call::leading() const {
  Shape shape = rows(1);
  shape.pop_back();
  return shape;
}

bool Call::only_counts(const Execution& execution) const {
  return execution.dry_run != nullptr && execution.only_counts(operations_of(*problem));
}

CallOutputs::CallOutputs(const Call& call)
    : call_(call),
      output_(call.problem->compute, like_query(call.inputs.query, call.problem->sizes, call.problem->sizes.value_width,
                                                call.parameters.layout, call.parameters.heads)) {
  if (call.request.lse) expect_lse(*call.problem);
  if (call.request.lse || call.problem->empty == EmptyRows::nearest)
    lse_.emplace(call.problem->compute, call.leading());
}

AttentionOutputs CallOutputs::places() {
  const AttentionSizes& n = call_.problem->sizes;
  return {output_.data(), strides_in(n, n.value_width, call_.layout()), lse_ ? lse_->data() : nullptr};
}

void CallOutputs::clear() {
  output_ = Tensor::zeros(output_.dtype(), output_.shape());
  if (lse_) lse_ = Tensor::zeros(lse_->dtype(), lse_->shape());
}

AttendResult CallOutputs::result(std::size_t empty_rows, const Execution& execution) const {
  expect_keys_left(call_.problem->empty, empty_rows);
  AttendResult result;
  result.empty_rows = empty_rows;
  result.output = converted(output_.view(), call_.stored, execution);
  if (call_.request.lse) result.lse = converted(lse_->view(), call_.stored, execution);
  return result;
}

bool is_for_blocks(const AttendInputs& inputs, const AttendParameters& parameters, const AttendRequest& request,
                   const Execution& execution) {
  const auto is_number = [](const TensorView& x) { return x.dtype != DType::string; };
  return execution.engine == Engine::automatic && parameters.normalize != Normalize::hard && is_number(inputs.query) &&
         is_number(inputs.key) && is_number(inputs.value) && !request.weights && !request.keys &&
         request.stages.empty() && request.top == 0 && parameters.empty != EmptyRows::nearest;
}

std::size_t bytes_of_states(const AttentionSizes& n) {
  const std::size_t nodes = most_places({}, 0, leaves_of(n.keys));
  return nodes * n.batch * n.heads * n.queries * (n.value_width + 2) * sizeof(double);
}

std::size_t bytes_of_key(const AttentionSizes& n, DType dtype) {
  return n.batch * n.kv_heads * (n.key_width + n.value_width) * element_size(dtype);
}

BlockSource stored_blocks(const StoredDatabase& database, const AttendParameters& p) {
  const auto rows = [&p](const StoredTensor& stored, std::size_t first, std::size_t last) {
    Slab part(length_axis(stored.info.shape.size(), p.layout, p.heads) + 1);
    part.back().start = static_cast<std::int64_t>(first);
    part.back().stop = static_cast<std::int64_t>(last);
    return stored.source->read(stored.info.name, part);
  };
  const auto read = [=, &database, &p](std::size_t first, std::size_t last, const UseBlock& use) {
    const TensorView key = rows(database.key, first, last), value = rows(database.value, first, last);
    use(key_view(key, p), key_view(value, p));
    database.key.source->release(key);
    database.value.source->release(value);
  };
  return {[&database](std::size_t first) { return first + database.block_keys; }, read};
}

AttentionState fold_blocks(const Call& call, const BlockSource& source, const KeyRange& keys,
                           const std::function<void(const AttentionProblem&)>& see, const Execution& execution) {
  AttentionProblem block = *call.problem;
  const Execution quiet = execution.without_progress();
  AttentionState state;
  for (std::size_t first = keys.first; first < keys.last;) {
    const std::size_t last = std::min(source.end(first), keys.last);
    source.read(first, last, [&](const TensorView& key, const TensorView& value) {
      set_keys(block, key, value, first);
      call.engine.fold(block, state, quiet);
      if (see) see(block);
    });
    if (execution.progress) execution.progress(last - keys.first, keys.last - keys.first);
    first = last;
  }
  return state;
}

AttendResult attend_in_blocks(const Call& call, const BlockSource& source, const Execution& execution) {
  const Execution quiet = execution.without_progress();
  CallOutputs memory(call);
  if (call.only_counts(execution)) {
    memory.clear();
    return memory.result(0, quiet);
  }
  AttentionState state = fold_blocks(call, source, {0, call.problem->sizes.keys}, nullptr, execution);
  return memory.result(call.engine.finish(*call.problem, std::move(state), memory.places(), execution.isa), quiet);
}

std::optional<BlockSource> joined_blocks(const ProblemViews& v) {
  constexpr std::size_t converted_bytes = std::size_t{8} << 20;
  bool converts = false;
  std::size_t whole = 0;
  for (const GivenRows* rows : {&v.key, &v.value}) {
    const auto& [past, present] = *rows;
    const bool differs = present.dtype != v.dtype || (past && past->dtype != v.dtype);
    const std::size_t bytes = ((past ? past->size() : 0) + present.size()) * element_size(v.dtype);
    if (past || differs) whole += past && differs ? 2 * bytes : bytes;
    converts |= differs;
  }
  const std::size_t each = std::max<std::size_t>(bytes_of_key(v.sizes, v.dtype), 1), block = leaf_keys;
  const std::size_t keys = converts ? std::max<std::size_t>(converted_bytes / each / block, 1) * block : block;
  const std::size_t S = v.sizes.keys, P = v.key.before();
  // Joined parts are in memory twice for a while, apart and together.
  if (2 * std::min(keys, S) * each + bytes_of_states(v.sizes) >= whole) return std::nullopt;
  // If past and present have the same dtype, only the block at the end of the past is copied.
  const auto end = [=](std::size_t first) {
    if (converts) return std::min(first + keys, S);
    if (first >= P) return S;
    return first + keys <= P ? P / keys * keys : std::min(first + keys, S);
  };
  const auto read = [&v](std::size_t first, std::size_t last, const UseBlock& use) {
    use(v.key.part(first, last, v.dtype), v.value.part(first, last, v.dtype));
  };
  return BlockSource{end, read};
}

}  // namespace attn
