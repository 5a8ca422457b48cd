// mha: multi-head attention, whole or one stage of it.

#include "cli/plans.hpp"
#include "cli/tool.hpp"
#include "mha/options.hpp"
#include "mha/pool.hpp"

#include <tuple>

namespace mha {
namespace {

using attn::TensorView;

/// Where keys or values come from: the first of the operands that is given, else where the queries came from.
TensorView read_first(const TensorView& x, std::initializer_list<const cli::OptionalInput*> operands,
                      cli::Session& session) {
  for (const cli::OptionalInput* operand : operands)
    if (operand->given()) return session.read(static_cast<const cli::Input&>(*operand));
  return x;
}

/// What is attended from, to, and over.
struct Sequences {
  TensorView query, key, value;
};

/// The attend stage takes q, k and v from INPUT where they have no operands of their own.
Sequences read_sequences(const Options& o, cli::Session& session) {
  const auto own = [&](const cli::OptionalInput& operand) {
    cli::Input input = operand;
    if (!operand.given()) {
      input = o.input;
      if (o.stage == Part::attend) input.defaults = operand.defaults;
    }
    return session.read(input);
  };
  const TensorView query = session.widened(own(o.query));
  if (o.stage == Part::merge) return {query, query, query};
  if (o.stage == Part::attend) return {query, own(o.key), own(o.value)};
  return {query, read_first(query, {&o.key, &o.memory}, session),
          read_first(query, {&o.value, &o.memory, &o.key}, session)};
}

/// Heads (N, P, d) as a batch of one.
TensorView as_batch(TensorView heads) {
  if (heads.rank() != 3) return heads;
  heads.strides.insert(heads.strides.begin(), 0);
  heads.shape.insert(heads.shape.begin(), 1);
  return heads;
}

/// The heads that the stage is given; of what is projected first, none.
std::optional<cli::ProjectedHeads> projected_heads(const Options& o, const Sequences& s) {
  if (o.stage == Part::all || o.stage == Part::project) return std::nullopt;
  const std::string expected =
      "(B, " + (o.attention.heads ? std::to_string(*o.attention.heads) : std::string("H")) + ", L, d)";
  for (const TensorView* heads : {&s.query, &s.key, &s.value})
    if (heads->rank() != 4) throw attn::shape_error(heads->name, heads->shape, expected);
  if (o.stage == Part::merge) return cli::ProjectedHeads{s.query.shape[1], std::nullopt};
  if (!o.attention.kv_heads && (s.key.shape[1] == 0 || s.query.shape[1] % s.key.shape[1] != 0))
    throw attn::shape_error(
        s.key.name, s.key.shape,
        "a number of heads that divides the " + std::to_string(s.query.shape[1]) + " of " + s.query.name);
  return cli::ProjectedHeads{s.query.shape[1], s.key.shape[1]};
}

attn::DType compute_dtype_of(const Sequences& s, const std::optional<attn::Weights>& weights) {
  const attn::DType keys_and_values = attn::wider(attn::compute_dtype(s.key.dtype), attn::compute_dtype(s.value.dtype));
  const attn::DType data = attn::wider(attn::compute_dtype(s.query.dtype), keys_and_values);
  return weights ? attn::wider(data, weights->compute_dtype()) : data;
}

std::optional<attn::KeyValue> read_past(const Options& o, cli::Session& session) {
  const auto keys = session.read(o.past_key);
  if (!keys) return std::nullopt;
  return attn::KeyValue{as_batch(*keys), as_batch(session.read(static_cast<const cli::Input&>(o.past_value)))};
}

/// Queries, keys and values as heads; without a batch axis where what they are made of has none.
struct HeadShapes {
  attn::Shape query, key, value;
};

HeadShapes head_shapes(const Options& o, const attn::MultiHeadAttention& attention, const Sequences& s) {
  const auto& maps = attention.weights().projection;
  const auto split = [&](const TensorView& x, const attn::Linear* map, std::size_t heads) {
    attn::Shape shape = x.shape;
    if (map == nullptr || shape.size() < 2) return shape;  // heads already, or refused
    shape.back() = map->out_features() / heads;
    shape.insert(shape.end() - 2, heads);
    return shape;
  };
  const bool projects = maps && o.stage != Part::attend;
  return {split(s.query, projects ? &maps->query : nullptr, attention.parameters().heads),
          split(s.key, projects ? &maps->key : nullptr, attention.key_value_heads()),
          split(s.value, projects ? &maps->value : nullptr, attention.key_value_heads())};
}

/// What the past and --emit add to a plan that counts queries, keys, values and what is pooled.
void add_to_plan(cli::Plan& plan, const Options& o, const attn::MultiHeadAttention& attention, const Sequences& s,
                 const std::optional<attn::KeyValue>& past, attn::DType compute, const cli::Session& session) {
  const attn::DType stored = plan.results.front().dtype, written = session.dtype().value_or(stored);
  const std::size_t before = past ? past->key.size() + past->value.size() : 0;
  if (past)  // converted, and joined with what comes
    plan.memory += (2 * before + s.key.size() + s.value.size()) * attn::element_size(compute);
  if (attention.weights().key_bias || attention.parameters().zero_attention)  // behind copies of the others
    plan.memory += (before + s.query.size() + s.key.size() + s.value.size()) * attn::element_size(compute);
  const auto length_of = [](const TensorView& x) { return x.rank() < 2 ? 1 : x.shape[x.rank() - 2]; };
  const HeadShapes shapes = head_shapes(o, attention, s);
  const auto behind_past = [&](attn::Shape shape) {
    if (past && shape.size() > 1) shape[shape.size() - 2] += length_of(past->key);
    return shape;
  };
  attn::Shape pooled = shapes.query;
  if (!pooled.empty() && !shapes.value.empty()) pooled.back() = shapes.value.back();
  const std::tuple<const char*, attn::Shape, std::size_t> parts[] = {
      {"q", shapes.query, s.query.size()},
      {"k", shapes.key, s.key.size()},
      {"v", shapes.value, s.value.size()},
      {"heads", pooled, s.query.size()},
      {"keys", behind_past(shapes.key), before + s.key.size()},
      {"values", behind_past(shapes.value), before + s.value.size()}};
  if (o.stage == Part::project) {
    plan.results.clear();
    for (auto [name, shape, size] : {parts[0], parts[1], parts[2]}) {
      if (shape.size() == 3) shape.insert(shape.begin(), 1);  // for the stage behind it a batch of one
      plan.results.push_back({name, stored, shape});
    }
  }
  for (const auto& [name, shape, size] : parts)
    if (cli::Session::wants(o.output, name)) {
      plan.memory += cli::converted_bytes(size, compute, stored) + cli::converted_bytes(size, stored, written);
      plan.ready.push_back({name, stored, shape});
    }
  if (!cli::Session::wants(o.output, "weights")) return;
  const std::size_t more = (attention.weights().key_bias ? 1 : 0) + (attention.parameters().zero_attention ? 1 : 0);
  attn::Shape shape{length_of(s.query), length_of(s.key) + (past ? length_of(past->key) : 0) + more};
  if (!o.average) shape.insert(shape.begin(), attention.parameters().heads);
  if (s.query.rank() > 2) shape.insert(shape.begin(), s.query.shape.front());
  (o.average ? plan.results : plan.streamed).push_back({"weights", stored, shape});
  if (o.average) plan.memory += attn::element_count(shape) * sizeof(double);  // the sums
}

attn::Positions positions_of(const Options& o, std::size_t past, cli::Session& session) {
  return {static_cast<std::int64_t>(past), session.read(o.attention.positions)};
}

Heads project(const Options& o, const attn::MultiHeadAttention& attention, const Sequences& s, std::size_t past,
              cli::Session& session) {
  if (o.stage == Part::attend) return {s.query, {s.key, s.value}};
  const attn::Positions at = positions_of(o, past, session);
  return {attention.project_query(s.query, session.execution(), at),
          attention.project_memory(s.key, s.value, session.execution(), at)};
}

attn::KeyValueCache past_of(const std::optional<attn::KeyValue>& before, attn::DType compute) {
  attn::KeyValueCache past;
  if (before) past.append({attn::cast(before->key, compute), attn::cast(before->value, compute)});
  return past;
}

/// Throws what the stage would throw, from shapes: what would be projected is zeros.
void rehearse(const Options& o, const attn::MultiHeadAttention& attention, const attn::AttendInputs& inputs,
              const Sequences& s, attn::KeyValueCache past, attn::DType compute, cli::Session& session) {
  if (o.stage == Part::merge) return attention.expect_mergeable(s.query);
  Heads heads{s.query, {s.key, s.value}};
  if (o.stage != Part::attend)
    std::tie(heads.query, heads.memory) =
        attention.outline(s.query, s.key, s.value, compute, positions_of(o, past.length(), session));
  if (o.stage != Part::project) expect_pooling(o, attention, inputs, std::move(heads), std::move(past), session);
}

void run(const Options& o, cli::Session& session) {
  check(o, session);
  const Sequences s = read_sequences(o, session);
  std::optional<attn::Weights> weights;
  if (o.weights.given()) weights = cli::open_weights(o.weights, session);
  const attn::DType compute = compute_dtype_of(s, weights);
  attn::AttendInputs inputs;
  const auto attention = cli::load_multi_head(o.attention, o.weights, compute, projected_heads(o, s), inputs, session);
  if (o.stage == Part::project && !attention.parameters().rotary)
    session.refuse({"--past-key", "--past-value"}, "positions count on from it with --rotary alone");
  const double elements = weights ? cli::matrix_elements(*weights) : 0;
  cli::Plan plan = cli::multi_head_plan(s.query, s.key, elements, compute);
  if (weights)
    plan.memory += cli::converted_bytes(static_cast<std::size_t>(elements), weights->compute_dtype(), compute);
  const std::optional<attn::KeyValue> before = read_past(o, session);
  add_to_plan(plan, o, attention, s, before, compute, session);
  if (session.is_dry_run()) rehearse(o, attention, inputs, s, past_of(before, compute), compute, session);
  session.plan(plan);
  if (o.stage == Part::merge)
    return cli::write_layer(o.output, session, s.query, {{"", attention.merge(s.query, session.execution())}});

  attn::KeyValueCache past = past_of(before, compute);
  Heads heads = project(o, attention, s, past.length(), session);
  if (o.stage == Part::project)
    return cli::write_layer(o.output, session, s.query,
                            {{"q", heads.query}, {"k", heads.memory.key}, {"v", heads.memory.value}});
  pool(o, attention, inputs, s.query, std::move(heads), std::move(past), session);
}

}  // namespace
}  // namespace mha

ATTN_TOOL("mha", "multi-head attention: project, split, attend, merge", mha::Options, mha::declare, mha::run)
