#include "mha/gradients.hpp"

#include "cli/session.hpp"

#include <attn/core/error.hpp>
#include <attn/layers/linear.hpp>
#include <attn/layers/multi_head_inputs.hpp>
#include <attn/layers/norm.hpp>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace mha {
namespace {

using attn::TensorView;

/// a above b; with `by_columns` beside it.
TensorView joined(const TensorView& a, const TensorView& b, bool by_columns) {
  const auto turned = [&](const TensorView& x) {
    return attn::contiguous(by_columns ? attn::transposed(x, {1, 0}) : x);
  };
  const TensorView first = turned(a), second = turned(b);
  attn::Shape shape = first.shape;
  shape[0] += second.shape[0];
  attn::Tensor out(a.dtype, shape);
  std::memcpy(out.data(), first.data, first.bytes());
  std::memcpy(static_cast<char*>(out.data()) + first.bytes(), second.data, second.bytes());
  return turned(out.view(a.name));
}

/// The gradients of mha: one for each operand, and one for each tensor of the weights.
class AllGradients {
 public:
  /// Added to a gradient of the same name.
  void add(const std::string& name, const TensorView& value) {
    if (cli::Gradient* known = find(name))
      known->value = attn::add_residual(known->value, value);
    else
      all.push_back({name, value});
  }
  void add(const std::string& name, const std::optional<attn::TensorView>& value) {
    if (value) add(name, *value);
  }
  /// Maps that are parts of one tensor come in its order.
  void add(const attn::Linear& map, const attn::LinearGradients& d) {
    join(cli::by_parameter(map.weight(), "weight", d.weight), map.layout() == attn::WeightLayout::in_out);
    if (d.bias) join(cli::by_parameter(*map.bias(), "bias", *d.bias), false);
  }
  /// None without a norm.
  void add(const std::optional<attn::Norm>& norm, const std::optional<attn::NormGradients>& d) {
    if (!norm || !d) return;
    if (d->weight) all.push_back(cli::by_parameter(*norm->weight(), "weight", *d->weight));
    if (d->bias) all.push_back(cli::by_parameter(*norm->bias(), "bias", *d->bias));
  }

  std::vector<cli::Gradient> all;

 private:
  cli::Gradient* find(const std::string& name) {
    const auto known =
        std::find_if(all.begin(), all.end(), [&](const auto& gradient) { return gradient.name == name; });
    return known == all.end() ? nullptr : &*known;
  }
  void join(const cli::Gradient& part, bool by_columns) {
    if (cli::Gradient* known = find(part.name))
      known->value = joined(known->value, part.value, by_columns);
    else
      all.push_back(part);
  }
};

TensorView with_batch_axis(const Options& o, const TensorView& given, const TensorView& x) {
  if (is_batch(o, given)) return x;
  attn::Shape shape = x.shape;
  shape.insert(shape.begin(), 1);
  return attn::reshaped(attn::contiguous(x), shape);
}

/// The names of what queries, keys and values are read from.
struct Sources {
  std::string query, key, value;

  explicit Sources(const Options& o) {
    const bool are_heads = o.stage == Part::attend;
    const auto first = [&](std::initializer_list<std::pair<const cli::OptionalInput*, const char*>> operands) {
      for (const auto& [operand, name] : operands)
        if (operand->given()) return std::string(name);
      return std::string("dx");
    };
    query = are_heads ? "dq" : first({{&o.query, "dq"}});
    key = are_heads ? "dk" : first({{&o.key, "dk"}, {&o.memory, "dmemory"}});
    value = are_heads ? "dv" : first({{&o.value, "dv"}, {&o.memory, "dmemory"}, {&o.key, "dk"}});
  }
};

/// The gradient by the query, as it was given.
TensorView of_query(const Sequences& s, const TensorView& x) { return s.is_shared ? attn::element(x, 0) : x; }

void add_projection(const Options& o, const attn::MultiHeadAttention& attention, const Sequences& s,
                    const TensorView& dquery, const attn::KeyValue& dmemory, const attn::Positions& at,
                    const attn::Execution& execution, AllGradients& gradients) {
  const attn::ProjectionMaps& maps = *attention.weights().projection;
  const attn::ProjectionGradients d = attention.project_vjp(s.query, s.key, s.value, dquery, dmemory, execution, at);
  const Sources sources(o);
  gradients.add(sources.query, reordered(o, of_query(s, d.query.x)));
  gradients.add(sources.key, reordered(o, d.key.x));
  gradients.add(sources.value, reordered(o, d.value.x));
  gradients.add(maps.query, d.query);
  gradients.add(maps.key, d.key);
  gradients.add(maps.value, d.value);
  gradients.add(attention.weights().query_norm, d.query_norm);
  gradients.add(attention.weights().key_norm, d.key_norm);
}

}  // namespace

