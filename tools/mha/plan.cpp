#include "mha/plan.hpp"

#include "cli/plans.hpp"

#include <tuple>

namespace mha {
namespace {

using attn::TensorView;

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
  const bool projects = maps && (o.stage == Part::all || o.stage == Part::project);
  return {split(s.query, projects ? &maps->query : nullptr, attention.parameters().heads),
          split(s.key, projects ? &maps->key : nullptr, attention.key_value_heads()),
          split(s.value, projects ? &maps->value : nullptr, attention.key_value_heads())};
}

/// Heads side by side, and what W^O makes of them where there is one.
attn::Shape merged_shape(const attn::MultiHeadAttention& attention, attn::Shape heads) {
  if (heads.size() < 3) return heads;  // refused
  const auto& output = attention.weights().output;
  heads.back() = output ? output->out_features() : heads.back() * attention.parameters().heads;
  heads.erase(heads.end() - 3);
  return heads;
}

/// What the past and --emit add to a plan that counts queries, keys, values and what is pooled.
void add_to_plan(cli::Plan& plan, const Options& o, const attn::MultiHeadAttention& attention, const Sequences& s,
                 const std::optional<attn::KeyValue>& past, attn::DType compute, const cli::Session& session) {
  const attn::DType stored = plan.results.front().dtype, written = session.dtype().value_or(stored);
  const std::size_t before = past ? past->key.size() + past->value.size() : 0;
  if (past)  // converted, and joined with what comes
    plan.memory += (2 * before + s.key.size() + s.value.size()) * attn::element_size(compute);
  if (attention.appended_keys() > 0)  // with copies of the others
    plan.memory += (before + s.query.size() + s.key.size() + s.value.size()) * attn::element_size(compute);
  const auto length_of = [](const TensorView& x) { return x.rank() < 2 ? 1 : x.shape[x.rank() - 2]; };
  const HeadShapes shapes = head_shapes(o, attention, s);
  const auto behind_past = [&](attn::Shape shape) {
    if (past && shape.size() > 1) shape[shape.size() - 2] += length_of(past->key);
    return shape;
  };
  attn::Shape pooled = shapes.query;
  if (!pooled.empty() && !shapes.value.empty()) pooled.back() = shapes.value.back();
  plan.results.front().shape = o.stage == Part::attend ? pooled : merged_shape(attention, pooled);
  const std::tuple<const char*, attn::Shape, std::size_t> parts[] = {
      {"q", shapes.query, s.query.size()},
      {"k", shapes.key, s.key.size()},
      {"v", shapes.value, s.value.size()},
      {"heads", pooled, s.query.size()},
      {"keys", behind_past(shapes.key), before + s.key.size()},
      {"values", behind_past(shapes.value), before + s.value.size()}};
  if (o.stage == Part::project) {
    plan.results.clear();
    for (const auto& [name, shape, size] : {parts[0], parts[1], parts[2]})
      plan.results.push_back({name, stored, shape});
  }
  for (const auto& [name, shape, size] : parts)
    if (cli::Session::wants(o.output, name)) {
      plan.memory += cli::converted_bytes(size, compute, stored) + cli::converted_bytes(size, stored, written);
      plan.ready.push_back({name, stored, shape});
    }
  if (!cli::Session::wants(o.output, "weights")) return;
  attn::Shape shape{length_of(s.query),
                    length_of(s.key) + (past ? length_of(past->key) : 0) + attention.appended_keys()};
  if (!o.average) shape.insert(shape.begin(), attention.parameters().heads);
  if (is_batch(o, s.query)) shape.insert(shape.begin(), s.query.shape.front());
  (o.average ? plan.results : plan.streamed).push_back({"weights", stored, shape});
  if (o.average) plan.memory += attn::element_count(shape) * sizeof(double);  // the sums
}

}  // namespace

cli::Plan plan_of(const Options& o, const attn::MultiHeadAttention& attention, const Sequences& s,
                  const std::optional<attn::Weights>& weights, const std::optional<attn::KeyValue>& past,
                  attn::DType compute, const cli::Session& session) {
  const double elements = weights ? cli::matrix_elements(*weights) : 0;
  cli::Plan plan = cli::multi_head_plan(s.query, s.key, elements, compute);
  if (weights)
    plan.memory += cli::converted_bytes(static_cast<std::size_t>(elements), weights->compute_dtype(), compute);
  add_to_plan(plan, o, attention, s, past, compute, session);
  return plan;
}

}  // namespace mha
