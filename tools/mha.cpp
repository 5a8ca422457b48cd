// mha: multi-head attention, whole or one stage of it.

#include "cli/results/head_attributes.hpp"
#include "cli/tool.hpp"
#include "mha/gradients.hpp"
#include "mha/options.hpp"
#include "mha/pool.hpp"
#include "mha/sequences.hpp"

namespace mha {
namespace {

using attn::TensorView;

/// Heads (H, L, d) of one sequence as a batch of one.
TensorView as_batch(TensorView heads) {
  if (heads.rank() != 3) return heads;
  heads.strides.insert(heads.strides.begin(), 0);
  heads.shape.insert(heads.shape.begin(), 1);
  return heads;
}

std::size_t count_of(const TensorView& heads) { return heads.shape[heads.rank() - 3]; }

/// The heads that the stage reads; none if it projects them itself.
std::optional<cli::ProjectedHeads> projected_heads(const Options& o, const Sequences& s, cli::Inputs& inputs) {
  if (o.stage == Part::all || o.stage == Part::project) return std::nullopt;
  const std::string shape = (o.attention.heads ? std::to_string(*o.attention.heads) : std::string("H")) + ", L, d)";
  const std::string other_order = "for (B, L, H, d) swap the axes: tconv --axes 0,2,1,3";
  const auto refuse = [&](const TensorView& heads) {
    throw attn::shape_error(heads.name, heads.shape, "(B, " + shape + " or (" + shape,
                            heads.rank() == 4 && o.attention.heads == heads.shape[2] ? other_order : "");
  };
  for (const TensorView* heads : {&s.query, &s.key, &s.value})
    if (heads->rank() != 3 && heads->rank() != 4) refuse(*heads);
  const std::size_t count = count_of(s.query);
  if (o.attention.heads && *o.attention.heads != count) refuse(s.query);
  const std::size_t width = s.query.shape.back();
  if (o.stage == Part::merge) return cli::ProjectedHeads{count, width};
  const std::size_t of_keys = count_of(s.key);
  if (!o.attention.kv_heads && (of_keys == 0 || count % of_keys != 0))
    throw attn::shape_error(s.key.name, s.key.shape,
                            "a number of heads that divides the " + std::to_string(count) + " of " + s.query.name,
                            s.key.rank() == 4 ? other_order : "");
  return cli::ProjectedHeads{count, width, of_keys, cli::handed_scale(source_of(o.query, o), inputs)};
}

attn::DType compute_dtype_of(const Sequences& s, const std::optional<attn::Weights>& weights) {
  const attn::DType keys_and_values = attn::wider(attn::compute_dtype(s.key.dtype), attn::compute_dtype(s.value.dtype));
  const attn::DType data = attn::wider(attn::compute_dtype(s.query.dtype), keys_and_values);
  return weights ? attn::wider(data, weights->compute_dtype()) : data;
}

/// The past of `batch` sequences; a past of one sequence serves all.
std::optional<attn::KeyValue> read_past(const Options& o, std::size_t batch, cli::Inputs& inputs) {
  const auto of_all = [batch](const TensorView& given) {
    TensorView heads = as_batch(given);
    if (heads.rank() == 4 && heads.shape[0] == 1)
      heads = attn::broadcast_to(heads, {batch, heads.shape[1], heads.shape[2], heads.shape[3]});
    return heads;
  };
  const auto keys = inputs.read(o.past_key);
  if (!keys) return std::nullopt;
  return attn::KeyValue{of_all(*keys), of_all(inputs.read(static_cast<const cli::Input&>(o.past_value)))};
}

attn::Positions positions_of(const Options& o, const attn::MultiHeadAttention& attention, std::size_t past,
                             cli::Inputs& inputs) {
  const auto listed = attention.parameters().rotary ? cli::read_positions(o.attention.positions, inputs) : std::nullopt;
  return {static_cast<std::int64_t>(past), listed};
}

/// The input of the stage attend, with keys and values in the dtype of the past that they follow.
Heads given_heads(const Sequences& s, std::size_t past, attn::DType compute) {
  const auto heads = [&](const TensorView& x) { return as_batch(past > 0 ? attn::cast(x, compute) : x); };
  return {as_batch(s.query), {heads(s.key), heads(s.value)}};
}

Heads project(const Options& o, const attn::MultiHeadAttention& attention, const Sequences& s, std::size_t past,
              attn::DType compute, cli::Session& session) {
  if (o.stage == Part::attend) return given_heads(s, past, compute);
  const attn::Positions at = positions_of(o, attention, past, session.inputs);
  attn::Positions of_queries = at;
  of_queries.first += static_cast<std::int64_t>(queries_before(s.query, session));
  return {attention.project_query(s.query, session.execution(), of_queries),
          attention.project_memory(s.key, s.value, session.execution(), at)};
}

attn::KeyValueCache past_of(const std::optional<attn::KeyValue>& before, attn::DType compute) {
  attn::KeyValueCache past;
  if (before) past.append({attn::cast(before->key, compute), attn::cast(before->value, compute)});
  return past;
}

void run(const Options& o, cli::Session& session) {
  check(o);
  const Sequences s = read_sequences(o, session);
  std::optional<attn::Weights> weights;
  if (o.weights.given()) weights = cli::open_weights(o.weights, session.inputs);
  const attn::DType compute = compute_dtype_of(s, weights);
  attn::AttendInputs inputs;
  const auto attention =
      cli::load_multi_head(o.attention, o.weights, compute, projected_heads(o, s, session.inputs), inputs, session);
  expect_one_text(attention, s);
  const bool is_rotary = attention.parameters().rotary.has_value();
  const bool has_past = o.stage == Part::project ? is_rotary : o.stage != Part::merge;
  const auto before = has_past ? read_past(o, is_batch(o, s.key) ? s.key.shape[0] : 1, session.inputs) : std::nullopt;
  if (o.stage == Part::merge && session.gradients.wanted())
    return write_merge_gradients(o, attention, s.query, session);
  if (o.stage == Part::merge)
    return cli::write_layer(o.output, session.results, s.query, {{"", attention.merge(s.query, session.execution())}});

  attn::KeyValueCache past = past_of(before, compute);
  Heads heads = project(o, attention, s, past.length(), compute, session);
  if (session.gradients.wanted()) {
    const View view =
        o.stage == Part::project ? View{} : view_of(o, attention, inputs, s.query, heads, past.length(), session);
    return write_gradients(o, attention, s, heads, view.masks, view.before,
                           positions_of(o, attention, past.length(), session.inputs), session);
  }
  if (o.stage == Part::project)
    return cli::write_layer(o.output, session.results, s.query, projected(o, attention, s.query, heads));
  pool(o, attention, inputs, s.query, std::move(heads), std::move(past), session);
}

}  // namespace
}  // namespace mha

ATTN_TOOL("mha", "multi-head attention: project, split, attend, merge", mha::Options, mha::declare, mha::run)