void write_gradients(const Options& o, const attn::MultiHeadAttention& attention, const Sequences& s,
                     const Heads& heads, const attn::MultiHeadMasks& masks, std::size_t before,
                     const attn::Positions& at, cli::Session& session) {
  if (o.past_key.given())
    throw attn::Error(attn::ErrorKind::usage, "--past-key", "has no gradient in mha",
                      "join the past to the keys, and use attend --vjp for it");
  const attn::Execution& execution = session.execution();
  AllGradients gradients;
  const auto cotangent_of = [&](const char* name) {
    const auto x = session.gradients.cotangent(name);
    if (!x)
      throw attn::Error(attn::ErrorKind::data, "--vjp", std::string("has no tensor ") + name,
                        "give a group with q, k and v");
    return with_batch_axis(o, s.query, *x);
  };
  if (o.stage == Part::project) {
    const attn::KeyValue dmemory{cotangent_of("k"), cotangent_of("v")};
    add_projection(o, attention, s, cotangent_of("q"), dmemory, at, execution, gradients);
    return session.gradients.write(o.output, gradients.all);
  }
  const TensorView given = session.gradients.cotangent();
  attn::AttendCotangents dy{with_batch_axis(o, s.query, o.stage == Part::all ? reordered(o, given) : given)};
  if (const auto dweights = session.gradients.cotangent("weights")) dy.weights = with_batch_axis(o, s.query, *dweights);
  std::optional<attn::LinearGradients> by_output;
  if (o.stage == Part::all) {
    const TensorView pooled =
        attention.attend_heads(heads.query, heads.memory, masks, {}, execution.without_progress(), before).output;
    attn::MergeGradients d = attention.merge_vjp(pooled, dy.output, execution);
    dy.output = d.heads;
    by_output = std::move(d.output);
  }
  const attn::HeadGradients d = attention.attend_heads_vjp(heads.query, heads.memory, masks, dy, execution, before);
  if (o.stage == Part::all) {
    add_projection(o, attention, s, d.query, d.memory, at, execution, gradients);
    if (by_output) gradients.add(*attention.weights().output, *by_output);
  } else {
    gradients.add("dq", of_query(s, as_given(o, s.query, d.query)));
    gradients.add("dk", as_given(o, s.query, d.memory.key));
    gradients.add("dv", as_given(o, s.query, d.memory.value));
  }
  const auto add_row = [&](const std::optional<TensorView>& row, const std::optional<TensorView>& parameter) {
    if (row) gradients.all.push_back(cli::by_parameter(*parameter, "bias", attn::reshaped(*row, {1, 1, row->size()})));
  };
  add_row(d.key_bias, attention.weights().key_bias);
  add_row(d.value_bias, attention.weights().value_bias);
  if (d.padding_mask) gradients.all.push_back({"dpadding_mask", *d.padding_mask, "padding-mask"});
  attn::AttendGradients options;
  options.inputs.mask = d.mask;
  if (o.attention.attention.bias.given())
    options.inputs.bias = d.bias;
  else if (d.bias)
    session.report.note("T5's table of biases gets no gradient here; attend --bias and posenc --kind t5 --vjp have it");
  options.inputs.sinks = d.sinks;
  options.inputs.bilinear = d.score.bilinear;
  options.inputs.query_weight = d.score.query_weight;
  options.inputs.key_weight = d.score.key_weight;
  options.inputs.score_weight = d.score.score_weight;
  options.bandwidth = d.bandwidth;
  cli::add_gradients(gradients.all, o.attention.attention, session, options);
  session.gradients.write(o.output, gradients.all);
}

void write_merge_gradients(const Options& o, const attn::MultiHeadAttention& attention, const TensorView& heads,
                           cli::Session& session) {
  const attn::MergeGradients d =
      attention.merge_vjp(heads, reordered(o, session.gradients.cotangent()), session.execution());
  AllGradients gradients;
  gradients.add("dx", d.heads);
  if (d.output) gradients.add(*attention.weights().output, *d.output);
  session.gradients.write(o.output, gradients.all);
}

}  // namespace mha
