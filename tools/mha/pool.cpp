#include "mha/pool.hpp"

#include "cli/results/head_attributes.hpp"

#include <attn/core/error.hpp>
#include <attn/layers/multi_head_inputs.hpp>

namespace mha {
namespace {

using attn::TensorView;

/// The first of the operands that is given, else x, the source of the queries.
TensorView read_first(const TensorView& x, std::initializer_list<const cli::OptionalInput*> operands,
                      cli::Inputs& inputs) {
  for (const cli::OptionalInput* operand : operands)
    if (operand->given()) return inputs.read(static_cast<const cli::Input&>(*operand));
  return x;
}

/// The number of keys before the first query. XLNet's memory comes before its rows, so its queries are the last of the
/// keys, whatever their source.
std::size_t keys_before(const attn::MultiHeadAttention& attention, const TensorView& given, const Heads& heads,
                        std::size_t past, const cli::Session& session) {
  const std::size_t first = queries_before(given, session), keys = heads.memory.key.shape[2];
  if (!attention.weights().relative) return past + first;
  const std::size_t queries = given.rank() == 2 ? session.all_rows(given) : heads.query.shape[2];
  if (keys < queries)
    throw attn::Error(attn::ErrorKind::data, heads.memory.key.name,
                      "has " + std::to_string(keys) + " rows for " + std::to_string(queries) +
                          " queries, which are the last of the keys with XLNet's relative positions",
                      "give the memory and behind it the rows themselves");
  return keys - queries + first;
}

}  // namespace

cli::Input source_of(const cli::OptionalInput& operand, const Options& o) {
  if (operand.given()) return operand;
  cli::Input input = o.input;
  if (o.stage == Part::attend) input.defaults = operand.defaults;
  return input;
}

Sequences read_sequences(const Options& o, cli::Session& session) {
  const auto own = [&](const cli::OptionalInput& operand) { return session.read(source_of(operand, o)); };
  const TensorView query = session.unrounded(own(o.query));
  if (o.stage == Part::merge) return {query, query, query};
  Sequences s;
  if (o.stage == Part::attend)
    s = {query, own(o.key), own(o.value)};
  else
    s = {reordered(o, query), reordered(o, read_first(query, {&o.key, &o.memory}, session.inputs)),
         reordered(o, read_first(query, {&o.value, &o.memory, &o.key}, session.inputs))};
  s.is_shared = !is_batch(o, s.query) && (is_batch(o, s.key) || is_batch(o, s.value));
  if (s.is_shared) {
    s.query.shape.insert(s.query.shape.begin(), 1);
    s.query.strides.insert(s.query.strides.begin(), 0);
  }
  return s;
}

void expect_one_text(const attn::MultiHeadAttention& attention, const Sequences& s) {
  const auto& rotary = attention.parameters().rotary;
  if (!rotary || !rotary->stretching || !attn::follows_length(*rotary->stretching)) return;
  const auto length = [](const TensorView& x) { return x.rank() < 2 ? 1 : x.shape[x.rank() - 2]; };
  if (length(s.query) == length(s.key)) return;
  throw attn::Error(attn::ErrorKind::usage, s.key.name,
                    "has " + std::to_string(length(s.key)) + " rows for " + std::to_string(length(s.query)) +
                        " queries: dynamic and longrope scaling turn by the length of one text",
                    "project all of it, and attend with some of the queries");
}

std::size_t queries_before(const TensorView& given, const cli::Session& session) {
  return given.rank() == 2 ? session.first_row(0) : 0;
}

View view_of(const Options& o, const attn::MultiHeadAttention& attention, const attn::AttendInputs& inputs,
             const TensorView& given, const Heads& heads, std::size_t past, cli::Session& session) {
  const std::size_t before = keys_before(attention, given, heads, past, session);
  const attn::RelativeSpan span{heads.query.shape[2], heads.memory.key.shape[2], static_cast<std::int64_t>(before)};
  return {before, cli::read_masks(o.attention, o.weights, inputs, span, attention.parameters().heads, session)};
}

std::vector<cli::Result> projected(const Options& o, const attn::MultiHeadAttention& attention, const TensorView& given,
                                   const Heads& heads) {
  const cli::HandedOn handed = cli::handed_on(attention.parameters().pooling, is_batch(o, given));
  return {{"q", as_given(o, given, heads.query), handed.queries},
          {"k", as_given(o, given, heads.memory.key), handed.keys_and_values},
          {"v", as_given(o, given, heads.memory.value), handed.keys_and_values}};
}

void pool(const Options& o, const attn::MultiHeadAttention& attention, const attn::AttendInputs& inputs,
          const TensorView& given, Heads heads, attn::KeyValueCache past, cli::Session& session) {
  std::vector<cli::Result> results{{"", {}}};
  for (cli::Result& part : projected(o, attention, given, heads))
    if (o.output.wants(part.name)) results.push_back(std::move(part));
  const auto emit = [&](const char* name, const TensorView& tensor) {
    if (o.output.wants(name)) results.push_back({name, as_given(o, given, tensor)});
  };
  const std::size_t length = past.length();
  if (length > 0) {
    past.append(heads.memory);
    heads.memory = past.view();
  }
  emit("keys", heads.memory.key);
  emit("values", heads.memory.value);

  const View view = view_of(o, attention, inputs, given, heads, length, session);
  const attn::DType stored =
      session.dtype().value_or(attn::is_floating(given.dtype) ? given.dtype : attn::compute_dtype(heads.query.dtype));
  attn::AttendRequest request;
  if (o.output.wants("weights")) request.stages = {attn::Stage::weights};
  const attn::Execution& execution = session.execution();
  if (!o.average) request.stages_dtype = stored;
  attn::AttendResult pooled =
      attention.attend_heads(heads.query, heads.memory, view.masks, request, execution, view.before);
  cli::note_empty_rows(pooled, attention.parameters().pooling.empty, session.report);
  emit("heads", pooled.output);
  for (attn::TensorProducer& producer : pooled.stages) {
    if (o.average) {
      emit("weights", attn::average_over_heads(producer));
      continue;
    }
    if (!is_batch(o, given)) producer.shape.erase(producer.shape.begin());
    results.push_back({"weights", {}, {}, std::move(producer)});
  }
  results[0].tensor = o.stage == Part::attend
                          ? as_given(o, given, pooled.output)
                          : reordered(o, as_given(o, given, attention.merge(pooled.output, execution)));
  cli::write_layer(o.output, session.results, given, results);
}

}  // namespace mha
